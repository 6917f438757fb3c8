"""Gesture to dabs: pointer rays become a smooth path on the surface, and the path becomes evenly spaced dabs.

Rays meet the surface as it was when the stroke began. So the dabs depend on where the gesture went alone, not on how
often or in what batches the pointer was sampled, and one pass moves the surface by the strength, however steep it gets.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.map import TerrainMap
from terrain.pick import pick
from terrain.tiles import TileCopies

Vector = NDArray[np.float64]

_STEPS_PER_SPACING = 3
_MOST_STEPS = 4096
_MOST_DABS = 100_000
"""Between two samples: bounds the work for points that lie absurdly far apart."""


@dataclass(frozen=True)
class Sample:
    """A pointer ray: start (3) and unit direction (3), with what the pen and the clock say."""

    start: Vector
    direction: Vector
    pressure: float
    """0..1."""
    time: float = 0.0
    """Seconds since the stroke began."""
    tilt: float = 0.0
    """Direction in which the pen leans, radians."""


@dataclass(frozen=True)
class _Knot:
    sample: Sample
    reach: float
    """Distance along the ray to the surface, metres."""


class Path:
    """Turns samples into dab samples `spacing` metres apart along the surface.

    interval: seconds between dabs instead, wherever the pointer goes meanwhile; 0 for by distance.
    holes: False to meet the surface where it has holes too.
    beyond: metres by which the path may leave the map farther than the map is large.
    """

    def __init__(
        self,
        terrain: TerrainMap,
        spacing: float,
        before: TileCopies,
        interval: float = 0.0,
        holes: bool = True,
        beyond: float = 0.0,
    ) -> None:
        self._terrain = terrain
        self._spacing = spacing
        self._interval = interval
        self._holes = holes
        self._beyond = beyond
        self._due = 0.0
        self._before = before
        self.bounds = terrain.bounds.copy()
        """Bounds of the surface before the stroke."""
        self._knots: list[_Knot] = []
        self._last_point: Vector | None = None
        self._travelled = 0.0
        self._height = terrain.sea_level

    def add(self, sample: Sample) -> Iterator[Sample]:
        """Dabs that became due. The newest stretch waits for the next sample, which shapes its curve."""
        if not self._knots:
            yield from self._start(sample)
            return
        still = self._gap(self._knots[-1], sample) <= 1e-9 * max(1.0, self._knots[-1].reach)
        if still and not (self._interval and sample.time > self._knots[-1].sample.time):
            return
        self._knots.append(_Knot(sample, self._reach(sample)))
        if len(self._knots) >= 3:
            yield from self._stretch(len(self._knots) - 3)
            del self._knots[:-3]

    def finish(self) -> Iterator[Sample]:
        """Dabs of the last stretch."""
        if len(self._knots) >= 2:
            yield from self._stretch(len(self._knots) - 2)
        self._knots.clear()

    def meet(self, sample: Sample) -> Vector | None:
        """Where a ray met the surface before the stroke; near the map, the level of the last hit; None in the sky."""
        hit = pick(
            self._terrain,
            sample.start,
            sample.direction,
            boxes=self.bounds.boxes,
            before=self._before,
            holes=self._holes,
        )
        if hit is None:
            return self._beside(sample)
        self._height = float(hit.point[2])
        return hit.point

    def _start(self, sample: Sample) -> Iterator[Sample]:
        self._last_point = self.meet(sample)
        self._knots.append(_Knot(sample, self._reach(sample)))
        self._due = sample.time + self._interval
        if self._last_point is not None:
            yield sample

    def _stretch(self, first: int) -> Iterator[Sample]:
        """The dabs of the curve between two knots."""
        return self._by_time(first) if self._interval else self._by_distance(first)

    def _by_time(self, first: int) -> Iterator[Sample]:
        a, b = self._knots[first].sample, self._knots[first + 1].sample
        if not b.time - a.time <= _MOST_DABS * self._interval:
            raise SkerryError(
                f"two points of a stroke lie {b.time - a.time:.3g} s apart, which is more than {_MOST_DABS:,} dabs"
            )
        while self._due <= b.time:
            share = (self._due - a.time) / max(b.time - a.time, 1e-12)
            yield self._curve(first, min(max(share, 0.0), 1.0))
            self._due += self._interval

    def _by_distance(self, first: int) -> Iterator[Sample]:
        """Walk the curve in small steps, giving a dab at each full spacing."""
        a, b = self._knots[first], self._knots[first + 1]
        length = self._gap(a, b.sample)
        if not length <= _MOST_DABS * self._spacing:
            raise SkerryError(
                f"two points of a stroke lie {length:.3g} m apart, which is more than {_MOST_DABS:,} dabs; "
                "give a larger radius or points that lie closer"
            )
        steps = int(min(max(np.ceil(length * _STEPS_PER_SPACING / self._spacing), 1), _MOST_STEPS))
        previous = a.sample
        for step in range(1, steps + 1):
            current = b.sample if step == steps else self._curve(first, step / steps)
            yield from self._advance(previous, current, length / steps)
            previous = current

    def _advance(self, previous: Sample, current: Sample, expected: float) -> Iterator[Sample]:
        point = self.meet(current)
        last, self._last_point = self._last_point, point
        if point is None:
            return
        if last is None:
            self._travelled = 0.0
            yield current
            return
        length = _length(point - last)
        if length > self._spacing + 8.0 * expected:
            # Over a silhouette the path leaps; nothing is dabbed in the air between.
            self._travelled = 0.0
            yield current
            return
        done = 0.0
        while self._travelled + (length - done) >= self._spacing:
            done += self._spacing - self._travelled
            self._travelled = 0.0
            yield _blend(previous, current, done / length)
        self._travelled += length - done

    def _curve(self, first: int, t: float) -> Sample:
        """Catmull–Rom through the knots around stretch `first`, parametrised by distance (Barry–Goldman)."""
        knots = self._knots
        b, c = knots[first], knots[first + 1]
        a = knots[first - 1] if first > 0 else None
        d = knots[first + 2] if first + 2 < len(knots) else None
        span = max(self._gap(b, c.sample), 1e-9)
        before = max(self._gap(a, b.sample), 1e-9) if a is not None else span
        after = max(self._gap(c, d.sample), 1e-9) if d is not None else span
        pb, pc = _ray(b.sample), _ray(c.sample)
        pa = _ray(a.sample) if a is not None else pb + (pb - pc)
        pd = _ray(d.sample) if d is not None else pc + (pc - pb)
        mb = _slope(pa, pb, pc, before, span)
        mc = _slope(pb, pc, pd, span, after)
        ray = _hermite(pb, pc, mb * span, mc * span, t)
        direction = ray[3:] / _length(ray[3:])
        return Sample(ray[:3], direction, *_between(b.sample, c.sample, t))

    def _gap(self, knot: _Knot, sample: Sample) -> float:
        """How far apart two rays are at the surface, metres, not counting leaps in depth."""
        shift = _length(sample.start - knot.sample.start)
        swing = _length(sample.direction - knot.sample.direction)
        return shift + swing * knot.reach

    def _reach(self, sample: Sample) -> float:
        point = self.meet(sample)
        return self._knots[-1].reach if point is None and self._knots else _distance(point, sample)

    def _beside(self, sample: Sample) -> Vector | None:
        """The ray's meeting with the level of the last hit, for strokes that start or end beside the map.

        Not farther away than the map is large: a pointer that leaves for the horizon gives no dabs on its way, while a
        mirrored one may still work on the map from the other side of the axis.
        """
        if not sample.direction[2] < -1e-3:
            return None
        reach = (self._height - float(sample.start[2])) / float(sample.direction[2])
        point: Vector = sample.start + reach * sample.direction
        low, high = self.bounds.whole[:2], self.bounds.whole[3:5]
        away = np.maximum(low - point[:2], point[:2] - high)
        return point if away.max() <= (high - low).max() + self._beyond else None


def _distance(point: Vector | None, sample: Sample) -> float:
    return 1.0 if point is None else _length(point - sample.start)


def _length(vector: Vector) -> float:
    return math.sqrt(vector @ vector)


def _ray(sample: Sample) -> Vector:
    return np.concatenate([sample.start, sample.direction])


def _blend(a: Sample, b: Sample, t: float) -> Sample:
    direction = a.direction + t * (b.direction - a.direction)
    return Sample(a.start + t * (b.start - a.start), direction / _length(direction), *_between(a, b, t))


def _between(a: Sample, b: Sample, t: float) -> tuple[float, float, float]:
    """Pressure, time and tilt between two samples; the tilt goes the short way round."""
    swing = (b.tilt - a.tilt + math.pi) % (2.0 * math.pi) - math.pi
    return a.pressure + t * (b.pressure - a.pressure), a.time + t * (b.time - a.time), a.tilt + t * swing


def _slope(p: Vector, q: Vector, r: Vector, before: float, after: float) -> Vector:
    """Derivative at q of the parabola through three points at distances -before, 0, after."""
    incoming, outgoing = (q - p) / before, (r - q) / after
    return (incoming * after + outgoing * before) / (before + after)


def _hermite(p: Vector, q: Vector, mp: Vector, mq: Vector, t: float) -> Vector:
    tt, ttt = t * t, t * t * t
    return (2 * ttt - 3 * tt + 1) * p + (ttt - 2 * tt + t) * mp + (-2 * ttt + 3 * tt) * q + (ttt - tt) * mq
