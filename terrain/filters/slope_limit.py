"""Slope limiter: no pair of neighbouring vertices steeper than an angle."""

from typing import Literal

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel

How = Literal["lower", "raise", "balance"]

_SLACK = 1e-6
"""Metres by which a height may exceed its bound, so that rounding does not keep the sweeps going."""

_BLOCK = 64
"""Vertices of a row that are looked at together; a block is passed over while nothing near it has changed."""

_MOST_PASSES = 2000
"""Far beyond what any map needs: a height travels a whole row of even cells in one pass."""


def limit_slope(field: VectorField, angle: float = 35.0, how: How = "balance") -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) in which no vertex stands steeper than `angle` degrees above any of its 8 neighbours.

    Slope is the height between two vertices by the level distance between them on the displaced surface; nothing moves
    sideways, so what shares a place shares its height afterwards: a wall falls in, a fold grows flat. The way down may
    end between two neighbours too, so that what is left round a point is a cone, not a pyramid.
    how: `lower` cuts the high ground (the highest land below the old with such slopes), `raise` fills the low (the
    lowest above it), `balance` mixes the two so that the volume stays. Raises `SkerryError`.
    """
    if not 0.0 <= angle < 90.0:
        raise SkerryError(f"the steepest slope must be 0 to less than 90 degrees, not {angle:g}")
    steepest = float(np.tan(np.radians(angle)))
    out = field.offset.copy()
    heights = field.offset[..., 2].astype(np.float64)
    # What is raised is what is lowered upside down.
    made = np.stack([part for part, wanted in ((heights, how != "raise"), (-heights, how != "lower")) if wanted])
    _settle(field.offset, field.cell, made, steepest)
    if how == "balance":
        out[..., 2] = _balanced(field, made[0], -made[1], heights)
    else:
        out[..., 2] = made[0] if how == "lower" else -made[0]
    return out


def _balanced(
    field: VectorField, low: NDArray[np.float64], high: NDArray[np.float64], heights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A mix of the two, which obeys the limit as both do, with the volume of the given heights."""
    high -= low
    gap = volume(field, high)
    share = volume(field, heights - low) / gap if gap != 0.0 else 0.0
    low += min(max(share, 0.0), 1.0) * high
    return low


def volume(field: VectorField, heights: NDArray[np.float64]) -> float:
    """Cubic metres between heights (rows, cols) at a field's places and level 0; ground seen from below counts off."""
    return float(_volume(field.offset, field.cell, heights))


@kernel
def _volume(offset: NDArray[np.float32], cell: float, heights: NDArray[np.float64]) -> float:
    """Sum over both triangles of every cell: signed area on the plan times the mean height."""
    total = 0.0
    for row in range(heights.shape[0] - 1):
        part = 0.0
        for col in range(heights.shape[1] - 1):
            ux = cell + offset[row, col + 1, 0] - offset[row, col, 0]
            uy = float(offset[row, col + 1, 1] - offset[row, col, 1])
            vx = float(offset[row + 1, col, 0] - offset[row, col, 0])
            vy = cell + offset[row + 1, col, 1] - offset[row, col, 1]
            wx = cell + offset[row + 1, col + 1, 0] - offset[row, col, 0]
            wy = cell + offset[row + 1, col + 1, 1] - offset[row, col, 1]
            ends = heights[row, col] + heights[row + 1, col + 1]
            part += (ux * wy - uy * wx) * (ends + heights[row, col + 1])
            part += (wx * vy - wy * vx) * (ends + heights[row + 1, col])
        total += part / 6.0
    return total


@parallel_kernel
def _settle(offset: NDArray[np.float32], cell: float, made: NDArray[np.float64], steepest: float) -> None:
    """Lower each heights made[k] (rows, cols) in place as far as the limit asks and no farther.

    Fast sweeping, as for the eikonal equation (Tsai et al. 2003): forth and back until nothing changes. A height's
    bound only falls when a neighbour's height does, so that the end does not depend on the order.
    """
    for k in prange(made.shape[0]):
        # By block, with a rim all round: the last pass that changed a height in it.
        seen = np.full((made.shape[1] + 2, (made.shape[2] - 1) // _BLOCK + 3), -9)
        seen[1:-1, 1:-1] = 0
        for number in range(1, _MOST_PASSES):
            if not _sweep(offset, cell, made[k], steepest, seen, number):
                break


@kernel
def _sweep(
    offset: NDArray[np.float32],
    cell: float,
    heights: NDArray[np.float64],
    steepest: float,
    seen: NDArray[np.int64],
    number: int,
) -> bool:
    """One pass, of odd number northwards and of even number southwards, along every row both ways.

    False if all had settled.
    """
    rows, cols = heights.shape
    blocks = seen.shape[1] - 2
    north = 1 if number % 2 == 1 else -1
    working = False
    for i in range(2 * rows):
        row = i // 2 if north == 1 else rows - 1 - i // 2
        east = 1 if i % 2 == 0 else -1
        for b in range(blocks):
            block = b if east == 1 else blocks - 1 - b
            # This quarter of the neighbours was last looked at two passes ago.
            if seen[row : row + 3, block : block + 3].max() < number - 2:
                continue
            working = True
            first, last = block * _BLOCK, min(block * _BLOCK + _BLOCK, cols)
            for j in range(last - first):
                col = first + j if east == 1 else last - 1 - j
                bound = _bound(offset, cell, heights, steepest, row, col, north, east)
                if bound < heights[row, col] - _SLACK:
                    heights[row, col] = bound
                    seen[row + 1, block + 1] = number
    return working


@kernel
def _bound(
    offset: NDArray[np.float32],
    cell: float,
    heights: NDArray[np.float64],
    steepest: float,
    row: int,
    col: int,
    north: int,
    east: int,
) -> float:
    """The height that the three neighbours behind a vertex allow it, or its own if that is lower.

    north, east: 1 or -1, the way of the pass.
    """
    rows, cols = heights.shape
    i, j = row - north, col - east
    height = heights[row, col]
    beside = heights[row, j] if 0 <= j < cols else np.inf
    below = heights[i, col] if 0 <= i < rows else np.inf
    corner = heights[i, j] if 0 <= i < rows and 0 <= j < cols else np.inf
    # Most are done here: what lies behind and higher sets no bound.
    if height <= min(beside, min(below, corner)):
        return float(height)
    x, y = offset[row, col, 0] + east * cell, offset[row, col, 1] + north * cell
    ax, ay, bx, by, cx, cy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if 0 <= j < cols:
        ax, ay = float(offset[row, j, 0] - x), offset[row, j, 1] - y + north * cell
        height = _from_point(height, beside, ax, ay, steepest)
    if 0 <= i < rows:
        bx, by = offset[i, col, 0] - x + east * cell, float(offset[i, col, 1] - y)
        height = _from_point(height, below, bx, by, steepest)
        if 0 <= j < cols:
            cx, cy = float(offset[i, j, 0] - x), float(offset[i, j, 1] - y)
            height = _from_point(height, corner, cx, cy, steepest)
            height = _from_edge(height, beside, ax, ay, corner, cx, cy, steepest)
            height = _from_edge(height, below, bx, by, corner, cx, cy, steepest)
    return float(height)


@kernel
def _from_point(height: float, other: float, x: float, y: float, steepest: float) -> float:
    """A height, or what another height at (x, y) from it allows."""
    above, away2 = height - other, x * x + y * y
    # Squares first: a root is due only where the limit is broken.
    if above > 0.0 and above * above > steepest * steepest * away2:
        return float(other + steepest * np.sqrt(away2))
    return height


@kernel
def _from_edge(
    height: float, az: float, ax: float, ay: float, bz: float, bx: float, by: float, steepest: float
) -> float:
    """A height, or what the straight line between two others allows, from where the gentlest way crosses it.

    With the line's own rise per metre as a share of the limit, that way meets it at a fixed angle, so that the least
    of height and way along the line is known in closed form.
    """
    above = height - min(az, bz)
    if above <= 0.0:
        return height
    ex, ey, cross = bx - ax, by - ay, ax * by - ay * bx
    length2 = ex * ex + ey * ey
    # Not even a level way from the line to the vertex would break the limit.
    if above * above * length2 <= steepest * steepest * cross * cross:
        return height
    length, gap = np.sqrt(length2), bz - az
    if abs(gap) >= steepest * length:
        return height
    rise = gap / (steepest * length)
    lean = np.sqrt(1.0 - rise * rise)
    level, along = abs(cross) / length, -(ax * ex + ay * ey) / length
    if 0.0 <= along * lean - level * rise <= length * lean:
        return float(min(height, az + steepest * (rise * along + level * lean)))
    return height
