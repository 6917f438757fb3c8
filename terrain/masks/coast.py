"""Mask by distance to the coast."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.masks.combine import Mask
from terrain.masks.ranges import within
from terrain.masks.segments import squared_distance

Side = Literal["both", "land", "sea", "signed"]


def coast_distance(field: VectorField, sea_level: float) -> Mask:
    """Distance on the map (rows, cols), metres, to where the surface meets the sea; negative at and below sea level.

    The coast is cut from the triangles of the displaced surface, so it is as fine as they are; distances are level
    ones between displaced positions. Which piece of coast is nearest spreads from vertex to vertex along the rest
    grid (dead reckoning; Grevera 2004), which may miss the very nearest where the surface is folded over itself.
    Raises if the map has no coast.
    """
    heights = field.offset[..., 2]
    land = int(np.count_nonzero(heights > sea_level))
    if land in (0, heights.size):
        raise SkerryError(
            f"the map has no coast: all of it lies {'above' if land else 'at or below'} sea level {sea_level:g} m"
        )
    pieces = np.empty((_crossed(field.offset, sea_level), 4))
    nearest = np.full(heights.shape, -1, np.int32)
    distance = np.full(heights.shape, np.inf, np.float32)
    _cut(field.offset, field.cell, sea_level, pieces, nearest, distance)
    _spread(field.offset, field.cell, pieces, nearest, distance)
    np.sqrt(distance, out=distance)
    np.negative(distance, out=distance, where=heights <= sea_level)
    return distance


def coast_mask(
    field: VectorField, sea_level: float, low: float, high: float, soft: float = 0.0, side: Side = "both"
) -> Mask:
    """1 (rows, cols) at low..high metres from the coast, fading to 0 at `soft` metres beyond.

    side: on land, at sea, on both sides alike, or `signed`: low and high below zero are at sea, above zero on land.
    """
    distance = coast_distance(field, sea_level)
    if side == "both":
        np.abs(distance, out=distance)
    elif side == "sea":
        np.negative(distance, out=distance)
    mask = within(distance, low, high, soft)
    if side in ("land", "sea"):
        mask[distance < 0.0] = 0.0
    return mask


@kernel
def _corners(row: int, col: int, half: int) -> tuple[int, int, int, int, int, int]:
    """Rows and columns of the three corners of either triangle of a cell."""
    if half == 0:
        return row, col, row, col + 1, row + 1, col + 1
    return row, col, row + 1, col + 1, row + 1, col


@kernel
def _crossed(offset: NDArray[np.float32], sea_level: float) -> int:
    """Number of triangles that the sea's surface cuts."""
    count = 0
    for row in range(offset.shape[0] - 1):
        for col in range(offset.shape[1] - 1):
            for half in range(2):
                r0, c0, r1, c1, r2, c2 = _corners(row, col, half)
                a, b = offset[r0, c0, 2] > sea_level, offset[r1, c1, 2] > sea_level
                if a != b or a != (offset[r2, c2, 2] > sea_level):
                    count += 1
    return count


@kernel
def _place(offset: NDArray[np.float32], cell: float, row: int, col: int) -> tuple[float, float]:
    """Level position of a vertex, metres from the origin of the map."""
    return col * cell + offset[row, col, 0], row * cell + offset[row, col, 1]


@kernel
def _crossing(
    offset: NDArray[np.float32], cell: float, sea_level: float, r0: int, c0: int, r1: int, c1: int
) -> tuple[float, float]:
    """Where the edge between two vertices, one of them above the sea alone, meets it."""
    if offset[r0, c0, 2] > offset[r1, c1, 2]:
        r0, c0, r1, c1 = r1, c1, r0, c0
    low, high = float(offset[r0, c0, 2]), float(offset[r1, c1, 2])
    t = (sea_level - low) / (high - low)
    ax, ay = _place(offset, cell, r0, c0)
    bx, by = _place(offset, cell, r1, c1)
    return ax + t * (bx - ax), ay + t * (by - ay)


@kernel
def _cut(
    offset: NDArray[np.float32],
    cell: float,
    sea_level: float,
    pieces: NDArray[np.float64],
    nearest: NDArray[np.int32],
    distance: Mask,
) -> None:
    """Fill in the pieces (count, 4) of the coast, ends x, y, x, y, and start from the corners of their triangles."""
    count = 0
    for row in range(offset.shape[0] - 1):
        for col in range(offset.shape[1] - 1):
            for half in range(2):
                r0, c0, r1, c1, r2, c2 = _corners(row, col, half)
                a, b = offset[r0, c0, 2] > sea_level, offset[r1, c1, 2] > sea_level
                c = offset[r2, c2, 2] > sea_level
                if a == b and a == c:
                    continue
                # Turned until the first corner is the one that stands alone.
                if a == c:
                    r0, c0, r1, c1, r2, c2 = r1, c1, r2, c2, r0, c0
                elif a == b:
                    r0, c0, r1, c1, r2, c2 = r2, c2, r0, c0, r1, c1
                pieces[count, 0], pieces[count, 1] = _crossing(offset, cell, sea_level, r0, c0, r1, c1)
                pieces[count, 2], pieces[count, 3] = _crossing(offset, cell, sea_level, r0, c0, r2, c2)
                _try(offset, cell, pieces, nearest, distance, r0, c0, count)
                _try(offset, cell, pieces, nearest, distance, r1, c1, count)
                _try(offset, cell, pieces, nearest, distance, r2, c2, count)
                count += 1


@kernel
def _try(
    offset: NDArray[np.float32],
    cell: float,
    pieces: NDArray[np.float64],
    nearest: NDArray[np.int32],
    distance: Mask,
    row: int,
    col: int,
    piece: int,
) -> None:
    """Take a piece for a vertex if it lies nearer than the one it has; distances are squares here."""
    if piece < 0 or piece == nearest[row, col]:
        return
    x, y = _place(offset, cell, row, col)
    found = np.float32(squared_distance(x, y, pieces[piece, 0], pieces[piece, 1], pieces[piece, 2], pieces[piece, 3]))
    if found < distance[row, col]:
        distance[row, col] = found
        nearest[row, col] = piece


@kernel
def _spread(
    offset: NDArray[np.float32],
    cell: float,
    pieces: NDArray[np.float64],
    nearest: NDArray[np.int32],
    distance: Mask,
) -> None:
    """Let each vertex try the pieces of its neighbours, northward and then southward."""
    rows, cols = nearest.shape
    for step in (1, -1):
        for k in range(rows):
            row = k if step > 0 else rows - 1 - k
            behind = row - step
            for col in range(cols):
                if 0 <= behind < rows:
                    for side in range(max(col - 1, 0), min(col + 2, cols)):
                        _try(offset, cell, pieces, nearest, distance, row, col, nearest[behind, side])
                if col > 0:
                    _try(offset, cell, pieces, nearest, distance, row, col, nearest[row, col - 1])
            for col in range(cols - 2, -1, -1):
                _try(offset, cell, pieces, nearest, distance, row, col, nearest[row, col + 1])
