"""An atoll: a ring of reef round a lagoon, low islets of sand on it, passes through it, and steep slopes outside."""

import math

import numpy as np

from terrain.erosion.outcome import Progress
from terrain.islands.base import Base
from terrain.islands.frame import Grid, Plan, rise_to, sink_to, smoothstep

FLAT = -0.7
"""Height of the reef flat, metres: the low tide lays it nearly bare."""


def atoll(plan: Plan, inland: Grid | None, progress: Progress) -> Base:
    """The shape of an atoll; a drawn coast is the outer edge of its reef."""
    progress(0.0)
    luck = plan.chance(1)
    wind = luck.uniform(0.0, 2.0 * math.pi)
    shape = _ring(plan) if inland is None else inland / plan.radius
    # The windward reef is broad and bears most of the islets.
    facing = np.asarray((plan.x * math.cos(wind) + plan.y * math.sin(wind)) / plan.radius, np.float32)
    flat = np.asarray(0.1 * np.clip(1.0 + 0.4 * facing + 0.25 * plan.swell(0.35, 3, 14), 0.55, 1.8), np.float32)
    progress(0.3)
    ground = _reef(plan, shape, flat, luck.uniform(22.0, 38.0))
    pool = _patches(plan, shape - flat)
    ground = np.where(shape > flat, np.maximum(ground, pool), ground)
    progress(0.6)
    bare = _passes(plan, shape, flat, wind)
    islets = _motus(plan, shape, flat, facing) * (1.0 - bare)
    height = min(rise_to(plan, 0.0) or 3.0, 8.0)
    built = ground + islets * (height - FLAT)
    opened = built - bare * (np.maximum(built, -14.0) + 14.0)
    full = np.maximum(opened, -sink_to(plan, 0.35)).astype(np.float32)
    rough = (0.08 + 0.012 * np.minimum(np.abs(full), 60.0)).astype(np.float32)
    return Base(full, rough, push=0.007 + 0.006 * plan.params.roughness, aged=0.0, rain=0.0, specks=1e-4, beach=0.0)


def _ring(plan: Plan) -> Grid:
    """How far within the reef's outer edge a place lies, in units of the radius: no circle, but blunt corners."""
    luck = plan.chance(2)
    turn, slim = luck.uniform(0.0, 2.0 * math.pi), luck.uniform(0.6, 0.88)
    x = plan.x / plan.radius + 0.12 * plan.swell(0.95, 2, 11)
    y = plan.y / plan.radius + 0.12 * plan.swell(0.95, 2, 12)
    u, v = x * math.cos(turn) + y * math.sin(turn), (y * math.cos(turn) - x * math.sin(turn)) / slim
    rho = (np.abs(u) ** 2.6 + np.abs(v) ** 2.6) ** (1.0 / 2.6)
    inland = 0.8 * (0.78 - rho) + (0.004 + 0.014 * plan.params.roughness) * plan.swell(0.2, 4, 13)
    return np.asarray(np.minimum(inland, 0.8 * (plan.edge() / plan.radius - 0.1)), np.float32)


def _reef(plan: Plan, shape: Grid, flat: Grid, lagoon: float) -> Grid:
    """The ring without its islets: outer slope, crest, flat, and the apron of sand that goes down into the lagoon."""
    out = np.maximum(-shape, 0.0) * plan.radius
    grooves = 1.0 + 0.06 * plan.swell(0.12, 3, 21)
    slope = FLAT - 0.25 * np.minimum(out, 20.0) - 0.8 * grooves * np.maximum(out - 20.0, 0.0)
    within = np.maximum(shape - flat, 0.0)
    apron = lagoon * (1.0 - np.exp(-within / 0.09)) * (1.0 + 0.12 * plan.swell(0.3, 4, 22))
    crest = 0.4 * np.exp(-(((shape - 0.012) / 0.01) ** 2))
    return np.asarray(np.where(shape < 0.0, slope, FLAT + crest - apron), np.float32)


def _patches(plan: Plan, within: Grid) -> Grid:
    """Reefs in the lagoon: knolls of coral that stand up steeply to just below the surface."""
    luck = plan.chance(3)
    ground = np.full((plan.rows, plan.cols), -1e3, np.float32)
    wander_x, wander_y = 0.006 * plan.swell(0.08, 2, 31), 0.006 * plan.swell(0.08, 2, 32)
    row_of, col_of = np.nonzero(within > 0.04)
    if not len(row_of):
        return ground
    for _ in range(int(luck.integers(28, 60))):
        at = int(luck.integers(len(row_of)))
        x, y = plan.x[0, col_of[at]] / plan.radius, plan.y[row_of[at], 0] / plan.radius
        size, top = 0.008 / luck.uniform(0.2, 1.0), -luck.uniform(0.9, 5.0)
        far = np.hypot(plan.x / plan.radius - x + wander_x, plan.y / plan.radius - y + wander_y)
        knoll = top - 1.1 * plan.radius * np.maximum(far - size, 0.0)
        np.maximum(ground, knoll, out=ground)
    return ground


def _passes(plan: Plan, shape: Grid, flat: Grid, wind: float) -> Grid:
    """0..1: where a pass leads through the ring, most of them on the lee side."""
    luck = plan.chance(4)
    bare = np.zeros(shape.shape, np.float32)
    for number in range(int(luck.integers(2, 5))):
        at = wind + math.pi + luck.normal(0.0, 0.5) + (number - 1) * 1.1
        along = (plan.x * math.cos(at) + plan.y * math.sin(at)) / plan.radius
        across = (plan.y * math.cos(at) - plan.x * math.sin(at)) / plan.radius + 0.03 * plan.swell(0.25, 2, 41)
        width = luck.uniform(0.018, 0.035)
        gap = np.exp(-((across / width) ** 4)) * (along > 0.0)
        reach = smoothstep(-0.05, -0.01, shape) * (1.0 - smoothstep(0.0, 0.06, shape - flat))
        bare = np.maximum(bare, gap * reach)
    return np.asarray(bare, np.float32)


def _motus(plan: Plan, shape: Grid, flat: Grid, facing: Grid) -> Grid:
    """0..1: islets along the middle of the reef flat, long on the windward side, broken by shallow channels."""
    where = plan.swell(0.3, 2, 51) + 1.1 * facing + 0.5
    cuts = plan.swell(0.06, 3, 52) + 1.2
    wide = np.clip(0.4 * smoothstep(-0.1, 0.8, where) * smoothstep(-0.2, 0.5, cuts), 0.0, 0.4)
    middle = 0.5 + 0.06 * plan.swell(0.2, 3, 53)
    off = np.abs(shape / flat - middle)
    crown = np.clip((wide - off) / 0.14, 0.0, 1.0)
    return np.asarray(np.sqrt(crown) * (0.75 + 0.25 * np.clip(plan.swell(0.15, 3, 54), -1.0, 1.0)), np.float32)
