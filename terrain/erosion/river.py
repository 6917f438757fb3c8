"""Rivers along drawn lines, whose bed always falls, and the fans and deltas that they lay at their mouths."""

import math
from collections.abc import Callable

import numpy as np
from numba import prange
from numpy.typing import ArrayLike, NDArray

from terrain.erosion.course import Course, RiverParams, course_of, leaves
from terrain.erosion.fan import Cone, FanParams, cone_of, lay_fan
from terrain.erosion.outcome import Eroded, Grid, Ledger
from terrain.erosion.patch import Land, blank_grids, checked_line, land_of, put_back, rect_of, with_heights
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel
from terrain.tiles import Rect

_BESIDE = 6
_MARGIN = 5.0
"""Metres of ground below the banks across which a cut is still followed."""


def river(
    field: VectorField,
    params: RiverParams,
    points: ArrayLike,
    sea: float = -math.inf,
    *,
    softness: Grid | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Eroded:
    """Carve a river along a line, and lay what is carved as a fan or delta at its mouth.

    points: (n, 2) world x, y in metres, or (n, 3) with the height of the banks in place of the ground's; a centripetal
    Catmull-Rom spline joins them. The river flows to the lower end. Its bed falls all the way, whatever the ground
    does, and is `depth` below the ground or deeper. Its mouth is where it meets the sea for good, or its end; what is
    drawn beyond keeps a way open through the delta. sea: its level, metres.
    softness: 0..1 (rows, cols), share of the cut made; below 1 the bed may rise. No bed is narrower than two cells.
    Nothing is laid by a river that leaves the map: that is exported. Heights alone change, by distances in the
    world, and nothing near an overhang. Grids besides wear and deposit: `river` [m] depth of water that reaches the
    banks. Raises `SkerryError` for fewer than two points or a number that is not finite.
    """
    line = checked_line(field, points, sea, softness)
    progress(0.0)
    out = Eroded(field.offset.copy(), blank_grids(field, "wear", "deposit", "river"), Ledger(picked=0.0, dropped=0.0))
    course, mouth = course_of(field, params, line, sea)
    if mouth == 0:
        return out
    rect = _around(field, course, params)
    land = land_of(field, rect, softness)
    cut, water = np.zeros(land.height.shape, np.float32), np.zeros(land.height.shape, np.float32)
    roof = np.full(land.height.shape, np.inf, np.float32)
    best, slope = np.full(roof.shape, -1, np.int64), math.tan(math.radians(params.bank))
    _seed(land, course, slope, best, roof)
    _carve(land, course, slope, -math.inf, best, roof, lambda share: progress(0.4 * share))
    _cut(land, roof, params.shoulder, params.strength, cut)
    volume = params.laid * float((land.area * cut).sum())
    out.grids["wear"][rect.slices] = cut
    touched, after = rect, land.height - cut
    if volume > 0.0 and not leaves(field, course, mouth):
        # Through the fan the banks are as high as it may become.
        lift = 2.0 * (volume * math.tan(math.radians(params.slope)) ** 2) ** (1.0 / 3.0)
        top = float(course.bed[mouth] + course.depth[mouth]) + lift
        _carve(land, course, slope, top, best, roof, lambda share: progress(0.4 + 0.2 * share))
        ceiling = np.full(field.offset.shape[:2], np.inf, np.float32)
        ceiling[rect.slices] = roof
        lower, cone = with_heights(field, rect, after), _mouth_cone(course, mouth, params, sea)
        laid, where = lay_fan(lower, cone, volume, ceiling, lambda share: progress(0.6 + 0.39 * share))
        out.grids["deposit"][where.slices] = laid
        after, touched = after + out.grids["deposit"][rect.slices], rect.union(where)
    _flood(land, course, slope, best, water)
    # Not over a seabed that lies deeper than the river would.
    water[(cut <= 0.0) & (np.abs(after - roof) > 0.01)] = 0.0
    out.grids["river"][rect.slices] = water
    return put_back(field, out, touched)


def _mouth_cone(course: Course, mouth: int, params: RiverParams, sea: float) -> Cone:
    """The fan at a river's mouth but for its height, straight on from the river."""
    east = float(course.x[mouth] - course.x[mouth - 1])
    north = float(course.y[mouth] - course.y[mouth - 1])
    shape = FanParams(slope=params.slope, foreset=params.foreset, spread=params.spread)
    return cone_of(float(course.x[mouth]), float(course.y[mouth]), east, north, shape, sea)


def _around(field: VectorField, course: Course, params: RiverParams) -> Rect:
    """Room for the river, and for a valley half as high again as any height along it."""
    line = np.stack([course.x, course.y], axis=1)
    whole = rect_of(field, line.min(axis=0), line.max(axis=0), float(course.width.max()) + 50.0)
    top = float(field.offset[..., 2][whole.slices].max())
    deep = max(0.0, top - float(course.bed.min()))
    margin = float(course.width.max()) + 1.5 * deep / math.tan(math.radians(params.bank)) + 8.0 * field.cell
    return rect_of(field, line.min(axis=0), line.max(axis=0), margin)


def _carve(
    land: Land,
    course: Course,
    slope: float,
    top: float,
    best: NDArray[np.int64],
    roof: Grid,
    progress: Callable[[float], None],
) -> None:
    """Find the height to which ground may stand, for banks of a slope along the course.

    Which step of the course is lowest spreads from vertex to vertex, as far as the ground is cut or the banks lie
    below `top`; so the cost is that of the land around.
    """
    order = [(1, row) for row in range(0, len(roof), 256)] + [(-1, row) for row in range(0, len(roof), 256)]
    for number, (towards, first) in enumerate(order):
        progress(number / len(order))
        _spread(land, course, slope, top, best, roof, towards, first, min(first + 256, len(roof)))


@kernel
def _section(away: float, width: float, depth: float, slope: float) -> float:
    """Height above the bed at a distance from the middle: a level bed, straight banks, the valley as steep above."""
    half = 0.5 * width
    level = max(0.25 * half, half - depth / slope)
    if away <= level:
        return 0.0
    if away <= half:
        return depth * (away - level) / (half - level)
    return depth + slope * (away - half)


@kernel
def _over(land: Land, course: Course, slope: float, row: int, col: int, k: int) -> tuple[float, float]:
    """Height of the section through the k-th step at a vertex, and depth of its water there."""
    ax, ay = course.x[k], course.y[k]
    ux, uy = course.x[k + 1] - ax, course.y[k + 1] - ay
    away, t = _beside(land.x[row, col] - ax, land.y[row, col] - ay, ux, uy)
    bed = course.bed[k] + t * (course.bed[k + 1] - course.bed[k])
    width = course.width[k] + t * (course.width[k + 1] - course.width[k])
    depth = course.depth[k] + t * (course.depth[k + 1] - course.depth[k])
    rise = _section(away, width, depth, slope)
    return bed + rise, depth - rise


@kernel
def _try(
    land: Land, course: Course, slope: float, best: NDArray[np.int64], roof: Grid, row: int, col: int, k: int
) -> None:
    """Take a step of the course for a vertex if it is lower than the one it has, and then those beside it."""
    lowest = np.float32(_over(land, course, slope, row, col, k)[0])
    if not lowest < roof[row, col]:
        return
    for towards in (1, -1):
        other = k + towards
        while 0 <= other < len(course.x) - 1:
            height = np.float32(_over(land, course, slope, row, col, other)[0])
            if not height < lowest:
                break
            lowest, k = height, other
            other += towards
    roof[row, col], best[row, col] = lowest, k


@kernel
def _seed(land: Land, course: Course, slope: float, best: NDArray[np.int64], roof: Grid) -> None:
    rows, cols = roof.shape
    room = land.cell + land.astray
    for k in range(len(course.x) - 1):
        row0 = int((min(course.y[k], course.y[k + 1]) - room - land.bottom) / land.cell)
        row1 = int((max(course.y[k], course.y[k + 1]) + room - land.bottom) / land.cell)
        col0 = int((min(course.x[k], course.x[k + 1]) - room - land.left) / land.cell)
        col1 = int((max(course.x[k], course.x[k + 1]) + room - land.left) / land.cell)
        for row in range(max(row0, 0), min(row1 + 1, rows)):
            for col in range(max(col0, 0), min(col1 + 1, cols)):
                _try(land, course, slope, best, roof, row, col, k)


@kernel
def _passed(step: int, roof: float, height: float, top: float, own: int) -> bool:
    """Whether a vertex shows its step to another: where the ground is cut, or nearly so, or where banks are wanted.

    A step beside the other's own is no news; that was followed down to the lowest of those beside it already. Takes
    numbers alone: a call with all the arrays costs more than the answer.
    """
    return step >= 0 and (own < 0 or abs(step - own) > _BESIDE) and (roof < height + _MARGIN or roof < top)


@kernel
def _spread(
    land: Land,
    course: Course,
    slope: float,
    top: float,
    best: NDArray[np.int64],
    roof: Grid,
    towards: int,
    first: int,
    last: int,
) -> None:
    """Let each vertex of some rows try the steps of its neighbours; rows count from where the pass starts."""
    rows, cols = roof.shape
    height = land.height
    for number in range(first, last):
        row = number if towards > 0 else rows - 1 - number
        behind = row - towards
        for k in range(2 * cols - 1):
            # Eastward with the row behind, then back.
            col = k if k < cols else 2 * cols - 2 - k
            if k < cols and 0 <= behind < rows:
                for side in range(max(col - 1, 0), min(col + 2, cols)):
                    step = best[behind, side]
                    if _passed(step, roof[behind, side], height[behind, side], top, best[row, col]):
                        _try(land, course, slope, best, roof, row, col, step)
            side = col - 1 if k < cols else col + 1
            if side >= 0:
                step = best[row, side]
                if _passed(step, roof[row, side], height[row, side], top, best[row, col]):
                    _try(land, course, slope, best, roof, row, col, step)


@parallel_kernel
def _flood(land: Land, course: Course, slope: float, best: NDArray[np.int64], water: Grid) -> None:
    for row in prange(water.shape[0]):
        for col in range(water.shape[1]):
            if best[row, col] >= 0:
                water[row, col] = max(0.0, _over(land, course, slope, row, col, best[row, col])[1])


@kernel
def _beside(x: float, y: float, ux: float, uy: float) -> tuple[float, float]:
    """Distance of a point from a step that starts at 0, and the share of the step at which it is nearest."""
    length = ux * ux + uy * uy
    t = min(max((x * ux + y * uy) / length, 0.0), 1.0) if length > 0.0 else 0.0
    return np.sqrt((x - t * ux) ** 2 + (y - t * uy) ** 2), t


@parallel_kernel
def _cut(land: Land, roof: Grid, shoulder: float, strength: float, cut: Grid) -> None:
    for row in prange(cut.shape[0]):
        for col in range(cut.shape[1]):
            over = float(land.height[row, col]) - roof[row, col]
            # Rounded where the banks meet the ground.
            if over < -shoulder:
                over = 0.0
            elif over < shoulder:
                over = (over + shoulder) ** 2 / (4.0 * shoulder)
            cut[row, col] = strength * land.free[row, col] * over
