"""Clone: paints a copy of the land from somewhere else."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.brushes.smear import dyadic
from terrain.errors import SkerryError
from terrain.kernel import kernel
from terrain.params import about
from terrain.tiles import Rect


class CloneParams(BrushParams, frozen=True, kw_only=True):
    """From where, and how firmly."""

    strength: Annotated[float, about("Share of the way to the copy in one dab", ge=0, le=1)] = 0.7
    x: Annotated[float, about("Source, east (Ctrl+click in the view sets it)", unit="m")] | None = None
    y: Annotated[float, about("Source, north", unit="m")] | None = None
    lift: Annotated[bool, about("Lift or lower the copy to the ground where it is painted")] = True


@dataclass
class _Cloning:
    stroke: Stroke
    shift: tuple[float, float, float] | None = None
    """Rows, columns and metres of height from a vertex to its source."""


class Clone(Brush):
    """Paints displacements from a source that keeps its distance to the pointer."""

    id = "clone"
    label = "Clone"
    Params = CloneParams
    icon = "content-copy"
    family = "Copy"

    def begin(self, stroke: Stroke) -> _Cloning:
        """The way to the source is known once the stroke has begun."""
        if stroke.params.x is None or stroke.params.y is None:
            raise SkerryError("clone has no source yet: Ctrl+click the land to copy from, or set x and y")
        return _Cloning(stroke)

    def dab(self, window: Window, dab: Dab, state: _Cloning) -> None:
        """Blend in what lies at the source."""
        params = state.stroke.params
        if state.shift is None:
            state.shift = _shift(window, dab, params)
        rows, cols, rise = state.shift
        source, row, col = _source(window, rows, cols)
        share = pass_share(params.strength, dab.step)
        _blend(source, row, col, rise if params.lift else 0.0, window.weight, share, window.offset)


def _shift(window: Window, dab: Dab, params: CloneParams) -> tuple[float, float, float]:
    field, centre = window.field, dab.centre
    # A mirrored dab copies from the mirrored place.
    place = (dab.matrix @ (np.array([params.x, params.y, 0.0]) - dab.axis) + dab.axis)[:2]
    rows, cols = (place[1] - centre[1]) / field.cell, (place[0] - centre[0]) / field.cell
    row = int(np.clip(round((place[1] - field.origin[1]) / field.cell), 0, field.rows - 1))
    col = int(np.clip(round((place[0] - field.origin[0]) / field.cell), 0, field.cols - 1))
    height = float(window.earlier(Rect(row, row + 1, col, col + 1))[0, 0, 2])
    return dyadic(rows), dyadic(cols), float(centre[2]) - height


def _source(window: Window, rows: float, cols: float) -> tuple[NDArray[np.float32], float, float]:
    """The earlier offsets around a window's source, and where in them its first vertex lies."""
    rect, field = window.rect, window.field
    row = min(max(rect.row0 + rows, 1.0 - rect.rows), float(field.rows - 1))
    col = min(max(rect.col0 + cols, 1.0 - rect.cols), float(field.cols - 1))
    row0, col0 = int(np.floor(row)), int(np.floor(col))
    part = Rect(row0, row0 + rect.rows + 1, col0, col0 + rect.cols + 1).clip(field.rows, field.cols)
    return window.earlier(part), row - part.row0, col - part.col0


@kernel
def _blend(
    source: NDArray[np.float32],
    first_row: float,
    first_col: float,
    rise: float,
    weight: NDArray[np.float32],
    share: float,
    out: NDArray[np.float32],
) -> None:
    last_row, last_col = source.shape[0] - 1, source.shape[1] - 1
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            part = share * weight[i, j]
            if not part > 0.0:
                continue
            y, x = min(max(first_row + i, 0.0), last_row), min(max(first_col + j, 0.0), last_col)
            row, col = min(int(y), max(last_row - 1, 0)), min(int(x), max(last_col - 1, 0))
            above, right = min(row + 1, last_row), min(col + 1, last_col)
            fy, fx = y - row, x - col
            for k in range(3):
                south = (1.0 - fx) * source[row, col, k] + fx * source[row, right, k]
                north = (1.0 - fx) * source[above, col, k] + fx * source[above, right, k]
                goal = (1.0 - fy) * south + fy * north
                if k == 2:
                    goal += rise
                out[i, j, k] += part * (goal - out[i, j, k])
