"""One droplet's walk over the surface: what it picks up, carries and drops.

After H. T. Beyer, "Implementation of a method for hydraulic erosion" (2015), with every constant per metre walked, so
that a map looks the same at any cell size, and with speed that grows downhill. Sediment is counted as it really
arrives in the float32 heights, so that none is made or lost by rounding.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.outcome import Grid
from terrain.kernel import kernel

GRAVITY = 9.81
"""Metres a second squared."""


class Physics(NamedTuple):
    """What droplets obey; lengths in metres, volumes in metres times the area of an undisplaced cell."""

    cell: float
    steps: int
    """Most steps of a walk; one leads over at most one cell."""
    reach: float
    """Longest walk."""
    capacity: float
    """Volume carried for each m/s of speed on a vertical wall by a fresh droplet."""
    least_slope: float
    """Sine of the slope that the capacity never falls below while water runs."""
    inertia: float
    """Length after which a droplet has forgotten 63 % of its direction."""
    erode: float
    """Length after which 63 % of what is missing from the capacity has been picked up from soft ground."""
    settle: float
    """Length after which 63 % of what exceeds the capacity has been dropped."""
    evaporate: float
    """Length after which 63 % of the water is gone."""
    drag: float
    """Length after which 63 % of the squared speed is lost."""
    bedrock: float
    """How readily bedrock erodes, 0..1, where loose sediment is 1."""
    sea: float
    """Height at which a walk ends and its load is dropped."""


class Ground(NamedTuple):
    """The arrays that droplets read and change, float32 (rows, cols)."""

    height: Grid
    deposit: Grid
    """Volume dropped so far; never falls."""
    bedrock: Grid
    """The lowest that the ground has been: what lies above it is loose sediment. Read only."""
    flow: Grid
    """Water that has passed, metres walked by fresh droplets."""


class Brush(NamedTuple):
    """Where a droplet digs around a vertex: steps along rows and columns, and weights that sum to 1."""

    rows: NDArray[np.int64]
    cols: NDArray[np.int64]
    weights: Grid
    reach: int
    """Most steps to a side."""


Metric = NDArray[np.float32] | None
"""(rows, cols, 4): inverse first fundamental form (uu, uv, vv), 1/m², and height gained for each volume.

None for an undisplaced field, which compiles to a path of its own.
"""

Softness = Grid | None
"""How easily a vertex erodes, 0..1; None where all are 1."""


@kernel
def _decay(x: float) -> float:
    """About exp(-x) for x >= 0 (within 2 % up to x = 1), always falling to 0, at a third of the cost."""
    return 1.0 / (1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0))))


@kernel
def _gain(metric: Metric, row: np.uint32, col: np.uint32) -> float:
    """Height gained for each volume; 0 where nothing can lie."""
    if metric is None:
        return 1.0
    return float(metric[row, col, 3])


# The arrays go one by one, as a tuple of them would be counted in and out at every step; and indices are unsigned,
# as a signed one is tested for counting from behind. Together these are three quarters of a step's cost.


@kernel
def _add(height: Grid, deposit: Grid, row: np.uint32, col: np.uint32, volume: float, gain: float) -> float:
    """Drop sediment at one vertex; returns the volume that arrived."""
    before = height[row, col]
    after = np.float32(before + volume * gain)
    height[row, col] = after
    arrived = (float(after) - float(before)) / gain
    deposit[row, col] += np.float32(arrived)
    return arrived


@kernel
def _drop_over(
    height: Grid, deposit: Grid, metric: Metric, brush: Brush, row: np.uint32, col: np.uint32, volume: float
) -> float:
    """Spread sediment with the brush around a vertex; returns the volume that arrived."""
    arrived = 0.0
    for k in range(len(brush.weights)):
        r, c = np.uint32(row + brush.rows[k]), np.uint32(col + brush.cols[k])
        gain = _gain(metric, r, c)
        if gain > 0.0:
            arrived += _add(height, deposit, r, c, volume * brush.weights[k], gain)
    return arrived


@kernel
def _drop_at(
    height: Grid, deposit: Grid, metric: Metric, row: np.uint32, col: np.uint32, fx: float, fy: float, volume: float
) -> float:
    """Drop sediment at a place between four vertices; returns the volume that arrived."""
    arrived = 0.0
    for i in range(2):
        for j in range(2):
            r, c = np.uint32(row + i), np.uint32(col + j)
            weight = (fy if i else 1.0 - fy) * (fx if j else 1.0 - fx)
            gain = _gain(metric, r, c)
            if gain > 0.0:
                arrived += _add(height, deposit, r, c, volume * weight, gain)
    return arrived


@kernel
def _dig(
    height: Grid,
    metric: Metric,
    soft: Softness,
    rows: NDArray[np.int64],
    cols: NDArray[np.int64],
    weights: Grid,
    row: np.uint32,
    col: np.uint32,
    volume: float,
) -> float:
    """Pick sediment up with the brush around a vertex; returns the volume that came."""
    taken, part = np.float32(0.0), np.float32(volume)
    for k in range(len(weights)):
        r, c = np.uint32(row + rows[k]), np.uint32(col + cols[k])
        wanted = part * weights[k]
        if soft is not None:
            wanted *= soft[r, c]
        if metric is not None:
            wanted *= metric[r, c, 3]
        before = height[r, c]
        after = before - wanted
        height[r, c] = after
        if metric is None:
            taken += before - after
        elif wanted > 0.0:
            taken += (before - after) / metric[r, c, 3]
    return float(taken)


@kernel
def _yield(loose: float, heaviest: float, volume: float, bedrock: float) -> float:
    """What comes of a wanted volume: loose sediment first, as deep as it lies, then bedrock at its own rate."""
    soft = min(volume, max(0.0, loose) / heaviest)
    return soft + (volume - soft) * bedrock


@kernel
def _downhill(metric: Metric, row: np.uint32, col: np.uint32, slope_x: float, slope_y: float) -> tuple[float, float]:
    """The way of steepest descent on the displaced surface, in steps of the grid; slopes in metres a cell."""
    if metric is None:
        return -slope_x, -slope_y
    uu, uv, vv = metric[row, col, 0], metric[row, col, 1], metric[row, col, 2]
    return -(uu * slope_x + uv * slope_y), -(uv * slope_x + vv * slope_y)


@kernel
def _rain_on(metric: Metric, row: np.uint32, col: np.uint32, cell: float) -> float:
    """Water of a fresh droplet: the ground seen from above, over that of an undisplaced cell; rain falls straight."""
    if metric is None:
        return 1.0
    uu, uv, vv, gain = metric[row, col, 0], metric[row, col, 1], metric[row, col, 2], metric[row, col, 3]
    water: float = float(gain) / (cell**4 * (float(uu) * float(vv) - float(uv) * float(uv)))
    return water


@kernel
def _length(metric: Metric, row: np.uint32, col: np.uint32, to_x: float, to_y: float, cell: float) -> float:
    """World length of a unit step of the grid."""
    if metric is None:
        return cell
    uu, uv, vv = float(metric[row, col, 0]), float(metric[row, col, 1]), float(metric[row, col, 2])
    return math.sqrt((vv * to_x * to_x - 2.0 * uv * to_x * to_y + uu * to_y * to_y) / (uu * vv - uv * uv))


@kernel
def _height(height: Grid, row: np.uint32, col: np.uint32, fx: float, fy: float) -> float:
    """Bilinear height."""
    south = height[row, col] * (1.0 - fx) + height[row, col + 1] * fx
    north = height[row + 1, col] * (1.0 - fx) + height[row + 1, col + 1] * fx
    blended: float = south * (1.0 - fy) + north * fy
    return blended


@kernel
def walk(
    height: Grid,
    deposit: Grid,
    bedrock: Grid,
    flow: Grid,
    metric: Metric,
    soft: Softness,
    brush: Brush,
    physics: Physics,
    x: float,
    y: float,
) -> tuple[float, float]:
    """Lead one droplet from (x, y), in cells, until it stops; returns what it could not drop, and what it picked up.

    The arrays are those of `Ground`. The droplet stays a brush's reach and a vertex away from their border.
    """
    end_x, end_y = height.shape[1] - 2.0 - brush.reach, height.shape[0] - 2.0 - brush.reach
    start, cell = brush.reach + 1.0, physics.cell
    taps_r, taps_c, weights, heaviest = brush.rows, brush.cols, brush.weights, float(brush.weights.max())
    keep = math.exp(-cell / physics.inertia)
    row, col = np.uint32(y), np.uint32(x)
    water = _rain_on(metric, np.uint32(y + 0.5), np.uint32(x + 0.5), cell)
    to_x, to_y, square, load, picked, walked = 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    for _ in range(physics.steps):
        fx, fy = x - col, y - row
        a, b = float(height[row, col]), float(height[row, col + 1])
        c, d = float(height[row + 1, col]), float(height[row + 1, col + 1])
        slope_x, slope_y = (b - a) * (1.0 - fy) + (d - c) * fy, (c - a) * (1.0 - fx) + (d - b) * fx
        here = (a * (1.0 - fx) + b * fx) * (1.0 - fy) + (c * (1.0 - fx) + d * fx) * fy
        near_row, near_col = np.uint32(y + 0.5), np.uint32(x + 0.5)
        gain = _gain(metric, near_row, near_col)
        if not (here > physics.sea and gain > 0.0):
            break
        down_x, down_y = _downhill(metric, near_row, near_col, slope_x, slope_y)
        turn = (1.0 - keep) / max(np.sqrt(down_x * down_x + down_y * down_y), 1e-30)
        to_x, to_y = to_x * keep + down_x * turn, to_y * keep + down_y * turn
        length = math.sqrt(to_x * to_x + to_y * to_y)
        if not length > 1e-8:
            break
        to_x, to_y = to_x / length, to_y / length
        # A cell's length is walked in the world, but never more than one cell of the grid.
        world = _length(metric, near_row, near_col, to_x, to_y, cell)
        stride = 1.0 if metric is None else min(1.0, cell / world)
        new_x, new_y = x + to_x * stride, y + to_y * stride
        if not (start <= new_x < end_x and start <= new_y < end_y):
            break
        new_row, new_col = np.uint32(new_y), np.uint32(new_x)
        fall = here - _height(height, new_row, new_col, new_x - new_col, new_y - new_row)
        run = math.sqrt(cell * cell + fall * fall) if metric is None else max(world * stride, abs(fall))
        flow[near_row, near_col] += np.float32(water * run)
        capacity = max(fall / run, physics.least_slope) * math.sqrt(square) * water * physics.capacity
        if fall <= 0.0:
            # A hollow: fill it as far as the load goes, no higher than what lies ahead.
            load -= _drop_at(height, deposit, metric, row, col, fx, fy, min(-fall / gain, load))
        elif load > capacity:
            share = 1.0 - _decay(run / physics.settle)
            load -= _drop_at(height, deposit, metric, row, col, fx, fy, (load - capacity) * share)
        else:
            wanted = min((capacity - load) * (1.0 - _decay(run / physics.erode)), fall / gain)
            loose = (float(height[near_row, near_col]) - float(bedrock[near_row, near_col])) / gain
            wanted = _yield(loose, heaviest, wanted, physics.bedrock)
            came = _dig(height, metric, soft, taps_r, taps_c, weights, near_row, near_col, wanted)
            load, picked = load + came, picked + came
        square = max(0.0, square * _decay(run / physics.drag) + 2.0 * GRAVITY * fall)
        water *= _decay(run / physics.evaporate)
        walked += run
        x, y, row, col = new_x, new_y, new_row, new_col
        if walked > physics.reach:
            break
    if load > 0.0:
        load -= _drop_over(height, deposit, metric, brush, row, col, load)
    return load, picked
