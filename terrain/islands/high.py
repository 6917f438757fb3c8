"""A high island: an old massif off its middle, ridges and valleys that run down to drowned mouths, a shelf."""

import math

import numpy as np

from terrain.erosion.outcome import Progress
from terrain.islands.base import Base
from terrain.islands.frame import Grid, Plan, filling, rise_to, sink_to, smoothstep
from terrain.islands.seabed import with_shelf
from terrain.islands.uplift import mountains


def high(plan: Plan, inland: Grid | None, progress: Progress) -> Base:
    """The shape of a high island; inland: metres inland of a drawn coast, if there is one."""
    shape = _coast(plan) if inland is None else inland
    height = rise_to(plan, 0.18)
    depth = sink_to(plan, 0.16)
    sunk = 0.03 * height if inland is None else 0.0
    grown = mountains(plan, _rise(plan, shape), height + sunk, progress) - np.float32(sunk)
    lifted = np.where(shape > 0.0, grown, np.minimum(grown, -0.5)).astype(np.float32)
    full = with_shelf(plan, lifted, depth, 0.22 * depth, 0.26, 0.35)
    rough = np.where(full > 0.0, 0.006 * height + 0.012 * np.abs(full), 0.01 * depth).astype(np.float32)
    return Base(full, rough, push=0.01 + 0.012 * plan.params.roughness, summit=height)


def _coast(plan: Plan) -> Grid:
    """Metres inland of a coast drawn by chance: longer than broad, with bays at every scale."""
    luck = plan.chance(1)
    turn, slim = luck.uniform(0.0, 2.0 * math.pi), luck.uniform(0.62, 0.85)
    bend = luck.uniform(-0.25, 0.25)
    x, y = plan.x / plan.radius, plan.y / plan.radius
    u, v = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    u, v = u + 0.14 * plan.swell(0.9, 2, 11), (v + bend * (u * u - 0.3) + 0.14 * plan.swell(0.9, 2, 12)) / slim
    rough = plan.params.roughness
    inland = -0.8 * np.sqrt(u * u + v * v) + (0.03 + 0.12 * rough) * plan.swell(0.42, 6, 13, 0.55)
    return filling(plan, inland, 0.85)


def _rise(plan: Plan, inland: Grid) -> Grid:
    """How fast the ground rises: fastest along an axis that lies to one side, least on the coastal plain."""
    luck = plan.chance(2)
    to = luck.uniform(0.0, 2.0 * math.pi)
    side = (plan.x * math.cos(to) + plan.y * math.sin(to)) / plan.radius
    core = 0.06 + smoothstep(0.0, 0.6 * plan.radius, inland)
    lean = np.clip(1.0 + 0.75 * side, 0.35, 1.8)
    patches = np.clip(1.0 + 0.35 * plan.swell(0.4, 3, 21), 0.3, 2.0)
    return np.where(inland > 0.0, core * lean * patches, 0.0).astype(np.float32)
