"""Relief: a small shaded picture of a map from above, north up; numpy alone."""

import numpy as np
from numpy.typing import NDArray

from terrain.map import TerrainMap

_STOPS = np.array([0.0, 0.08, 0.45, 0.8, 1.0])
_LAND = np.array([[196, 184, 138], [122, 142, 92], [134, 120, 88], [150, 144, 138], [236, 238, 240]], np.float64)
_SEA = np.array([[104, 168, 184], [26, 52, 88]], np.float64)


def relief(terrain: TerrainMap, side: int = 256) -> NDArray[np.uint8]:
    """A picture (height, width, 3) whose longer side has at most `side` pixels; its first row is the north."""
    field = terrain.field
    stride = max(1, -(-max(field.rows, field.cols) // side))
    heights = field.offset[::stride, ::stride, 2].astype(np.float64)
    if min(heights.shape) < 2:
        heights = np.repeat(np.repeat(heights, 3 - min(2, heights.shape[0]), 0), 3 - min(2, heights.shape[1]), 1)
    colours = _tint(heights, terrain.sea_level) * _shade(heights, field.cell * stride)[..., None]
    picture = np.clip(colours, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(picture[::-1])


def _shade(heights: NDArray[np.float64], cell: float) -> NDArray[np.float64]:
    """Light from the north-west, 45° high; slopes are stretched so that any map shows its form."""
    south_north, west_east = np.gradient(heights, cell)
    steepness = float(np.sqrt(np.mean(south_north**2 + west_east**2)))
    stretch = 0.5 / steepness if steepness > 1e-9 else 1.0
    north, east = south_north * stretch, west_east * stretch
    light = (0.5 * east - 0.5 * north + 0.7071) / np.sqrt(1.0 + north**2 + east**2)
    return np.asarray(0.45 + 0.75 * np.clip(light, 0.0, 1.0))


def _tint(heights: NDArray[np.float64], sea_level: float) -> NDArray[np.float64]:
    land = np.clip((heights - sea_level) / max(float(heights.max()) - sea_level, 1e-9), 0.0, 1.0)
    depth = np.clip((sea_level - heights) / max(sea_level - float(heights.min()), 1e-9), 0.0, 1.0)
    ground = np.stack([np.interp(land, _STOPS, _LAND[:, k]) for k in range(3)], axis=-1)
    water = _SEA[0] + np.sqrt(depth)[..., None] * (_SEA[1] - _SEA[0])
    return np.where((heights < sea_level)[..., None], water, ground)
