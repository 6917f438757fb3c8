"""The 0..1 pipeline: what limits a dab at each vertex, and which vertices it may reach at all."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain.bounds import PATCH, BoundsPyramid
from terrain.brushes.contract import Falloff
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.tiles import TILE, Rect, TileCopies

Vector = NDArray[np.float64]

_REFERENCE_STEP = 0.1
"""The share of a pass at which a strength of 0..1 is what one dab takes."""

NO_MASK = np.empty((0, 0), np.uint16)

FALLOFF_IDS: dict[Falloff, int] = {"smooth": 0, "sphere": 1, "linear": 2, "sharp": 3, "constant": 4}

FALLOFF_MEAN: dict[Falloff, float] = {
    "smooth": 8.0 / 15.0,
    "sphere": np.pi / 4.0,
    "linear": 1.0 / 2.0,
    "sharp": 1.0 / 3.0,
    "constant": 1.0,
}
"""Mean of each falloff from the centre to the rim: (1-u²)², √(1-u²), 1-u, (1-u)², 1."""


def pass_share(strength: float, step: float) -> float:
    """Share 0..1 that a dab takes of what is left, so that dabs of one pass together take about `strength`."""
    return float(1.0 - (1.0 - min(max(strength, 0.0), 1.0)) ** (step / _REFERENCE_STEP))


def windows(
    bounds: BoundsPyramid, field: VectorField, start: Vector, end: Vector, radius: float, plan: bool
) -> list[Rect]:
    """Disjoint rectangles of vertices around every patch that a capsule from `start` to `end` (3) may touch.

    plan: True for one that reaches through all heights. Usually there is one rectangle; more where parts of the surface
    far apart on the rest grid meet in space (an overhang).
    """
    half = 0.5 * (end - start)
    patches = bounds.in_sphere(start + half, radius + float(np.sqrt(half @ half)), plan)
    if not len(patches):
        return []
    low, high = patches.min(axis=0), patches.max(axis=0) + 1
    if (high - low).prod() <= 2 * len(patches) + 4:
        groups = [Rect(int(low[0]), int(high[0]), int(low[1]), int(high[1]))]
    else:
        groups = _disjoint(_clusters({(int(r), int(c)) for r, c in patches}))
    return [
        Rect(g.row0 * PATCH, g.row1 * PATCH + 1, g.col0 * PATCH, g.col1 * PATCH + 1).clip(field.rows, field.cols)
        for g in groups
    ]


def offsets_before(field: VectorField, before: TileCopies, rect: Rect) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) under `rect` as they were before their tiles were copied; a fresh array."""
    out = np.empty((rect.rows, rect.cols, 3), np.float32)
    _gather(field.offset, before.index, before.pool, rect.row0, rect.col0, out)
    return out


@dataclass(frozen=True)
class Reach:
    """How a dab fades: falloff by distance in space from the line `start`–`end` (3) to the radius, × `scale` × mask."""

    start: Vector
    end: Vector
    radius: float
    falloff: Falloff
    scale: float
    """0..1."""
    mask: NDArray[np.uint16]
    """Rows × cols of the map, 65535 = full effect; empty for no mask."""
    frozen: bool = False
    """True if the mask protects what it covers instead."""
    plan: bool = False
    """True if distance is measured in plan."""


def weigh(
    field: VectorField, rect: Rect, offset: NDArray[np.float32], reach: Reach
) -> tuple[Rect, NDArray[np.float32]]:
    """Weights of the vertices in `rect`, whose offsets (rows, cols, 3) are given.

    Returns the smallest rectangle around the weights above zero (plus one vertex, so that a brush finds room for
    neighbours) and the weights (rows, cols) there; an empty rectangle if the dab touches nothing.
    """
    weight = np.empty((rect.rows, rect.cols), np.float32)
    x0, y0 = field.origin
    kind = FALLOFF_IDS[reach.falloff]
    tight = _weigh(
        offset,
        field.cell,
        x0,
        y0,
        rect.row0,
        rect.col0,
        reach.start,
        reach.end - reach.start,
        reach.radius,
        kind,
        reach.scale,
        reach.mask,
        reach.frozen,
        reach.plan,
        weight,
    )
    found = Rect(*tight)
    if found.empty:
        return found, weight[:0, :0]
    found = found.grown(1).clip_to(rect)
    return found, np.ascontiguousarray(weight[found.within(rect).slices])


def _clusters(patches: set[tuple[int, int]]) -> list[Rect]:
    """Rectangles around the groups of patches that touch, corners included."""
    groups = []
    while patches:
        first = min(patches)
        patches.discard(first)
        queue, rect = [first], Rect(first[0], first[0] + 1, first[1], first[1] + 1)
        while queue:
            row, col = queue.pop()
            rect = rect.union(Rect(row, row + 1, col, col + 1))
            near = {(r, c) for r in (row - 1, row, row + 1) for c in (col - 1, col, col + 1)} & patches
            patches -= near
            queue.extend(near)
        groups.append(rect)
    return groups


def _disjoint(rects: list[Rect]) -> list[Rect]:
    """Join rectangles until no two share a vertex, since a vertex must not be dabbed twice."""
    apart: list[Rect] = []
    for rect in rects:
        while True:
            meets = [other for other in apart if _share_vertex(rect, other)]
            if not meets:
                break
            for other in meets:
                rect = rect.union(other)
                apart.remove(other)
        apart.append(rect)
    return sorted(apart)


def _share_vertex(a: Rect, b: Rect) -> bool:
    return a.row0 <= b.row1 and b.row0 <= a.row1 and a.col0 <= b.col1 and b.col0 <= a.col1


@kernel
def _gather(
    offset: NDArray[np.float32],
    index: NDArray[np.int32],
    pool: NDArray[np.float32],
    row0: int,
    col0: int,
    out: NDArray[np.float32],
) -> None:
    for i in range(out.shape[0]):
        row = row0 + i
        for j in range(out.shape[1]):
            col = col0 + j
            slot = index[row // TILE, col // TILE]
            for k in range(3):
                out[i, j, k] = pool[slot, row % TILE, col % TILE, k] if slot >= 0 else offset[row, col, k]


@kernel
def falloff_at(kind: int, u: float) -> float:
    """Falloff at `u` = distance / radius, for u in 0..1."""
    if kind == 0:
        return (1.0 - u * u) * (1.0 - u * u)
    if kind == 1:
        return float(np.sqrt(1.0 - u * u))
    if kind == 2:
        return 1.0 - u
    if kind == 3:
        return (1.0 - u) * (1.0 - u)
    return 1.0


@kernel
def _weigh(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    row0: int,
    col0: int,
    start: Vector,
    along: Vector,
    radius: float,
    falloff: int,
    scale: float,
    mask: NDArray[np.uint16],
    frozen: bool,
    plan: bool,
    weight: NDArray[np.float32],
) -> tuple[int, int, int, int]:
    rows, cols = weight.shape
    low_row, high_row, low_col, high_col = row0 + rows, row0, col0 + cols, col0
    rise = 0.0 if plan else along[2]
    length = along[0] * along[0] + along[1] * along[1] + rise * rise
    for i in range(rows):
        row = row0 + i
        rest_y = y0 + row * cell - start[1]
        for j in range(cols):
            col = col0 + j
            x = x0 + col * cell + offset[i, j, 0] - start[0]
            y = rest_y + offset[i, j, 1]
            z = 0.0 if plan else offset[i, j, 2] - start[2]
            if length > 0.0:
                share = min(max((x * along[0] + y * along[1] + z * rise) / length, 0.0), 1.0)
                x, y, z = x - share * along[0], y - share * along[1], z - share * rise
            square = x * x + y * y + z * z
            w = 0.0
            if square < radius * radius:
                w = scale * falloff_at(falloff, np.sqrt(square) / radius)
                if mask.shape[0] > 0:
                    w *= ((65535 - mask[row, col]) if frozen else mask[row, col]) / 65535.0
            weight[i, j] = w
            if w > 0.0:
                low_row, high_row = min(low_row, row), max(high_row, row + 1)
                low_col, high_col = min(low_col, col), max(high_col, col + 1)
    return low_row, high_row, low_col, high_col


@kernel
def settle(offset: NDArray[np.float32], kept: NDArray[np.float32], weight: NDArray[np.float32]) -> bool:
    """Put back every vertex of weight zero, bit for bit; all of them if any value is not finite (returns False)."""
    finite = True
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            if not weight[i, j] > 0.0:
                for k in range(3):
                    offset[i, j, k] = kept[i, j, k]
            else:
                for k in range(3):
                    finite = finite and np.isfinite(offset[i, j, k])
    if not finite:
        offset[...] = kept
    return finite


@kernel
def hold_back(offset: NDArray[np.float32], first: NDArray[np.float32], most: float) -> None:
    """Let no vertex lie farther than `most` metres from where it was at first."""
    for i in range(offset.shape[0]):
        for j in range(offset.shape[1]):
            x = offset[i, j, 0] - first[i, j, 0]
            y = offset[i, j, 1] - first[i, j, 1]
            z = offset[i, j, 2] - first[i, j, 2]
            square = x * x + y * y + z * z
            if square > most * most:
                share = np.float32(most / np.sqrt(square))
                offset[i, j, 0] = first[i, j, 0] + share * x
                offset[i, j, 1] = first[i, j, 1] + share * y
                offset[i, j, 2] = first[i, j, 2] + share * z


@kernel
def face_viewer(normal: NDArray[np.float32], view: Vector, weight: NDArray[np.float32]) -> None:
    """Take away the weight of surface that is turned away from the viewer, softly where it is seen edge on."""
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            facing = -(normal[i, j, 0] * view[0] + normal[i, j, 1] * view[1] + normal[i, j, 2] * view[2])
            weight[i, j] *= np.float32(min(max(4.0 * facing, 0.0), 1.0))
