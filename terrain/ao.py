"""Sky light: how much of the sky each vertex of the displaced surface sees, weighted by the cosine to its normal."""

import math

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.bounds import PATCH
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel
from terrain.map import TerrainMap
from terrain.noise import hash2
from terrain.pick import box_entry, triangle
from terrain.tiles import Rect

Vector = NDArray[np.float64]


def directions(rays: int) -> Vector:
    """Unit directions (rays, 3) around +z, spread evenly with the density of the cosine to it.

    A Fibonacci spiral on the disc, lifted to the half sphere (Malley's method).
    """
    number = np.arange(rays) + 0.5
    radius, angle = np.sqrt(number / rays), number * (math.pi * (3.0 - math.sqrt(5.0)))
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.sqrt(1.0 - radius * radius)], axis=1)


def sky_light(terrain: TerrainMap, rect: Rect, rays: int, reach: float) -> NDArray[np.float32]:
    """Share 0..1 of the sky (rows, cols) that the vertices of `rect` see.

    rays: directions tried for each vertex. reach: metres beyond which nothing hides the sky. A direction that points
    below the horizon sees no sky; cells that are holes hide nothing. The same bytes at any number of threads.
    """
    field = terrain.field
    out = np.empty((rect.rows, rect.cols), np.float32)
    hole = terrain.extras.get("hole", np.empty((0, 0), np.bool_))
    _sky(
        field.offset, field.cell, field.origin[0], field.origin[1], terrain.bounds.boxes, terrain.bounds.levels, hole,
        field.normals(rect), directions(rays), reach, rect.row0, rect.col0, out,
    )  # fmt: skip
    return out


def baked(share: NDArray[np.float32], strength: float) -> NDArray[np.uint8]:
    """The share of the sky as the map stores it: 255 where it is whole. strength: 0 leaves all light, 1 as it is."""
    kept = 1.0 - strength * (1.0 - np.clip(share, 0.0, 1.0))
    return np.asarray(np.rint(255.0 * np.clip(kept, 0.0, 1.0)), np.uint8)


def default_reach(field: VectorField) -> float:
    """Metres: far enough for valleys, near enough to be quick."""
    return 48.0 * field.cell


@parallel_kernel
def _sky(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    boxes: Vector,
    levels: NDArray[np.int64],
    hole: NDArray[np.bool_],
    normals: NDArray[np.float32],
    rays: Vector,
    reach: float,
    row0: int,
    col0: int,
    out: NDArray[np.float32],
) -> None:
    for i in prange(out.shape[0]):
        start, unit = np.empty(3), np.empty(3)
        stack = np.empty((4 * len(levels) + 4, 3), np.int64)
        for j in range(out.shape[1]):
            row, col = row0 + i, col0 + j
            nx, ny, nz = float(normals[i, j, 0]), float(normals[i, j, 1]), float(normals[i, j, 2])
            # A start a hair above the surface, so that a vertex does not hide the sky from itself.
            lift = 1e-3 * cell
            start[0] = x0 + col * cell + offset[row, col, 0] + lift * nx
            start[1] = y0 + row * cell + offset[row, col, 1] + lift * ny
            start[2] = offset[row, col, 2] + lift * nz
            # A frame around the normal (Duff et al., "Orthonormal basis, revisited", 2017), turned at random.
            sign = 1.0 if nz >= 0.0 else -1.0
            a = -1.0 / (sign + nz)
            b = nx * ny * a
            turn = 2.0 * np.pi * np.int64(hash2(col, row, 77)) / 4294967296.0
            cos, sin = np.cos(turn), np.sin(turn)
            ux, uy, uz = 1.0 + sign * nx * nx * a, sign * b, -sign * nx
            vx, vy, vz = b, sign + ny * ny * a, -ny
            seen = 0
            for ray in range(len(rays)):
                p = cos * rays[ray, 0] - sin * rays[ray, 1]
                q = sin * rays[ray, 0] + cos * rays[ray, 1]
                r = rays[ray, 2]
                unit[0] = p * ux + q * vx + r * nx
                unit[1] = p * uy + q * vy + r * ny
                unit[2] = p * uz + q * vz + r * nz
                if unit[2] > 0.0 and not _hidden(offset, cell, x0, y0, boxes, levels, hole, start, unit, reach, stack):
                    seen += 1
            out[i, j] = seen / len(rays)


@kernel
def _hidden(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    boxes: Vector,
    levels: NDArray[np.int64],
    hole: NDArray[np.bool_],
    start: Vector,
    unit: Vector,
    reach: float,
    stack: NDArray[np.int64],
) -> bool:
    """True if any triangle lies on the ray within reach."""
    stack[0, 0], stack[0, 1], stack[0, 2] = len(levels) - 1, 0, 0
    depth = 1
    while depth > 0:
        depth -= 1
        level, row, col = stack[depth]
        node = levels[level, 0] + row * levels[level, 2] + col
        if not box_entry(boxes[node], start, unit) <= reach:
            continue
        if level == 0:
            if _meets(offset, cell, x0, y0, hole, row, col, start, unit, reach):
                return True
            continue
        for r in range(2 * row, min(2 * row + 2, levels[level - 1, 1])):
            for c in range(2 * col, min(2 * col + 2, levels[level - 1, 2])):
                stack[depth, 0], stack[depth, 1], stack[depth, 2] = level - 1, r, c
                depth += 1
    return False


@kernel
def _meets(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    hole: NDArray[np.bool_],
    patch_row: int,
    patch_col: int,
    start: Vector,
    unit: Vector,
    reach: float,
) -> bool:
    """True if a triangle of one patch lies on the ray within reach, but not where it starts."""
    near = 1e-3 * cell
    for row in range(patch_row * PATCH, min((patch_row + 1) * PATCH, offset.shape[0] - 1)):
        for col in range(patch_col * PATCH, min((patch_col + 1) * PATCH, offset.shape[1] - 1)):
            if hole.shape[0] > 0 and hole[row, col]:
                continue
            ax, ay, az = (
                x0 + col * cell + offset[row, col, 0],
                y0 + row * cell + offset[row, col, 1],
                offset[row, col, 2],
            )
            cx = x0 + (col + 1) * cell + offset[row + 1, col + 1, 0]
            cy = y0 + (row + 1) * cell + offset[row + 1, col + 1, 1]
            cz = offset[row + 1, col + 1, 2]
            bx = x0 + (col + 1) * cell + offset[row, col + 1, 0]
            by, bz = y0 + row * cell + offset[row, col + 1, 1], offset[row, col + 1, 2]
            t, _, _ = triangle(ax, ay, az, bx, by, bz, cx, cy, cz, start, unit)
            if near < t < reach:
                return True
            bx, by = x0 + col * cell + offset[row + 1, col, 0], y0 + (row + 1) * cell + offset[row + 1, col, 1]
            bz = offset[row + 1, col, 2]
            t, _, _ = triangle(ax, ay, az, cx, cy, cz, bx, by, bz, start, unit)
            if near < t < reach:
                return True
    return False
