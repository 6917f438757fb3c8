"""Falloff: the land sinks towards the border of the map, so that an island is left."""

from typing import Literal

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.fractal import fractal2
from terrain.kernel import kernel, parallel_kernel

Outline = Literal["round", "superellipse", "square"]


def falloff(
    field: VectorField,
    outline: Outline = "round",
    width: float = 200.0,
    floor: float = -30.0,
    coast: float = 0.0,
    coast_size: float = 150.0,
    power: float = 4.0,
    seed: int = 1,
    strength: float = 1.0,
) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) that go over into a level seabed at `floor` metres towards the border.

    outline: of the island, as large as the map; `superellipse` lies between the others, the nearer to the square the
    higher its `power` (2 is round). Within `width` metres of it the surface fades out; on the outline and beyond it
    lies on the floor and has no sideways displacement. coast: metres by which noise of `coast_size` metres draws the
    outline inwards at most. strength: share of the way. Distances are those of the rest grid, and exact on the plan
    for round maps and square outlines. Raises `SkerryError`.
    """
    if not (width > 0.0 and coast >= 0.0 and coast_size > 0.0):
        raise SkerryError(
            "a falloff needs a width above 0 m, a coast of 0 m or more and a size of it above 0 m, "
            f"not {width:g}, {coast:g} and {coast_size:g}"
        )
    if not (power >= 2.0 and 0.0 <= strength <= 1.0):
        raise SkerryError(
            f"a falloff needs a power of 2 or more and a strength of 0 to 1, not {power:g} and {strength:g}"
        )
    out = field.offset.copy()
    if strength > 0.0:
        x0, y0 = field.origin
        bend = {"round": 2.0, "superellipse": power, "square": 0.0}[outline]
        _falloff(field.cell, x0, y0, bend, width, floor, coast, coast_size, seed, strength, out)
    return out


@kernel
def inside_outline(x: float, y: float, a: float, b: float, power: float) -> float:
    """Metres from a place to the outline |x/a|^power + |y/b|^power = 1, negative outside; power 0: the rectangle.

    What is left to 1 by its steepness there: exact for circles and rectangles, to first order for others.
    """
    x, y = abs(x), abs(y)
    if power == 0.0:
        return min(a - x, b - y)
    u, v = x / a, y / b
    most = max(u, v)
    if most <= 0.0:
        return min(a, b)
    rho = most * ((u / most) ** power + (v / most) ** power) ** (1.0 / power)
    gx, gy = (u / rho) ** (power - 1.0) / a, (v / rho) ** (power - 1.0) / b
    return float((1.0 - rho) / np.sqrt(gx * gx + gy * gy))


@parallel_kernel
def _falloff(
    cell: float,
    x0: float,
    y0: float,
    power: float,
    width: float,
    floor: float,
    coast: float,
    coast_size: float,
    seed: int,
    strength: float,
    out: NDArray[np.float32],
) -> None:
    rows, cols = out.shape[0], out.shape[1]
    a, b = 0.5 * (cols - 1) * cell, 0.5 * (rows - 1) * cell
    for row in prange(rows):
        for col in range(cols):
            border = row == 0 or col == 0 or row == rows - 1 or col == cols - 1
            inside = 0.0 if border else inside_outline(col * cell - a, row * cell - b, a, b, power)
            if inside >= width + coast:
                continue
            if coast > 0.0 and inside > 0.0:
                value = fractal2((x0 + col * cell) / coast_size, (y0 + row * cell) / coast_size, 4, 0.5, 2.0, seed)
                inside -= coast * (0.5 + 0.5 * min(max(0.5 * value, -1.0), 1.0))
            share = min(max(inside / width, 0.0), 1.0)
            share = 1.0 - strength * (1.0 - share * share * (3.0 - 2.0 * share))
            if share < 1.0:
                out[row, col, 0] *= share
                out[row, col, 1] *= share
                out[row, col, 2] = floor + share * (out[row, col, 2] - floor)
