"""Rays against the displaced surface: the nearest triangle a ray meets, undersides included."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.bounds import PATCH
from terrain.kernel import kernel
from terrain.map import TerrainMap
from terrain.tiles import TILE, TileCopies

Vector = NDArray[np.float64]

_NO_INDEX = np.empty((0, 0), np.int32)
_NO_POOL = np.empty((0, TILE, TILE, 3), np.float32)
_NO_HOLES = np.empty((0, 0), np.bool_)


class Hit(NamedTuple):
    """Where a ray met the surface."""

    point: Vector
    """World position (3), metres."""
    distance: float
    """Metres from the ray's start."""
    row: float
    """Row on the rest grid, with its fraction."""
    col: float
    """Column on the rest grid, with its fraction."""


def pick(
    terrain: TerrainMap,
    start: Vector,
    direction: Vector,
    *,
    boxes: Vector | None = None,
    before: TileCopies | None = None,
    holes: bool = True,
) -> Hit | None:
    """The first hit of the ray `start + t·direction` (t ≥ 0), or None.

    start, direction: float64 (3), metres; the direction need not be a unit vector.
    boxes, before: the bounds and tile copies of an earlier state, to ask what the ray would have met then.
    holes: True if cells that are holes let it through.
    """
    length = math.sqrt(direction @ direction)
    if not (0.0 < length < math.inf and math.isfinite(start[0] + start[1] + start[2])):
        return None
    unit = direction / length
    field = terrain.field
    found = _nearest(
        field.offset,
        field.cell,
        field.origin[0],
        field.origin[1],
        terrain.bounds.boxes if boxes is None else boxes,
        terrain.bounds.levels,
        terrain.extras.get("hole", _NO_HOLES) if holes else _NO_HOLES,
        _NO_INDEX if before is None else before.index,
        _NO_POOL if before is None else before.pool,
        np.ascontiguousarray(start, np.float64),
        unit,
    )
    distance, row, col = found
    if not distance < np.inf:
        return None
    return Hit(start + distance * unit, distance, row, col)


@kernel
def _vertex(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    index: NDArray[np.int32],
    pool: NDArray[np.float32],
    row: int,
    col: int,
) -> tuple[float, float, float]:
    """World position of a vertex, from its earlier copy where there is one."""
    slot = -1
    if index.shape[0] > 0:
        slot = index[row // TILE, col // TILE]
    if slot >= 0:
        dx, dy, dz = pool[slot, row % TILE, col % TILE]
    else:
        dx, dy, dz = offset[row, col, 0], offset[row, col, 1], offset[row, col, 2]
    return x0 + col * cell + dx, y0 + row * cell + dy, np.float64(dz)


@kernel
def box_entry(box: Vector, start: Vector, unit: Vector) -> float:
    """Distance at which the ray enters a box, or infinity."""
    near, far = 0.0, np.inf
    for k in range(3):
        if unit[k] == 0.0:
            if not box[k] <= start[k] <= box[k + 3]:
                return np.inf
        else:
            a, b = (box[k] - start[k]) / unit[k], (box[k + 3] - start[k]) / unit[k]
            near, far = max(near, min(a, b)), min(far, max(a, b))
    # A hair of slack: a flat patch is a box without thickness.
    return near if near <= far + 1e-9 * (1.0 + abs(near)) else np.inf


@kernel
def triangle(
    ax: float, ay: float, az: float,
    bx: float, by: float, bz: float,
    cx: float, cy: float, cz: float,
    start: Vector, unit: Vector,
) -> tuple[float, float, float]:  # fmt: skip
    """Möller–Trumbore, both faces: distance and the weights of b and c; infinity if missed."""
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    px, py, pz = unit[1] * vz - unit[2] * vy, unit[2] * vx - unit[0] * vz, unit[0] * vy - unit[1] * vx
    det = ux * px + uy * py + uz * pz
    if det == 0.0:
        return np.inf, 0.0, 0.0
    sx, sy, sz = start[0] - ax, start[1] - ay, start[2] - az
    u = (sx * px + sy * py + sz * pz) / det
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    v = (unit[0] * qx + unit[1] * qy + unit[2] * qz) / det
    t = (vx * qx + vy * qy + vz * qz) / det
    # The slack closes the seam between neighbouring triangles.
    if u >= -1e-9 and v >= -1e-9 and u + v <= 1.0 + 1e-9 and t >= 0.0:
        return t, u, v
    return np.inf, 0.0, 0.0


@kernel
def _nearest_in_patch(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    hole: NDArray[np.bool_],
    index: NDArray[np.int32],
    pool: NDArray[np.float32],
    patch_row: int,
    patch_col: int,
    start: Vector,
    unit: Vector,
) -> tuple[float, float, float]:
    best, best_row, best_col = np.inf, 0.0, 0.0
    for row in range(patch_row * PATCH, min((patch_row + 1) * PATCH, offset.shape[0] - 1)):
        for col in range(patch_col * PATCH, min((patch_col + 1) * PATCH, offset.shape[1] - 1)):
            if hole.shape[0] > 0 and hole[row, col]:
                continue
            ax, ay, az = _vertex(offset, cell, x0, y0, index, pool, row, col)
            bx, by, bz = _vertex(offset, cell, x0, y0, index, pool, row, col + 1)
            cx, cy, cz = _vertex(offset, cell, x0, y0, index, pool, row + 1, col + 1)
            dx, dy, dz = _vertex(offset, cell, x0, y0, index, pool, row + 1, col)
            t, u, v = triangle(ax, ay, az, bx, by, bz, cx, cy, cz, start, unit)
            if t < best:
                best, best_row, best_col = t, row + v, col + u + v
            t, u, v = triangle(ax, ay, az, cx, cy, cz, dx, dy, dz, start, unit)
            if t < best:
                best, best_row, best_col = t, row + u + v, col + u
    return best, best_row, best_col


@kernel
def _nearest(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    boxes: Vector,
    levels: NDArray[np.int64],
    hole: NDArray[np.bool_],
    index: NDArray[np.int32],
    pool: NDArray[np.float32],
    start: Vector,
    unit: Vector,
) -> tuple[float, float, float]:
    """Walk the bounds nearest first; returns distance (infinity: none), row, col."""
    stack = np.empty((4 * len(levels) + 4, 3), np.int64)
    entry = np.empty(4 * len(levels) + 4)
    stack[0, 0], stack[0, 1], stack[0, 2] = len(levels) - 1, 0, 0
    entry[0] = box_entry(boxes[len(boxes) - 1], start, unit)
    depth = 1
    best, best_row, best_col = np.inf, 0.0, 0.0
    while depth > 0:
        depth -= 1
        if not entry[depth] < best:
            continue
        level, row, col = stack[depth]
        if level == 0:
            t, r, c = _nearest_in_patch(offset, cell, x0, y0, hole, index, pool, row, col, start, unit)
            if t < best:
                best, best_row, best_col = t, r, c
            continue
        first = depth
        for r in range(2 * row, min(2 * row + 2, levels[level - 1, 1])):
            for c in range(2 * col, min(2 * col + 2, levels[level - 1, 2])):
                t = box_entry(boxes[levels[level - 1, 0] + r * levels[level - 1, 2] + c], start, unit)
                if t < best:
                    # Insert so that the nearest child is popped first.
                    at = depth
                    while at > first and entry[at - 1] < t:
                        entry[at] = entry[at - 1]
                        stack[at] = stack[at - 1]
                        at -= 1
                    entry[at] = t
                    stack[at, 0], stack[at, 1], stack[at, 2] = level - 1, r, c
                    depth += 1
    return best, best_row, best_col
