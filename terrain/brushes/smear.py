"""Smear: drags the shape of the land along, as a finger drags paint."""

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, Dab, Stroke, Window
from terrain.brushes.nudge import NudgeParams
from terrain.kernel import kernel


class Smear(Brush):
    """Takes each vertex's displacement from where the stroke comes from; vertices stay, the shape wanders."""

    id = "smear"
    label = "Smear"
    Params = NudgeParams
    icon = "gesture-swipe-right"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Drag."""
        cell = state.cell
        source = np.ascontiguousarray(window.offset)
        way = state.sign * dab.move
        _smear(
            source,
            dyadic(way[1] / cell),
            dyadic(way[0] / cell),
            window.weight,
            2.0 * state.params.strength,
            window.offset,
        )


def dyadic(cells: float) -> float:
    """A distance in cells, to a millionth, as a number of few bits: what lies between two vertices is then found
    alike from either side, and mirrored strokes give mirrored bytes."""
    return round(float(cells) * 2.0**20) / 2.0**20


@kernel
def _smear(
    source: NDArray[np.float32],
    rows: float,
    cols: float,
    weight: NDArray[np.float32],
    share: float,
    out: NDArray[np.float32],
) -> None:
    """Blend each offset with the one `rows`, `cols` behind it, between vertices, inside the window."""
    last_row, last_col = source.shape[0] - 1, source.shape[1] - 1
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            if not weight[i, j] > 0.0:
                continue
            y, x = min(max(i - rows, 0.0), last_row), min(max(j - cols, 0.0), last_col)
            row, col = min(int(y), last_row - 1), min(int(x), last_col - 1)
            fy, fx = y - row, x - col
            part = min(share * weight[i, j], 1.0)
            for k in range(3):
                south = (1.0 - fx) * source[row, col, k] + fx * source[row, col + 1, k]
                north = (1.0 - fx) * source[row + 1, col, k] + fx * source[row + 1, col + 1, k]
                out[i, j, k] = source[i, j, k] + part * ((1.0 - fy) * south + fy * north - source[i, j, k])
