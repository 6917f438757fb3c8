"""Domain warp: the land is read at places that noise has pushed about."""

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.fractal import fractal2
from terrain.filters.noise import check_octaves
from terrain.kernel import kernel, parallel_kernel


def warp(
    field: VectorField,
    distance: float = 30.0,
    size: float = 150.0,
    octaves: int = 3,
    gain: float = 0.5,
    lacunarity: float = 2.0,
    seed: int = 1,
) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) taken from places up to `distance` metres away, pushed by noise of `size` metres.

    The whole offset comes from there, sideways displacement included, so that an overhang moves as one piece. The
    push is that of `push2` at the vertex's rest place, and fades out towards the border, so that nothing is read from
    outside the map. Between vertices the land is read with a Catmull-Rom cubic. A distance above about a third of the
    size folds the pattern onto itself. Raises `SkerryError` for sizes that make no noise.
    """
    check_octaves("warp", size, octaves, gain, lacunarity)
    if not distance >= 0.0:
        raise SkerryError(f"the distance of a warp must be 0 or more, not {distance:g} m")
    out = field.offset.copy()
    if distance > 0.0:
        x0, y0 = field.origin
        _warp(field.offset, field.cell, x0, y0, distance, size, octaves, gain, lacunarity, seed, out)
    return out


@kernel
def push2(
    x: float, y: float, distance: float, size: float, octaves: int, gain: float, lacunarity: float, seed: int
) -> tuple[float, float]:
    """The push (east, north) at a world place, metres: a third of the distance in each on average, never above it."""
    east = fractal2(x / size, y / size, octaves, gain, lacunarity, 2 * seed)
    north = fractal2(x / size, y / size, octaves, gain, lacunarity, 2 * seed + 1)
    length = np.sqrt(east * east + north * north) / 3.0
    # Rounded off towards the distance, where a hard limit would leave a crease.
    scale = distance / (3.0 * np.sqrt(np.sqrt(1.0 + length**4)))
    return east * scale, north * scale


@kernel
def _cubic(t: float) -> tuple[float, float, float, float]:
    """Weights of four samples in a row, t past the second; exact on the samples and on parabolas."""
    u = 1.0 - t
    return -0.5 * t * u * u, 1.0 + t * t * (1.5 * t - 2.5), 1.0 + u * u * (1.5 * u - 2.5), -0.5 * u * t * t


@parallel_kernel
def _warp(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    distance: float,
    size: float,
    octaves: int,
    gain: float,
    lacunarity: float,
    seed: int,
    out: NDArray[np.float32],
) -> None:
    rows, cols = offset.shape[0], offset.shape[1]
    for row in prange(rows):
        for col in range(cols):
            inside = cell * min(min(row, rows - 1 - row), min(col, cols - 1 - col))
            if inside <= 0.0:
                continue
            east, north = push2(x0 + col * cell, y0 + row * cell, distance, size, octaves, gain, lacunarity, seed)
            fade = min(inside / (2.0 * distance), 1.0)
            fade *= fade * (3.0 - 2.0 * fade)
            x, y = col + fade * east / cell, row + fade * north / cell
            if not (0.0 <= x <= cols - 1 and 0.0 <= y <= rows - 1):
                continue
            j, i = min(int(x), cols - 2), min(int(y), rows - 2)
            wx, wy = _cubic(x - j), _cubic(y - i)
            a, b, c = 0.0, 0.0, 0.0
            for k in range(4):
                r = min(max(i + k - 1, 0), rows - 1)
                for m in range(4):
                    q, w = min(max(j + m - 1, 0), cols - 1), wy[k] * wx[m]
                    a += w * offset[r, q, 0]
                    b += w * offset[r, q, 1]
                    c += w * offset[r, q, 2]
            out[row, col, 0], out[row, col, 1], out[row, col, 2] = a, b, c
