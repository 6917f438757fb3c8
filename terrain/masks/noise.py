"""Mask of fractal noise."""

import numpy as np

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.masks.combine import Mask
from terrain.noise import fbm2


def noise_mask(
    field: VectorField, size: float, seed: int = 1, octaves: int = 5, threshold: float = 0.5, contrast: float = 2.0
) -> Mask:
    """Patches (rows, cols) about `size` metres wide, the same for the same seed.

    threshold: 0..1, the level of the noise at which the mask is 0.5; higher leaves less. contrast: steepness there;
    1 keeps the noise as it is. Places are those of the rest grid, so that the pattern neither runs in streaks down
    walls nor moves when the land is sculpted.
    """
    if size <= 0.0 or octaves < 1:
        raise SkerryError(f"noise needs a size above zero and at least one octave, not {size:g} m and {octaves}")
    out = np.empty((field.rows, field.cols), np.float32)
    x0, y0 = field.origin
    _noise(x0 / size, y0 / size, field.cell / size, seed, octaves, threshold, contrast, out)
    return out


@kernel
def _noise(
    x0: float, y0: float, step: float, seed: int, octaves: int, threshold: float, contrast: float, out: Mask
) -> None:
    for row in range(out.shape[0]):
        for col in range(out.shape[1]):
            value = 0.5 + 0.5 * fbm2(x0 + col * step, y0 + row * step, octaves, seed)
            out[row, col] = min(max((value - threshold) * contrast + 0.5, 0.0), 1.0)
