"""Dunes: wind carries sand over bedrock, drops it in the lee, and steep lees avalanche.

A continuous relation of flux and shape after Kroy, Sauermann & Herrmann, "Minimal model for aeolian sand dunes" (2002):
the wind carries more over what stands out to windward (Jackson & Hunt, "Turbulent wind flow over a low hill", 1975),
the flux follows it over a saturation length, and in the shadow behind a crest, below a line that falls by 15° (Werner,
"Eolian dunes: computer simulations and attractor interpretation", 1995), nothing is carried. The exact law needs a
transform of the whole profile; here three means that lag behind the wind stand for it, so that one pass downwind does.

The grid is cut into lines along the wind, a column further for every so many rows. Each vertex lies on one line, so
lines run at once, no sand is made or lost, and no order can matter.
"""

import math
from collections.abc import Callable
from typing import Annotated, NamedTuple, TypeVar

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.erosion.ground import Footing, Heights, check_inputs, footing_of, grid_of, store
from terrain.erosion.outcome import Eroded, Grid
from terrain.erosion.thermal import Heap, Slide, heap_of, settle
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel
from terrain.noise import hash2
from terrain.params import Params, about

_Number = TypeVar("_Number", np.float32, np.float64)

_MOST = 0.25
"""Flux of one gust, square cells: more would make waves of one cell that are none of the sand's."""
_LAGS = (4.0, 16.0, 64.0)
"""Lengths of the lagging means over the saturation length; each stands for what is about as long."""
_FASTEST = 4.0
"""Most that a shape may speed the flux up."""
_SLIDES = 4
"""Gusts between two sweeps of sliding in all directions; along the wind it slides with every gust."""
_REST = 60
"""Most sweeps of sliding at the end."""
_ASIDE = 0.3
"""How far grains stray to the side: diffusivity across the wind over flux; it joins the lines to crests."""
_STRAYS = 4
"""Gusts between two sweeps of straying."""
_LANES = 64
"""Lines that are walked together."""
_GUSTS = 256
"""Rows and spare columns of the table of gusts."""


class DuneParams(Params, frozen=True, kw_only=True):
    """How the wind blows, and how much sand there is."""

    toward: Annotated[float, about("Where the wind blows to; 0 north, 90 east", unit="°", ge=-360, le=360)] = 90.0
    years: Annotated[float, about("How long it blows", unit="yr", ge=0, le=1e5)] = 3.0
    flux: Annotated[float, about("Sand that the wind carries over flat sand", unit="m²/yr", ge=0, le=1000)] = 20.0
    sand: Annotated[float, about("How deep the ground is sand at the start", unit="m", ge=0, le=1000)] = 3.0
    inflow: Annotated[float, about("Sand that the wind brings over the border, as a share of flux", ge=0, le=1)] = 1.0
    saturation: Annotated[float, about("Length over which the wind takes up its load", unit="m", ge=0.1, le=100)] = 1.0
    speedup: Annotated[float, about("How much faster the wind is over what stands out", ge=0, le=20)] = 8.0
    shadow: Annotated[float, about("Angle below a crest that is sheltered", unit="°", ge=1, le=60)] = 15.0
    angle: Annotated[float, about("Steepest slope that sand keeps", unit="°", ge=1, le=60)] = 34.0
    gusts: Annotated[float, about("How uneven the wind is", ge=0, le=1)] = 0.1
    seed: Annotated[int, about("Another seed, other gusts", ge=0, le=2**31 - 1)] = 1


class _Wind(NamedTuple):
    """One gust, for a kernel; lengths along the wind, fluxes as metres of height in one vertex's cell."""

    tangent: float
    """Columns for each row of a line, 0..1."""
    phase: float
    load: float
    inflow: float
    follow: float
    """Share of what is missing that the flux gains in one step."""
    lags: NDArray[np.float64]
    """Share by which each of three lagging means follows in one step."""
    gains: NDArray[np.float64]
    """Share of the flux that each metre above a lagging mean adds."""
    shade: float
    """Fall of the shadow in one step, metres."""
    rest: float
    """Fall at the angle of rest in one step, metres."""
    sea: float
    gust_row: int
    gust_col: int


class _Turn(NamedTuple):
    """How a grid is turned so that the wind blows up its rows, and from lower to higher columns."""

    swap: bool
    flip_rows: bool
    flip_cols: bool
    tangent: float


def blow(
    field: VectorField,
    params: DuneParams,
    sea: float = -math.inf,
    *,
    softness: Grid | None = None,
    sand: Grid | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Eroded:
    """Let the wind shape sand for some years.

    sea: height below which no wind blows, metres. softness: 0..1 (rows, cols), which share of the sand wind may take at
    once; 0 holds it. sand: metres (rows, cols), how deep the ground is sand at the start, in place of `params.sand`;
    it is the uppermost part of the ground, not laid on it. progress: called often with the share done, may raise to
    cancel. Raises `SkerryError` for numbers that are not finite. On a displaced field areas are real and lengths
    along the wind those of the grid; undersides, walls, and what lies over or under an underside stay.
    Grids: wear, deposit [m], net, and sand [m], how deep it lies at the end.
    """
    check_inputs(field, softness=softness, sand=sand)
    footing, turn = footing_of(field), _turn(params.toward)
    depth = np.full((field.rows, field.cols), params.sand) if sand is None else np.maximum(sand, 0.0).astype(np.float64)
    before = np.array(field.offset[..., 2], np.float64)
    heap = heap_of(_turned(before, turn), _turned(depth, turn))
    step = math.hypot(1.0, turn.tangent) * field.cell
    count = math.ceil(params.flux * params.years / (_MOST * field.cell**2))
    exported = 0.0
    if count > 0:
        wind = _wind(params, sea, turn, step, params.flux * params.years / count / step)
        heap, exported = _gusts(heap, wind, _slide(footing, turn, params), params, softness, turn, count, progress)
    height, depth = (_turned_back(grid[0], turn) for grid in (heap.height, heap.loose))
    laid = np.maximum(height - before, 0.0)
    return store(field, footing, height, laid, exported * field.cell**2, sand=depth.astype(np.float32))


def _turn(toward: float) -> _Turn:
    east, north = math.sin(math.radians(toward)), math.cos(math.radians(toward))
    swap = abs(east) > abs(north)
    along, aside = (east, north) if swap else (north, east)
    # What sines leave of a right angle would be one column in 10^16 rows.
    return _Turn(swap, along < 0.0, aside < 0.0, round(abs(aside / along), 12))


def _turned(grid: NDArray[_Number], turn: _Turn) -> NDArray[_Number]:
    grid = grid.swapaxes(0, 1) if turn.swap else grid
    return np.array(grid[:: -1 if turn.flip_rows else 1, :: -1 if turn.flip_cols else 1], order="C")


def _turned_back(grid: Heights, turn: _Turn) -> Heights:
    grid = grid[:: -1 if turn.flip_rows else 1, :: -1 if turn.flip_cols else 1]
    return np.array(grid.swapaxes(0, 1) if turn.swap else grid, order="C")


def _slide(footing: Footing, turn: _Turn, params: DuneParams) -> Slide:
    """How sand slides, on the turned grid; bedrock never breaks."""
    area, metric = footing.area, footing.metric
    if area.size:
        area, metric = _turned(area, turn), _turned(metric, turn)
        if turn.swap:
            metric = np.array(metric[..., ::-1], order="C")
        if turn.flip_rows != turn.flip_cols:
            metric[..., 1] *= -1.0
    hard = np.zeros((1, 1), np.float32)
    return Slide(footing.cell, area, metric, math.tan(math.radians(params.angle)), grid_of(None), hard)


def _wind(params: DuneParams, sea: float, turn: _Turn, step: float, load: float) -> _Wind:
    lags = np.array(_LAGS) * params.saturation
    return _Wind(
        tangent=turn.tangent,
        phase=0.0,
        load=load,
        inflow=params.inflow,
        follow=1.0 - math.exp(-step / params.saturation),
        lags=1.0 - np.exp(-step / lags),
        gains=params.speedup / lags,
        shade=step * math.tan(math.radians(params.shadow)),
        rest=step * math.tan(math.radians(params.angle)),
        sea=sea,
        gust_row=0,
        gust_col=0,
    )


def _gusts(
    heap: Heap, wind: _Wind, slide: Slide, params: DuneParams, softness: Grid | None, turn: _Turn, count: int,
    progress: Callable[[float], None],
) -> tuple[Heap, float]:  # fmt: skip
    """Blow, and slide now and then; returns the heap, whose first arrays are the last, and the metres exported."""
    shape = heap.height[0].shape
    loose = np.ones(shape, np.float32) if softness is None else _turned(grid_of(softness), turn)
    thick = np.ones(shape, np.float32)
    if slide.area.size:
        thick = np.where(slide.area > 0.0, 1.0 / np.maximum(slide.area, 1e-6), 0.0).astype(np.float32)
    table = np.empty((_GUSTS, shape[1] + _GUSTS), np.float32)
    _fill_gusts(table, params.gusts, params.seed)
    lines = shape[1] + math.ceil(turn.tangent * shape[0]) + 1
    aside = _ASIDE * params.flux * params.years / count / slide.cell**2 / (1.0 + turn.tangent**2)
    left = np.zeros(math.ceil(lines / _LANES))
    for number in range(count):
        mixed = [int(hash2(number, which, params.seed ^ 0x5BD1E995)) for which in range(3)]
        now = wind._replace(phase=mixed[0] / 2.0**32, gust_row=mixed[1] % _GUSTS, gust_col=mixed[2] % _GUSTS)
        progress(number / count)
        _gust(heap.height[0], heap.loose[0], loose, thick, table, now, left)
        if number % _STRAYS == _STRAYS - 1:
            _stray(heap.height[0], heap.loose[0], thick, turn.tangent, now.phase, _STRAYS * aside)
        if number % _SLIDES == _SLIDES - 1 or number == count - 1:
            heap = _slid(heap, slide, 1 if number < count - 1 else _REST, _still(progress, number / count))
    return heap, float(left.sum())


def _still(progress: Callable[[float], None], share: float) -> Callable[[float], None]:
    return lambda _: progress(share)


def _slid(heap: Heap, slide: Slide, sweeps: int, progress: Callable[[float], None]) -> Heap:
    heap.moved[0][1:-1, 1:-1] = True
    if settle(heap, slide, sweeps, progress) == 0:
        return heap
    return Heap(heap.height[::-1], heap.loose[::-1], heap.moved[::-1])


@parallel_kernel
def _fill_gusts(table: Grid, strength: float, seed: int) -> None:
    for row in prange(table.shape[0]):
        for col in range(table.shape[1]):
            table[row, col] = 1.0 + strength * (np.int64(hash2(col, row, seed)) / 2147483648.0 - 1.0)


@parallel_kernel
def _gust(
    height: Heights, sand: Heights, loose: Grid, thick: Grid, table: Grid, wind: _Wind, left: NDArray[np.float64]
) -> None:
    """Walk all lines downwind once; adds the metres of sand that leave, less what comes in, to `left`."""
    first = -int(wind.tangent * (height.shape[0] - 1) + wind.phase)
    for band in prange(len(left)):
        low = first + band * _LANES
        if low < height.shape[1]:
            left[band] += _walk(height, sand, loose, thick, table, wind, low, min(low + _LANES, height.shape[1]))


@kernel
def _walk(
    height: Heights, sand: Heights, loose: Grid, thick: Grid, table: Grid, wind: _Wind, first: int, end: int
) -> float:
    """Walk the lines that start at columns `first` to `end`, where the wind's row is 0, side by side."""
    rows, cols = height.shape
    carried, crest, means = np.empty(end - first), np.empty(end - first), np.empty((3, end - first))
    left, last_shift = 0.0, 0
    for row in range(rows):
        shift = int(wind.tangent * row + wind.phase)
        # A line enters where its column becomes 0, and leaves over the side where it becomes `cols`.
        low, high = max(first, -shift), min(end, cols - shift)
        if row > 0 and shift > last_shift and first <= cols - shift < end:
            left += carried[cols - shift - first]
        fresh = low if row == 0 else max(first, -last_shift)
        for line in range(low, high if row == 0 else min(fresh, high)):
            level = height[row, line + shift]
            carried[line - first], crest[line - first] = wind.inflow * wind.load, level
            means[0, line - first], means[1, line - first], means[2, line - first] = level, level, level
            left -= wind.inflow * wind.load
        if high > low:
            a, b, to = low - first, high - first, low + shift
            gust_row, gust_col = (row + wind.gust_row) % _GUSTS, low + shift + wind.gust_col
            _carry(
                height[row, to:], sand[row, to:], loose[row, to:], thick[row, to:], table[gust_row, gust_col:], wind,
                carried[a:b], crest[a:b], means[0, a:b], means[1, a:b], means[2, a:b],
            )  # fmt: skip
            start = low if row == 0 else min(fresh, high)
            back = start + last_shift
            if row > 0 and high > start:
                _avalanche(
                    height[row - 1, back:], sand[row - 1, back:], thick[row - 1, back:], height[row, start + shift :],
                    sand[row, start + shift :], thick[row, start + shift :], wind.rest, high - start,
                )  # fmt: skip
        last_shift = shift
    for line in range(max(first, -last_shift), min(end, cols - last_shift)):
        left += carried[line - first]
    return left


@kernel
def _carry(
    height: Heights, sand: Heights, loose: Grid, thick: Grid, gusts: Grid, wind: _Wind,
    carried: Heights, crest: Heights, near: Heights, middle: Heights, far: Heights,
) -> None:  # fmt: skip
    """One step of each line: take sand up, or drop it."""
    lag_near, lag_middle, lag_far = wind.lags[0], wind.lags[1], wind.lags[2]
    gain_near, gain_middle, gain_far = wind.gains[0], wind.gains[1], wind.gains[2]
    for k in range(len(carried)):
        there = thick[k] > 0.0
        level = height[k] if there else near[k]
        falls = crest[k] - wind.shade
        lit = level >= falls and level >= wind.sea
        crest[k] = level if level > falls else falls
        near[k] += lag_near * (level - near[k])
        middle[k] += lag_middle * (level - middle[k])
        far[k] += lag_far * (level - far[k])
        speed = 1.0 + gain_near * (level - near[k]) + gain_middle * (level - middle[k])
        speed += gain_far * (level - far[k])
        speed = speed if speed > 0.0 else 0.0
        speed = speed if speed < _FASTEST else _FASTEST
        most = wind.load * speed * gusts[k] if lit else 0.0
        drops = wind.follow * (carried[k] - most)
        # No more than lies there; `thick` is height for each volume, 0 where nothing can lie.
        lies = np.divide(sand[k] * loose[k], thick[k]) if there else 0.0
        drops = drops if drops > -lies else -lies
        drops = drops if there else 0.0
        carried[k] -= drops
        height[k] += drops * thick[k]
        sand[k] += drops * thick[k]
        sand[k] = sand[k] if sand[k] > 0.0 else 0.0


@kernel
def _avalanche(
    height: Heights, sand: Heights, thick: Grid, low_height: Heights, low_sand: Heights, low_thick: Grid,
    rest: float, count: int,
) -> None:  # fmt: skip
    """Let sand slide one step downwind where that is too steep; going down with the walk, it reaches the foot."""
    for k in range(count):
        both = thick[k] + low_thick[k]
        volume = np.divide(height[k] - low_height[k] - rest, both)
        lies = np.divide(sand[k], thick[k])
        volume = volume if volume < lies else lies
        volume = volume if volume > 0.0 and thick[k] > 0.0 and low_thick[k] > 0.0 else 0.0
        height[k] -= volume * thick[k]
        sand[k] -= volume * thick[k]
        low_height[k] += volume * low_thick[k]
        low_sand[k] += volume * low_thick[k]


@parallel_kernel
def _stray(height: Heights, sand: Heights, thick: Grid, tangent: float, phase: float, share: float) -> None:
    """Let sand diffuse along lines across the wind: a row down for every so many columns."""
    rows, cols = height.shape
    for line in prange(rows + int(tangent * (cols - 1) + phase)):
        came, row, last = 0.0, -1, -1
        for col in range(cols):
            here = line - int(tangent * col + phase)
            if here >= rows:
                continue
            if here < 0:
                break
            if row >= 0:
                volume = _strays(height[row, last], sand[row, last], thick[row, last], height[here, col],
                                 sand[here, col], thick[here, col], share)  # fmt: skip
                height[row, last] += (came - volume) * thick[row, last]
                sand[row, last] = max(sand[row, last] + (came - volume) * thick[row, last], 0.0)
                came = volume
            row, last = here, col
        if row >= 0:
            height[row, last] += came * thick[row, last]
            sand[row, last] = max(sand[row, last] + came * thick[row, last], 0.0)


@kernel
def _strays(
    high: float, lies: float, thick: float, low: float, low_lies: float, low_thick: float, share: float
) -> float:  # fmt: skip
    """Volume that goes from one vertex to the next, at most half of what lies there, as it gives to both sides."""
    if thick == 0.0 or low_thick == 0.0:
        return 0.0
    if thick == 1.0 and low_thick == 1.0:
        return min(max(share * (high - low), -0.5 * low_lies), 0.5 * lies)
    volume = 2.0 * share * (high - low) / (thick + low_thick)
    return min(max(volume, -0.5 * low_lies / low_thick), 0.5 * lies / thick)
