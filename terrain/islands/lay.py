"""From the plan to the map: every vertex reads the plan at a place that fine noise has pushed, and gets detail."""

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.erosion.outcome import Progress
from terrain.filters.fractal import fractal2
from terrain.filters.warp import push2
from terrain.islands.base import Base
from terrain.islands.frame import Grid, Plan
from terrain.kernel import kernel, parallel_kernel

_BAND = 128
"""Rows between two looks at progress."""

_FINEST = 2.0
"""Detail finer than so many cells is left out."""


def laid(plan: Plan, base: Base, rows: int, cols: int, cell: float, progress: Progress) -> Grid:
    """Heights (rows, cols) of a map with vertices `cell` metres apart."""
    out = np.empty((rows, cols), np.float32)
    size = 0.12 * plan.radius
    octaves = int(np.clip(np.floor(np.log2(size / (_FINEST * cell))) + 1, 1, 8))
    for row in range(0, rows, _BAND):
        progress(row / rows)
        _lay(
            base.height, base.rough, plan.cell, 0.5 * plan.width, 0.5 * plan.depth, row, cell,
            3.0 * base.push * plan.radius, size, octaves, base.beach, plan.params.seed, out[row : row + _BAND],
        )  # fmt: skip
    return out


@kernel
def _weights(t: float) -> tuple[float, float, float, float]:
    """Of four samples in a row, by the cubic B-spline: a little smoother than the samples, and without a ripple."""
    u = 1.0 - t
    return (
        u * u * u / 6.0,
        (4.0 - t * t * (6.0 - 3.0 * t)) / 6.0,
        (4.0 - u * u * (6.0 - 3.0 * u)) / 6.0,
        t * t * t / 6.0,
    )


@parallel_kernel
def _lay(
    height: Grid,
    rough: Grid,
    plan_cell: float,
    half_width: float,
    half_depth: float,
    first: int,
    cell: float,
    push: float,
    size: float,
    octaves: int,
    beach: float,
    seed: int,
    out: NDArray[np.float32],
) -> None:
    rows, cols = height.shape
    for row in prange(out.shape[0]):
        for col in range(out.shape[1]):
            x, y = col * cell, (first + row) * cell
            east, north = push2(x - half_width, y - half_depth, push, size, octaves, 0.6, 2.0, seed + 17)
            u = min(max((x + east) / plan_cell, 0.0), cols - 1.0)
            v = min(max((y + north) / plan_cell, 0.0), rows - 1.0)
            j, i = min(int(u), cols - 2), min(int(v), rows - 2)
            wx, wy = _weights(u - j), _weights(v - i)
            here, most = 0.0, 0.0
            for k in range(4):
                r = min(max(i + k - 1, 0), rows - 1)
                for m in range(4):
                    c, w = min(max(j + m - 1, 0), cols - 1), wy[k] * wx[m]
                    here += w * height[r, c]
                    most += w * rough[r, c]
            if most > 0.0:
                here += most * fractal2((x - half_width) / size, (y - half_depth) / size, octaves, 0.5, 2.0, seed + 29)
            if 0.0 < here < beach:
                here *= (here / beach) ** 0.7
            out[row, col] = here
