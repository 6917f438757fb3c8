"""Blur: Gaussian smoothing of the surface by metres of ground, wherever its vertices lie."""

from typing import Literal

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import parallel_kernel

What = Literal["all", "heights"]

_STEPS = 4
"""Steps of diffusion: with 4, a wave of any length keeps the share that a Gaussian leaves of it within 0.004."""

_GAMMA = 1.0 - 1.0 / np.sqrt(2.0)
"""Share of a step by which the two-stage method of Alexander (1977) is implicit; it damps short waves at once."""

_LEAST = 0.25
"""Of a cell: the least length of an edge, so that a wall, which covers no ground, holds together."""


def blur(field: VectorField, radius: float = 10.0, what: What = "all") -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) smoothed with a Gaussian whose standard deviation is `radius` metres of ground.

    what: `heights` alone, or `all`: the sideways displacement too, which smooths overhangs as well. A wave sin(k·x) of
    a dozen cells or more shrinks to exp(-k²·radius²/2) of itself, within 0.01. At the border the land goes on as its
    mirror image. Raises `SkerryError`.
    """
    check_radius("blur", radius)
    out = field.offset.copy()
    if radius > 0.0:
        part = out if what == "all" and field.offset[..., :2].any() else out[..., 2:]
        part[...] = gaussian(part, field, radius)
    return out


def check_radius(what: str, radius: float) -> None:
    """Raise unless a radius is zero or more metres."""
    if not 0.0 <= radius < np.inf:
        raise SkerryError(f"the radius of a {what} must be 0 or more, not {radius:g} m")


def gaussian(values: NDArray[np.float32], field: VectorField, radius: float) -> NDArray[np.float32]:
    """Values (rows, cols, n) on a field's vertices, smoothed with a standard deviation of `radius` metres of ground.

    Diffusion along the rows, then along the columns, with the horizontal lengths of the displaced edges: on even
    cells that is the Gaussian's own way to split. On a fold, ground counts along the surface.
    """
    time = 0.5 * radius * radius / _STEPS
    half = np.empty_like(values)
    _diffuse(values, field.offset, field.cell, 0.0, time, half)
    out = np.empty_like(values)
    _diffuse(half.swapaxes(0, 1), field.offset.swapaxes(0, 1), 0.0, field.cell, time, out.swapaxes(0, 1))
    return out


@parallel_kernel
def _diffuse(
    values: NDArray[np.float32],
    offset: NDArray[np.float32],
    step_x: float,
    step_y: float,
    time: float,
    out: NDArray[np.float32],
) -> None:
    """Diffuse every line values[i] (length, n) for `_STEPS` times of `time` m², by finite volumes.

    step_x, step_y: metres from one rest vertex of a line to the next. With the exchange A between neighbours a step is
    (1 - γ·time·A)⁻² (1 + (1 - 2γ)·time·A).
    """
    count, channels = values.shape[1], values.shape[2]
    least = _LEAST * max(step_x, step_y)
    for i in prange(values.shape[0]):
        # Exchange with the neighbour before and behind, and the factors of the tridiagonal system.
        before, behind = np.zeros(count), np.zeros(count)
        pivot, lower, upper = np.empty(count), np.empty(count), np.empty(count)
        last = 0.0
        for j in range(count):
            length = 0.0
            if j < count - 1:
                x = step_x + offset[i, j + 1, 0] - offset[i, j, 0]
                y = step_y + offset[i, j + 1, 1] - offset[i, j, 1]
                length = max(np.sqrt(x * x + y * y), least)
            ground = 0.5 * (last + length)
            if j > 0:
                before[j] = time / (ground * last)
            if j < count - 1:
                behind[j] = time / (ground * length)
            last = length
        for j in range(count):
            share = _GAMMA * before[j]
            pivot[j] = 1.0 / (1.0 + share + _GAMMA * behind[j] - (share * upper[j - 1] if j > 0 else 0.0))
            lower[j], upper[j] = share * pivot[j], _GAMMA * behind[j] * pivot[j]
        line, right = np.empty((count, channels)), np.empty((count, channels))
        for j in range(count):
            for c in range(channels):
                line[j, c] = values[i, j, c]
        for _ in range(_STEPS):
            for j in range(count):
                p, q = max(j - 1, 0), min(j + 1, count - 1)
                for c in range(channels):
                    flow = before[j] * (line[p, c] - line[j, c]) + behind[j] * (line[q, c] - line[j, c])
                    right[j, c] = line[j, c] + (1.0 - 2.0 * _GAMMA) * flow
            for _ in range(2):
                for c in range(channels):
                    right[0, c] *= pivot[0]
                for j in range(1, count):
                    for c in range(channels):
                        right[j, c] = right[j, c] * pivot[j] + lower[j] * right[j - 1, c]
                for j in range(count - 2, -1, -1):
                    for c in range(channels):
                        right[j, c] += upper[j] * right[j + 1, c]
            line, right = right, line
        for j in range(count):
            for c in range(channels):
                out[i, j, c] = line[j, c]
