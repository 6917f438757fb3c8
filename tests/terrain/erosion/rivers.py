"""What is measured of a river network: pits, drainage, area exponent, Hack's law, concavity."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.drainage import Routes, gather_down, outlets_of, routes_of
from terrain.erosion.outcome import Grid
from terrain.kernel import kernel


class Rivers(NamedTuple):
    pits: int
    """Land vertices with no lower neighbour, away from outlets."""
    drained: float
    """Share of the land from which steepest descent reaches an outlet."""
    tau: float
    """P(area > a) ~ a^-tau."""
    hack: float
    """Length of the longest stream ~ area^hack."""
    theta: float
    """Slope ~ area^-theta."""


def rivers_of(height: Grid, cell: float, sea: float = -math.inf) -> Rivers:
    outlet = outlets_of(height, sea)
    routes = routes_of(height, outlet, cell=cell)
    pits, drained = descend(height, outlet)
    area = gather_down(routes, np.ones(height.shape))
    land = ~outlet
    return Rivers(
        pits,
        drained,
        _tau(area[land]),
        _hack(routes, area, land, height.shape[1]),
        _theta(height, routes, area, land, cell),
    )


def _tau(area: NDArray[np.float64]) -> float:
    at = np.geomspace(10.0, area.size / 300.0, 20)
    share = [(area > a).mean() for a in at]
    return -float(np.polyfit(np.log(at), np.log(share), 1)[0])


def _hack(routes: Routes, area: NDArray[np.float64], land: NDArray[np.bool_], cols: int) -> float:
    length = np.zeros(area.size)
    _longest(routes.order, routes.receiver, cols, length)
    chosen = land.reshape(-1) & (area.reshape(-1) > 50)
    return _slope_of_means(area.reshape(-1)[chosen], length[chosen])


def _theta(height: Grid, routes: Routes, area: NDArray[np.float64], land: NDArray[np.bool_], cell: float) -> float:
    to = routes.receiver
    flat, i = height.reshape(-1).astype(np.float64), np.arange(height.size)
    cols = height.shape[1]
    far = cell * np.hypot(to // cols - i // cols, to % cols - i % cols)
    chosen = land.reshape(-1) & (area.reshape(-1) > 50) & (far > 0)
    slope = (flat - flat[to])[chosen] / far[chosen]
    return -_slope_of_means(area.reshape(-1)[chosen], np.maximum(slope, 0.0))


def _slope_of_means(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Slope of log mean y over log x, in bins of equal width."""
    bins = np.floor(np.log2(x) * 2).astype(int)
    bins -= bins.min()
    count = np.bincount(bins)
    ok = count >= 10
    mean_x, mean_y = (np.bincount(bins, v)[ok] / count[ok] for v in (np.log(x), y))
    use = mean_y > 0
    return float(np.polyfit(mean_x[use], np.log(mean_y[use]), 1)[0])


@kernel
def _longest(order: NDArray[np.int32], receiver: NDArray[np.int32], cols: int, length: NDArray[np.float64]) -> None:
    for k in range(len(order) - 1, -1, -1):
        i = order[k]
        to = receiver[i]
        if to != i:
            step = math.sqrt(float((to // cols - i // cols) ** 2 + (to % cols - i % cols) ** 2))
            length[to] = max(length[to], length[i] + step)


@kernel
def descend(height: Grid, outlet: NDArray[np.bool_]) -> tuple[int, float]:
    """Follow the steepest of eight neighbours: how many have none, and how much of the land reaches an outlet."""
    rows, cols = height.shape
    good = np.zeros(height.size, np.int8)
    path = np.empty(height.size, np.int64)
    pits, land, reached = 0, 0, 0
    for start in range(height.size):
        i, n = start, 0
        while good[i] == 0:
            row, col = i // cols, i % cols
            if outlet[row, col]:
                good[i] = 1
                break
            best, to = 0.0, -1
            for dr in range(-1, 2):
                for dc in range(-1, 2):
                    if (dr != 0 or dc != 0) and 0 <= row + dr < rows and 0 <= col + dc < cols:
                        fall = float(height[row, col] - height[row + dr, col + dc]) / math.sqrt(dr * dr + dc * dc)
                        if fall > best:
                            best, to = fall, (row + dr) * cols + col + dc
            if to < 0:
                pits += 1
                good[i] = -1
                break
            path[n] = i
            n += 1
            i = to
        for k in range(n):
            good[path[k]] = good[i]
    for i in range(height.size):
        if not outlet[i // cols, i % cols]:
            land += 1
            reached += good[i] == 1
    return pits, reached / max(land, 1)


def eighth_harmonic(height: Grid, cell: float, sea: float = -math.inf, steps: int = 64) -> float:
    """How much valleys favour the eight directions of the grid, 0..1: |mean exp(8i·azimuth)| of their stretches."""
    routes = routes_of(height, outlets_of(height, sea), cell=cell)
    area = gather_down(routes, np.ones(height.shape)).reshape(-1)
    to, cols = np.arange(height.size), height.shape[1]
    start = to[area > 300.0]
    end = start.copy()
    whole = np.ones(len(start), bool)
    for _ in range(steps):
        further = routes.receiver[end]
        whole &= further != end
        end = further
    start, end = start[whole], end[whole]
    angle = np.arctan2(end // cols - start // cols, end % cols - start % cols)
    return float(abs(np.exp(8j * angle).mean()))
