"""Masks of drawn shapes: rectangle and lasso, seen straight down."""

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.masks.combine import Mask
from terrain.masks.ranges import fade
from terrain.masks.segments import squared_distance

_BANDS = 256
"""Strips from west to east, each with the list of the edges near it, so that a vertex need not ask all of them."""

Edges = NDArray[np.float64]


def rectangle_mask(field: VectorField, west: float, south: float, east: float, north: float, feather: float) -> Mask:
    """1 (rows, cols) inside a rectangle of world metres, any two opposite corners; its rim as in `lasso_mask`."""
    if west == east or south == north:
        raise SkerryError("the rectangle has no area: give two corners that differ in x and in y")
    corners = [(west, south), (east, south), (east, north), (west, north)]
    return lasso_mask(field, np.array(corners, np.float64), feather)


def lasso_mask(field: VectorField, points: NDArray[np.float64], feather: float = 0.0) -> Mask:
    """1 (rows, cols) where displaced vertices lie inside a polygon of world x, y (count, 2), metres, closed by itself.

    Where the polygon overlaps itself, even overlaps are outside. The rim fades from 1 at `feather` metres inside to 0
    at as much outside; it is never harder than one cell, which keeps it free of steps.
    """
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3 or not np.isfinite(points).all():
        raise SkerryError("a lasso needs at least three points of finite x and y")
    local = points - np.asarray(field.origin)
    edges = np.hstack([local, np.roll(local, -1, axis=0)])
    half = max(feather, 0.5 * field.cell)
    out = np.zeros((field.rows, field.cols), np.float32)
    box = np.array([*(local.min(axis=0) - half), *(local.max(axis=0) + half)])
    starts, listed = _bands(edges, box, half)
    _cover(field.offset, field.cell, edges, box, half, starts, listed, out)
    return out


def _bands(edges: Edges, box: NDArray[np.float64], half: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each band, where its list starts in the second array, which holds the numbers of the edges near it."""
    height = (box[3] - box[1]) / _BANDS
    low = np.minimum(edges[:, 1], edges[:, 3]) - half
    high = np.maximum(edges[:, 1], edges[:, 3]) + half
    # One band more on either side, for rounding.
    first = np.floor((low - box[1]) / height).astype(np.int64) - 1
    last = np.floor((high - box[1]) / height).astype(np.int64) + 1
    lists = [np.flatnonzero((first <= band) & (band <= last)) for band in range(_BANDS)]
    starts = np.concatenate([[0], np.cumsum([len(part) for part in lists])]).astype(np.int64)
    return starts, np.concatenate(lists).astype(np.int64)


@kernel
def _cover(
    offset: NDArray[np.float32],
    cell: float,
    edges: Edges,
    box: NDArray[np.float64],
    half: float,
    starts: NDArray[np.int64],
    listed: NDArray[np.int64],
    out: Mask,
) -> None:
    """box: west, south, east, north of the polygon and its rim, metres from the map's origin, as the edges are."""
    for row in range(out.shape[0]):
        for col in range(out.shape[1]):
            x, y = col * cell + offset[row, col, 0], row * cell + offset[row, col, 1]
            if not (box[0] <= x <= box[2] and box[1] <= y <= box[3]):
                continue
            band = min(int((y - box[1]) / (box[3] - box[1]) * _BANDS), _BANDS - 1)
            inside, nearest = False, half * half
            for at in range(starts[band], starts[band + 1]):
                ax, ay, bx, by = edges[listed[at]]
                if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
                    inside = not inside
                nearest = min(nearest, squared_distance(x, y, ax, ay, bx, by))
            depth = np.sqrt(nearest) / half
            out[row, col] = fade(0.5 + 0.5 * (depth if inside else -depth))
