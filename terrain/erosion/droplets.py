"""Rain in millions of droplets: parallel, yet the same bytes for any number of threads.

Each round lays a grid of square tiles over the ground, shifted by a hash of the seed, and visits its tiles in four
colours. Within a tile droplets run one after the other; tiles of one colour run at once, and lie so far apart that
their droplets never touch the same vertex. Places come from a counter-based hash, so no order can matter.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np
from numba import parallel_chunksize, prange
from numpy.typing import NDArray

from terrain.erosion.displaced import metric_of, settle_heights
from terrain.erosion.outcome import Eroded, Grid, Ledger, Progress, finite, is_displaced, quiet
from terrain.erosion.walk import Brush, Ground, Metric, Physics, Softness, walk
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel
from terrain.noise import hash2
from terrain.params import Params, about

_LEAST_TILE = 128


class DropletParams(Params, frozen=True, kw_only=True):
    """How much it rains, and what a droplet does; every length in metres, so that the cell size does not matter."""

    seed: Annotated[int, about("Another seed, other droplets", ge=0, le=2**31 - 1)] = 1
    density: Annotated[float, about("Droplets for each vertex; their total effect stays the same", ge=0, le=64)] = 0.5
    strength: Annotated[float, about("How deep the rain carves", unit="m", ge=0, le=100)] = 0.5
    reach: Annotated[float, about("How far a droplet runs", unit="m", ge=0.01, le=1e4)] = 60.0
    radius: Annotated[float, about("How wide a droplet carves", unit="m", ge=0, le=100)] = 4.0
    inertia: Annotated[float, about("How long water keeps its direction", unit="m", ge=0.001, le=1e4)] = 1.0
    erode: Annotated[float, about("Distance over which ground is picked up", unit="m", ge=0.001, le=1e5)] = 6.0
    settle: Annotated[float, about("Distance over which sediment is dropped", unit="m", ge=0.001, le=1e5)] = 6.0
    evaporate: Annotated[float, about("Distance over which water dries", unit="m", ge=0.001, le=1e6)] = 100.0
    drag: Annotated[float, about("Distance over which water loses its speed", unit="m", ge=0.001, le=1e6)] = 4.0
    least_slope: Annotated[float, about("Slope below which water still carries as much", ge=0, le=1)] = 0.01
    bedrock: Annotated[float, about("How readily bedrock erodes, where loose sediment is 1", ge=0, le=1)] = 0.6


def droplets(
    field: VectorField,
    params: DropletParams,
    sea: float = -math.inf,
    *,
    softness: Grid | None = None,
    rainfall: Grid | None = None,
    progress: Progress = quiet,
) -> Eroded:
    """Erode a field with droplets.

    sea: height at which droplets stop and drop their load, metres. softness, rainfall: 0..1 (rows, cols), where the
    ground erodes and where it rains; everywhere if absent. progress: called often with the share done, may raise to
    cancel. Grids: wear, deposit, `sediment` (what lies loose at the end), all metres, on a displaced field as volume
    over the area of an undisplaced cell; `visits`: metres that fresh droplets walked past a vertex.
    Raises `SkerryError` for a number that is not finite.
    """
    finite(offset=field.offset, softness=softness, rainfall=rainfall)
    displaced = is_displaced(field)
    rain = _rain(field, params, sea, softness, rainfall, 1.5 if displaced else 1.0)
    fold = _fold(field.offset, field.cell, rain.pad) if displaced else None
    metric: Metric = None
    picked, stranded = 0.0, 0.0
    for number in range(rain.rounds):
        if fold is not None:
            metric = metric_of(fold.offset, field.cell)
            metric[..., 3] *= fold.open
        came, left = _round(rain, metric, number, progress)
        picked, stranded = picked + came, stranded + left
        if fold is not None and metric is not None:
            settle_heights(fold.offset, rain.ground, metric, field.cell, fold.net)
        else:
            np.minimum(rain.ground.bedrock, rain.ground.height, out=rain.ground.bedrock)
    return _result(field, rain, fold, picked, stranded)


class _Fold(NamedTuple):
    """What a displaced field needs beside the heights."""

    offset: NDArray[np.float32]
    net: Grid
    """Volume gained so far."""
    open: NDArray[np.bool_]
    """False where the surface looked down at first, as nothing falls or lies there, however its neighbours move."""


def _fold(offset: NDArray[np.float32], cell: float, pad: int) -> _Fold:
    padded = np.pad(offset, ((pad, pad), (pad, pad), (0, 0)), mode="edge")
    return _Fold(padded, np.zeros(padded.shape[:2], np.float32), metric_of(padded, cell)[..., 3] > 0.0)


class _Rain(NamedTuple):
    """What all rounds share."""

    ground: Ground
    soft: Softness
    rainfall: Grid | None
    brush: Brush
    physics: Physics
    pad: int
    """Rows and columns of repeated border around the map, so that its edge is rained on like the rest."""
    rounds: int
    density: float
    """Droplets for each vertex in one round."""
    seed: int
    before: float
    """Sum of the heights, border included."""


def _rain(
    field: VectorField, params: DropletParams, sea: float, softness: Grid | None, rainfall: Grid | None, more: float
) -> _Rain:
    rounds = 8 if params.density <= 1.0 else 16
    brush, physics = brush_of(params.radius / field.cell), physics_of(field.cell, params, sea, more)
    pad = physics.steps + brush.reach + 5
    height = np.pad(field.offset[..., 2], pad, mode="edge")
    ground = Ground(height, np.zeros_like(height), height.copy(), np.zeros_like(height))
    soft, raining = (
        None if a is None else np.pad(a.astype(np.float32), pad, mode="edge") for a in (softness, rainfall)
    )
    return _Rain(
        ground, soft, raining, brush, physics, pad, rounds, params.density / rounds, params.seed, _total(height)
    )


def physics_of(cell: float, params: DropletParams, sea: float, more: float) -> Physics:
    """What droplets obey; more: steps that a walk may take, over those that its reach needs on even cells."""
    return Physics(
        cell=cell,
        steps=max(1, math.ceil(more * params.reach / cell)),
        reach=params.reach,
        capacity=params.strength / params.density if params.density > 0.0 else 0.0,
        least_slope=params.least_slope,
        inertia=params.inertia,
        erode=params.erode,
        settle=params.settle,
        evaporate=params.evaporate,
        drag=params.drag,
        bedrock=params.bedrock,
        sea=sea,
    )


def brush_of(radius: float) -> Brush:
    """Weights that fall linearly to nothing at the radius, in cells (at least 1)."""
    radius = max(radius, 1.0)
    reach = math.ceil(radius) - 1
    away = np.arange(-reach, reach + 1)
    weights = np.maximum(0.0, 1.0 - np.hypot(away[:, None], away) / radius)
    rows, cols = np.nonzero(weights)
    return Brush(rows - reach, cols - reach, (weights[rows, cols] / weights.sum()).astype(np.float32), reach)


def _round(rain: _Rain, metric: Metric, number: int, progress: Progress) -> tuple[float, float]:
    """One round of droplets; returns the volumes picked up and stranded."""
    # Twice a droplet's furthest touch: tiles of one colour are a whole tile apart.
    tile = max(_LEAST_TILE, 2 * (rain.physics.steps + rain.brush.reach + 5))
    mixed = [int(hash2(number, which, rain.seed)) for which in range(3)]
    shift = np.array([mixed[0] % tile, mixed[1] % tile])
    down, across = (math.ceil((size + tile) / tile) for size in rain.ground.height.shape)
    loads = np.zeros((down * across, 2))
    for turn in range(4):
        colour = (turn + mixed[2]) % 4
        rows, cols = np.mgrid[colour // 2 : down : 2, colour % 2 : across : 2]
        numbers = (rows * across + cols).ravel()
        for band in np.array_split(numbers, max(1, len(numbers) // _TILES_AT_ONCE)):
            progress((number + (turn + 0.5) / 4) / rain.rounds)
            corners = np.stack(np.divmod(band, across), axis=1) * tile - shift
            with parallel_chunksize(1):
                _tiles(
                    rain.ground, metric, rain.soft, rain.rainfall, rain.brush, rain.physics,
                    band, corners, tile, rain.density, mixed[0] ^ mixed[2], loads,
                )  # fmt: skip
    picked, stranded = loads.sum(axis=0)
    return float(picked), float(stranded)


_TILES_AT_ONCE = 64
"""Between two looks at progress and cancel."""


@kernel
def _share(word: np.uint32) -> float:
    """A hash as a number in 0..1, 1 excluded."""
    return np.int64(word) / 4294967296.0


@parallel_kernel
def _tiles(
    ground: Ground,
    metric: Metric,
    soft: Softness,
    rainfall: Grid | None,
    brush: Brush,
    physics: Physics,
    numbers: NDArray[np.int64],
    corners: NDArray[np.int64],
    tile: int,
    density: float,
    seed: int,
    loads: NDArray[np.float64],
) -> None:
    """Rain on some tiles that touch nothing in common; loads: by tile, volumes picked up and stranded."""
    for k in prange(len(numbers)):
        number = numbers[k]
        picked, stranded = _tile(
            ground, metric, soft, rainfall, brush, physics, number, corners[k, 0], corners[k, 1], tile, density, seed
        )
        loads[number, 0], loads[number, 1] = picked, stranded


@kernel
def _tile(
    ground: Ground,
    metric: Metric,
    soft: Softness,
    rainfall: Grid | None,
    brush: Brush,
    physics: Physics,
    number: int,
    row0: int,
    col0: int,
    tile: int,
    density: float,
    seed: int,
) -> tuple[float, float]:
    rows, cols = ground.height.shape
    start = brush.reach + 1
    height, deposit, bedrock, flow = ground.height, ground.deposit, ground.bedrock, ground.flow
    count = int(density * tile * tile + _share(hash2(number, -1, seed)))
    picked, stranded = 0.0, 0.0
    for drop in range(count):
        x = col0 + tile * _share(hash2(2 * drop, number, seed))
        y = row0 + tile * _share(hash2(2 * drop + 1, number, seed))
        if not (start <= x < cols - 1 - start and start <= y < rows - 1 - start):
            continue
        if rainfall is not None and not _share(hash2(drop, number, seed ^ 0x5BD1E995)) < rainfall[int(y), int(x)]:
            continue
        left, came = walk(height, deposit, bedrock, flow, metric, soft, brush, physics, x, y)
        stranded, picked = stranded + left, picked + came
    return picked, stranded


def _result(field: VectorField, rain: _Rain, fold: _Fold | None, picked: float, stranded: float) -> Eroded:
    inside = (slice(rain.pad, rain.pad + field.rows), slice(rain.pad, rain.pad + field.cols))
    ground, dropped = rain.ground, _total(rain.ground.deposit)
    deposit, visits = (np.ascontiguousarray(a[inside]) for a in (ground.deposit, ground.flow))
    sediment = ground.height[inside] - ground.bedrock[inside]
    if fold is None:
        out = field.offset.copy()
        out[..., 2] = ground.height[inside]
        wear = field.offset[..., 2] + deposit - out[..., 2]
        whole, within = _total(ground.height) - rain.before, _total(out[..., 2]) - _total(field.offset[..., 2])
    else:
        out, wear = np.ascontiguousarray(fold.offset[inside]), deposit - fold.net[inside]
        whole, within = _total(fold.net), _total(fold.net[inside])
    # The ring around the map is no part of it: what it gained has left, what was taken from it was never picked up.
    ring, laid = whole - within, _total(deposit)
    area = field.cell * field.cell
    ledger = Ledger(area * (picked - (dropped - laid - ring)), area * laid, area * stranded, area * ring)
    return Eroded(out, {"wear": wear, "deposit": deposit, "sediment": sediment, "visits": visits}, ledger)


def _total(array: Grid) -> float:
    return float(array.sum(dtype=np.float64))
