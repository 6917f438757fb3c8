"""Gaussian smoothing of any width in about the same time."""

import numpy as np
from numpy.typing import NDArray

from terrain.masks.combine import Mask

_WIDE = 8.0
"""Standard deviation, cells, from which running means stand in for the Gaussian."""

_PASSES = 4


def gaussian(values: NDArray[np.float32], sigma: float, mode: str = "reflect") -> Mask:
    """Values (rows, cols) weighted by a Gaussian of `sigma` cells; mode: what lies beyond the border, as scipy says it.

    A wide one is four running means in a row, whose widths give the same variance to the nearest odd number of cells
    (Kovesi, "Fast almost-Gaussian filtering", 2010).
    """
    from scipy.ndimage import gaussian_filter, uniform_filter

    if sigma < _WIDE:
        narrow: Mask = gaussian_filter(values, sigma, mode=mode)
        return narrow
    smooth: Mask = values
    for width in _widths(sigma):
        smooth = uniform_filter(smooth, width, mode=mode)
    return smooth


def _widths(sigma: float) -> list[int]:
    """Odd widths of the running means: a mean over w cells has the variance (w² - 1) / 12."""
    narrow = int(np.sqrt(12.0 * sigma * sigma / _PASSES + 1.0))
    narrow -= 1 - narrow % 2
    wide = narrow + 2
    share = (12.0 * sigma * sigma - _PASSES * (narrow * narrow - 1)) / (wide * wide - narrow * narrow)
    return [wide if number < round(share) else narrow for number in range(_PASSES)]
