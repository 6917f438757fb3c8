"""The top of the displaced surface, seen straight down: exact at the points of a regular grid."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField
from terrain.kernel import kernel

_NO_HOLES = np.empty((0, 0), np.bool_)
_BLOCK = 128
"""Rows of cells between two reports of progress."""

_SLACK = 1e-9
"""In grid steps, and as a triangle's weight: closes what rounding opens."""


def top_surface(
    field: VectorField,
    rows: int,
    cols: int,
    cell: float | tuple[float, float],
    origin: tuple[float, float],
    holes: NDArray[np.bool_] | None = None,
    progress: Callable[[float], None] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Height of the highest triangle over each grid point, and how many sheets of the surface lie there.

    Returns heights float32 (rows, cols), metres, row 0 south (-inf where no triangle lies), and sheets int32
    (rows, cols): 0 nothing, 1 a heightmap, more an overhang. An undisplaced field sampled at its own vertices gives
    its dz bit for bit.
    cell: metres between points, or east-west and north-south apart. origin: x, y of the south-western point.
    holes: bool per cell, True where there is no surface.
    progress: called with the share done; what it raises ends the work.
    """
    step_x, step_y = cell if isinstance(cell, tuple) else (cell, cell)
    if holes is None:
        holes = _NO_HOLES
    own_grid = (rows, cols, step_x, step_y, origin) == (field.rows, field.cols, field.cell, field.cell, field.origin)
    if own_grid and not field.offset[..., :2].any():
        return _own_heights(field, holes)
    heights = np.full((rows, cols), -np.inf, np.float32)
    sheets = np.zeros((rows, cols), np.int32)
    # Positions count in grid steps from the target's corner, so that vertices on its points stay exact.
    shift_x, shift_y = (field.origin[0] - origin[0]) / step_x, (field.origin[1] - origin[1]) / step_y
    for row0 in range(0, field.rows - 1, _BLOCK):
        row1 = min(row0 + _BLOCK, field.rows - 1)
        _raster(field.offset, field.cell, shift_x, shift_y, step_x, step_y, holes, row0, row1, heights, sheets)
        if progress is not None:
            progress(row1 / (field.rows - 1))
    # A grid point met only by the rim of the surface, or by an upright triangle, is still covered.
    np.maximum(sheets, heights > -np.inf, out=sheets)
    return heights, sheets


def fill_uncovered(heights: NDArray[np.float32]) -> int:
    """Give points without surface (-inf) the nearest height, in place; returns how many there were.

    Nearest in grid steps; a grid without any surface stays as it is.
    """
    missing = ~np.isfinite(heights)
    count = int(missing.sum())
    if 0 < count < missing.size:
        from scipy import ndimage

        nearest = ndimage.distance_transform_edt(missing, return_distances=False, return_indices=True)
        heights[missing] = heights[tuple(nearest)][missing]
    return count


def _own_heights(field: VectorField, holes: NDArray[np.bool_]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Of an undisplaced field at its own vertices: those are covered that touch a cell which is no hole."""
    heights = field.offset[..., 2].copy()
    covered = np.ones(heights.shape, np.bool_)
    if holes.size:
        covered[:] = False
        for part in (covered[:-1, :-1], covered[:-1, 1:], covered[1:, :-1], covered[1:, 1:]):
            part |= ~holes
        heights[~covered] = -np.inf
    return heights, covered.astype(np.int32)


@kernel
def _raster(
    offset: NDArray[np.float32],
    cell: float,
    shift_x: float,
    shift_y: float,
    step_x: float,
    step_y: float,
    holes: NDArray[np.bool_],
    row0: int,
    row1: int,
    heights: NDArray[np.float32],
    sheets: NDArray[np.int32],
) -> None:
    # The ratio first: it is exactly 1 where grid and field agree, while c * cell / cell may miss c.
    ratio_x, ratio_y = cell / step_x, cell / step_y
    p = np.empty((4, 3))
    for row in range(row0, row1):
        for col in range(offset.shape[1] - 1):
            if holes.shape[0] > 0 and holes[row, col]:
                continue
            for k in range(4):
                r, c = row + k // 2, col + (k & 1)
                p[k, 0] = shift_x + c * ratio_x + offset[r, c, 0] / step_x
                p[k, 1] = shift_y + r * ratio_y + offset[r, c, 1] / step_y
                p[k, 2] = offset[r, c, 2]
            _triangle(p[0], p[1], p[3], heights, sheets)
            _triangle(p[0], p[3], p[2], heights, sheets)


@kernel
def _triangle(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    c: NDArray[np.float64],
    heights: NDArray[np.float32],
    sheets: NDArray[np.int32],
) -> None:
    """Grid points in the triangle, borders included for heights; each sheet counted on one side of a border only.

    The weights are cross products seen from the point: neighbours get the same number with opposite signs for their
    common edge, so no point on it can escape both.
    """
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if area == 0.0:
        _edge(a, b, heights)
        _edge(b, c, heights)
        _edge(c, a, heights)
        return
    low_z, high_z = min(a[2], b[2], c[2]), max(a[2], b[2], c[2])
    row0, row1 = _span(min(a[1], b[1], c[1]), max(a[1], b[1], c[1]), heights.shape[0])
    col0, col1 = _span(min(a[0], b[0], c[0]), max(a[0], b[0], c[0]), heights.shape[1])
    for row in range(row0, row1):
        for col in range(col0, col1):
            wa = ((b[0] - col) * (c[1] - row) - (b[1] - row) * (c[0] - col)) / area
            wb = ((c[0] - col) * (a[1] - row) - (c[1] - row) * (a[0] - col)) / area
            wc = ((a[0] - col) * (b[1] - row) - (a[1] - row) * (b[0] - col)) / area
            if wa >= -_SLACK and wb >= -_SLACK and wc >= -_SLACK:
                # The slack must not carry a steep triangle beyond its own corners.
                z = min(max((wa * a[2] + wb * b[2] + wc * c[2]) / (wa + wb + wc), low_z), high_z)
                heights[row, col] = max(heights[row, col], np.float32(z))
                # A point a hair to the north-east (inward at the far rims) belongs to exactly one triangle of a sheet.
                x = col + (2e-7 if col < heights.shape[1] - 1 else -2e-7)
                y = row + (1e-7 if row < heights.shape[0] - 1 else -1e-7)
                if _owns(a, b, c, area, x, y):
                    sheets[row, col] += 1


@kernel
def _span(low: float, high: float, count: int) -> tuple[int, int]:
    """First and one past the last of the grid lines 0..count-1 between two coordinates."""
    first = np.ceil(min(max(low - _SLACK, 0.0), float(count)))
    last = np.floor(min(max(high + _SLACK, -1.0), count - 1.0))
    return int(first), int(last) + 1


@kernel
def _edge(a: NDArray[np.float64], b: NDArray[np.float64], heights: NDArray[np.float32]) -> None:
    """Grid points under an edge: all that a triangle which stands upright covers."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    square = ux * ux + uy * uy
    row0, row1 = _span(min(a[1], b[1]), max(a[1], b[1]), heights.shape[0])
    col0, col1 = _span(min(a[0], b[0]), max(a[0], b[0]), heights.shape[1])
    for row in range(row0, row1):
        for col in range(col0, col1):
            px, py = col - a[0], row - a[1]
            away = ux * py - uy * px
            if away * away <= _SLACK * _SLACK * square:
                z = max(a[2], b[2])
                if square > 0.0:
                    share = min(max((ux * px + uy * py) / square, 0.0), 1.0)
                    z = a[2] + share * (b[2] - a[2])
                heights[row, col] = max(heights[row, col], np.float32(z))


@kernel
def _owns(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64], area: float, x: float, y: float
) -> bool:
    wa = ((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / area
    wb = ((c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)) / area
    return bool(wa >= 0.0 and wb >= 0.0 and wa + wb < 1.0)
