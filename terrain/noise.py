"""Gradient noise from a counter-based hash: the same value for a place and a seed on every machine."""

import numpy as np

from terrain.kernel import kernel


@kernel
def hash2(col: int, row: int, seed: int) -> np.uint32:
    """A well-mixed 32-bit number for a lattice point (the lowbias32 finaliser of C. Wellons).

    numba widens uint32 products to 64 bits, hence the cast after every step.
    """
    h = np.uint32(np.uint32(col) * np.uint32(0x9E3779B1) + np.uint32(seed) * np.uint32(0xC2B2AE3D))
    h = np.uint32(h ^ np.uint32(h >> np.uint32(15)))
    h = np.uint32(h * np.uint32(0x85EBCA77) + np.uint32(row) * np.uint32(0x27D4EB2F))
    h = np.uint32(h ^ np.uint32(h >> np.uint32(16)))
    h = np.uint32(h * np.uint32(0x7FEB352D))
    h = np.uint32(h ^ np.uint32(h >> np.uint32(15)))
    h = np.uint32(h * np.uint32(0x846CA68B))
    return np.uint32(h ^ np.uint32(h >> np.uint32(16)))


@kernel
def _gradient(col: int, row: int, seed: int) -> tuple[float, float]:
    """A lattice gradient: a point of the square -1..1, as a sine and a cosine would cost more than all the rest."""
    h = hash2(col, row, seed)
    return np.int64(h & np.uint32(0xFFFF)) / 32767.5 - 1.0, np.int64(h >> np.uint32(16)) / 32767.5 - 1.0


@kernel
def noise2(x: float, y: float, seed: int) -> tuple[float, float, float]:
    """Gradient noise, about -0.7..0.7, and its derivatives along x and y; the lattice has unit spacing.

    Quintic fade of Perlin, "Improving Noise" (2002); derivatives after Quilez, "Gradient noise derivatives".
    """
    col, row = np.floor(x), np.floor(y)
    fx, fy = x - col, y - row
    i, j = int(col), int(row)
    ax, ay = _gradient(i, j, seed)
    bx, by = _gradient(i + 1, j, seed)
    cx, cy = _gradient(i, j + 1, seed)
    dx, dy = _gradient(i + 1, j + 1, seed)
    va, vb = ax * fx + ay * fy, bx * (fx - 1.0) + by * fy
    vc, vd = cx * fx + cy * (fy - 1.0), dx * (fx - 1.0) + dy * (fy - 1.0)
    u, v = fx * fx * fx * (fx * (fx * 6.0 - 15.0) + 10.0), fy * fy * fy * (fy * (fy * 6.0 - 15.0) + 10.0)
    du, dv = 30.0 * fx * fx * (fx * (fx - 2.0) + 1.0), 30.0 * fy * fy * (fy * (fy - 2.0) + 1.0)
    k = va - vb - vc + vd
    value = va + u * (vb - va) + v * (vc - va) + u * v * k
    slope_x = ax + u * (bx - ax) + v * (cx - ax) + u * v * (ax - bx - cx + dx) + du * (vb - va + v * k)
    slope_y = ay + u * (by - ay) + v * (cy - ay) + u * v * (ay - by - cy + dy) + dv * (vc - va + u * k)
    return value, slope_x, slope_y


@kernel
def fbm2(x: float, y: float, octaves: int, seed: int) -> float:
    """Fractal sum of `octaves` of noise, each of twice the frequency and half the height, turned by 37°."""
    total, height = 0.0, 1.0
    for octave in range(octaves):
        value, _, _ = noise2(x, y, seed + octave)
        total += height * value
        height *= 0.5
        x, y = 2.0 * (0.8 * x - 0.6 * y) + 13.7, 2.0 * (0.6 * x + 0.8 * y) - 7.3
    return total


@kernel
def eroded_ridges2(x: float, y: float, octaves: int, seed: int) -> float:
    """Ridged noise, 0..about 1, whose finer octaves fade on slopes, so that valleys cut in and ridges stay sharp.

    Ridges after Musgrave, "Texturing and Modeling" ch. 16; damping by the summed slope after Quilez, "More noise".
    """
    total, height, weight = 0.0, 0.5, 1.0
    sum_x, sum_y = 0.0, 0.0
    for octave in range(octaves):
        value, slope_x, slope_y = noise2(x, y, seed + octave)
        ridge = 1.0 - 1.4 * abs(value)
        sum_x += slope_x * (0.5**octave)
        sum_y += slope_y * (0.5**octave)
        total += height * weight * ridge * ridge / (1.0 + 0.35 * (sum_x * sum_x + sum_y * sum_y))
        weight = min(max(1.3 * ridge, 0.0), 1.0)
        height *= 0.5
        x, y = 2.0 * (0.8 * x - 0.6 * y) + 5.1, 2.0 * (0.6 * x + 0.8 * y) + 9.2
    return total


# The twelve gradients towards the middles of a cube's edges, four of them twice (Perlin 2002).
_X = (1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0)
_Y = (1.0, 1.0, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0)
_Z = (0.0, 0.0, 0.0, 0.0, 1.0, 1.0, -1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 0.0, 1.0, 0.0, -1.0)
_GRADIENTS = np.array([_X, _Y, _Z])


@kernel
def _slope3(mixed: np.uint64, x: float, y: float, z: float) -> float:
    """A point times the gradient of a lattice point; the top bits of a product are its best mixed ones."""
    h = mixed ^ (mixed >> np.uint64(32))
    k = np.int64((h * np.uint64(0x9FB21C651E98DF25)) >> np.uint64(60))
    return float(_GRADIENTS[0, k] * x + _GRADIENTS[1, k] * y + _GRADIENTS[2, k] * z)


@kernel
def noise3(x: float, y: float, z: float, seed: int) -> float:
    """Gradient noise in space, about -1..1; the lattice has unit spacing. Perlin, "Improving Noise" (2002)."""
    floor_x, floor_y, floor_z = np.floor(x), np.floor(y), np.floor(z)
    fx, fy, fz = x - floor_x, y - floor_y, z - floor_z
    # One product an axis, not one a corner: that is most of the cost of a lattice point's hash.
    ix = np.uint64(np.int64(floor_x)) * np.uint64(0x9E3779B97F4A7C15)
    iy = np.uint64(np.int64(floor_y)) * np.uint64(0xC2B2AE3D27D4EB4F)
    iz = np.uint64(np.int64(floor_z)) * np.uint64(0x165667B19E3779F9) + np.uint64(seed) * np.uint64(0x27D4EB2F165667C5)
    jx, jy = ix + np.uint64(0x9E3779B97F4A7C15), iy + np.uint64(0xC2B2AE3D27D4EB4F)
    jz = iz + np.uint64(0x165667B19E3779F9)
    u = fx * fx * fx * (fx * (fx * 6.0 - 15.0) + 10.0)
    v = fy * fy * fy * (fy * (fy * 6.0 - 15.0) + 10.0)
    w = fz * fz * fz * (fz * (fz * 6.0 - 15.0) + 10.0)
    a = _slope3(ix ^ iy ^ iz, fx, fy, fz)
    b = _slope3(jx ^ iy ^ iz, fx - 1.0, fy, fz)
    c = _slope3(ix ^ jy ^ iz, fx, fy - 1.0, fz)
    d = _slope3(jx ^ jy ^ iz, fx - 1.0, fy - 1.0, fz)
    near = a + u * (b - a) + v * (c - a + u * (a - b - c + d))
    a = _slope3(ix ^ iy ^ jz, fx, fy, fz - 1.0)
    b = _slope3(jx ^ iy ^ jz, fx - 1.0, fy, fz - 1.0)
    c = _slope3(ix ^ jy ^ jz, fx, fy - 1.0, fz - 1.0)
    d = _slope3(jx ^ jy ^ jz, fx - 1.0, fy - 1.0, fz - 1.0)
    far = a + u * (b - a) + v * (c - a + u * (a - b - c + d))
    return float(near + w * (far - near))


@kernel
def fbm3(x: float, y: float, z: float, octaves: int, seed: int) -> float:
    """Fractal sum of `octaves` of noise in space, each of twice the frequency and half the height."""
    total, height = 0.0, 1.0
    for octave in range(octaves):
        total += height * noise3(x, y, z, seed + octave)
        height *= 0.5
        # Turned in each plane, so that no two octaves share their lattice.
        x, y = 2.0 * (0.8 * x - 0.6 * y) + 13.7, 2.0 * (0.6 * x + 0.8 * y) - 7.3
        y, z = 0.8 * y - 0.6 * (2.0 * z), 0.6 * y + 0.8 * (2.0 * z)
    return total
