"""How masks join, and their way to and from the 16 bits in which a map keeps them."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError

Mask = NDArray[np.float32]
"""Values 0..1 (rows, cols), row 0 south."""

Combine = Literal["replace", "add", "subtract", "intersect"]

FULL = 65535
"""The stored value that stands for 1."""


def from_mask(stored: NDArray[np.uint16]) -> Mask:
    """Stored values (rows, cols) as 0..1; `to_mask` gives the same back bit for bit."""
    return stored.astype(np.float32) / np.float32(FULL)


def to_mask(mask: NDArray[np.floating]) -> NDArray[np.uint16]:
    """Values 0..1 (rows, cols) rounded to stored ones; what lies outside 0..1 is clipped."""
    scaled = np.clip(mask, 0.0, 1.0) * mask.dtype.type(FULL)
    stored: NDArray[np.uint16] = np.rint(scaled, out=scaled).astype(np.uint16)
    return stored


def combine(first: Mask, second: Mask, how: Combine) -> Mask:
    """The second mask (rows, cols) put onto the first, as selections join in picture editors."""
    if first.shape != second.shape:
        raise SkerryError(f"masks of {first.shape} and {second.shape} vertices cannot be combined")
    if how == "replace":
        return second.copy()
    joined: Mask = first.copy()
    if how == "add":
        np.maximum(first, second, out=joined)
    elif how == "subtract":
        np.minimum(first, np.float32(1.0) - second, out=joined)
    else:
        np.minimum(first, second, out=joined)
    return joined
