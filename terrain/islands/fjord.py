"""A coast of fjords: mountains whose valleys ice has cut below the sea, sills at their mouths, skerries outside."""

import math

import numpy as np

from terrain.erosion.outcome import Progress
from terrain.islands.base import Base
from terrain.islands.frame import Grid, Plan, filling, rise_to, sink_to, smoothstep
from terrain.islands.seabed import with_shelf
from terrain.islands.troughs import carve, valleys_of
from terrain.islands.uplift import mountains


def fjord(plan: Plan, inland: Grid | None, progress: Progress) -> Base:
    """The shape of a coast of fjords; they cut into a drawn coast wherever its valleys come out."""
    height, depth = rise_to(plan, 0.22), sink_to(plan, 0.16)
    shape = _coast(plan) if inland is None else inland
    rise = (0.3 + smoothstep(0.0, 0.45 * plan.radius, shape)) * np.clip(1.0 + 0.3 * plan.swell(0.3, 3, 21), 0.4, 1.8)
    rise = np.where(shape > 0.0, rise, 0.0).astype(np.float32)
    grown = mountains(plan, rise, height, lambda share: progress(0.8 * share))
    ground = np.where(shape > 0.0, np.maximum(grown, 0.3), np.minimum(grown, -0.5)).astype(np.float32)
    ground = _deepened(plan, ground, 0.52 * height)
    progress(0.9)
    full = with_shelf(plan, ground, depth, 0.1 * depth, 0.3, 0.3)
    full = _skerries(plan, full, shape)
    rough = np.where(full > 0.0, 0.009 * height + 0.018 * np.abs(full), 0.006 * depth).astype(np.float32)
    return Base(
        full,
        rough,
        push=0.016 + 0.012 * plan.params.roughness,
        aged=0.5,
        rain=0.2,
        summit=height,
        specks=3e-5,
        steepest=58.0,
        beach=2.0,
    )


def _coast(plan: Plan) -> Grid:
    """Metres inland of the coast before the ice: a broad land, longer than wide."""
    luck = plan.chance(1)
    turn, slim = luck.uniform(0.0, 2.0 * math.pi), luck.uniform(0.75, 0.95)
    x = plan.x / plan.radius + 0.15 * plan.swell(0.8, 2, 11)
    y = plan.y / plan.radius + 0.15 * plan.swell(0.8, 2, 12)
    u, v = x * math.cos(turn) + y * math.sin(turn), (y * math.cos(turn) - x * math.sin(turn)) / slim
    frayed = (0.03 + 0.08 * plan.params.roughness) * plan.swell(0.35, 6, 13, 0.6)
    return filling(plan, np.asarray(-0.8 * np.hypot(u, v) + frayed, np.float32), 0.8)


def _deepened(plan: Plan, ground: Grid, ice: float) -> Grid:
    """The land with its valleys cut down by ice: the more area feeds a glacier, the thicker it was.

    So floors of side valleys hang above that of the main one. Towards the mouth, where ice floats up, a sill is left.
    """
    valleys = valleys_of(plan, ground, 0.012 * plan.radius**2)
    size = np.minimum(valleys.area / (0.4 * plan.radius**2), 1.0) ** 0.35
    thick = ice * size
    # Nothing is thinner at once at the head of a valley: there, a cirque has a steep back wall.
    sill = np.asarray(smoothstep(0.0, 0.3 * plan.radius, valleys.mouth.astype(np.float32)), np.float64)
    floor = 0.35 * valleys.height - thick * (0.4 + 0.6 * sill)
    width = (0.015 + 0.038 * size) * plan.radius / plan.cell
    out = ground.copy()
    carve(valleys.row, valleys.col, floor, np.maximum(valleys.height - floor, 1.0) * 1.1, width, out)
    return out


def _skerries(plan: Plan, ground: Grid, shape: Grid) -> Grid:
    """Ground with a strandflat before the old coast: shallows with rocks and islets in swarms."""
    out = -shape / plan.radius
    belt = smoothstep(0.0, 0.04, out) * (1.0 - smoothstep(0.06, 0.16, out))
    belt = belt * smoothstep(0.04, 0.12, plan.edge() / plan.radius)
    swarm = np.clip(plan.swell(0.5, 2, 61) + 0.5, 0.0, 1.0)
    share = belt * swarm * (ground > -0.05 * plan.radius)
    rocks = plan.swell(0.07, 5, 62, 0.6) + 0.8 * plan.swell(0.2, 3, 63) - 0.9
    flat = np.maximum(0.014 * plan.radius * np.minimum(rocks, 1.5), ground)
    return np.where(ground > 0.0, ground, ground + share * (flat - ground)).astype(np.float32)
