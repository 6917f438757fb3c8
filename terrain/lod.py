"""Level of detail: the error of each 16-cell patch at each coarser level, and the levels one view needs."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.bounds import PATCH, BoundsPyramid, level_table, patches_around
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.tiles import Rect

COARSEST = 4
"""The level whose only vertices are a patch's corners: level L keeps every 2^L-th vertex."""

GROWTH = 1.25
"""Least ratio assumed between the errors of successive levels, so that the level never jumps with distance."""

_PATCHES_A_THREAD = 4096


@dataclass
class PatchErrors:
    """How far each patch strays from the true surface when drawn coarser.

    values: float32 (patch rows, patch cols, 4), metres: the largest 3-D distance between a displaced vertex and its
    place on the surface triangulated at every 2nd, 4th, 8th and 16th vertex of the patch (its last row and column
    always kept), never less than at the level before. Fine triangles lie within coarse ones, so that the largest
    distance over the vertices is the largest over the surface.
    worst: float32 (nodes), metres: the largest error of level 4 under each node of the bounds pyramid.
    """

    values: NDArray[np.float32]
    worst: NDArray[np.float32]
    levels: NDArray[np.int64]

    @classmethod
    def of(cls, field: VectorField) -> "PatchErrors":
        """Measure a whole field."""
        rows, cols = -(-(field.rows - 1) // PATCH), -(-(field.cols - 1) // PATCH)
        levels = level_table(rows, cols)
        nodes = int(levels[-1, 0]) + 1
        errors = cls(np.empty((rows, cols, COARSEST), np.float32), np.empty(nodes, np.float32), levels)
        errors.update(field, Rect.of(field.offset))
        return errors

    def update(self, field: VectorField, rect: Rect) -> None:
        """Measure again the patches that have a vertex in `rect`."""
        patches = patches_around(rect, self.values.shape[0], self.values.shape[1])
        if patches.empty:
            return
        bands = list(_bands(patches))
        if len(bands) == 1:
            _measure(field.offset, field.cell, self.values, *bands[0])
        else:
            with ThreadPoolExecutor(len(bands)) as pool:
                list(pool.map(lambda band: _measure(field.offset, field.cell, self.values, *band), bands))
        _raise_worst(self.values, self.levels, self.worst, *patches)


def _bands(patches: Rect) -> Iterator[Rect]:
    """Split patches into bands of rows, one a thread, if there are enough to be worth it."""
    count = min(os.cpu_count() or 1, 8, 1 + patches.rows * patches.cols // _PATCHES_A_THREAD, patches.rows)
    edges = [patches.row0 + patches.rows * k // count for k in range(count + 1)]
    for row0, row1 in pairwise(edges):
        yield Rect(row0, row1, patches.col0, patches.col1)


class Instances(NamedTuple):
    """The patches to draw, grouped by mesh level.

    patches: float32 (n, 4): first row, first column, level (0..4 with fraction), unused.
    edges: float32 (n, 4): level on the south, west, north and east edge, the same from both sides.
    starts: int64 (6): mesh level m owns rows starts[m]..starts[m+1]-1; its mesh keeps every 2^m-th vertex.
    """

    patches: NDArray[np.float32]
    edges: NDArray[np.float32]
    starts: NDArray[np.int64]


@dataclass
class LevelChooser:
    """Chooses levels view after view into arrays of its own: a result is valid until the next call."""

    bounds: BoundsPyramid
    errors: PatchErrors
    _levels: NDArray[np.float32] = field(init=False)
    _seen: NDArray[np.int32] = field(init=False)
    _records: NDArray[np.float32] = field(init=False)
    _patches: NDArray[np.float32] = field(init=False)
    _edges: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        rows, cols = self.errors.values.shape[:2]
        self._levels = np.empty((rows + 2, cols + 2), np.float32)
        self._seen = np.empty((rows * cols, 3), np.int32)
        self._records = np.empty((rows * cols, 8), np.float32)
        self._patches = np.empty((rows * cols, 4), np.float32)
        self._edges = np.empty((rows * cols, 4), np.float32)

    def choose(
        self, eye: NDArray[np.float64], focal: float, planes: NDArray[np.float64], tolerance: float
    ) -> Instances:
        """The patches inside all `planes`, roughly nearest first, and how finely to draw each.

        eye: float64 (3), metres. focal: pixels that a metre covers at a distance of one metre.
        planes: float64 (n, 4): a point p is inside where planes[:, :3] @ p + planes[:, 3] ≥ 0.
        tolerance: pixels by which the drawn surface may stray from the true one.
        """
        count = _see(
            self.bounds.boxes,
            self.errors.levels,
            self.errors.values,
            self.errors.worst,
            eye,
            focal,
            planes,
            tolerance,
            self._levels,
            self._seen,
        )
        starts = np.zeros(COARSEST + 2, np.int64)
        view = (self.bounds.boxes, self.errors.values, eye, focal, tolerance)
        _join(*view, self._levels, self._seen[:count], self._records, self._patches, self._edges, starts)
        return Instances(self._patches[:count], self._edges[:count], starts)


@kernel
def _measure(
    offset: NDArray[np.float32], cell: float, out: NDArray[np.float32], row0: int, row1: int, col0: int, col1: int
) -> None:
    rows, cols = offset.shape[0], offset.shape[1]
    patch = np.empty((PATCH + 1, PATCH + 1, 3), np.float32)
    for patch_row in range(row0, row1):
        first_row = patch_row * PATCH
        height = min(PATCH, rows - 1 - first_row)
        for patch_col in range(col0, col1):
            first_col = patch_col * PATCH
            width = min(PATCH, cols - 1 - first_col)
            for i in range(height + 1):
                for j in range(width + 1):
                    patch[i, j, 0] = np.float32(j * cell) + offset[first_row + i, first_col + j, 0]
                    patch[i, j, 1] = np.float32(i * cell) + offset[first_row + i, first_col + j, 1]
                    patch[i, j, 2] = offset[first_row + i, first_col + j, 2]
            worst = np.float32(0.0)
            for level in range(COARSEST):
                step = 2 << level
                for k in range(0, height, step):
                    for c in range(0, width, step):
                        worst = max(worst, _cell_error(patch, k, min(k + step, height), c, min(c + step, width)))
                out[patch_row, patch_col, level] = np.sqrt(worst)


@kernel
def _cell_error(patch: NDArray[np.float32], k0: int, k1: int, c0: int, c1: int) -> np.float32:
    """Largest squared distance of the vertices of a coarse cell to its two triangles (p00 + v·east + u·north)."""
    high, wide = k1 - k0, c1 - c0
    x00, y00, z00 = patch[k0, c0, 0], patch[k0, c0, 1], patch[k0, c0, 2]
    x01, y01, z01 = patch[k0, c1, 0], patch[k0, c1, 1], patch[k0, c1, 2]
    x10, y10, z10 = patch[k1, c0, 0], patch[k1, c0, 1], patch[k1, c0, 2]
    x11, y11, z11 = patch[k1, c1, 0], patch[k1, c1, 1], patch[k1, c1, 2]
    per_row, per_col = np.float32(1.0 / high), np.float32(1.0 / wide)
    worst = np.float32(0.0)
    for i in range(high + 1):
        u = np.float32(i) * per_row
        split = (i * wide + high - 1) // high
        # Above the diagonal.
        x, y, z = x00 + u * (x10 - x00), y00 + u * (y10 - y00), z00 + u * (z10 - z00)
        east, north, up = (x11 - x10) * per_col, (y11 - y10) * per_col, (z11 - z10) * per_col
        for j in range(split):
            dx = x + np.float32(j) * east - patch[k0 + i, c0 + j, 0]
            dy = y + np.float32(j) * north - patch[k0 + i, c0 + j, 1]
            dz = z + np.float32(j) * up - patch[k0 + i, c0 + j, 2]
            worst = max(worst, dx * dx + dy * dy + dz * dz)
        # On it and below.
        x, y, z = x00 + u * (x11 - x01), y00 + u * (y11 - y01), z00 + u * (z11 - z01)
        east, north, up = (x01 - x00) * per_col, (y01 - y00) * per_col, (z01 - z00) * per_col
        for j in range(split, wide + 1):
            dx = x + np.float32(j) * east - patch[k0 + i, c0 + j, 0]
            dy = y + np.float32(j) * north - patch[k0 + i, c0 + j, 1]
            dz = z + np.float32(j) * up - patch[k0 + i, c0 + j, 2]
            worst = max(worst, dx * dx + dy * dy + dz * dz)
    return worst


@kernel
def _raise_worst(
    values: NDArray[np.float32],
    levels: NDArray[np.int64],
    worst: NDArray[np.float32],
    row0: int,
    row1: int,
    col0: int,
    col1: int,
) -> None:
    cols = levels[0, 2]
    for row in range(row0, row1):
        for col in range(col0, col1):
            error = np.float32(0.0)
            for level in range(COARSEST):
                error = max(values[row, col, level], np.float32(GROWTH) * error)
            worst[row * cols + col] = error
    for level in range(1, len(levels)):
        row0, row1, col0, col1 = row0 // 2, (row1 + 1) // 2, col0 // 2, (col1 + 1) // 2
        first, cols = levels[level, 0], levels[level, 2]
        child_first, child_rows, child_cols = levels[level - 1]
        for row in range(row0, row1):
            for col in range(col0, col1):
                error = np.float32(0.0)
                for r in range(2 * row, min(2 * row + 2, child_rows)):
                    for c in range(2 * col, min(2 * col + 2, child_cols)):
                        error = max(error, worst[child_first + r * child_cols + c])
                worst[first + row * cols + col] = error


@kernel
def _distance(boxes: NDArray[np.float64], node: int, eye: NDArray[np.float64]) -> float:
    gap = 0.0
    for k in range(3):
        away = max(boxes[node, k] - eye[k], 0.0, eye[k] - boxes[node, 3 + k])
        gap += away * away
    return float(max(np.sqrt(gap), 1e-9))


@kernel
def _level(values: NDArray[np.float32], row: int, col: int, scale: float, tolerance: float) -> float:
    """The level with fraction at which the error, linear between levels, comes to `tolerance` pixels."""
    low = 0.0
    for level in range(COARSEST):
        high = max(scale * values[row, col, level], GROWTH * low)
        if high > tolerance:
            return float(level + (tolerance - low) / (high - low))
        low = high
    return float(COARSEST)


@kernel
def _outside(boxes: NDArray[np.float64], node: int, planes: NDArray[np.float64]) -> int:
    """1 if a box is wholly outside one of the planes, -1 if wholly inside all, else 0."""
    inside = -1
    for k in range(len(planes)):
        near, far = planes[k, 3], planes[k, 3]
        for axis in range(3):
            low, high = planes[k, axis] * boxes[node, axis], planes[k, axis] * boxes[node, 3 + axis]
            near += min(low, high)
            far += max(low, high)
        if far < 0.0:
            return 1
        if near < 0.0:
            inside = 0
    return inside


@kernel
def _see(
    boxes: NDArray[np.float64],
    levels: NDArray[np.int64],
    values: NDArray[np.float32],
    worst: NDArray[np.float32],
    eye: NDArray[np.float64],
    focal: float,
    planes: NDArray[np.float64],
    tolerance: float,
    level_of: NDArray[np.float32],
    seen: NDArray[np.int32],
) -> int:
    """Walk the quadtree nearest child first; note the patches in view and their levels (-1: not asked yet).

    Whole subtrees inside the view, or coarse enough even at their nearest point, are not tested further down.
    """
    level_of[:, :] = COARSEST
    level_of[1:-1, 1:-1] = -1.0
    stack = np.empty((4 * len(levels) + 4, 5), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = len(levels) - 1, 0, 0, 0, 0
    depth, count = 1, 0
    while depth > 0:
        depth -= 1
        level, row, col, inside, coarse = stack[depth]
        node = levels[level, 0] + row * levels[level, 2] + col
        if inside == 0:
            side = _outside(boxes, node, planes)
            if side > 0:
                continue
            inside = -side
        if coarse == 0 and focal / _distance(boxes, node, eye) * worst[node] <= tolerance:
            coarse = 1
        if level == 0 or (inside == 1 and coarse == 1):
            for r in range(row << level, min((row + 1) << level, levels[0, 1])):
                for c in range(col << level, min((col + 1) << level, levels[0, 2])):
                    if coarse == 1:
                        level_of[r + 1, c + 1] = COARSEST
                    else:
                        scale = focal / _distance(boxes, node, eye)
                        level_of[r + 1, c + 1] = _level(values, r, c, scale, tolerance)
                    seen[count, 0], seen[count, 1] = r, c
                    count += 1
            continue
        child = levels[level - 1]
        # The child on the eye's side of the middle comes off the stack first.
        east = 1 if 2.0 * eye[0] > boxes[node, 0] + boxes[node, 3] else 0
        north = 1 if 2.0 * eye[1] > boxes[node, 1] + boxes[node, 4] else 0
        for k in range(3, -1, -1):
            r, c = 2 * row + (north ^ (k >> 1)), 2 * col + (east ^ (k & 1))
            if r < child[1] and c < child[2]:
                stack[depth, 0], stack[depth, 1], stack[depth, 2] = level - 1, r, c
                stack[depth, 3], stack[depth, 4] = inside, coarse
                depth += 1
    return count


@kernel
def _join(
    boxes: NDArray[np.float64],
    values: NDArray[np.float32],
    eye: NDArray[np.float64],
    focal: float,
    tolerance: float,
    level_of: NDArray[np.float32],
    seen: NDArray[np.int32],
    records: NDArray[np.float32],
    patches: NDArray[np.float32],
    edges: NDArray[np.float32],
    starts: NDArray[np.int64],
) -> None:
    """Give each edge the finer level of its two patches, and group the patches by the finest they touch."""
    cols = values.shape[1]
    for k in range(len(seen)):
        row, col = seen[k, 0], seen[k, 1]
        own = level_of[row + 1, col + 1]
        finest = own
        for edge in range(4):
            r, c = row + (edge - 1) * (1 - (edge & 1)), col + (edge - 2) * (edge & 1)
            other = level_of[r + 1, c + 1]
            if other < 0.0:
                scale = focal / _distance(boxes, r * cols + c, eye)
                other = np.float32(_level(values, r, c, scale, tolerance))
                level_of[r + 1, c + 1] = other
            level = min(own, other)
            records[k, 4 + edge] = level
            finest = min(finest, level)
        records[k, 0], records[k, 1], records[k, 2], records[k, 3] = row * PATCH, col * PATCH, own, 0.0
        mesh = int(finest)
        seen[k, 2] = mesh
        starts[mesh + 1] += 1
    for mesh in range(1, len(starts)):
        starts[mesh] += starts[mesh - 1]
    filled = starts.copy()
    for k in range(len(seen)):
        place = filled[seen[k, 2]]
        filled[seen[k, 2]] += 1
        for n in range(4):
            patches[place, n] = records[k, n]
            edges[place, n] = records[k, 4 + n]
