"""The way of a river: a spline through what was drawn, and a bed that falls along it."""

import math
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.patch import crop_of, rect_of
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.params import Params, about
from terrain.rasterise import fill_uncovered, top_surface
from terrain.tiles import Rect

_MOST_STEPS = 100_000


class RiverParams(Params, frozen=True, kw_only=True):
    """A river from its source to its mouth; every length in metres, so that the cell size does not matter."""

    strength: Annotated[float, about("Share of the cut that is made", ge=0, le=1)] = 1.0
    width_start: Annotated[float, about("Width between the banks at the source", unit="m", ge=0.1, le=5e3)] = 4.0
    width_end: Annotated[float, about("Width between the banks at the mouth", unit="m", ge=0.1, le=5e3)] = 14.0
    depth_start: Annotated[float, about("Depth below the banks at the source", unit="m", ge=0, le=500)] = 0.8
    depth_end: Annotated[float, about("Depth below the banks at the mouth", unit="m", ge=0, le=500)] = 2.5
    bank: Annotated[float, about("Slope of the banks and of the valley above", unit="°", ge=2, le=80)] = 32.0
    shoulder: Annotated[float, about("Height over which the banks are rounded", unit="m", ge=0, le=50)] = 0.5
    fall: Annotated[float, about("Least fall of the bed", unit="°", ge=0, le=20)] = 0.05
    meander: Annotated[float, about("How far the river swings to either side", unit="m", ge=0, le=1e3)] = 0.0
    meander_length: Annotated[float, about("Length of one swing to both sides", unit="m", ge=1, le=1e5)] = 120.0
    laid: Annotated[float, about("Share of what is carved that is laid at the mouth", ge=0, le=1)] = 1.0
    slope: Annotated[float, about("Slope of the fan above the sea", unit="°", ge=0.1, le=40, group="Fan")] = 3.0
    foreset: Annotated[float, about("Slope of its front under water", unit="°", ge=0.1, le=60, group="Fan")] = 24.0
    spread: Annotated[float, about("How far to either side it fans", unit="°", ge=5, le=120, group="Fan")] = 60.0


class Course(NamedTuple):
    """A river's middle line downstream, each (n,): world x, y, height of its bed, width and depth, metres."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    bed: NDArray[np.float64]
    width: NDArray[np.float64]
    depth: NDArray[np.float64]


def course_of(field: VectorField, params: RiverParams, line: NDArray[np.float64], sea: float) -> tuple[Course, int]:
    """The river's line, and the number of the point at which it meets the sea or ends; 0 if there is no land."""
    spline = _spline(line, max(0.5 * field.cell, 0.1 * min(params.width_start, params.width_end)))
    if params.meander > 0.0:
        spline = _meandering(spline, params.meander, params.meander_length)
    rect = rect_of(field, spline[:, :2].min(axis=0), spline[:, :2].max(axis=0), 4.0 * field.cell)
    ground = spline[:, 2] if line.shape[1] == 3 else _heights_at(field, rect, spline)
    if ground[0] < ground[-1]:
        spline, ground = spline[::-1], ground[::-1]
    along = _along(spline)
    share = along / max(along[-1], 1e-9)
    width = np.maximum(params.width_start + share * (params.width_end - params.width_start), 2.0 * field.cell)
    depth = params.depth_start + share * (params.depth_end - params.depth_start)
    smooth = _smoothed(ground, along, float(width.max()))
    # The sea begins where no land follows.
    dry = np.flatnonzero(ground > sea)
    mouth = min(int(dry[-1]) + 1, len(along) - 1) if len(dry) else 0
    fall = math.tan(math.radians(params.fall)) * along
    wanted = np.minimum(smooth, ground) - depth + fall
    # Beyond, what is drawn keeps a way open through the delta, no deeper than at the mouth.
    wanted[mouth + 1 :] = np.inf
    bed = np.minimum.accumulate(wanted) - fall
    x, y = np.ascontiguousarray(spline[:, 0]), np.ascontiguousarray(spline[:, 1])
    return Course(x, y, bed, width, depth), mouth


def leaves(field: VectorField, course: Course, mouth: int) -> bool:
    """Whether a river runs over the map's border before it meets the sea."""
    x, y = course.x[mouth] - field.origin[0], course.y[mouth] - field.origin[1]
    room = min(x, y, field.rest_size[0] - x, field.rest_size[1] - y)
    return bool(mouth == len(course.x) - 1 and room < 0.5 * course.width[mouth])


def _along(line: NDArray[np.float64]) -> NDArray[np.float64]:
    """Length along a line (n, 2 or more) up to each point, metres."""
    steps = np.hypot(*np.diff(line[:, :2], axis=0).T)
    return np.concatenate([[0.0], np.cumsum(steps)])


def _spline(points: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Points (n, 3) about a step apart on a centripetal Catmull-Rom spline (Yuksel et al. 2011); z is 0 if absent."""
    keep = np.concatenate([[True], np.hypot(*np.diff(points[:, :2], axis=0).T) > 0.0])
    knots = np.pad(points[keep], ((0, 0), (0, 3 - points.shape[1])))
    if len(knots) < 2:
        raise SkerryError("a river needs two points that lie apart")
    ends = np.concatenate([[2.0 * knots[0] - knots[1]], knots, [2.0 * knots[-1] - knots[-2]]])
    count = sum(math.ceil(length / step) for length in np.diff(_along(knots)))
    if count > _MOST_STEPS:
        raise SkerryError(f"the river is {_along(knots)[-1]:g} m long, too long for cells this small")
    pieces = [_piece(ends[k : k + 4], step) for k in range(len(knots) - 1)]
    return np.concatenate([*pieces, knots[-1:]])


def _piece(four: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Between the middle two of four knots, by the pyramid of Barry and Goldman (1988)."""
    gaps = np.sqrt(np.hypot(*np.diff(four[:, :2], axis=0).T))
    t0, t1, t2, t3 = np.concatenate([[0.0], np.cumsum(gaps)])
    count = max(1, math.ceil(gaps[1] ** 2 / step))
    t = np.linspace(t1, t2, count, endpoint=False)[:, None]
    p0, p1, p2, p3 = four
    a1 = (t1 - t) / (t1 - t0) * p0 + (t - t0) / (t1 - t0) * p1
    a2 = (t2 - t) / (t2 - t1) * p1 + (t - t1) / (t2 - t1) * p2
    a3 = (t3 - t) / (t3 - t2) * p2 + (t - t2) / (t3 - t2) * p3
    b1 = (t2 - t) / (t2 - t0) * a1 + (t - t0) / (t2 - t0) * a2
    b2 = (t3 - t) / (t3 - t1) * a2 + (t - t1) / (t3 - t1) * a3
    return np.asarray((t2 - t) / (t2 - t1) * b1 + (t - t1) / (t2 - t1) * b2)


def _meandering(line: NDArray[np.float64], swing: float, length: float) -> NDArray[np.float64]:
    """A line that swings to either side of another, but not at its ends."""
    along = _along(line)
    calm = np.clip(np.minimum(along, along[-1] - along) / (0.5 * length), 0.0, 1.0)
    aside = swing * calm * calm * (3.0 - 2.0 * calm) * np.sin(2.0 * np.pi * along / length)
    heading = np.gradient(line[:, :2], axis=0)
    heading /= np.maximum(np.hypot(*heading.T), 1e-12)[:, None]
    out = line.copy()
    out[:, 0] -= aside * heading[:, 1]
    out[:, 1] += aside * heading[:, 0]
    return out


def _heights_at(field: VectorField, rect: Rect, line: NDArray[np.float64]) -> NDArray[np.float64]:
    """Height of the top of the surface along a line (n, 2 or more), metres; beyond the border as on it."""
    part = crop_of(field, rect)
    heights, _ = top_surface(part, part.rows, part.cols, part.cell, part.origin)
    fill_uncovered(heights)
    col = np.clip((line[:, 0] - part.origin[0]) / part.cell, 0.0, part.cols - 1.0)
    row = np.clip((line[:, 1] - part.origin[1]) / part.cell, 0.0, part.rows - 1.0)
    c, r = np.minimum(col.astype(int), part.cols - 2), np.minimum(row.astype(int), part.rows - 2)
    u, v = col - c, row - r
    south = (1.0 - u) * heights[r, c] + u * heights[r, c + 1]
    north = (1.0 - u) * heights[r + 1, c] + u * heights[r + 1, c + 1]
    return np.asarray((1.0 - v) * south + v * north, np.float64)


def _smoothed(ground: NDArray[np.float64], along: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Heights along a line, smoothed over about its width, straight on at both ends."""
    from scipy.ndimage import gaussian_filter1d

    step = along[-1] / max(len(along) - 1, 1)
    sigma = min(0.5 * width / max(step, 1e-9), 0.25 * len(ground))
    reach = math.ceil(4.0 * sigma)
    wide = np.pad(ground, reach, mode="reflect", reflect_type="odd")
    return np.asarray(gaussian_filter1d(wide, sigma)[reach : reach + len(ground)])
