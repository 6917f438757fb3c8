"""Plateau: tops flattened above a height, with a rounded shoulder."""

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import parallel_kernel


def plateau(field: VectorField, level: float = 50.0, shoulder: float = 5.0, keep: float = 0.0) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) with what rises above `level` metres brought down to it; nothing moves sideways.

    From `shoulder` metres below the level to as much above it the slope turns evenly from the land's own to that of
    the top, without a corner (a parabola). keep: share of the relief above the level that stays; 0 is flat, 1 leaves
    everything as it is. Raises `SkerryError`.
    """
    if not shoulder >= 0.0 or not 0.0 <= keep <= 1.0:
        raise SkerryError(
            f"a plateau needs a shoulder of 0 m or more and keeps a share of 0 to 1, not {shoulder:g} m and {keep:g}"
        )
    out = field.offset.copy()
    if keep < 1.0:
        _plateau(field.offset, level, shoulder, 1.0 - keep, out)
    return out


@parallel_kernel
def _plateau(
    offset: NDArray[np.float32], level: float, shoulder: float, share: float, out: NDArray[np.float32]
) -> None:
    for row in prange(offset.shape[0]):
        for col in range(offset.shape[1]):
            above = offset[row, col, 2] - level
            if above >= shoulder:
                out[row, col, 2] = offset[row, col, 2] - share * above
            elif above > -shoulder:
                rise = above + shoulder
                out[row, col, 2] = offset[row, col, 2] - share * rise * rise / (4.0 * shoulder)
