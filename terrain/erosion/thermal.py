"""Thermal erosion: what stands steeper than its talus angle breaks off, slides, and comes to rest as scree.

The slope is the true one, of the two sides that meet in each corner of a vertex, and not the drop to one of eight
neighbours: with eight fixed directions a heap would stand up to 2° steeper between them (an octagon). Every side
between neighbours then carries a flux down its own drop, so that nothing slides upward and the volume is kept. All
sides are worked out from the heights before a sweep, each by both vertices it joins, so that no order can matter.
"""

import math
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.erosion.ground import Heights, check_inputs, footing_of, grid_of, store
from terrain.erosion.outcome import Eroded, Grid
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel
from terrain.params import Params, about

TILE_ROWS, TILE_COLS = 32, 128
"""Vertices of a tile; tiles that lie among tiles at rest are passed over."""
RING = 3
"""How far around a tile its sweep reads."""
STATIC = 1.002
"""What is less than this much steeper than the talus angle is at rest, 0.05° at most."""
_RATE = 0.22 / 4.0
"""Flux for each metre of drop and each of the four quarters beside a side; 0.25 / 4 is the most that is stable."""
_FEW = 16
"""Where fewer tiles moved, one thread sweeps them and those beside them."""
_PART = 512
"""Tiles that one call of a kernel sweeps, so that progress is heard often."""

Quarters = NDArray[np.float32]


class ThermalParams(Params, frozen=True, kw_only=True):
    """At which angles ground comes to rest, and how far slides go."""

    strength: Annotated[float, about("How long slides go on; 0 for none", ge=0, le=10)] = 1.0
    angle: Annotated[float, about("Steepest slope that scree keeps", unit="°", ge=1, le=89)] = 34.0
    rock_angle: (
        Annotated[float, about("Steepest slope that bedrock keeps; as scree if none", unit="°", ge=1, le=89)] | None
    ) = None
    reach: Annotated[float, about("Slides as wide as this come to rest", unit="m", ge=0, le=1e4)] = 20.0


class Slide(NamedTuple):
    """What does not change while ground slides."""

    cell: float
    area: Grid
    metric: Grid
    """As in a `Footing`; compiled code takes no tuple within a tuple."""
    scree: float
    """Tangent of the angle at which loose ground rests."""
    rock: Grid
    """Tangents of the angles at which bedrock rests, (rows, cols), or (1, 1) for one everywhere; empty if as scree."""
    soft: Grid
    """How readily bedrock breaks, 0..1, (rows, cols); (1, 1) for one everywhere; empty for 1."""


class Heap(NamedTuple):
    """Heights and the loose share of them, metres, each twice: a sweep reads one and writes the other."""

    height: tuple[Heights, Heights]
    loose: tuple[Heights, Heights]
    moved: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    """Tiles, with a ring of tiles that never move, in which the last sweep moved anything."""


def slip(
    field: VectorField,
    params: ThermalParams,
    *,
    softness: Grid | None = None,
    angles: Grid | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Eroded:
    """Let ground that is too steep slide until it is at rest, or for as long as the parameters say.

    softness: 0..1 (rows, cols), how readily bedrock breaks, 0 never. angles: degrees (rows, cols), where bedrock's
    angle differs from place to place; it overrides `rock_angle`. progress: called often with the share done, may raise
    to cancel. Raises `SkerryError` for numbers that are not finite. What is not too steep keeps its bits. On a
    displaced field slopes and areas are real; undersides, walls, and what lies over or under an underside stay.
    Grids: wear, deposit [m], and talus [m], the scree that lies at the end, which is what was deposited.
    """
    check_inputs(field, softness=softness, angles=angles)
    rock = _rock(params, angles)
    footing = footing_of(field)
    slide = Slide(*footing, math.tan(math.radians(params.angle)), rock, grid_of(softness))
    heap = heap_of(np.array(field.offset[..., 2], np.float64), np.zeros((field.rows, field.cols)))
    sweeps = math.ceil(4.0 * params.strength * (params.reach / field.cell) ** 2)
    sweeps = max(sweeps, 1) if params.strength > 0.0 else 0
    last = settle(heap, slide, sweeps, progress)
    result = store(field, footing, heap.height[last], heap.loose[last])
    return Eroded(result.offset, {**result.grids, "talus": result.grids["deposit"]}, result.ledger)


def _rock(params: ThermalParams, angles: Grid | None) -> Grid:
    if angles is not None:
        return grid_of(np.tan(np.radians(np.clip(angles, 1.0, 89.0))))
    if params.rock_angle is None or params.rock_angle == params.angle:
        return grid_of(None)
    return np.full((1, 1), math.tan(math.radians(params.rock_angle)), np.float32)


def heap_of(height: Heights, loose: Heights) -> Heap:
    """A heap about to slide; takes both arrays, float64 (rows, cols) in metres, over."""
    tiles = tuple(math.ceil(n / m) + 2 for n, m in zip(height.shape, (TILE_ROWS, TILE_COLS), strict=True))
    moved = np.zeros(tiles, np.bool_)
    moved[1:-1, 1:-1] = True
    return Heap((height, height.copy()), (loose, loose.copy()), (moved, np.zeros(tiles, np.bool_)))


def settle(heap: Heap, slide: Slide, sweeps: int, progress: Callable[[float], None]) -> int:
    """Sweep until nothing moves, at most so often; returns which of the heap's two arrays is the last."""
    tiles = (heap.moved[0].shape[0] - 2) * (heap.moved[0].shape[1] - 2)
    for sweep in range(sweeps):
        here, there = sweep % 2, 1 - sweep % 2
        sweep_tiles = _sweep_few if np.count_nonzero(heap.moved[here]) < _FEW else _sweep_tiles
        for first in range(0, tiles, _PART):
            progress((sweep + first / tiles) / sweeps)
            sweep_tiles(
                heap.height[here], heap.loose[here], heap.moved[here], slide, first, min(first + _PART, tiles),
                heap.height[there], heap.loose[there], heap.moved[there],
            )  # fmt: skip
        if not heap.moved[there].any():
            return there
    return sweeps % 2


@parallel_kernel
def _sweep_tiles(
    height: Heights, loose: Heights, moved: NDArray[np.bool_], slide: Slide, first: int, end: int,
    new_height: Heights, new_loose: Heights, now_moved: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Slide once in tiles `first` to `end`, numbered row by row."""
    for tile in prange(first, end):
        _sweep_tile(height, loose, moved, slide, tile, new_height, new_loose, now_moved)


@kernel
def _sweep_few(
    height: Heights, loose: Heights, moved: NDArray[np.bool_], slide: Slide, first: int, end: int,
    new_height: Heights, new_loose: Heights, now_moved: NDArray[np.bool_],
) -> None:  # fmt: skip
    """The same on one thread, for so few tiles that to wait for a second would cost more."""
    for tile in range(first, end):
        _sweep_tile(height, loose, moved, slide, tile, new_height, new_loose, now_moved)


@kernel
def _sweep_tile(
    height: Heights, loose: Heights, moved: NDArray[np.bool_], slide: Slide, tile: int,
    new_height: Heights, new_loose: Heights, now_moved: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Slide once in one tile, if it or one beside it moved before: otherwise it is the same in both arrays."""
    i, j = tile // (moved.shape[1] - 2), tile % (moved.shape[1] - 2)
    busy = False
    for a in range(3):
        for b in range(3):
            busy = busy or moved[i + a, j + b]
    now_moved[i + 1, j + 1] = busy and _sweep(height, loose, slide, i * TILE_ROWS, j * TILE_COLS, new_height, new_loose)


@kernel
def _sweep(
    height: Heights, loose: Heights, slide: Slide, row0: int, col0: int, new_height: Heights, new_loose: Heights
) -> bool:
    """Slide once in one tile; returns whether anything moved."""
    rows, cols = min(TILE_ROWS, height.shape[0] - row0), min(TILE_COLS, height.shape[1] - col0)
    wide, across = rows + 2 * RING, cols + 2 * RING
    level, share = np.empty((wide, across)), np.ones((wide, across), np.float32)
    _copy(height, slide.area, row0 - RING, col0 - RING, level, share)
    east, north = np.zeros((wide, across)), np.zeros((wide, across))
    steep = _fluxes(level, share, slide, False, row0 - RING, col0 - RING, east, north)
    two = slide.rock.shape[0] > 0
    rock_east, rock_north = east, north
    if two:
        rock_east, rock_north = np.zeros((wide, across)), np.zeros((wide, across))
        broke = _fluxes(level, share, slide, True, row0 - RING, col0 - RING, rock_east, rock_north)
        steep = steep or broke
    if not steep:
        for i in range(rows):
            for j in range(cols):
                new_height[row0 + i, col0 + j] = height[row0 + i, col0 + j]
                new_loose[row0 + i, col0 + j] = loose[row0 + i, col0 + j]
        return False
    # Where all that is asked for comes, loose or not, the fluxes stand as they are.
    if two or slide.soft.shape[0] > 0:
        _hold_back(loose, share, slide.soft, row0 - RING, col0 - RING, east, north, rock_east, rock_north)
    return _lay(height, loose, share, east, north, row0, col0, rows, cols, new_height, new_loose)


@kernel
def _copy(height: Heights, area: Grid, row0: int, col0: int, level: Heights, share: Grid) -> None:
    """Heights and plan areas of a tile and its ring; not a number beyond the map and where ground is left alone.

    No comparison with such a height holds, so that nothing slides there.
    """
    for i in range(level.shape[0]):
        row = row0 + i
        for j in range(level.shape[1]):
            col = col0 + j
            if not (0 <= row < height.shape[0] and 0 <= col < height.shape[1]):
                level[i, j] = np.nan
            elif area.shape[0] == 0:
                level[i, j] = height[row, col]
            else:
                share[i, j] = area[row, col]
                level[i, j] = height[row, col] if area[row, col] > 0.0 else np.nan


@kernel
def _gather(values: Grid | Heights, row0: int, col0: int, out: Grid | Heights) -> None:
    """A tile and its ring of a grid, (1, 1) for one value everywhere, or empty for 1; 0 beyond the map."""
    if values.shape[0] < 2:
        out[...] = values[0, 0] if values.shape[0] == 1 else 1.0
        return
    out[...] = 0.0
    low, high = max(-col0, 0), min(out.shape[1], values.shape[1] - col0)
    for i in range(max(-row0, 0), min(out.shape[0], values.shape[0] - row0)):
        into, of = out[i, low:high], values[row0 + i, col0 + low : col0 + high]
        for j in range(high - low):
            into[j] = of[j]


@kernel
def _tangents(slide: Slide, of_rock: bool, row0: int, col0: int, out: Grid) -> None:
    """Tangents of the angles of rest in a tile and its ring."""
    if of_rock:
        _gather(slide.rock, row0, col0, out)
    else:
        out[...] = np.float32(slide.scree)


@kernel
def _too_steep(squared: np.float32, tangent: np.float32) -> np.float32:
    """Share of a slope that is too much, from its square; 0 at rest."""
    slope = np.sqrt(squared)
    # Not `/`: its check for 0 would keep the compiler from working on eight at once.
    much = np.float32(1.0) - np.divide(tangent, slope)
    return much if slope > np.float32(STATIC) * tangent else np.float32(0.0)


@kernel
def _rise(high: float, low: float) -> np.float32:
    """Rise from `low` to `high`, 0 where nothing can be said."""
    rise = high - low
    return np.float32(rise) if rise == rise else np.float32(0.0)


@kernel
def _quarters(level: Heights, cell: float, tangent: Grid, quarters: Quarters) -> None:
    """How much too steep each quarter of a vertex is (north-east, south-east, north-west, south-west)."""
    one = np.float32(1.0 / (cell * cell))
    for i in range(1, level.shape[0] - 1):
        below, here, above, limit = level[i - 1], level[i], level[i + 1], tangent[i]
        ne, se, nw, sw = quarters[0, i], quarters[1, i], quarters[2, i], quarters[3, i]
        for j in range(1, level.shape[1] - 1):
            e, w = _rise(here[j + 1], here[j]), _rise(here[j], here[j - 1])
            n, s = _rise(above[j], here[j]), _rise(here[j], below[j])
            ee, ww, nn, ss = e * e * one, w * w * one, n * n * one, s * s * one
            ne[j], se[j] = _too_steep(ee + nn, limit[j]), _too_steep(ee + ss, limit[j])
            nw[j], sw[j] = _too_steep(ww + nn, limit[j]), _too_steep(ww + ss, limit[j])


@kernel
def _quarters_displaced(level: Heights, metric: Grid, row0: int, col0: int, tangent: Grid, quarters: Quarters) -> None:
    """The same where vertices have moved sideways."""
    for i in range(1, level.shape[0] - 1):
        row = min(max(row0 + i, 0), metric.shape[0] - 1)
        for j in range(1, level.shape[1] - 1):
            if np.isnan(level[i, j]):
                continue
            col = min(max(col0 + j, 0), metric.shape[1] - 1)
            uu, uv, vv = metric[row, col, 0], np.float32(2.0) * metric[row, col, 1], metric[row, col, 2]
            for k in range(4):
                east, north = 1 - k // 2, 1 - k % 2
                a = _rise(level[i, j + east], level[i, j + east - 1])
                b = _rise(level[i + north, j], level[i + north - 1, j])
                quarters[k, i, j] = _too_steep(
                    max(uu * a * a + uv * a * b + vv * b * b, np.float32(0.0)), tangent[i, j]
                )


@kernel
def _fluxes(
    level: Heights, share: Grid, slide: Slide, of_rock: bool, row0: int, col0: int, east: Heights, north: Heights
) -> bool:
    """Volumes over cell² that would slide to the next column and row, negative if from there; whether there are any."""
    tangent = np.empty(share.shape, np.float32)
    _tangents(slide, of_rock, row0, col0, tangent)
    quarters = np.zeros((4, *share.shape), np.float32)
    if slide.area.shape[0] > 0:
        _quarters_displaced(level, slide.metric, row0, col0, tangent, quarters)
    else:
        _quarters(level, slide.cell, tangent, quarters)
    busy = 0
    for i in range(1, share.shape[0] - 2):
        here, above, weight, over = level[i], level[i + 1], share[i], share[i + 1]
        ne, se, nw, sw = quarters[0, i], quarters[1, i], quarters[2, i], quarters[3, i]
        se_above, sw_above = quarters[1, i + 1], quarters[3, i + 1]
        to_east, to_north = east[i], north[i]
        for j in range(1, share.shape[1] - 2):
            steep = ne[j] + se[j] + nw[j + 1] + sw[j + 1]
            drop = here[j] - here[j + 1]
            flux = _RATE * steep * drop * _less(weight[j], weight[j + 1])
            to_east[j] = flux if flux == flux else 0.0
            up = ne[j] + nw[j] + se_above[j] + sw_above[j]
            drop = here[j] - above[j]
            flux = _RATE * up * drop * _less(weight[j], over[j])
            to_north[j] = flux if flux == flux else 0.0
            busy |= 1 if steep + up > 0.0 else 0
    return busy > 0


@kernel
def _less(one: np.float32, two: np.float32) -> np.float32:
    """The less of two numbers; plainer than `min`, which asks for NaN too."""
    return one if one < two else two


@kernel
def _hold_back(
    loose: Heights, share: Grid, soft: Grid, row0: int, col0: int, east: Heights, north: Heights,
    rock_east: Heights, rock_north: Heights,
) -> None:  # fmt: skip
    """Cut fluxes, in `east` and `north`, down to what lies loose and what rock breaks; the upper vertex decides."""
    lies, readily = np.empty(east.shape), np.empty(east.shape)
    gives, breaks = np.ones(east.shape), np.zeros(east.shape)
    _gather(loose, row0, col0, lies)
    _gather(soft, row0, col0, readily)
    for i in range(RING - 1, share.shape[0] - RING + 1):
        e, n, s = east[i], north[i], north[i - 1]
        rock_e, rock_n, rock_s = rock_east[i], rock_north[i], rock_north[i - 1]
        there, weight, ready, give, broken = lies[i], share[i], readily[i], gives[i], breaks[i]
        for j in range(RING - 1, share.shape[1] - RING + 1):
            slides = _above(e[j]) + _above(-e[j - 1]) + _above(n[j]) + _above(-s[j])
            falls = _above(rock_e[j]) + _above(-rock_e[j - 1]) + _above(rock_n[j]) + _above(-rock_s[j])
            lie = there[j] * weight[j]
            # Not `/`, as above; a quotient by 0 is not taken.
            met, bare = np.divide(lie, slides), ready[j] * np.divide(falls - lie, falls)
            give[j] = met if slides > lie else 1.0
            broken[j] = bare if falls > lie else 0.0
    for i in range(RING - 1, share.shape[0] - RING):
        e, n, rock_e, rock_n = east[i], north[i], rock_east[i], rock_north[i]
        give, broken, give_above, broken_above = gives[i], breaks[i], gives[i + 1], breaks[i + 1]
        for j in range(RING - 1, share.shape[1] - RING):
            slid, fell = give[j] if e[j] > 0.0 else give[j + 1], broken[j] if rock_e[j] > 0.0 else broken[j + 1]
            to_east = e[j] * slid + rock_e[j] * fell
            slid, fell = give[j] if n[j] > 0.0 else give_above[j], broken[j] if rock_n[j] > 0.0 else broken_above[j]
            to_north = n[j] * slid + rock_n[j] * fell
            e[j], n[j] = to_east, to_north


@kernel
def _above(value: float) -> float:
    """What of a number is above 0; plainer than `max`, which asks for NaN too."""
    return value if value > 0.0 else 0.0


@kernel
def _lay(
    height: Heights, loose: Heights, share: Grid, east: Heights, north: Heights, row0: int, col0: int,
    rows: int, cols: int, new_height: Heights, new_loose: Heights,
) -> bool:  # fmt: skip
    """Add up what comes and goes at each vertex of a tile; returns whether anything did."""
    busy = 0
    for i in range(rows):
        old, lies = height[row0 + i, col0 : col0 + cols], loose[row0 + i, col0 : col0 + cols]
        new, lay = new_height[row0 + i, col0 : col0 + cols], new_loose[row0 + i, col0 : col0 + cols]
        weight = share[i + RING]
        to_east, to_north, from_south = east[i + RING], north[i + RING], north[i + RING - 1]
        for j in range(cols):
            k = j + RING
            e, w, n, s = to_east[k], to_east[k - 1], to_north[k], from_south[k]
            goes = _above(e) + _above(-w) + _above(n) + _above(-s)
            comes = _above(w) + _above(-e) + _above(s) + _above(-n)
            thick = np.divide(1.0, weight[k]) if weight[k] > 0.0 else 0.0
            # What lies loose goes first.
            lay[j] = _above(lies[j] - goes * thick) + comes * thick
            new[j] = old[j] + (comes - goes) * thick
            busy |= 1 if goes > 0.0 else 0
    return busy > 0
