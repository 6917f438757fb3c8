"""Waves cut cliffs into steep open coasts, and the sand that these yield is laid as beaches where it is calmer."""

import math
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.erosion.exposure import (
    Blocks,
    ExposureParams,
    along_shore,
    area_of,
    books,
    coast_exposure,
    ocean_of,
    open_to_sky,
    refuse_not_finite,
    share_of,
)
from terrain.erosion.outcome import Eroded, Grid
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel
from terrain.masks.coast import coast_distance
from terrain.noise import noise2
from terrain.params import Params, about

_CHUNKS = 256
_MOST_MEASURED = 1_500_000
_NO_SHORE = np.empty(0, np.float32)


class CoastalParams(Params, frozen=True, kw_only=True):
    """What waves do to a coast; every length in metres, so that the cell size does not matter."""

    strength: Annotated[float, about("Share of the full retreat that has happened", ge=0, le=1)] = 1.0
    retreat: Annotated[float, about("How far an open coast of soft ground is cut back", unit="m", ge=0, le=1e3)] = 25.0
    steep: Annotated[float, about("Slope of the land from which waves cut a cliff", unit="°", ge=1, le=60)] = 14.0
    cliff: Annotated[float, about("Slope of the cliff", unit="°", ge=20, le=85)] = 68.0
    platform: Annotated[float, about("Slope of the rock before the cliff", unit="°", ge=0.1, le=15)] = 1.5
    sand: Annotated[float, about("Share of what is cut that stays as sand; the rest is washed away", ge=0, le=1)] = 0.7
    berm: Annotated[float, about("Height of a beach's crest above the sea", unit="m", ge=0.1, le=20)] = 2.0
    face: Annotated[float, about("Slope of a beach above the water", unit="°", ge=1, le=30)] = 6.0
    back: Annotated[float, about("Slope of a beach behind its crest", unit="°", ge=0.5, le=30)] = 3.0
    dean: Annotated[float, about("Dean's A: depth = A·distance^⅔; fine sand 0.08, coarse 0.2", ge=0.01, le=1)] = 0.15
    grain: Annotated[float, about("Grain size, which sets A by Moore's table", unit="mm", ge=0.05, le=300)] | None = (
        None
    )
    closure: Annotated[float, about("Depth below which waves move no sand", unit="m", ge=0.1, le=50)] = 6.0
    widest: Annotated[float, about("How far a beach moves the shore out in calm water", unit="m", ge=0, le=500)] = 30.0
    shelter: Annotated[float, about("How far open waves hold sand back", unit="m", ge=0, le=500)] = 50.0
    drift: Annotated[float, about("How far sand wanders along the shore", unit="m", ge=1, le=1e4)] = 300.0
    uneven: Annotated[float, about("Share by which the retreat varies along the coast", ge=0, le=1)] = 0.3
    uneven_size: Annotated[float, about("Size of those variations", unit="m", ge=1, le=1e4)] = 80.0
    seed: Annotated[int, about("Another seed, other variations", ge=0, le=2**31 - 1)] = 1
    fetch: Annotated[float, about("Open water over which waves grow", unit="m", ge=1, le=1e5, group="Waves")] = 1e3
    wind_deg: (
        Annotated[float, about("Where the wind comes from, clockwise from north", unit="°", group="Waves")] | None
    ) = None
    spread_deg: Annotated[float, about("How far waves turn off the wind", unit="°", ge=5, le=360, group="Waves")] = 60.0
    least_area: Annotated[float, about("Water that is no lake", unit="m²", ge=0, group="Waves")] = 1e5


class Coast(NamedTuple):
    """Per vertex (rows, cols): metres seaward of the coast before, exposure 0..1, metres of retreat, free to move."""

    seaward: Grid
    exposure: Grid
    retreat: Grid
    free: Grid


class Profile(NamedTuple):
    """A beach's shape, in metres and as slopes."""

    sea: float
    berm: float
    face: float
    back: float
    dean: float
    closure: float
    widest: float
    shelter: float


class Sand(NamedTuple):
    """Vertices that may get sand, each (n,): metres seaward of the new coast, exposure, height, m², free, shore."""

    seaward: Grid
    exposure: Grid
    height: Grid
    area: NDArray[np.float64]
    free: Grid
    shore: Grid
    """How far out the shore stands here when the sand is shared out locally, metres."""


def dean_of_grain(grain: float) -> float:
    """Dean's A, m^⅓, of sand and gravel of `grain` millimetres.

    Moore's table as Hanson & Kraus wrote it in GENESIS (US Army CERC-89-19, 1989).
    """
    for limit, factor, power in ((0.4, 0.41, 0.94), (10.0, 0.23, 0.32), (40.0, 0.23, 0.28)):
        if grain < limit:
            return factor * float(np.power(grain, power))
    return 0.46 * float(np.power(grain, 0.11))


def coastal(
    field: VectorField,
    params: CoastalParams,
    sea: float,
    *,
    softness: Grid | None = None,
    supply: Grid | float | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Eroded:
    """Cut cliffs into steep open coasts and lay what they yield as beaches.

    sea: its level, metres. softness: 0..1 (rows, cols), how readily the coast is cut; 1 if absent. supply: sand from
    elsewhere, m³, as rivers bring it: where it arrives (rows, cols), or one number for all shores. Only the ocean's
    coasts change, not those of lakes. Cliffs retreat by exposure × softness, over a platform that dips from their
    foot. A beach has a straight face up to a berm and Dean's profile under water, depth = A·distance^⅔ (Dean,
    "Equilibrium beach profiles", J. Coastal Research 7, 1991). Its shore stands as far out as there is sand: first
    shared within the drift length, and what finds no room moves on along the coast. Sand that finds none at all is
    exported. Heights alone change; distances are level ones in the world (see `coast_distance`), and nothing moves
    near an overhang. Grids besides wear and deposit: `beach` [m] sand laid, `cliff` and `platform` 0..1, where rock
    was cut. Raises `SkerryError` for a number that is not finite. The same bytes at any number of threads.
    """
    supplied = {} if supply is None else {"supply": supply}
    refuse_not_finite(offset=field.offset, sea=sea, softness=softness, **supplied)
    ocean = ocean_of(field, sea, params.least_area)
    before = np.ascontiguousarray(field.offset[..., 2])
    nothing = np.zeros(before.shape, np.float32)
    if not ocean.any() or ocean.all():
        return _result(field, area_of(field), nothing, nothing, nothing, nothing)
    progress(0.0)
    coast = _coast(field, ocean, params, sea, softness, progress)
    cut, face, flat = np.empty_like(before), np.empty_like(before), np.empty_like(before)
    slopes = math.tan(math.radians(params.cliff)), math.tan(math.radians(params.platform))
    _cut(before, coast, sea, slopes[0], slopes[1], max(params.retreat, 1e-3), cut, face, flat)
    progress(0.7)
    area = area_of(field)
    yielded = params.sand * np.where(cut > 0.0, area * cut, 0.0)
    fill = _beaches(field, before - cut, area, coast, params, sea, yielded, supply, progress)
    return _result(field, area, cut, fill, face, flat)


def _coast(
    field: VectorField,
    ocean: NDArray[np.bool_],
    params: CoastalParams,
    sea: float,
    softness: Grid | None,
    progress: Callable[[float], None],
) -> Coast:
    """Distance to the coast, and what the nearest stretch of coast is like, all smooth in plan."""
    seaward = _seaward(field, ocean, sea)
    progress(0.4)
    blocks = Blocks.over(field, min(params.fetch / 150.0, 0.25 * params.retreat + field.cell))
    waves = ExposureParams(fetch=params.fetch, wind_deg=params.wind_deg, spread_deg=params.spread_deg)
    places = blocks.places()
    exposed = coast_exposure(blocks, share_of(ocean, blocks, places), waves, lambda share: progress(0.4 + 0.15 * share))
    inland, reach = np.maximum(-seaward, 0.0), max(params.retreat, 3.0 * field.cell)
    near = np.maximum(0.0, 1.0 - inland / reach) * (inland > 0.0)
    steep = _weighted(blocks, places, np.maximum(0.0, field.offset[..., 2] - np.float32(sea)), near, inland * near)
    limit = math.tan(math.radians(params.steep))
    retreat = params.retreat * params.strength * _step(exposed, 0.12, 0.35) * exposed * _step(steep, 0.5 * limit, limit)
    if softness is not None:
        retreat *= _weighted(blocks, places, softness, near, near)
    retreat *= _variation(blocks, params)
    progress(0.6)
    return Coast(seaward, blocks.read(np.clip(exposed, 0.0, 1.0)), blocks.read(retreat), open_to_sky(field))


def _seaward(field: VectorField, ocean: NDArray[np.bool_], sea: float) -> Grid:
    """Metres (rows, cols) seaward of the ocean's coast, less than zero on land; smoothed by a cell and a half.

    Beyond a million and a half of vertices every second, third, … is measured.
    """
    from scipy.ndimage import gaussian_filter

    step = math.ceil(math.sqrt(ocean.size / _MOST_MEASURED))
    at = [np.minimum(np.arange(0, size + step - 1, step), size - 1) for size in ocean.shape]
    some = np.ix_(*at)
    dry, wet = field.offset[some], ocean[some]
    height = dry[..., 2]
    height[(height <= sea) & ~wet] = np.nextafter(np.float32(sea), np.float32(np.inf))
    if wet.all() or not wet.any():
        return np.full(ocean.shape, np.inf if wet.any() else -np.inf, np.float32)
    # The last ones may stand closer than a step.
    dry[..., 0] -= ((np.arange(len(at[1])) * step - at[1]) * field.cell).astype(np.float32)
    dry[..., 1] -= ((np.arange(len(at[0])) * step - at[0]) * field.cell).astype(np.float32)[:, None]
    distance = coast_distance(VectorField(dry, field.cell * step), float(np.float32(sea)))
    if step > 1:
        distance = _between(_between(distance, at[0]).T, at[1]).T
    # Carried on straight beyond the border, so that no coast turns there.
    wide = np.pad(distance, 6, mode="reflect", reflect_type="odd")
    return np.ascontiguousarray(-gaussian_filter(wide, 1.5, mode="nearest", truncate=4.0)[6:-6, 6:-6])


def _between(values: Grid, at: NDArray[np.int64]) -> Grid:
    """Rows of values that stand at some whole numbers, read linearly at all numbers up to the last."""
    wanted = np.arange(at[-1] + 1)
    low = np.minimum(np.searchsorted(at, wanted, side="right") - 1, len(at) - 2)
    part = ((wanted - at[low]) / np.maximum(at[low + 1] - at[low], 1)).astype(np.float32)[:, None]
    return np.asarray(values[low] + part * (values[low + 1] - values[low]))


def _weighted(blocks: Blocks, places: NDArray[np.int64], values: Grid, weight: Grid, over: Grid) -> NDArray[np.float64]:
    """Sum of values × weight over that of `over`, along the shore."""
    below, above = blocks.gather(over, places), blocks.gather(values * weight, places)
    return along_shore(above / np.maximum(below, 1e-9), below / blocks.size**2)


def _step(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Smooth step from 0 at low to 1 at high."""
    part = np.clip((values - low) / (high - low), 0.0, 1.0)
    return np.asarray(part * part * (3.0 - 2.0 * part))


def _variation(blocks: Blocks, params: CoastalParams) -> NDArray[np.float64]:
    out = np.empty((blocks.rows, blocks.cols))
    x0, y0 = blocks.field.origin
    _noise((x0 + blocks.left) / params.uneven_size, (y0 + blocks.bottom) / params.uneven_size,
           blocks.size / params.uneven_size, params.seed, out)  # fmt: skip
    return np.asarray(np.clip(1.0 + 1.5 * params.uneven * out, 0.0, 2.0))


@kernel
def _noise(x: float, y: float, step: float, seed: int, out: NDArray[np.float64]) -> None:
    for row in range(out.shape[0]):
        for col in range(out.shape[1]):
            out[row, col] = noise2(x + (col + 0.5) * step, y + (row + 0.5) * step, seed)[0]


@kernel
def _rise(value: float, low: float, high: float) -> float:
    part = min(max((value - low) / (high - low), 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)


@parallel_kernel
def _cut(
    height: Grid,
    coast: Coast,
    sea: float,
    cliff: float,
    platform: float,
    reach: float,
    cut: Grid,
    face: Grid,
    flat: Grid,
) -> None:
    for row in prange(height.shape[0]):
        for col in range(height.shape[1]):
            cut[row, col] = face[row, col] = flat[row, col] = 0.0
            retreat, seaward = float(coast.retreat[row, col]), float(coast.seaward[row, col])
            # Far out at sea shoals keep their tops, however level they are.
            share = _rise(retreat, 0.0, 0.1 * reach) * (1.0 - _rise(seaward, 0.5 * reach, reach))
            share *= coast.free[row, col]
            if share == 0.0:
                continue
            behind = -seaward - retreat
            rock = sea + behind * (cliff if behind > 0.0 else platform)
            taken = share * max(0.0, height[row, col] - rock)
            cut[row, col] = taken
            if behind > 0.0:
                face[row, col] = min(1.0, 2.0 * taken)
            else:
                flat[row, col] = min(1.0, 2.0 * taken)


def _beaches(
    field: VectorField,
    height: Grid,
    area: NDArray[np.float64],
    coast: Coast,
    params: CoastalParams,
    sea: float,
    yielded: NDArray[np.float64],
    supply: Grid | float | None,
    progress: Callable[[float], None],
) -> Grid:
    """Thickness of sand (rows, cols), metres, whose volume is what the cliffs yield and what is supplied."""
    fill = np.zeros(height.shape, np.float32)
    budget = float(yielded.sum()) + (0.0 if supply is None else float(np.sum(supply, dtype=np.float64)))
    if budget <= 0.0:
        return fill
    profile = _profile(params, sea)
    shore = coast.seaward + coast.retreat
    place = np.nonzero(_may_fill(shore, coast, height, profile))
    sand = Sand(shore[place], coast.exposure[place], height[place], area[place], coast.free[place], _NO_SHORE)
    sand = sand._replace(shore=np.zeros(len(sand.area), np.float32))
    laid, sums = np.empty(len(sand.area), np.float32), np.empty(_CHUNKS)
    if not len(laid):
        return fill
    blocks = Blocks.over(field, params.drift / 6.0)
    places = blocks.places()
    source = blocks.gather(yielded, places)
    if supply is not None:
        near = np.maximum(0.0, 1.0 - np.abs(coast.seaward) / (2.0 * field.cell + params.retreat))
        even = np.float32(supply) * near / near.sum(dtype=np.float64) if np.ndim(supply) == 0 else supply
        source += blocks.gather(np.asarray(even), places)
    found = _share_out(blocks, source, sand, places[place], profile, laid, sums, progress)
    sand = sand._replace(shore=blocks.read(found)[place])
    _solve(sand, profile, budget, laid, sums, progress)
    fill[place] = laid
    return fill


def _profile(params: CoastalParams, sea: float) -> Profile:
    face, back = (math.tan(math.radians(angle)) for angle in (params.face, params.back))
    dean = params.dean if params.grain is None else dean_of_grain(params.grain)
    return Profile(sea, params.berm, face, back, dean, params.closure, params.widest, params.shelter)


def _share_out(
    blocks: Blocks,
    source: NDArray[np.float64],
    sand: Sand,
    places: NDArray[np.int64],
    profile: Profile,
    laid: Grid,
    sums: NDArray[np.float64],
    progress: Callable[[float], None],
) -> NDArray[np.float64]:
    """Where the shore stands in each block, metres, if all sand stays within about the drift length.

    The volume that lies seaward of a shore is added up by blocks for a row of shores; both it and the sand are spread
    by the same Gaussian, and the shore that holds the sand is read off between them.
    """
    from scipy.ndimage import gaussian_filter

    lowest = -((profile.closure / profile.dean) ** 1.5) - 1.0
    shores = np.concatenate([lowest * np.linspace(1.0, 0.0, 10) ** 2, np.linspace(0.0, 1.0, 5)[1:] * profile.widest])
    spread = gaussian_filter(source, 3.0)
    found, held = np.full(source.shape, lowest), np.zeros(source.shape)
    for k, shore in enumerate(shores[1:]):
        progress(0.75 + 0.1 * k / len(shores))
        _lay(sand, profile, shore, laid, sums)
        more = gaussian_filter(blocks.gather(laid * sand.area, places), 3.0)
        part = np.clip((spread - held) / np.maximum(more - held, 1e-6), 0.0, 1.0)
        found += (shore - shores[k]) * part
        held = more
    return found


def _solve(
    sand: Sand,
    profile: Profile,
    budget: float,
    laid: Grid,
    sums: NDArray[np.float64],
    progress: Callable[[float], None],
) -> None:
    """Move all shores out or in until the sand laid is the budget, or until all beaches are full."""
    span = float(sand.shore.max() - sand.shore.min()) + profile.widest + (profile.closure / profile.dean) ** 1.5 + 1.0

    def volume(shift: float) -> float:
        return _lay(sand, profile, shift, laid, sums)

    if volume(span) > budget:
        solve_rising(volume, -span, span, budget, lambda share: progress(0.85 + 0.14 * share))


def solve_rising(
    volume: Callable[[float], float], low: float, high: float, wanted: float, progress: Callable[[float], None]
) -> float:
    """Where between low and high a volume that rises with its argument, from 0, is as wanted; it is called last there.

    To 1e-8 of the wanted volume, or as fine as numbers go.
    """
    under, over, middle = -wanted, volume(high) - wanted, high
    for step in range(200):
        progress(min(1.0, step / 20))
        # The secant converges fast; halving now and then keeps it from creeping.
        middle = 0.5 * (low + high) if step % 3 == 2 else low - under * (high - low) / (over - under)
        error = volume(middle) - wanted
        if abs(error) <= 1e-8 * wanted or not low < middle < high:
            break
        if error < 0.0:
            low, under = middle, error
        else:
            high, over = middle, error
    return middle


def _lay(sand: Sand, profile: Profile, shift: float, laid: Grid, sums: NDArray[np.float64]) -> float:
    """Fill in the thickness of sand (n,) with all shores moved out by `shift` metres; returns its volume, m³."""
    _thickness(sand, profile, shift, laid, sums)
    return float(sums.sum())


@kernel
def _sand_on(seaward: float, exposure: float, height: float, shore: float, p: Profile) -> float:
    """Thickness of a beach at one place, whose shore stands `shore` metres out where there are no waves."""
    closure = p.closure * (0.25 + 0.75 * exposure)
    depth = p.sea - height
    if depth >= closure:
        return 0.0
    out = seaward - min(shore, p.widest) + p.shelter * exposure
    if out >= 0.0:
        rise = -p.dean * np.cbrt(out * out)
    else:
        crest = p.berm / p.face
        rise = -out * p.face if -out < crest else p.berm + (out + crest) * p.back
    return float(max(0.0, rise + depth) * (1.0 - _rise(depth, 0.6 * closure, closure)))


@parallel_kernel
def _may_fill_into(seaward: Grid, coast: Coast, height: Grid, p: Profile, top: float, out: NDArray[np.bool_]) -> None:
    for row in prange(height.shape[0]):
        for col in range(height.shape[1]):
            exposure = float(coast.exposure[row, col])
            most = _sand_on(float(seaward[row, col]), exposure, float(height[row, col]), top, p)
            out[row, col] = most > 0.0 and coast.free[row, col] > 0.0


def _may_fill(seaward: Grid, coast: Coast, height: Grid, profile: Profile) -> NDArray[np.bool_]:
    """Where sand lies if all beaches are as wide as they may be."""
    out = np.empty(height.shape, np.bool_)
    _may_fill_into(seaward, coast, height, profile, profile.widest, out)
    return out


@parallel_kernel
def _thickness(sand: Sand, p: Profile, shift: float, laid: Grid, sums: NDArray[np.float64]) -> None:
    # Summed in pieces that do not depend on how many threads there are.
    count, pieces = len(laid), len(sums)
    for piece in prange(pieces):
        total = 0.0
        for k in range(piece * count // pieces, (piece + 1) * count // pieces):
            shore = float(sand.shore[k]) + shift
            thick = _sand_on(float(sand.seaward[k]), float(sand.exposure[k]), float(sand.height[k]), shore, p)
            laid[k] = thick * sand.free[k]
            total += laid[k] * sand.area[k]
        sums[piece] = total


def _result(field: VectorField, area: NDArray[np.float64], cut: Grid, fill: Grid, face: Grid, flat: Grid) -> Eroded:
    before = field.offset[..., 2]
    after = (before + fill) - cut
    wear = (before + fill) - after
    offset = field.offset.copy()
    offset[..., 2] = after
    covered = np.maximum(0.0, 1.0 - 2.0 * fill).astype(np.float32)
    grids = {"wear": wear, "deposit": fill, "beach": fill.copy(), "cliff": face * covered, "platform": flat * covered}
    return Eroded(offset, grids, books(area, before, after, wear))
