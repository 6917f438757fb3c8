"""Alluvial fans and deltas: cones of a given slope, as high as their volume makes them."""

import math
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.erosion.coastal import solve_rising
from terrain.erosion.exposure import refuse_not_finite
from terrain.erosion.outcome import Eroded, Grid, Ledger
from terrain.erosion.patch import Land, blank_grids, checked_line, land_of, put_back, rect_of
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import parallel_kernel
from terrain.params import Params, about
from terrain.tiles import Rect


class FanParams(Params, frozen=True, kw_only=True):
    """The shape of a fan or delta."""

    slope: Annotated[float, about("Slope of the fan above the sea", unit="°", ge=0.1, le=40)] = 3.0
    foreset: Annotated[float, about("Slope of its front under water", unit="°", ge=0.1, le=60)] = 24.0
    spread: Annotated[float, about("How far to either side it keeps that slope", unit="°", ge=5, le=120)] = 60.0


class Cone(NamedTuple):
    """A fan but for its height: world x, y of the apex, its direction, slopes, spread in radians, and the sea."""

    x: float
    y: float
    east: float
    north: float
    slope: float
    foreset: float
    spread: float
    sea: float


def fan(
    field: VectorField,
    params: FanParams,
    apex: tuple[float, float],
    direction: tuple[float, float],
    volume: float,
    sea: float = -math.inf,
    *,
    progress: Callable[[float], None] = lambda share: None,
) -> Eroded:
    """Lay a fan: a cone z = top - slope·distance whose top, over the apex, is as high as the volume makes it.

    apex: world x, y in metres. direction: x, y in which it spreads. volume: m³. sea: its level, below which the front
    is steeper. To the sides and behind, beyond the spread, the cone grows up to six times as steep. All of the volume
    is laid on the map; the ledger counts it as come in. Grids besides wear and deposit: `fan` [m]. Raises
    `SkerryError` for a number that is not finite, a volume below zero or no direction.
    """
    for name, value in {"apex": apex, "direction": direction, "volume": volume}.items():
        refuse_not_finite(**{name: np.asarray(value, np.float64)})
    checked_line(field, [apex, apex], sea, None)
    if volume < 0.0 or not any(direction):
        raise SkerryError(f"a fan needs a volume of 0 or more and a direction, not {volume:g} m³ towards {direction}")
    out = Eroded(field.offset.copy(), blank_grids(field, "wear", "deposit", "fan"), Ledger(picked=0.0, dropped=0.0))
    if volume == 0.0:
        return out
    ceiling = np.full(field.offset.shape[:2], np.inf, np.float32)
    laid, rect = lay_fan(field, cone_of(*apex, *direction, params, sea), volume, ceiling, progress)
    out.grids["deposit"][rect.slices] = laid
    out.grids["fan"][rect.slices] = laid
    return put_back(field, out, rect)


def cone_of(x: float, y: float, east: float, north: float, params: FanParams, sea: float) -> Cone:
    """A fan but for its height; east, north: where it spreads, of any length."""
    slope, foreset, spread = (math.radians(angle) for angle in (params.slope, params.foreset, params.spread))
    length = math.hypot(east, north)
    return Cone(x, y, east / length, north / length, math.tan(slope), math.tan(foreset), spread, sea)


def lay_fan(
    field: VectorField, cone: Cone, volume: float, ceiling: Grid, progress: Callable[[float], None]
) -> tuple[Grid, Rect]:
    """Thickness of the fan in a rectangle around it, for a volume in m³; nothing rises above the ceiling."""
    apex = np.array([cone.x, cone.y])
    # A third of a turn of a cone on level ground, and as much again.
    reach = 2.0 * (3.0 * volume / cone.slope) ** (1.0 / 3.0) + 4.0 * field.cell
    while True:
        rect = rect_of(field, apex, apex, reach)
        land, roof = land_of(field, rect), np.ascontiguousarray(ceiling[rect.slices])
        laid, sums = np.zeros(land.height.shape, np.float32), np.zeros(land.height.shape[0])
        _raise(land, cone, roof, volume, laid, sums, progress)
        if rect == Rect.of(field.offset) or not _at_edge(laid, rect, field):
            return laid, rect
        reach *= 2.0


def _raise(
    land: Land,
    cone: Cone,
    roof: Grid,
    volume: float,
    laid: Grid,
    sums: NDArray[np.float64],
    progress: Callable[[float], None],
) -> None:
    """Find the height of the apex at which a fan has its volume; where nothing can lie, there is none."""

    def held(top: float) -> float:
        _fan_of(land, cone, roof, top, laid, sums)
        return float(sums.sum())

    low = float(land.height.min()) - 1.0
    high, rise = float(land.height.max()) + 1.0, 1.0
    while held(high) < volume and rise < 1e7:
        high, rise = high + rise, 2.0 * rise
    if held(high) >= volume:
        solve_rising(held, low, high, volume, progress)


def _at_edge(laid: Grid, rect: Rect, field: VectorField) -> bool:
    """Whether a fan reaches the edge of its rectangle where the map goes on."""
    inside = (rect.row0 > 0, rect.row1 < field.rows, rect.col0 > 0, rect.col1 < field.cols)
    edges = (laid[0], laid[-1], laid[:, 0], laid[:, -1])
    return any(on and bool(edge.any()) for on, edge in zip(inside, edges, strict=True))


@parallel_kernel
def _fan_of(land: Land, cone: Cone, roof: Grid, top: float, laid: Grid, sums: NDArray[np.float64]) -> None:
    for row in prange(laid.shape[0]):
        total = 0.0
        for col in range(laid.shape[1]):
            x, y = land.x[row, col] - cone.x, land.y[row, col] - cone.y
            away = np.sqrt(x * x + y * y)
            # Nowhere does the cone fall less than straight ahead above the sea.
            if top - cone.slope * away <= land.height[row, col]:
                laid[row, col] = 0.0
                continue
            turn = np.arccos(min(max((x * cone.east + y * cone.north) / max(away, 1e-9), -1.0), 1.0))
            part = min(max((turn - cone.spread) / (0.5 * np.pi), 0.0), 1.0)
            slope = cone.slope * (1.0 + 5.0 * part * part * (3.0 - 2.0 * part))
            shore = max(0.0, top - cone.sea) / slope
            height = top - slope * min(away, shore)
            if away > shore:
                height -= max(slope, cone.foreset) * (away - shore)
            laid[row, col] = land.free[row, col] * max(0.0, min(height, roof[row, col]) - land.height[row, col])
            total += laid[row, col] * land.area[row, col]
        sums[row] = total
