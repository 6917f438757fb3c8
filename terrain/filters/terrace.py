"""Terrace: steps of even height, which may dip and bend like beds of rock."""

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.beds import Beds, bed_level
from terrain.kernel import kernel, parallel_kernel


def terrace(
    field: VectorField, beds: Beds | None = None, sharp: float = 0.8, strength: float = 1.0
) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) with heights drawn to the treads of steps; nothing moves sideways.

    sharp: 0 leaves the slope as it is, 1 makes treads exactly at the beds' levels and upright risers halfway between
    two of them; the curve is that of the terrace brush. strength: share of the way there. Places are those of the
    displaced surface. Raises `SkerryError`.
    """
    beds = beds or Beds()
    if not (0.0 <= sharp <= 1.0 and 0.0 <= strength <= 1.0):
        raise SkerryError(f"terraces need a sharpness and a strength of 0 to 1, not {sharp:g} and {strength:g}")
    out = field.offset.copy()
    if sharp > 0.0 and strength > 0.0:
        x0, y0 = field.origin
        east, north = beds.fall
        _terrace(
            field.offset, field.cell, x0, y0, beds.thickness, beds.start, east, north, beds.bend, beds.bend_size,
            beds.seed, sharp, strength, out,
        )  # fmt: skip
    return out


@kernel
def step_curve(steps: float, sharp: float) -> float:
    """A height in steps drawn to whole steps: rising through all of them, and fixed on each and halfway between."""
    tread = np.floor(steps)
    share = steps - tread
    if sharp >= 1.0:
        return float(tread + (1.0 if share >= 0.5 else 0.0))
    power = 1.0 + 15.0 * sharp
    rising, falling = share**power, (1.0 - share) ** power
    return float(tread + rising / (rising + falling))


@parallel_kernel
def _terrace(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    thickness: float,
    start: float,
    east: float,
    north: float,
    bend: float,
    bend_size: float,
    seed: int,
    sharp: float,
    strength: float,
    out: NDArray[np.float32],
) -> None:
    for row in prange(offset.shape[0]):
        for col in range(offset.shape[1]):
            x = x0 + col * cell + offset[row, col, 0]
            y = y0 + row * cell + offset[row, col, 1]
            height = float(offset[row, col, 2])
            level = bed_level(x, y, start, east, north, bend, bend_size, seed)
            goal = level + thickness * step_curve((height - level) / thickness, sharp)
            out[row, col, 2] = height + strength * (goal - height)
