"""Mask by height."""

import numpy as np

from terrain.field import VectorField
from terrain.masks.combine import Mask
from terrain.masks.ranges import within


def height_mask(field: VectorField, low: float, high: float, soft: float = 0.0) -> Mask:
    """1 (rows, cols) where the surface lies at low..high metres, fading to 0 at `soft` metres beyond."""
    return within(np.ascontiguousarray(field.offset[..., 2]), low, high, soft)
