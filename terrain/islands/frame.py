"""The places that an island is thought out on: a coarse plan of the whole map, the same whatever the map's cells."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField
from terrain.filters.noise import noise
from terrain.islands.params import IslandParams
from terrain.reshape.resample import catmull_rom

Grid = NDArray[np.float32]

SIDE = 384
"""Vertices of a plan along the longer side."""


class Plan(NamedTuple):
    """A coarse grid over the whole map; places are metres from the middle of the map."""

    rows: int
    cols: int
    cell: float
    width: float
    depth: float
    """East-west and north-south extent of the map, metres."""
    radius: float
    """Half the extent that the land should have, metres."""
    params: IslandParams

    @property
    def x(self) -> Grid:
        """Metres east of the middle, (1, cols)."""
        return (np.arange(self.cols, dtype=np.float32) * self.cell - 0.5 * self.width)[None, :].astype(np.float32)

    @property
    def y(self) -> Grid:
        """Metres north of the middle, (rows, 1)."""
        return (np.arange(self.rows, dtype=np.float32) * self.cell - 0.5 * self.depth)[:, None].astype(np.float32)

    def field(self, heights: Grid | None = None) -> VectorField:
        """The plan as an undisplaced field, level at 0 if no heights are given."""
        heights = np.zeros((self.rows, self.cols), np.float32) if heights is None else heights
        return VectorField.from_heights(heights, self.cell, (-0.5 * self.width, -0.5 * self.depth))

    def swell(self, size: float, octaves: int, stream: int, gain: float = 0.5) -> Grid:
        """Rolling noise (rows, cols), root mean square 1, of `size` times the radius; each stream its own."""
        made = noise(self.field(), "fbm", 3.0, size * self.radius, octaves, gain, seed=self._seed(stream))
        return np.ascontiguousarray(made[..., 2])

    def ridges(self, size: float, octaves: int, stream: int) -> Grid:
        """Sharp crests (rows, cols), 0..1, of `size` times the radius."""
        made = noise(self.field(), "ridged", 1.0, size * self.radius, octaves, seed=self._seed(stream))
        return np.ascontiguousarray(made[..., 2])

    def chance(self, stream: int) -> np.random.Generator:
        """Random numbers that depend on the seed and the stream alone."""
        return np.random.Generator(np.random.Philox(key=[self.params.seed, stream]))

    def _seed(self, stream: int) -> int:
        return self.params.seed * 131 + stream

    def edge(self) -> Grid:
        """Metres to the border of the map, (rows, cols)."""
        return np.asarray(np.minimum(0.5 * self.width - abs(self.x), 0.5 * self.depth - abs(self.y)), np.float32)

    def coarser(self, side: int) -> "Plan":
        """A plan of the same map with fewer vertices."""
        return _plan(self.width, self.depth, self.radius, self.params, side)

    def fitted(self, coarse: Grid, coarse_cell: float) -> Grid:
        """A coarser plan's grid on this one, Catmull–Rom."""
        ratio = np.float64(self.cell / coarse_cell)
        rows_at, cols_at = (np.arange(count, dtype=np.float64) * ratio for count in (self.rows, self.cols))
        return catmull_rom(catmull_rom(coarse, rows_at, 0), cols_at, 1)


def plan_of(rows: int, cols: int, cell: float, params: IslandParams) -> Plan:
    """The plan of a map of rows × cols vertices, `cell` metres apart."""
    width, depth = (cols - 1) * cell, (rows - 1) * cell
    return _plan(width, depth, 0.5 * params.size * min(width, depth), params, SIDE)


def _plan(width: float, depth: float, radius: float, params: IslandParams, side: int) -> Plan:
    cell = max(width, depth) / (side - 1)
    rows, cols = (max(2, math.ceil(extent / cell - 1e-6) + 1) for extent in (depth, width))
    return Plan(rows, cols, cell, width, depth, radius, params)


def smoothstep(low: float, high: float, x: NDArray[np.floating]) -> Grid:
    """0 at and before `low`, 1 from `high` on, smooth between."""
    t = np.clip((x - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t), np.float32)


def filling(plan: Plan, inland: Grid, share: float) -> Grid:
    """A field lifted or sunk so that what is above 0 covers a share of the circle that the land may take, in metres.

    inland: (rows, cols), in units of the radius. Towards the border of the map it ends below 0, whatever chance draws.
    """
    within = plan.edge() / plan.radius
    area = share * np.pi * plan.radius**2 / (plan.cell * plan.cell)
    level = np.partition(inland.reshape(-1), -int(area))[-int(area)] if area < inland.size else inland.min()
    return np.asarray(np.minimum(inland - level, 0.6 * (within - 0.06)) * plan.radius, np.float32)


def rise_to(plan: Plan, share: float) -> float:
    """The height asked for, or a share of the radius, metres."""
    return plan.params.height or share * plan.radius


def sink_to(plan: Plan, share: float) -> float:
    """The depth asked for, or a share of the radius, metres."""
    return plan.params.depth or share * plan.radius
