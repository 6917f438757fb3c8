"""Smooth: moves each vertex towards the middle of its neighbours."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.kernel import kernel
from terrain.params import about

_ITERATIONS = 4
"""Rounds a dab; each reaches one vertex further."""

_STABLE = 0.75
"""A full step to the mean would leave a checkerboard of vertices swinging for ever."""


class SmoothParams(BrushParams, frozen=True, kw_only=True):
    """How firmly to smooth."""

    strength: Annotated[float, about("Share of the roughness that one pass takes away", ge=0, le=1)] = 0.7


class Smooth(Brush):
    """Laplacian smoothing of the displaced positions, so that overhangs are smoothed as they stand in space."""

    id = "smooth"
    label = "Smooth"
    Params = SmoothParams
    icon = "blur"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Smooth; inverting makes no difference."""
        share = _STABLE * pass_share(state.params.strength, dab.step)
        scratch = np.empty_like(window.before)
        for _ in range(_ITERATIONS):
            _towards_neighbours(window.field.offset, window.rect.row0, window.rect.col0, window.weight, share, scratch)
            window.offset[...] = scratch


@kernel
def _towards_neighbours(
    offset: NDArray[np.float32],
    row0: int,
    col0: int,
    weight: NDArray[np.float32],
    share: float,
    out: NDArray[np.float32],
) -> None:
    """New offsets (rows, cols, 3) of a window: a step towards the mean of the neighbours' positions.

    The rest positions of opposite neighbours cancel, so offsets may stand for positions. On the map's border only
    neighbours along the border count, which keeps its outline; corners stay.
    """
    rows, cols = offset.shape[0], offset.shape[1]
    for i in range(weight.shape[0]):
        row = row0 + i
        for j in range(weight.shape[1]):
            col = col0 + j
            w = share * weight[i, j]
            along_col = 0 < col < cols - 1
            along_row = 0 < row < rows - 1
            for k in range(3):
                here = offset[row, col, k]
                total, count = np.float32(0.0), np.float32(0.0)
                if along_col:
                    total += offset[row, col - 1, k] + offset[row, col + 1, k]
                    count += np.float32(2.0)
                if along_row:
                    total += offset[row - 1, col, k] + offset[row + 1, col, k]
                    count += np.float32(2.0)
                if w > 0.0 and count > 0.0:
                    here += np.float32(w) * (total / count - here)
                out[i, j, k] = here
