"""Voronoi: heights from scattered points: flat cells, domes, cracks or craters."""

from typing import Literal

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.blend import MODES, Blend, blended
from terrain.filters.noise import check_octaves
from terrain.kernel import kernel, parallel_kernel
from terrain.noise import hash2

Shape = Literal["cells", "domes", "cracks", "craters"]
_SHAPES: dict[Shape, int] = {"cells": 0, "domes": 1, "cracks": 2, "craters": 3}

_RIM = 0.25
"""Height of a crater's rim over the ground, as a share of its depth below it (about that of fresh simple craters)."""

_CRACK = 0.35
"""Difference of the distances to two points, in sizes, at which a cell between cracks has its full height."""


def voronoi(
    field: VectorField,
    shape: Shape = "cells",
    amplitude: float = 10.0,
    size: float = 60.0,
    octaves: int = 1,
    gain: float = 0.5,
    lacunarity: float = 2.0,
    density: float = 0.6,
    seed: int = 1,
    blend: Blend | None = None,
) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) with a pattern about scattered points blended into the heights.

    cells: every cell level at its own height; domes: round, highest at the points; cracks: cells with gullies between
    them; all within 0 .. amplitude metres. craters: bowls at most `amplitude` deep within rims of a quarter of that;
    the larger, the deeper; where they meet they add up. size: metres between points on average; a crater is at most one
    size across. density: share of the points that bear a crater. Finer octaves keep the sum within the range of one,
    but for craters, of which they only add smaller ones.
    Places are those of the displaced surface; nothing moves sideways. Raises `SkerryError`.
    Points after Worley, "A cellular texture basis function" (1996), one a square.
    """
    check_octaves("voronoi", size, octaves, gain, lacunarity)
    if not 0.0 <= density <= 1.0:
        raise SkerryError(f"the density of craters must be 0 to 1, not {density:g}")
    blend = blend or Blend()
    out = field.offset.copy()
    if amplitude == 0.0 and blend.mode in ("add", "multiply"):
        return out
    x0, y0 = field.origin
    _voronoi(
        field.offset, field.cell, x0, y0, _SHAPES[shape], amplitude, size, octaves, gain, lacunarity, density, seed,
        MODES[blend.mode], blend.base, blend.relief, out,
    )  # fmt: skip
    return out


@kernel
def _point(col: int, row: int, seed: int) -> tuple[float, float, float]:
    """The point of a square of the plane, anywhere in it, and the point's own number 0..1."""
    h = hash2(col, row, seed)
    x, y = col + np.int64(h & np.uint32(0xFFFF)) / 65536.0, row + np.int64(h >> np.uint32(16)) / 65536.0
    return x, y, np.int64(hash2(col, row, seed + 1) >> np.uint32(8)) / 16777216.0


@kernel
def nearest2(x: float, y: float, seed: int) -> tuple[float, float, float]:
    """Distance to the nearest point and to the second, and the nearest one's number 0..1; points one apart."""
    col0, row0 = int(np.floor(x)), int(np.floor(y))
    first, second, number = 1e9, 1e9, 0.0
    # The own square holds a point within √2 and a square beside it one within 1.81, so none beyond two squares counts.
    for row in range(row0 - 2, row0 + 3):
        dy = max(row - y, y - row - 1.0, 0.0)
        for col in range(col0 - 2, col0 + 3):
            dx = max(col - x, x - col - 1.0, 0.0)
            if dx * dx + dy * dy >= second:
                continue
            px, py, own = _point(col, row, seed)
            distance = (px - x) * (px - x) + (py - y) * (py - y)
            if distance < first:
                first, second, number = distance, first, own
            elif distance < second:
                second = distance
    return np.sqrt(first), np.sqrt(second), number


@kernel
def crater_profile(t: float) -> float:
    """Height at t radii from the middle: -1 in the middle, the rim at 1, nothing from 2 on.

    A parabola inside; outside, debris that thins with the cube of the distance (McGetchin et al. 1973).
    """
    if t < 1.0:
        return t * t * (1.0 + _RIM) - 1.0
    if t < 2.0:
        fade = 2.0 - t
        return _RIM * fade * fade * (3.0 - 2.0 * fade) / (t * t * t)
    return 0.0


@kernel
def _craters(x: float, y: float, density: float, seed: int) -> float:
    """Sum of the craters that reach a place; the debris of one ends within a square's side of its middle."""
    col0, row0 = int(np.floor(x)), int(np.floor(y))
    total = 0.0
    for row in range(row0 - 1, row0 + 2):
        for col in range(col0 - 1, col0 + 2):
            px, py, number = _point(col, row, seed)
            if number < density:
                # Small ones are many: radii from 0.15 to 0.5.
                share = number / density
                radius = 0.15 + 0.35 * share * share
                distance = np.sqrt((px - x) * (px - x) + (py - y) * (py - y))
                total += 2.0 * radius * crater_profile(distance / radius)
    return total


@kernel
def _shape(x: float, y: float, shape: int, density: float, seed: int) -> float:
    if shape == 3:
        return _craters(x, y, density, seed)
    first, second, number = nearest2(x, y, seed)
    if shape == 0:
        return number
    if shape == 1:
        dome = max(1.0 - first * first, 0.0)
        return dome * dome
    share = min((second - first) / _CRACK, 1.0)
    return share * (2.0 - share)


@parallel_kernel
def _voronoi(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    shape: int,
    amplitude: float,
    size: float,
    octaves: int,
    gain: float,
    lacunarity: float,
    density: float,
    seed: int,
    mode: int,
    base: float,
    relief: float,
    out: NDArray[np.float32],
) -> None:
    for row in prange(offset.shape[0]):
        for col in range(offset.shape[1]):
            x = (x0 + col * cell + offset[row, col, 0]) / size
            y = (y0 + row * cell + offset[row, col, 1]) / size
            total, height, most = 0.0, 1.0, 0.0
            for octave in range(octaves):
                total += height * _shape(x, y, shape, density, 128 * seed + 2 * octave)
                most += height
                height *= gain
                x, y = lacunarity * (0.8 * x - 0.6 * y) + 13.7, lacunarity * (0.6 * x + 0.8 * y) - 7.3
            # More craters leave the large ones as they are.
            made = amplitude * (total if shape == 3 else total / most)
            out[row, col, 2] = blended(float(offset[row, col, 2]), made, mode, base, relief)
