"""World bounds of 16-cell patches in a quadtree: what a ray, a sphere or a frustum may meet."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.tiles import Rect

PATCH = 16
"""Cells along one side of a patch."""


@dataclass
class BoundsPyramid:
    """Axis-aligned world boxes; level 0 holds one a patch, each further level halves both sides.

    boxes: float64 (nodes, 6), metres: x, y, z low then x, y, z high; level by level, row by row.
    levels: int64 (levels, 3): first node, rows, cols of each level; the last level is one node.
    """

    boxes: NDArray[np.float64]
    levels: NDArray[np.int64]

    @classmethod
    def of(cls, field: VectorField) -> "BoundsPyramid":
        """Build from a whole field."""
        levels = level_table(-(-(field.rows - 1) // PATCH), -(-(field.cols - 1) // PATCH))
        first, rows, cols = levels[-1]
        pyramid = cls(np.empty((first + rows * cols, 6)), levels)
        pyramid.update(field, Rect.of(field.offset))
        return pyramid

    def copy(self) -> "BoundsPyramid":
        """The boxes as they are now."""
        return BoundsPyramid(self.boxes.copy(), self.levels)

    @property
    def patches(self) -> NDArray[np.float64]:
        """Boxes of the patches as (patch rows, patch cols, 6); a view."""
        rows, cols = int(self.levels[0, 1]), int(self.levels[0, 2])
        patches: NDArray[np.float64] = self.boxes[: rows * cols].reshape(rows, cols, 6)
        return patches

    @property
    def whole(self) -> NDArray[np.float64]:
        """The box (6) around everything; a view."""
        whole: NDArray[np.float64] = self.boxes[-1]
        return whole

    def update(self, field: VectorField, rect: Rect) -> None:
        """Recompute the patches that have a vertex in `rect`, and their parents."""
        rows, cols = int(self.levels[0, 1]), int(self.levels[0, 2])
        patches = patches_around(rect, rows, cols)
        if not patches.empty:
            x0, y0 = field.origin
            _update(field.offset, field.cell, x0, y0, self.boxes, self.levels, *patches)

    def in_sphere(self, centre: NDArray[np.float64], radius: float, plan: bool = False) -> NDArray[np.int64]:
        """Patches (n, 2: patch row, patch col) whose box a sphere touches; any order but always the same.

        plan: True for an upright cylinder without end instead.
        """
        found = np.empty((64, 2), np.int64)
        while True:
            count = _in_sphere(self.boxes, self.levels, centre, radius, 2 if plan else 3, found)
            if count <= len(found):
                return found[:count]
            found = np.empty((count, 2), np.int64)


def patches_around(rect: Rect, patch_rows: int, patch_cols: int) -> Rect:
    """Patches that have a vertex in `rect` (a vertex on a patch border belongs to both)."""
    return Rect(
        (rect.row0 - 1) // PATCH, (rect.row1 - 1) // PATCH + 1, (rect.col0 - 1) // PATCH, (rect.col1 - 1) // PATCH + 1
    ).clip(patch_rows, patch_cols)


def level_table(rows: int, cols: int) -> NDArray[np.int64]:
    """First node, rows and cols (levels, 3) of each level over `rows × cols` patches, down to a single node."""
    table, first = [(0, rows, cols)], rows * cols
    while rows * cols > 1:
        rows, cols = (rows + 1) // 2, (cols + 1) // 2
        table.append((first, rows, cols))
        first += rows * cols
    return np.array(table, np.int64)


@kernel
def _update(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    boxes: NDArray[np.float64],
    levels: NDArray[np.int64],
    row0: int,
    row1: int,
    col0: int,
    col1: int,
) -> None:
    rows, cols = offset.shape[0], offset.shape[1]
    for patch_row in range(row0, row1):
        for patch_col in range(col0, col1):
            node = patch_row * levels[0, 2] + patch_col
            lx, ly, lz, hx, hy, hz = np.inf, np.inf, np.inf, -np.inf, -np.inf, -np.inf
            for row in range(patch_row * PATCH, min((patch_row + 1) * PATCH + 1, rows)):
                rest_y = y0 + row * cell
                for col in range(patch_col * PATCH, min((patch_col + 1) * PATCH + 1, cols)):
                    x = x0 + col * cell + offset[row, col, 0]
                    y = rest_y + offset[row, col, 1]
                    z = np.float64(offset[row, col, 2])
                    lx, ly, lz = min(lx, x), min(ly, y), min(lz, z)
                    hx, hy, hz = max(hx, x), max(hy, y), max(hz, z)
            boxes[node, 0], boxes[node, 1], boxes[node, 2] = lx, ly, lz
            boxes[node, 3], boxes[node, 4], boxes[node, 5] = hx, hy, hz
    for level in range(1, len(levels)):
        row0, row1, col0, col1 = row0 // 2, (row1 + 1) // 2, col0 // 2, (col1 + 1) // 2
        _update_parents(boxes, levels, level, row0, row1, col0, col1)


@kernel
def _update_parents(
    boxes: NDArray[np.float64], levels: NDArray[np.int64], level: int, row0: int, row1: int, col0: int, col1: int
) -> None:
    first, cols = levels[level, 0], levels[level, 2]
    child_first, child_rows, child_cols = levels[level - 1]
    for row in range(row0, row1):
        for col in range(col0, col1):
            node = first + row * cols + col
            boxes[node, :3], boxes[node, 3:] = np.inf, -np.inf
            for r in range(2 * row, min(2 * row + 2, child_rows)):
                for c in range(2 * col, min(2 * col + 2, child_cols)):
                    child = child_first + r * child_cols + c
                    for k in range(3):
                        boxes[node, k] = min(boxes[node, k], boxes[child, k])
                        boxes[node, 3 + k] = max(boxes[node, 3 + k], boxes[child, 3 + k])


@kernel
def _in_sphere(
    boxes: NDArray[np.float64],
    levels: NDArray[np.int64],
    centre: NDArray[np.float64],
    radius: float,
    axes: int,
    found: NDArray[np.int64],
) -> int:
    """Depth-first walk; returns how many were found, which may be more than fitted."""
    stack = np.empty((4 * len(levels) + 4, 3), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2] = len(levels) - 1, 0, 0
    depth, count = 1, 0
    while depth > 0:
        depth -= 1
        level, row, col = stack[depth]
        node = levels[level, 0] + row * levels[level, 2] + col
        gap = 0.0
        for k in range(axes):
            away = max(boxes[node, k] - centre[k], 0.0, centre[k] - boxes[node, 3 + k])
            gap += away * away
        if not gap <= radius * radius:
            continue
        if level == 0:
            if count < len(found):
                found[count, 0], found[count, 1] = row, col
            count += 1
            continue
        for r in range(2 * row, min(2 * row + 2, levels[level - 1, 1])):
            for c in range(2 * col, min(2 * col + 2, levels[level - 1, 2])):
                stack[depth, 0], stack[depth, 1], stack[depth, 2] = level - 1, r, c
                depth += 1
    return count
