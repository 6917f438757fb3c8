"""Mask by the side of the sky that a slope faces."""

import numpy as np

from terrain.field import VectorField
from terrain.masks.combine import Mask
from terrain.masks.ranges import within

_LEVEL = 1e-4
"""Slope, radians, below which ground faces nowhere."""


def aspect_degrees(field: VectorField) -> Mask:
    """Bearing (rows, cols) that the surface faces, degrees clockwise from north, 0 <= bearing < 360; NaN if level.

    That is downhill, and on a face that hangs over still the way it looks, not where water would run back under it.
    """
    normals = field.normals()
    east, north = normals[..., 0], normals[..., 1]
    bearing = np.degrees(np.arctan2(east, north))
    bearing[bearing < 0.0] += np.float32(360.0)
    bearing[bearing >= 360.0] = 0.0
    bearing[np.hypot(east, north) < _LEVEL] = np.nan
    return bearing


def aspect_mask(field: VectorField, direction: float, width: float, soft: float = 0.0) -> Mask:
    """1 (rows, cols) where the surface faces `direction` ± `width` degrees, fading to 0 at `soft` degrees beyond.

    Level ground faces nowhere: 0.
    """
    normals = field.normals()
    east, north = normals[..., 0], normals[..., 1]
    turn = np.radians(direction % 360.0)
    # In the frame of the direction, so that 0 and 360 degrees meet without a seam.
    ahead = np.float32(np.cos(turn)) * north + np.float32(np.sin(turn)) * east
    aside = np.float32(np.cos(turn)) * east - np.float32(np.sin(turn)) * north
    mask = within(np.degrees(np.arctan2(np.abs(aside), ahead)), 0.0, width, soft)
    mask[np.hypot(east, north) < _LEVEL] = 0.0
    return mask
