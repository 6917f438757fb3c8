"""Sharpen: exaggerate what a blur would take away (unsharp masking)."""

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.blur import What, check_radius, gaussian


def sharpen(
    field: VectorField, radius: float = 10.0, amount: float = 0.5, what: What = "heights"
) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) with `amount` times their difference from a blur of `radius` metres added.

    what: `heights` alone, or `all`: the sideways displacement too. A wave sin(k·x) grows to
    1 + amount·(1 - exp(-k²·radius²/2)) of itself. Raises `SkerryError`.
    """
    check_radius("sharpening", radius)
    if not amount >= 0.0:
        raise SkerryError(f"the amount of sharpening must be 0 or more, not {amount:g}; use a blur for less detail")
    out = field.offset.copy()
    if radius > 0.0 and amount > 0.0:
        part = out if what == "all" else out[..., 2:]
        detail = gaussian(part, field, radius)
        np.subtract(part, detail, out=detail)
        detail *= np.float32(amount)
        part += detail
    return out
