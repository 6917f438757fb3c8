"""Finds a slope worth an overhang on any map, and lays the recorded strokes there."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from editor.render.style import Style
from editor.strokes import RecordedStroke
from plugins.registry import find_brush
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.params import describe

Vector = NDArray[np.float64]

_BLOCKS = 64
"""The map is looked at in about so many blocks a side."""


@dataclass(frozen=True)
class Site:
    """A place on a slope. Local axes: x along the slope, y out of it, z up; one unit is `size` metres."""

    middle: Vector
    along: Vector
    out: Vector
    size: float

    def world(self, local: tuple[float, float, float]) -> Vector:
        """A local point in world metres."""
        x, y, z = local
        return self.middle + self.size * (x * self.along + y * self.out + z * np.array([0.0, 0.0, 1.0]))


def find_site(terrain: TerrainMap) -> Site:
    """The steepest broad slope half way up the land (or the seabed, where there is no land), sunlit if there is one."""
    field = terrain.field
    step = max(1, min(field.rows, field.cols) // _BLOCKS)
    # A coarser field through the same vertices: all positions of the largest map would take 1.6 GB.
    positions = VectorField(field.offset[::step, ::step].copy(), step * field.cell, field.origin).positions()
    heights = positions[..., 2]
    north, east = (np.asarray(slope) for slope in np.gradient(heights, step * field.cell))
    low = max(terrain.sea_level, float(heights.min())) if heights.max() > terrain.sea_level else float(heights.min())
    share = (heights - low) / max(float(heights.max()) - low, 1e-9)
    sun = Style().sun
    sunlit = np.clip(-(east * sun[0] + north * sun[1]), 0.0, None)
    score = (0.2 * np.hypot(north, east) + sunlit) * ((share > 0.25) & (share < 0.75))
    margin = max(1, min(score.shape) // 8)
    inner = np.zeros_like(score)
    inner[margin:-margin, margin:-margin] = score[margin:-margin, margin:-margin]
    row, col = np.unravel_index(int(np.argmax(inner)), inner.shape)
    if not inner.any():
        # Level ground: anywhere but on the border.
        row, col = score.shape[0] // 2, score.shape[1] // 2
    downhill = -np.array([east[row, col], north[row, col], 0.0])
    length = float(np.linalg.norm(downhill))
    out = downhill / length if length > 0.0 else np.array([0.0, -1.0, 0.0])
    relief = float(heights.max()) - low
    size = max(min(0.22 * relief, 0.05 * max(field.rest_size)), 6.0 * field.cell)
    return Site(positions[row, col], np.array([out[1], -out[0], 0.0]), out, size)


def lay(strokes: list[RecordedStroke], site: Site) -> list[RecordedStroke]:
    """Strokes recorded in local units, moved, turned and scaled to a site."""
    return [_lay_one(stroke, site) for stroke in strokes]


def _lay_one(stroke: RecordedStroke, site: Site) -> RecordedStroke:
    params = dict(stroke.params)
    for info in describe(find_brush(stroke.brush).Params):
        # Lengths only: the strength of `smooth` is a share. A brush has its limits, whatever the map.
        if info.name in ("radius", "strength") and info.name in params and not (info.high or np.inf) <= 1.0:
            params[info.name] = round(min(params[info.name] * site.size, info.high or np.inf), 3)
    points = [(*_rounded(site.world((x, y, z))), pressure) for x, y, z, pressure in stroke.points]
    eye = None if stroke.eye is None else _rounded(site.world(stroke.eye))
    return RecordedStroke(stroke.brush, points, params, stroke.inverted, eye)


def _rounded(point: Vector) -> tuple[float, float, float]:
    return round(float(point[0]), 3), round(float(point[1]), 3), round(float(point[2]), 3)
