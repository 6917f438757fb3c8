"""Fractal noise of the plane that shows no grain: each octave is an oblique cut through a noise of space."""

import numpy as np

from terrain.kernel import kernel
from terrain.noise import noise3

MOST_OCTAVES = 12
"""Octaves beyond this are finer than any map's cells."""

_A, _B, _C = 1.0 / np.sqrt(2.0), 1.0 / np.sqrt(6.0), 2.0 / np.sqrt(6.0)
"""Two unit vectors across the diagonal of a cube: (A, -A, 0) and (B, B, -C)."""

_LIFT = 1.0 / 6.0
"""The plane's way past the lattice points, chosen so that the noise is of most even strength everywhere in it."""

_RMS = 0.2765
"""Root mean square of `noise3` in that plane, measured over 300 seeds; its swing per metre is 1 / 1.8 of its size."""

_FULL = 0.7
"""The noise at which a ridge has come down to its foot; few places go beyond."""


@kernel
def plane2(x: float, y: float, seed: int) -> float:
    """Noise of the plane, rms 1; its lattice is met askew, so that neither its lines nor its axes can be seen.

    The cut across a cube's diagonal is the domain rotation of K. Spencer, "Noise: domain rotation" (2020).
    """
    u, v = _B * y + _A * x + _LIFT, _B * y - _A * x + _LIFT
    return float(noise3(u, v, _LIFT - _C * y, seed) / _RMS)


@kernel
def fractal2(x: float, y: float, octaves: int, gain: float, lacunarity: float, seed: int) -> float:
    """Sum of octaves (fBm), rms 1 at any number of them: each `gain` as high and `lacunarity` as fine as the last."""
    total, height, power = 0.0, 1.0, 0.0
    for octave in range(octaves):
        total += height * plane2(x, y, 64 * seed + octave)
        power += height * height
        height *= gain
        x, y = lacunarity * (0.8 * x - 0.6 * y) + 13.7, lacunarity * (0.6 * x + 0.8 * y) - 7.3
    return float(total / np.sqrt(power))


@kernel
def ridge2(x: float, y: float, seed: int) -> float:
    """One octave of crests, 0..1: 1 on a sharp line, 0 in round hollows."""
    foot = max(1.0 - abs(plane2(x, y, seed)) * (_RMS / _FULL), 0.0)
    return foot * foot


@kernel
def ridges2(x: float, y: float, octaves: int, gain: float, lacunarity: float, seed: int) -> float:
    """Crests with finer crests on their flanks, 0..1; low ground stays smooth.

    The ridged multifractal of Musgrave, "Texturing and Modeling", ch. 16.
    """
    total, height, most, weight = 0.0, 1.0, 0.0, 1.0
    for octave in range(octaves):
        ridge = ridge2(x, y, 64 * seed + octave)
        total += height * weight * ridge
        most += height
        height *= gain
        weight = min(2.0 * weight * ridge, 1.0)
        x, y = lacunarity * (0.8 * x - 0.6 * y) + 13.7, lacunarity * (0.6 * x + 0.8 * y) - 7.3
    return total / most


@kernel
def billow2(x: float, y: float, octaves: int, gain: float, lacunarity: float, seed: int) -> float:
    """Round bumps with sharp hollows between them, 0..1."""
    total, height, most = 0.0, 1.0, 0.0
    for octave in range(octaves):
        total += height * (1.0 - ridge2(x, y, 64 * seed + octave))
        most += height
        height *= gain
        x, y = lacunarity * (0.8 * x - 0.6 * y) + 13.7, lacunarity * (0.6 * x + 0.8 * y) - 7.3
    return total / most
