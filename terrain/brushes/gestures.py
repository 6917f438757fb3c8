"""The three ways in which a gesture becomes dabs: along the surface, held at one place, pulled through the air."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab
from terrain.brushes.factors import FALLOFF_MEAN
from terrain.brushes.stroke import Path, Sample
from terrain.errors import SkerryError
from terrain.map import TerrainMap
from terrain.noise import hash2
from terrain.pick import pick
from terrain.tiles import TileCopies

Vector = NDArray[np.float64]

_MOST_DABS = 100_000


class Trail(Protocol):
    """Turns pointer samples into dabs."""

    path: Path

    def add(self, sample: Sample) -> Iterator[Dab]:
        """The dabs that are due after one more sample."""

    def finish(self) -> Iterator[Dab]:
        """The dabs still due when the pointer is released."""


def trail_of(terrain: TerrainMap, brush: Brush, params: BrushParams, before: TileCopies, seed: int) -> Trail:
    """The trail of a brush's gesture. before: tiles of `offset` as they were when the stroke began."""
    interval = 1.0 / params.airbrush if params.airbrush and brush.gesture == "dabs" else 0.0
    path = Path(terrain, params.radius * params.spacing, before, interval, brush.through_holes, 2.0 * params.radius)
    if brush.gesture == "anchor":
        return AnchorTrail(path, params)
    if brush.gesture == "pull":
        return PullTrail(path, params)
    return SurfaceTrail(path, terrain, params, brush.live or params.accumulate, seed)


class SurfaceTrail:
    """Dabs evenly spaced along the surface, or in time."""

    def __init__(self, path: Path, terrain: TerrainMap, params: BrushParams, live: bool, seed: int) -> None:
        self.path = path
        self._terrain, self._params, self._live, self._seed = terrain, params, live, seed
        self._last: Vector | None = None
        self._count = 0
        self._step = (
            min(1.0, 1.0 / params.airbrush)
            if params.airbrush
            else min(1.0, params.spacing / (2.0 * FALLOFF_MEAN[params.falloff]))
        )

    def add(self, sample: Sample) -> Iterator[Dab]:
        """The dabs that are due."""
        for due in self.path.add(sample):
            yield from self._dab(due)

    def finish(self) -> Iterator[Dab]:
        """The dabs of the last stretch."""
        for due in self.path.finish():
            yield from self._dab(due)

    def _dab(self, sample: Sample) -> Iterator[Dab]:
        centre = self.path.meet(sample)
        if centre is None:
            return
        if self._live:
            hit = pick(self._terrain, sample.start, sample.direction)
            centre = centre if hit is None else hit.point
        move = np.zeros(3) if self._last is None else centre - self._last
        self._last = centre
        dab = _dab(centre, sample, self._params, self._step, move, self._count)
        self._count += 1
        yield self._scattered(dab)

    def _scattered(self, dab: Dab) -> Dab:
        jitter = self._params.jitter
        if not jitter:
            return dab
        angle = 2.0 * math.pi * int(hash2(dab.index, 0, self._seed)) / 2.0**32
        away = jitter * dab.radius * math.sqrt(int(hash2(dab.index, 1, self._seed)) / 2.0**32)
        shift = away * (math.cos(angle) * dab.right + math.sin(angle) * dab.up)
        sample = Sample(dab.centre - 2.0 * dab.radius * dab.view + shift, dab.view, dab.pressure)
        centre = self.path.meet(sample)
        return dab if centre is None else replace(dab, centre=centre, target=centre)


class AnchorTrail:
    """One dab where the gesture began, made anew for every sample."""

    def __init__(self, path: Path, params: BrushParams) -> None:
        self.path = path
        self._params = params
        self._first: Sample | None = None
        self._centre: Vector | None = None

    def add(self, sample: Sample) -> Iterator[Dab]:
        """The dab as the pointer now wants it."""
        if self._first is None or self._centre is None:
            self._first, self._centre = sample, self.path.meet(sample)
        if self._centre is None:
            return
        here = _on_plane(sample, self._centre, self._first.direction)
        if here is None:
            return
        target = self.path.meet(sample)
        dab = _dab(self._centre, replace(self._first, pressure=1.0), self._params, 1.0, here - self._centre, 0)
        yield replace(dab, target=here if target is None else target)

    def finish(self) -> Iterator[Dab]:
        """Nothing more: the last sample has made its dab."""
        yield from ()


class PullTrail:
    """Dabs in the plane through the start that faces the viewer; each carries what it holds to the next."""

    def __init__(self, path: Path, params: BrushParams) -> None:
        self.path = path
        self._params = params
        self._spacing = params.radius * params.spacing
        self._view: Vector | None = None
        self._at: Vector | None = None
        self._last: Sample | None = None
        self._here: Vector | None = None
        self._count = 0

    def add(self, sample: Sample) -> Iterator[Dab]:
        """The dabs up to the new sample, a spacing apart."""
        if self._at is None or self._view is None:
            self._view, self._at = sample.direction, self.path.meet(sample)
            self._here, self._last = self._at, sample
            return
        here = _on_plane(sample, self._at, self._view)
        if here is None:
            return
        self._here, self._last = here, sample
        yield from self._walk(here, sample, self._spacing)

    def finish(self) -> Iterator[Dab]:
        """The rest of the way, so that what is held ends under the pointer."""
        if self._here is not None and self._last is not None and self._at is not None:
            yield from self._walk(self._here, self._last, 1e-6 * self._spacing)

    def _walk(self, here: Vector, sample: Sample, least: float) -> Iterator[Dab]:
        while self._at is not None:
            way = here - self._at
            length = math.sqrt(way @ way)
            if not length <= _MOST_DABS * self._spacing:
                raise SkerryError(
                    f"two points of a stroke lie {length:.3g} m apart, which is more than {_MOST_DABS:,} dabs; "
                    "give a larger radius or points that lie closer"
                )
            if length < least:
                return
            move = way * min(1.0, self._spacing / length)
            dab = _dab(self._at, sample, self._params, 1.0, move, self._count)
            self._at = self._at + move
            self._count += 1
            yield dab


def _dab(centre: Vector, sample: Sample, params: BrushParams, step: float, move: Vector, index: int) -> Dab:
    pressure = min(max(sample.pressure, 0.0), 1.0)
    scaled = params.pressure in ("radius", "both")
    right, up = _frame(sample.direction)
    return Dab(
        centre, sample.direction,
        pressure if params.pressure in ("strength", "both") else 1.0,
        step, max(pressure, 0.02) * params.radius if scaled else params.radius,
        move, centre, right, up, sample.tilt, index,
    )  # fmt: skip


def _frame(view: Vector) -> tuple[Vector, Vector]:
    """Right and up (3) of a viewer who looks along `view`; north is up for one who looks straight down."""
    right = np.array([view[1], -view[0], 0.0])
    length = math.sqrt(right @ right)
    right = right / length if length > 1e-6 else np.array([1.0, 0.0, 0.0])
    return right, np.cross(right, view)


def _on_plane(sample: Sample, place: Vector, normal: Vector) -> Vector | None:
    """Where a ray meets the plane through `place`; None if it never does."""
    towards = float(sample.direction @ normal)
    if not abs(towards) > 1e-6:
        return None
    reach = float((place - sample.start) @ normal) / towards
    return sample.start + reach * sample.direction if reach > 0.0 else None
