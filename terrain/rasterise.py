"""The top of the displaced surface, seen straight down: exact at the points of a regular grid."""

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField
from terrain.kernel import kernel

_NO_HOLES = np.empty((0, 0), np.bool_)


def top_surface(
    field: VectorField,
    rows: int,
    cols: int,
    cell: float,
    origin: tuple[float, float],
    holes: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Height of the highest triangle over each grid point, and how many sheets of the surface lie there.

    Returns heights float32 (rows, cols), metres, row 0 south (-inf where no triangle lies), and sheets int32
    (rows, cols): 0 nothing, 1 a heightmap, more an overhang. An undisplaced field sampled at its own vertices gives
    its dz bit for bit. holes: bool per cell, True where there is no surface.
    """
    heights = np.full((rows, cols), -np.inf, np.float32)
    sheets = np.zeros((rows, cols), np.int32)
    own_grid = (rows, cols, cell, origin) == (field.rows, field.cols, field.cell, field.origin)
    if own_grid and holes is None and not field.offset[..., :2].any():
        heights[...] = field.offset[..., 2]
        sheets[...] = 1
        return heights, sheets
    x0, y0 = field.origin
    _raster(field.offset, field.cell, x0, y0, _NO_HOLES if holes is None else holes, cell, *origin, heights, sheets)
    return heights, sheets


def fill_uncovered(heights: NDArray[np.float32]) -> int:
    """Give points without surface (-inf) the nearest height, in place; returns how many there were."""
    missing = ~np.isfinite(heights)
    count = int(missing.sum())
    if 0 < count < missing.size:
        from scipy import ndimage

        nearest = ndimage.distance_transform_edt(missing, return_distances=False, return_indices=True)
        heights[missing] = heights[tuple(nearest)][missing]
    return count


@kernel
def _raster(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    holes: NDArray[np.bool_],
    step: float,
    west: float,
    south: float,
    heights: NDArray[np.float32],
    sheets: NDArray[np.int32],
) -> None:
    """Positions are taken in grid steps from the target's corner, so that vertices on its points stay exact."""
    p = np.empty((4, 3))
    for row in range(offset.shape[0] - 1):
        for col in range(offset.shape[1] - 1):
            if holes.shape[0] > 0 and holes[row, col]:
                continue
            for k in range(4):
                r, c = row + k // 2, col + (k & 1)
                p[k, 0] = (x0 - west + c * cell + offset[r, c, 0]) / step
                p[k, 1] = (y0 - south + r * cell + offset[r, c, 1]) / step
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
    """Grid points in the triangle, borders included for heights; each sheet counted on one side of a border only."""
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if area == 0.0:
        return
    slack = 1e-9
    low_y, high_y = min(a[1], b[1], c[1]), max(a[1], b[1], c[1])
    low_x, high_x = min(a[0], b[0], c[0]), max(a[0], b[0], c[0])
    for row in range(max(int(np.ceil(low_y - slack)), 0), min(int(np.floor(high_y + slack)) + 1, heights.shape[0])):
        for col in range(max(int(np.ceil(low_x - slack)), 0), min(int(np.floor(high_x + slack)) + 1, heights.shape[1])):
            wa = ((b[0] - col) * (c[1] - row) - (b[1] - row) * (c[0] - col)) / area
            wb = ((c[0] - col) * (a[1] - row) - (c[1] - row) * (a[0] - col)) / area
            wc = ((a[0] - col) * (b[1] - row) - (a[1] - row) * (b[0] - col)) / area
            if wa >= -slack and wb >= -slack and wc >= -slack:
                z = np.float32((wa * a[2] + wb * b[2] + wc * c[2]) / (wa + wb + wc))
                heights[row, col] = max(heights[row, col], z)
                # A point a hair to the north-east belongs to exactly one triangle of a sheet.
                if _owns(a, b, c, area, col + 2e-7, row + 1e-7):
                    sheets[row, col] += 1


@kernel
def _owns(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64], area: float, x: float, y: float
) -> bool:
    wa = ((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / area
    wb = ((c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)) / area
    return bool(wa >= 0.0 and wb >= 0.0 and wa + wb < 1.0)
