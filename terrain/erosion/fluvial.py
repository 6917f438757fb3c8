"""Rivers: stream power over tens of thousands of years, from the large valleys to the small ones."""

import math
from dataclasses import replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.drainage import Indices, gather_down, outlets_of, stride
from terrain.erosion.ground import Footing, check_inputs, footing_of, moved, store
from terrain.erosion.hollows import drain
from terrain.erosion.outcome import Eroded, Grid, Progress, part, quiet
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.masks.smooth import gaussian
from terrain.noise import hash2
from terrain.params import Params, about
from terrain.reshape.resample import catmull_rom

_LEVELS = ((256, 12), (512, 8), (1024, 4))
"""Vertices along the longer side, and steps of time there: large valleys first."""

ERODIBILITY = 0.01
"""Per thousand years: a stream that drains 1 km² cuts 10 m headward in each."""


class FluvialParams(Params, frozen=True, kw_only=True):
    """How long the rivers have run, and over what."""

    age: Annotated[
        float, about("Thousand years; in each, a stream that drains 1 km² cuts 10 m headward", ge=0, le=1e5)
    ] = 80.0
    channel: Annotated[float, about("Area from which water gathers in a channel", unit="m²", ge=0, le=1e8)] = 300.0
    creep: Annotated[float, about("How fast slopes round off, each thousand years", unit="m²", ge=0, le=1e4)] = 0.1
    steepest: Annotated[float, about("Slope at which rock falls", unit="°", ge=1, le=89)] = 36.0
    fill: Annotated[float, about("Share of every hollow that sediment fills; the rest is breached", ge=0, le=1)] = 0.5


def fluvial(
    field: VectorField,
    params: FluvialParams,
    sea: float = -math.inf,
    *,
    softness: Grid | None = None,
    progress: Progress = quiet,
) -> Eroded:
    """Erode a field by its rivers; valleys join and reach the sea (height `sea`, metres) or the border.

    Stream power dz/dt = K·A^½·S, solved implicitly from the mouth up (Braun and Willett 2013), with creep and rock fall
    on the slopes, at 256, 512 and 1024 vertices to the longer side; the change is laid over the map by Catmull-Rom.
    softness: 0..1 (rows, cols). Grids: wear, deposit. Vertices that look down stay. Raises `SkerryError`.
    """
    check_inputs(field, softness=softness)
    footing = footing_of(field)
    if params.age <= 0.0:
        return store(field, footing, field.offset[..., 2].astype(np.float64), np.zeros(field.offset.shape[:2]))
    sides = _sides(max(field.rows, field.cols))
    total = sum(steps for _, steps in sides)
    done, change = 0, np.zeros((2, 2), np.float32)
    for side, steps in sides:
        level = _Level(field, footing, softness, side)
        change = level.finer(change)
        start = level.height.copy()
        level.height += change
        for _ in range(steps):
            # Hollows are filled once, as filling them again and again would turn them into plains.
            report = part(progress, done / total, (done + 1) / total)
            level.step(params, sea, params.age / total, params.fill if done == 0 else 0.0, done, report)
            done += 1
        change = level.height - start
    progress(1.0)
    return _laid(field, footing, change, sea)


def _sides(longest: int) -> list[tuple[int, int]]:
    used = [(side, steps) for side, steps in _LEVELS if side < longest]
    if len(used) < len(_LEVELS):
        used.append((longest, _LEVELS[len(used)][1]))
    return used


def _laid(field: VectorField, footing: Footing, change: Grid, sea: float) -> Eroded:
    """The change of the last level on the whole map; not below the sea, nor where the surface looks down."""
    fine = _fitted(change, field.rows, field.cols)
    before = field.offset[..., 2]
    if footing.area.size:
        fine[footing.area <= 0.0] = 0.0
    # The sea itself is not worn, and no land sinks below it.
    fine = np.where(before <= sea, 0.0, np.maximum(fine, np.minimum(0.0, sea - before))) if sea > -math.inf else fine
    height = before.astype(np.float64) + fine
    eroded = store(field, footing, height, np.maximum(fine, 0.0).astype(np.float64))
    return replace(eroded, ledger=moved(field, footing, eroded))


def _fitted(coarse: Grid, rows: int, cols: int) -> Grid:
    """A coarse grid on rows × cols vertices; both share their south-western vertex and the longer side."""
    ratio = (max(rows, cols) - 1) / (max(coarse.shape) - 1)
    if ratio == 1.0 and coarse.shape == (rows, cols):
        return coarse
    along = catmull_rom(coarse, np.arange(rows) / ratio, 0)
    return catmull_rom(along, np.arange(cols) / ratio, 1)


class _Level:
    """The map on a coarser grid."""

    def __init__(self, field: VectorField, footing: Footing, softness: Grid | None, side: int) -> None:
        longest = max(field.rows, field.cols)
        self.ratio = (longest - 1) / (side - 1)
        self.cell = field.cell * self.ratio
        shape = [max(2, math.ceil((n - 1) / self.ratio - 1e-9) + 1) for n in (field.rows, field.cols)]
        at = [
            np.minimum(np.rint(np.arange(n) * self.ratio).astype(int), m - 1)
            for n, m in zip(shape, (field.rows, field.cols), strict=True)
        ]
        self._at = np.ix_(*at)
        self.height = self._coarse(field.offset[..., 2])
        self.soft = None if softness is None else self._coarse(np.asarray(softness, np.float32))
        displaced = footing.area.size > 0
        self.sideways = np.stack([self._coarse(field.offset[..., k]) for k in range(2)], axis=2) if displaced else None
        self.area = self._coarse(footing.area) if displaced else None
        fixed = (footing.area <= 0.0)[self._at] if displaced else np.zeros(self.height.shape, np.bool_)
        self.fixed = fixed if self.soft is None else fixed | (self.soft <= 0.0)

    def _coarse(self, values: NDArray[np.float32]) -> Grid:
        smooth = gaussian(values, 0.4 * self.ratio, "nearest") if self.ratio > 1.0 else values
        return np.ascontiguousarray(smooth[self._at])

    def finer(self, change: Grid) -> Grid:
        return _fitted(change, *self.height.shape)

    def step(self, params: FluvialParams, sea: float, time: float, fill: float, seed: int, progress: Progress) -> None:
        """Let the rivers run for `time` thousand years, once a share of every hollow is filled; seed: chances."""
        outlet = outlets_of(self.height, sea)
        routes, _ = drain(
            self.height,
            outlet,
            fill,
            fixed=self.fixed,
            rough=_rough(self.height),
            sideways=self.sideways,
            cell=self.cell,
            seed=seed,
            progress=progress,
        )
        unit = self.cell * self.cell
        shed = np.full(self.height.shape, unit) if self.area is None else unit * self.area.astype(np.float64)
        drained = gather_down(routes, shed)
        soft = np.ones((1, 1), np.float32) if self.soft is None else self.soft
        sideways = np.empty((0, 0, 2), np.float32) if self.sideways is None else self.sideways
        _incise(
            self.height, routes.order, routes.receiver, drained, soft, sideways, self.cell, ERODIBILITY * time,
            params.channel,
        )  # fmt: skip
        _slide(self.height, outlet, soft, self.cell, params.creep * time, math.tan(math.radians(params.steepest)))


_ROUGHNESS = 1.0
"""Of the ground that water feels, over a vertex's drop to its lowest neighbour; without it valleys run straight."""


def _rough(height: Grid) -> Grid:
    out = np.zeros_like(height)
    _fill_rough(height, _ROUGHNESS, out)
    return out


@kernel
def _fill_rough(height: Grid, scale: float, out: Grid) -> None:
    for row in range(1, out.shape[0] - 1):
        for col in range(1, out.shape[1] - 1):
            lowest = height[row - 1 : row + 2, col - 1 : col + 2].min()
            out[row, col] = scale * (height[row, col] - lowest) * (hash2(col, row, 77) / 4294967296.0 - 0.5)


@kernel
def _incise(
    height: Grid,
    order: Indices,
    receiver: Indices,
    drained: NDArray[np.float64],
    soft: Grid,
    sideways: NDArray[np.float32],
    cell: float,
    reach: float,
    channel: float,
) -> None:
    """One implicit step, receivers first; reach: erodibility times time. Above a channel's head the power fades."""
    cols, flat, area = height.shape[1], height.reshape(-1), drained.reshape(-1)
    softs = soft.reshape(-1)
    for i in order:
        to = receiver[i]
        if to == i or not flat[to] < flat[i]:
            continue
        far = stride(sideways, cell, i // cols, i % cols, to // cols, to % cols)
        power = reach * area[i] / math.sqrt(area[i] + channel) * (softs[i] if len(softs) > 1 else 1.0) / far
        flat[i] = np.float32((flat[i] + power * flat[to]) / (1.0 + power))


@kernel
def _slide(height: Grid, outlet: NDArray[np.bool_], soft: Grid, cell: float, creep: float, steepest: float) -> None:
    """Creep, and rock fall where slopes exceed the steepest; outlets stay. creep: m² for the step."""
    rows, cols = height.shape
    share = creep / (cell * cell)
    passes = max(2, math.ceil(share / 0.12))
    share /= passes
    before = np.empty_like(height)
    limit = steepest * cell
    for _ in range(passes):
        before[:] = height
        for row in range(1, rows - 1):
            for col in range(1, cols - 1):
                if outlet[row, col]:
                    continue
                here, change = before[row, col], 0.0
                for k in range(4):
                    r, c = row + (1 - k if k % 2 == 0 else 0), col + (2 - k if k % 2 == 1 else 0)
                    rise = float(before[r, c] - here)
                    change += share * rise
                    if rise > limit:
                        change += 0.1 * (rise - limit)
                    elif rise < -limit:
                        change += 0.1 * (rise + limit)
                height[row, col] = here + change * (soft[row, col] if soft.shape[0] > 1 else 1.0)
