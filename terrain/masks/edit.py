"""Edits of a whole mask: fill, invert, blur, grow and shrink, levels."""

import numpy as np

from terrain.errors import SkerryError
from terrain.masks.combine import Mask
from terrain.masks.smooth import gaussian


def fill(mask: Mask, value: float) -> Mask:
    """A mask (rows, cols) of the same size that is `value` everywhere."""
    if not 0.0 <= value <= 1.0:
        raise SkerryError(f"a mask holds 0 to 1, not {value:g}")
    return np.full(mask.shape, value, np.float32)


def invert(mask: Mask) -> Mask:
    """1 - mask (rows, cols)."""
    return np.float32(1.0) - mask


def blur(mask: Mask, radius: float, cell: float) -> Mask:
    """Gaussian whose standard deviation is `radius` metres on the rest grid, `cell` metres apart; keeps the mean."""
    if radius <= 0.0:
        return mask.copy()
    # Mirrored about the border, every vertex gives away just as much as it has.
    blurred = gaussian(mask, radius / cell, "reflect")
    return np.clip(blurred, 0.0, 1.0, out=blurred)


def grow(mask: Mask, distance: float, cell: float) -> Mask:
    """Each value (rows, cols) spread over a disc of `distance` metres on the rest grid; below zero it shrinks.

    Soft rims move as they are. Nothing lies beyond the border, so a mask that reaches it does not shrink from there.
    """
    if distance < 0.0:
        # The darkest under the disc.
        return -_grown(-mask, -distance / cell)
    return _grown(mask, distance / cell)


def levels(
    mask: Mask,
    black: float = 0.0,
    white: float = 1.0,
    gamma: float = 1.0,
    out_black: float = 0.0,
    out_white: float = 1.0,
) -> Mask:
    """Levels of picture editors: black..white become 0..1, bent by the power 1/gamma, then out_black..out_white.

    gamma above 1 brightens the middle. out_black above out_white inverts.
    """
    if not black < white:
        raise SkerryError(f"black {black:g} must lie below white {white:g}")
    if gamma <= 0.0:
        raise SkerryError(f"gamma must be above zero, not {gamma:g}")
    scaled: Mask = np.clip((mask - np.float32(black)) / np.float32(white - black), 0.0, 1.0)
    bent = scaled if gamma == 1.0 else scaled ** np.float32(1.0 / gamma)
    scaled = np.float32(out_black) + np.float32(out_white - out_black) * bent
    return np.clip(scaled, 0.0, 1.0, out=scaled)


def _grown(mask: Mask, radius: float) -> Mask:
    """The brightest within `radius` cells; between whole radii, between their results."""
    whole = int(radius)
    share = np.float32(radius - whole)
    grown = _brightest(mask, whole)
    return grown if share < 1e-6 else grown + share * (_brightest(mask, whole + 1) - grown)


def _brightest(mask: Mask, radius: int) -> Mask:
    """The highest value in a disc of so many cells: the highest of each of its rows, row by row."""
    from scipy.ndimage import maximum_filter1d

    out = mask.copy()
    for away in range(min(radius, mask.shape[0] - 1) + 1):
        half = min(int(np.sqrt(radius * radius - away * away)), mask.shape[1])
        row = maximum_filter1d(mask, 2 * half + 1, axis=1, mode="nearest")
        if away == 0:
            np.maximum(out, row, out=out)
            continue
        np.maximum(out[away:], row[:-away], out=out[away:])
        np.maximum(out[:-away], row[away:], out=out[:-away])
    return out
