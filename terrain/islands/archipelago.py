"""A chain of islands: many small ones to each large one along a curve, with shallow sounds between them."""

import math
from typing import NamedTuple

import numpy as np

from terrain.erosion.outcome import Progress
from terrain.islands.base import Base
from terrain.islands.frame import Grid, Plan, rise_to, sink_to, smoothstep
from terrain.islands.seabed import with_shelf
from terrain.islands.uplift import mountains

_COUNT = 70
_POWER = 1.1
"""Number of islands larger than r ~ r^-power, in the range of the areas of real chains (Korčak's law)."""


class Disc(NamedTuple):
    """A place where an island may rise, in units of the radius."""

    x: float
    y: float
    size: float


def archipelago(plan: Plan, inland: Grid | None, progress: Progress) -> Base:
    """The shape of an archipelago; a drawn coast takes the place of the chain, and drowning leaves islands of it."""
    height, depth = rise_to(plan, 0.12), sink_to(plan, 0.13)
    shape = _chain(plan) if inland is None else inland / plan.radius
    rise = np.where(shape > 0.0, 0.1 + smoothstep(0.0, 0.25, shape), 0.0)
    rise *= np.clip(1.0 + 0.4 * plan.swell(0.25, 3, 21), 0.3, 2.0)
    sunk = 0.045 * height
    grown = mountains(plan, rise.astype(np.float32), height + sunk, progress) - np.float32(sunk)
    full = with_shelf(plan, np.where(shape > 0.0, grown, np.minimum(grown, -0.5)), depth, 0.2 * depth, 0.28, 0.3)
    rough = np.where(full > 0.0, 0.01 * height + 0.02 * np.abs(full), 0.012 * depth).astype(np.float32)
    return Base(full, rough, push=0.012 + 0.02 * plan.params.roughness, summit=height, specks=6e-5, beach=4.0)


def _chain(plan: Plan) -> Grid:
    """How far inland (rows, cols), in units of the radius, of discs that noise has frayed and joined."""
    rough = plan.params.roughness
    x = plan.x / plan.radius + 0.09 * plan.swell(0.35, 3, 11)
    y = plan.y / plan.radius + 0.09 * plan.swell(0.35, 3, 12)
    best = np.full((plan.rows, plan.cols), -4.0, np.float32)
    for disc in _discs(plan):
        far = np.sqrt((x - disc.x) ** 2 + (y - disc.y) ** 2)
        np.maximum(best, (disc.size - far) * np.float32(1.0), out=best)
    frayed = best + (0.02 + 0.09 * rough) * plan.swell(0.22, 6, 13, 0.6) * smoothstep(-0.35, -0.05, best)
    within = plan.edge() / plan.radius
    return np.asarray(np.minimum(frayed, 0.6 * (within - 0.05)), np.float32)


def _discs(plan: Plan) -> list[Disc]:
    """Sizes by a power law; the largest stand near the middle of the curve, spread out, the small anywhere about it."""
    luck = plan.chance(3)
    turn, bend = luck.uniform(0.0, 2.0 * math.pi), luck.choice([-1.0, 1.0]) * luck.uniform(0.35, 0.6)
    reach = (0.5 * plan.width / plan.radius, 0.5 * plan.depth / plan.radius)
    rank = 1.0 + np.arange(_COUNT)
    sizes = 0.34 * rank ** (-1.0 / _POWER / 1.6) * luck.uniform(0.85, 1.15, _COUNT)
    discs: list[Disc] = []
    for size in sizes:
        disc = _place(luck, size, turn, bend, reach, discs)
        if disc is not None:
            discs.append(disc)
    return discs


def _place(
    luck: np.random.Generator, size: float, turn: float, bend: float, reach: tuple[float, float], discs: list[Disc]
) -> Disc | None:
    """A place on the curve that leaves a sound to the others; None if chance finds none."""
    for _ in range(30):
        along = luck.uniform(-1.05, 1.05)
        across = bend * (along * along - 0.4) + luck.normal(0.0, 0.12 + 0.1 * (size < 0.12))
        x = along * math.cos(turn) - across * math.sin(turn)
        y = along * math.sin(turn) + across * math.cos(turn)
        if abs(x) + size > reach[0] - 0.05 or abs(y) + size > reach[1] - 0.05:
            continue
        if all(math.hypot(x - d.x, y - d.y) > 1.12 * (size + d.size) + 0.02 for d in discs):
            return Disc(x, y, size)
    return None
