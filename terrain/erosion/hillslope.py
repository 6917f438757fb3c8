"""Hillslope creep: soil diffuses downhill, so that ridges round off and hollows fill.

dz/dt = D ∇²z (Culling, "Analytical theory of erosion", 1960), with a zero-flux border. Many explicit steps are folded
into one by Runge-Kutta-Legendre super time stepping (Meyer, Balsara & Aslam, "A stabilized Runge-Kutta-Legendre
method", 2014): s sweeps lead as far as (s² + s - 2) / 4 explicit steps, stay stable, and keep the volume.
"""

import math
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
from numba import prange

from terrain.erosion.ground import Footing, Heights, check_inputs, footing_of, grid_of, store
from terrain.erosion.outcome import Eroded, Grid
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel
from terrain.params import Params, about

_SAFE = 0.9
"""Share of the longest stable time step that is used."""
_SWEEPS = 41
"""Most sweeps in one long step; more would save little and lose accuracy."""
_STEPS = 10
"""Long steps of a run, if not more are needed: second order, so that ten err by 0.7 % when a wave falls to 14 %."""
_FASTEST = 4.0
"""Most that a squeezed cell, or ground near the critical slope, may speed creep up."""
_BAND = 1 << 21
"""Vertices that one call of a kernel sweeps, so that progress is heard often."""


class HillslopeParams(Params, frozen=True, kw_only=True):
    """How fast soil creeps and for how long."""

    diffusivity: Annotated[float, about("How fast soil creeps", unit="m²/yr", ge=0, le=100)] = 0.01
    years: Annotated[float, about("How long it creeps", unit="yr", ge=0, le=1e7)] = 1000.0
    critical: (
        Annotated[float, about("Slope near which soil creeps faster; none for plain diffusion", unit="°", ge=1, le=89)]
        | None
    ) = None


class _Paths(NamedTuple):
    """Conductance to the next column and row, over D: 1 on an even grid; empty where all are 1."""

    east: Grid
    north: Grid


def creep(
    field: VectorField,
    params: HillslopeParams,
    *,
    softness: Grid | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Eroded:
    """Let soil creep downhill for some years.

    softness: 0..1 (rows, cols), scales the diffusivity; 0 never moves. progress: called often with the share done, may
    raise to cancel. Raises `SkerryError` for numbers that are not finite. With `critical` the flux is
    D ∇z / (1 - (S/Sc)²) after Roering, Kirchner & Dietrich, "Evidence for nonlinear, diffusive sediment transport on
    hillslopes" (1999), and at most four times that of plain diffusion. On a displaced field slopes and areas
    are real, undersides and what lies over or under them stay. Grids: wear, deposit [m], net.
    """
    check_inputs(field, softness=softness)
    footing, soft = footing_of(field), grid_of(softness)
    height = np.array(field.offset[..., 2], np.float64)
    before = height.copy()
    # Diffusion over the run in units of cell², and of it what one explicit step may do.
    total = params.diffusivity * params.years / field.cell**2
    even = not (soft.size or footing.area.size or params.critical is not None)
    stiff = _FASTEST if footing.area.size or params.critical is not None else 1.0
    steps, sweeps = _plan(total, _SAFE * 0.25 / stiff)
    paths = _Paths(grid_of(None), grid_of(None))
    for step in range(steps):
        progress(step / steps)
        if not even and (step == 0 or params.critical is not None):
            paths = _paths(height, footing, soft, params.critical)
        height = _long_step(height, paths, footing, total / steps, sweeps, _part(progress, step, steps))
    return store(field, footing, height, np.maximum(height - before, 0.0))


def _part(progress: Callable[[float], None], step: int, steps: int) -> Callable[[float], None]:
    return lambda share: progress((step + share) / steps)


def _plan(total: float, explicit: float) -> tuple[int, int]:
    """Long steps and sweeps (odd, at least 3) that lead over `total` where one explicit step leads over `explicit`."""
    if total == 0.0:
        return 0, 3
    least, most = (math.ceil(total / (explicit * (s * s + s - 2) / 4)) for s in (_SWEEPS, 3))
    steps = max(least, min(_STEPS, most))
    sweeps = math.ceil((math.sqrt(9.0 + 16.0 * total / (steps * explicit)) - 1.0) / 2.0)
    return steps, max(3, sweeps | 1)


def _long_step(
    height: Heights, paths: _Paths, footing: Footing, time: float, sweeps: int, progress: Callable[[float], None]
) -> Heights:
    """RKL2 of Meyer et al. 2014, eq. 16-17: Y0 = height, and each sweep from the two before it."""

    def b(j: int) -> float:
        return 1.0 / 3.0 if j < 2 else (j * j + j - 2.0) / (2.0 * j * (j + 1.0))

    reach = 4.0 / (sweeps * sweeps + sweeps - 2.0) * time
    rise = np.empty_like(height)
    _each_band(_rate, height, paths.east, paths.north, footing.area, rise)
    older, old = height.copy(), height + b(1) * reach * rise
    for j in range(2, sweeps + 1):
        progress(j / (sweeps + 1.0))
        mu, nu = (2.0 * j - 1.0) / j * b(j) / b(j - 1), -(j - 1.0) / j * b(j) / b(j - 2)
        weights = (mu, nu, mu * reach, (b(j - 1) - 1.0) * mu * reach)
        # A sweep reads the one before the last at the vertex alone, so its array can take the result.
        _each_band(_sweep, old, paths.east, paths.north, footing.area, older, height, rise, weights)
        older, old = old, older
    return old


def _each_band(sweep: Callable[..., None], height: Heights, *rest: object) -> None:
    band = max(1, _BAND // height.shape[1])
    for row in range(0, height.shape[0], band):
        sweep(row, min(row + band, height.shape[0]), height, *rest)


def _paths(height: Heights, footing: Footing, soft: Grid, critical: float | None) -> _Paths:
    paths = _Paths(np.zeros(height.shape, np.float32), np.zeros(height.shape, np.float32))
    ease = grid_of(None)
    if critical is not None:
        ease = np.empty(height.shape, np.float32)
        _each_band(_ease, height, footing.cell, footing.metric, math.tan(math.radians(critical)), ease)
    _each_band(_conduct, height, footing.cell, footing.area, footing.metric, soft, ease, paths.east, paths.north)
    return paths


@parallel_kernel
def _ease(first: int, end: int, height: Heights, cell: float, metric: Grid, critical: float, out: Grid) -> None:
    """How much faster than plain diffusion creep is at each vertex."""
    rows, cols = height.shape
    most = 1.0 - 1.0 / _FASTEST
    for row in prange(first, end):
        south, north = max(row - 1, 0), min(row + 1, rows - 1)
        for col in range(cols):
            west, east = max(col - 1, 0), min(col + 1, cols - 1)
            a = (height[row, east] - height[row, west]) / (east - west)
            b = (height[north, col] - height[south, col]) / (north - south)
            squared = (a * a + b * b) / (cell * cell)
            if metric.shape[0] > 0:
                squared = metric[row, col, 0] * a * a + 2.0 * metric[row, col, 1] * a * b + metric[row, col, 2] * b * b
            out[row, col] = 1.0 / (1.0 - min(squared / (critical * critical), most))


@kernel
def _row_paths(
    cell: float, area: Grid, metric: Grid, soft: Grid, ease: Grid, row: int, up: int, right: int, out: Grid
) -> None:
    """Conductances of one row to vertices `up` rows and `right` columns on: width over length in plan, times softness.

    One of `up` and `right` is 1, the other 0.
    """
    cols = len(out) - right
    for col in range(cols):
        out[col] = 1.0
    if area.shape[0] > 0:
        for col in range(cols):
            both = 0.25 * (area[row, col] + area[row + up, col + right]) * cell * cell
            out[col] = both * (metric[row, col, 2 * up] + metric[row + up, col + right, 2 * up])
    if ease.shape[0] > 0:
        for col in range(cols):
            out[col] *= np.float32(0.5) * (ease[row, col] + ease[row + up, col + right])
    if area.shape[0] > 0:
        for col in range(cols):
            out[col] = min(out[col], np.float32(_FASTEST) * min(area[row, col], area[row + up, col + right]))
    if soft.shape[0] > 0:
        # The harmonic mean: the harder of two decides.
        for col in range(cols):
            one, two = soft[row, col], soft[row + up, col + right]
            out[col] *= np.float32(2.0) * one * two / max(one + two, np.float32(1e-30))


@parallel_kernel
def _conduct(
    first: int, end: int, height: Heights, cell: float, area: Grid, metric: Grid, soft: Grid, ease: Grid,
    east: Grid, north: Grid,
) -> None:  # fmt: skip
    for row in prange(first, end):
        _row_paths(cell, area, metric, soft, ease, row, 0, 1, east[row])
        if row + 1 < len(height):
            _row_paths(cell, area, metric, soft, ease, row, 1, 0, north[row])


@kernel
def _rates(height: Heights, east: Grid, north: Grid, area: Grid, row: int, out: Heights) -> None:
    """Rise (cols) of one row for each cell² of diffusion; nothing crosses the border."""
    rows, cols = height.shape
    below, here, above = height[max(row - 1, 0)], height[row], height[min(row + 1, rows - 1)]
    if east.shape[0] == 0:
        for col in range(1, cols - 1):
            out[col] = (here[col - 1] - here[col]) + (here[col + 1] - here[col]) + (below[col] - here[col]) + (
                above[col] - here[col])  # fmt: skip
        for col in (0, cols - 1):
            inner = here[1] if col == 0 else here[cols - 2]
            out[col] = (inner - here[col]) + (below[col] - here[col]) + (above[col] - here[col])
        return
    # The paths of the last column and row are 0.
    ways, up, down = east[row], north[row], north[max(row - 1, 0)]
    out[0] = ways[0] * (here[1] - here[0]) + down[0] * (below[0] - here[0]) + up[0] * (above[0] - here[0])
    for col in range(1, cols - 1):
        out[col] = (
            ways[col] * (here[col + 1] - here[col]) + ways[col - 1] * (here[col - 1] - here[col])
            + down[col] * (below[col] - here[col]) + up[col] * (above[col] - here[col])
        )  # fmt: skip
    last = cols - 1
    out[last] = (
        ways[last - 1] * (here[last - 1] - here[last])
        + down[last] * (below[last] - here[last]) + up[last] * (above[last] - here[last])
    )  # fmt: skip
    if area.shape[0] > 0:
        for col in range(cols):
            out[col] = out[col] / area[row, col] if area[row, col] > 0.0 else 0.0


@parallel_kernel
def _rate(first: int, end: int, height: Heights, east: Grid, north: Grid, area: Grid, out: Heights) -> None:
    for row in prange(first, end):
        _rates(height, east, north, area, row, out[row])


@parallel_kernel
def _sweep(
    first: int, end: int, height: Heights, east: Grid, north: Grid, area: Grid,
    older: Heights, start: Heights, rise: Heights, weights: tuple[float, float, float, float],
) -> None:  # fmt: skip
    """One stage of a long step, into `older`."""
    for row in prange(first, end):
        new = np.empty(height.shape[1])
        _rates(height, east, north, area, row, new)
        for col in range(height.shape[1]):
            # As a change from the start, so that what does not move keeps its bits.
            level = start[row, col]
            older[row, col] = level + (
                weights[0] * (height[row, col] - level) + weights[1] * (older[row, col] - level)
                + weights[2] * new[col] + weights[3] * rise[row, col]
            )  # fmt: skip
