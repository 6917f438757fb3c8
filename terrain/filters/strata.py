"""Strata: hard beds stand out of a slope and soft ones draw back, so that ledges hang over a little."""

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField, normals_of
from terrain.filters.beds import Beds, bed_level
from terrain.filters.blur import gaussian
from terrain.kernel import kernel, parallel_kernel
from terrain.noise import hash2

_SOFT = 10.0
"""Degrees to either side of the least slope over which the strata fade in."""


def strata(
    field: VectorField, beds: Beds | None = None, reach: float = 2.0, steep: float = 30.0, sharp: float = 0.7
) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) with every bed moved out of the slope or into it by at most `reach` metres.

    Hard and soft beds take turns, each of a hardness of its own. The move is level, along the way the slope faces (its
    normal over about one bed, blurred): heights stay, as does ground gentler than `steep` degrees. sharp: 0 for waves,
    1 for upright joints between beds, which then hang over. Several vertices must fall on a bed for it to show.
    Places are those of the displaced surface. Raises `SkerryError`.
    """
    beds = beds or Beds()
    if not reach >= 0.0 or not 0.0 <= sharp <= 1.0 or not 0.0 <= steep <= 90.0:
        raise SkerryError(
            "strata need a reach of 0 m or more, a slope of 0 to 90 degrees and a sharpness of 0 to 1, "
            f"not {reach:g} m, {steep:g} and {sharp:g}"
        )
    out = field.offset.copy()
    if reach > 0.0:
        normals = normals_of(gaussian(field.offset, field, 0.5 * beds.thickness), field.cell)
        x0, y0 = field.origin
        east, north = beds.fall
        _strata(
            field.offset, normals, field.cell, x0, y0, beds.thickness, beds.start, east, north, beds.bend,
            beds.bend_size, beds.seed, reach, steep, sharp, out,
        )  # fmt: skip
    return out


@kernel
def hardness(steps: float, sharp: float, seed: int) -> float:
    """How far a place stands out, -1..1, at a height counted in beds: hard beds are the even ones."""
    bed = np.floor(steps)
    share = steps - bed
    own = _of_bed(int(bed), seed)
    joint = 0.5 * (1.0 - sharp)
    if share < joint:
        other, t = _of_bed(int(bed) - 1, seed), 0.5 + 0.5 * share / joint
    elif 1.0 - share < joint:
        other, t = _of_bed(int(bed) + 1, seed), 0.5 + 0.5 * (1.0 - share) / joint
    else:
        return own
    t *= t * (3.0 - 2.0 * t)
    return float(other + (own - other) * t)


@kernel
def _of_bed(bed: int, seed: int) -> float:
    own = 0.5 + 0.5 * np.int64(hash2(bed, 0, seed) >> np.uint32(8)) / 16777216.0
    return float(own) if bed % 2 == 0 else float(-own)


@parallel_kernel
def _strata(
    offset: NDArray[np.float32],
    normals: NDArray[np.float32],
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
    reach: float,
    steep: float,
    sharp: float,
    out: NDArray[np.float32],
) -> None:
    for row in prange(offset.shape[0]):
        for col in range(offset.shape[1]):
            nx, ny = float(normals[row, col, 0]), float(normals[row, col, 1])
            slope = np.degrees(np.arctan2(np.sqrt(nx * nx + ny * ny), normals[row, col, 2]))
            share = min((slope - steep + _SOFT) / (2.0 * _SOFT), 1.0)
            if share <= 0.0:
                continue
            x = x0 + col * cell + offset[row, col, 0]
            y = y0 + row * cell + offset[row, col, 1]
            level = bed_level(x, y, start, east, north, bend, bend_size, seed)
            # The level part of the normal fades by itself towards level ceilings, where there is no way out.
            move = reach * hardness((offset[row, col, 2] - level) / thickness, sharp, seed)
            move *= share * share * (3.0 - 2.0 * share)
            out[row, col, 0] = offset[row, col, 0] + move * nx
            out[row, col, 1] = offset[row, col, 1] + move * ny
