"""Mask by slope of the displaced surface."""

import numpy as np

from terrain.field import VectorField
from terrain.masks.combine import Mask
from terrain.masks.ranges import within


def slope_degrees(field: VectorField) -> Mask:
    """Angle (rows, cols) between the surface and level ground, degrees: 90 a wall, more where it hangs over."""
    normals = field.normals()
    # Unlike the arc cosine of z, this keeps its digits on level ground.
    across = np.hypot(normals[..., 0], normals[..., 1])
    return np.degrees(np.arctan2(across, normals[..., 2]))


def slope_mask(field: VectorField, low: float, high: float, soft: float = 0.0) -> Mask:
    """1 (rows, cols) where the slope is low..high degrees (0..180), fading to 0 at `soft` degrees beyond."""
    return within(slope_degrees(field), low, high, soft)
