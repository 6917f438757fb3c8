"""Curves: heights sent through a curve that is drawn through points."""

from collections.abc import Sequence

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel

Line = NDArray[np.float64]


def curves(field: VectorField, points: Sequence[float], strength: float = 1.0) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) with every height h replaced by the curve at h; nothing moves sideways.

    points: height, new height, height, new height, ... in metres, two points or more, heights rising. Between two
    points the curve only rises or only falls, with no corner anywhere; beyond the ends it goes on straight, at a
    slope of 1 if the next point allows it, so that what lies there is lifted as a whole. strength: share of the way.
    Raises `SkerryError`.
    """
    heights, goals, slopes = monotone_cubic(points)
    if not 0.0 <= strength <= 1.0:
        raise SkerryError(f"the strength of curves must be 0 to 1, not {strength:g}")
    out = field.offset.copy()
    if strength > 0.0 and (heights != goals).any():
        _curves(field.offset, heights, goals, slopes, strength, out)
    return out


def monotone_cubic(points: Sequence[float]) -> tuple[Line, Line, Line]:
    """Heights, goals and slopes at the points of a piecewise cubic that never swings beyond its points.

    Slopes after Fritsch and Butland, "A method for constructing local monotone piecewise cubic interpolants" (1984).
    Raises `SkerryError` unless points are pairs of finite numbers with rising heights.
    """
    flat = np.asarray(points, np.float64).ravel()
    if flat.size < 4 or flat.size % 2 or not np.isfinite(flat).all():
        raise SkerryError(f"curves need two points or more, each a height and its new height, not {flat.size} numbers")
    heights, goals = flat[::2].copy(), flat[1::2].copy()
    steps = np.diff(heights)
    if not (steps > 0.0).all():
        at = int(np.argmin(steps > 0.0))
        raise SkerryError(
            f"the heights of a curve's points must rise, but {heights[at + 1]:g} m comes after {heights[at]:g} m"
        )
    rises = np.diff(goals) / steps
    slopes = np.empty_like(heights)
    slopes[0], slopes[-1] = _end_slope(rises[0]), _end_slope(rises[-1])
    for i in range(1, len(heights) - 1):
        before, behind = rises[i - 1], rises[i]
        a, b = 2.0 * steps[i] + steps[i - 1], steps[i] + 2.0 * steps[i - 1]
        slopes[i] = (a + b) / (a / before + b / behind) if before * behind > 0.0 else 0.0
    return heights, goals, slopes


def _end_slope(rise: float) -> float:
    """1 for heights that stay in order; at most thrice the rise, above which a cubic would swing (Fritsch, Carlson)."""
    return min(1.0, 3.0 * rise) if rise >= 0.0 else max(-1.0, 3.0 * rise)


@kernel
def curve_at(height: float, heights: Line, goals: Line, slopes: Line) -> float:
    """The curve's value at a height, metres."""
    last = len(heights) - 1
    if height <= heights[0]:
        return float(goals[0] + slopes[0] * (height - heights[0]))
    if height >= heights[last]:
        return float(goals[last] + slopes[last] * (height - heights[last]))
    i = np.searchsorted(heights, height, side="right") - 1
    step = heights[i + 1] - heights[i]
    t = (height - heights[i]) / step
    u = 1.0 - t
    here = u * u * ((1.0 + 2.0 * t) * goals[i] + t * step * slopes[i])
    return float(here + t * t * ((1.0 + 2.0 * u) * goals[i + 1] - u * step * slopes[i + 1]))


@parallel_kernel
def _curves(
    offset: NDArray[np.float32], heights: Line, goals: Line, slopes: Line, strength: float, out: NDArray[np.float32]
) -> None:
    for row in prange(offset.shape[0]):
        for col in range(offset.shape[1]):
            height = float(offset[row, col, 2])
            out[row, col, 2] = height + strength * (curve_at(height, heights, goals, slopes) - height)
