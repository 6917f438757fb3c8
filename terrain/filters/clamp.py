"""Clamp: no height below one level or above another."""

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField


def clamp(field: VectorField, low: float | None = None, high: float | None = None) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) with heights cut off at `low` and `high` metres; None for no limit on that side.

    Nothing moves sideways. Raises `SkerryError` if the limits are the wrong way round.
    """
    if low is not None and high is not None and not low <= high:
        raise SkerryError(f"the lower limit of a clamp, {low:g} m, lies above the upper one, {high:g} m; swap them")
    out = field.offset.copy()
    heights = out[..., 2]
    if low is not None:
        np.maximum(heights, np.float32(low), out=heights)
    if high is not None:
        np.minimum(heights, np.float32(high), out=heights)
    return out
