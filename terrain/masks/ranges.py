"""Ranges with a soft edge: full inside, fading outside."""

import numpy as np

from terrain.errors import SkerryError
from terrain.kernel import kernel
from terrain.masks.combine import Mask


def within(values: Mask, low: float, high: float, soft: float = 0.0) -> Mask:
    """1 for values (rows, cols) of low..high, limits included, fading smoothly to 0 at `soft` beyond either limit."""
    if low > high:
        raise SkerryError(f"the range {low:g}..{high:g} is empty: give the lower limit first")
    out = np.empty(values.shape, np.float32)
    _within(values, low, high, soft, out)
    return out


@kernel
def fade(t: float) -> float:
    """0 below 0, 1 above 1, in between the curve 3t² - 2t³."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def _within(values: Mask, low: float, high: float, soft: float, out: Mask) -> None:
    for row in range(values.shape[0]):
        for col in range(values.shape[1]):
            beyond = max(low - values[row, col], values[row, col] - high)
            if beyond <= 0.0:
                out[row, col] = 1.0
            else:
                out[row, col] = 1.0 - fade(beyond / soft) if beyond < soft else 0.0
