"""A volcano in the sea: a cone that steepens upward, a crater breached on one side, flank cones, lobes of lava."""

import math

import numpy as np

from terrain.erosion.outcome import Progress
from terrain.islands.base import Base
from terrain.islands.frame import Grid, Plan, rise_to, sink_to, smoothstep
from terrain.islands.seabed import with_shelf


def volcanic(plan: Plan, inland: Grid | None, progress: Progress) -> Base:
    """The shape of a volcano; a drawn coast bounds its foot, and the summit stands where it is broadest."""
    progress(0.0)
    height, depth = rise_to(plan, 0.27), sink_to(plan, 0.25)
    shape = _lobes(plan) if inland is None else inland / plan.radius
    top = _summit(plan, shape)
    progress(0.3)
    cone = height * _cone(plan, shape, top)
    cone += 0.03 * height * plan.ridges(0.3, 4, 31) * smoothstep(0.1, 0.4, shape)
    progress(0.6)
    cone = _flank_cones(plan, cone, shape, top, height)
    cone = _crater(plan, cone, top, height)
    progress(0.8)
    full = with_shelf(plan, cone.astype(np.float32), depth, 0.12 * depth, 0.1, 0.45)
    rough = np.where(full > 0.0, 0.003 * height + 0.008 * np.abs(full), 0.008 * depth).astype(np.float32)
    return Base(
        full,
        rough,
        push=0.006 + 0.008 * plan.params.roughness,
        aged=1.5,
        summit=height,
        specks=1e-3,
        beach=3.0,
        steepest=36.0,
    )


def _lobes(plan: Plan) -> Grid:
    """How far inland, in units of the radius: an ellipse along a rift, its coast pushed out by tongues of lava."""
    luck = plan.chance(1)
    turn, slim = luck.uniform(0.0, 2.0 * math.pi), luck.uniform(0.72, 0.92)
    x = plan.x / plan.radius + 0.07 * plan.swell(0.8, 2, 11)
    y = plan.y / plan.radius + 0.07 * plan.swell(0.8, 2, 12)
    u, v = x * math.cos(turn) + y * math.sin(turn), (y * math.cos(turn) - x * math.sin(turn)) / slim
    inland = 0.8 - np.sqrt(u * u + v * v)
    for _ in range(int(luck.integers(9, 15))):
        at, size = luck.uniform(0.0, 2.0 * math.pi), luck.uniform(0.1, 0.24)
        away = 0.8 - 0.55 * size
        far = np.sqrt((u - away * math.cos(at)) ** 2 + (v - away * math.sin(at)) ** 2)
        # The smooth larger of the two, so that a lobe joins the cone without a crease.
        lobe, soft = size - far, 0.05
        inland = soft * np.logaddexp(inland / soft, lobe / soft)
    inland = inland + 0.03 * plan.params.roughness * plan.swell(0.25, 4, 13)
    return np.asarray(np.minimum(inland, 0.6 * (plan.edge() / plan.radius - 0.05)), np.float32)


def _summit(plan: Plan, shape: Grid) -> tuple[float, float]:
    """Where the vent is, in units of the radius: off the middle, yet deep inland."""
    luck = plan.chance(2)
    aside = luck.uniform(-0.2, 0.2, 2)
    score = shape - 0.6 * np.hypot(plan.x / plan.radius - aside[0], plan.y / plan.radius - aside[1])
    row, col = np.unravel_index(int(np.argmax(score)), score.shape)
    return float(plan.x[0, col]) / plan.radius, float(plan.y[row, 0]) / plan.radius


def _cone(plan: Plan, shape: Grid, top: tuple[float, float]) -> Grid:
    """Height as a share of the whole: concave, steepest below the summit, and drawn out along a rift."""
    luck = plan.chance(4)
    x = plan.x / plan.radius - top[0] + 0.05 * plan.swell(0.5, 3, 15)
    y = plan.y / plan.radius - top[1] + 0.05 * plan.swell(0.5, 3, 16)
    far = np.hypot(x, y)
    inside = np.maximum(shape, 0.0)
    # 0 at the coast and 1 at the vent, whatever the coast's shape.
    share = inside / (inside + far + 1e-6)
    rift = luck.uniform(0.0, 2.0 * math.pi)
    ridge = np.exp(-(((y * math.cos(rift) - x * math.sin(rift)) / 0.13) ** 2))
    profile = 0.4 * share + 0.6 * share**2.0
    profile = profile * (1.0 + 0.25 * ridge * (1.0 - share))
    return np.asarray(np.where(shape > 0.0, profile + 0.012, 0.05 * shape - 0.005), np.float32)


def _flank_cones(plan: Plan, ground: Grid, shape: Grid, top: tuple[float, float], height: float) -> Grid:
    """Cinder cones along two rifts, each with a crater that opens down the slope."""
    luck = plan.chance(5)
    rifts = luck.uniform(0.0, 2.0 * math.pi) + np.array([0.0, luck.uniform(2.0, 4.0)])
    for number in range(int(luck.integers(7, 13))):
        at, far = rifts[number % 2] + luck.normal(0.0, 0.35), luck.uniform(0.22, 0.72)
        x, y = top[0] + far * math.cos(at), top[1] + far * math.sin(at)
        size = luck.uniform(0.05, 0.1)
        away = np.hypot(plan.x / plan.radius - x, plan.y / plan.radius - y) + 0.006 * plan.swell(0.1, 2, 41)
        down = ((plan.x / plan.radius - x) * math.cos(at) + (plan.y / plan.radius - y) * math.sin(at)) / size
        mound = np.maximum(1.0 - away / size, 0.0)
        bowl = np.maximum(1.0 - away / (0.45 * size), 0.0) + 0.8 * (down > 0.0) * np.exp(-((away / size / 0.5) ** 2))
        rise = 0.75 * size * plan.radius * (mound**1.15 - 0.55 * np.minimum(bowl, 1.2) * mound)
        ground = ground + np.where(shape > 0.04, np.maximum(rise, 0.0), 0.0)
    return np.asarray(ground, np.float32)


def _crater(plan: Plan, ground: Grid, top: tuple[float, float], height: float) -> Grid:
    """A crater or a wide caldera with a steep inner wall, and a breach through which it drains."""
    luck = plan.chance(6)
    size = luck.uniform(0.15, 0.26) if luck.uniform() < 0.5 else luck.uniform(0.07, 0.11)
    to = luck.uniform(0.0, 2.0 * math.pi)
    x = plan.x / plan.radius - top[0] + 0.12 * size * plan.swell(0.3, 3, 51)
    y = plan.y / plan.radius - top[1] + 0.12 * size * plan.swell(0.3, 3, 52)
    far = np.hypot(x, y)
    along, across = x * math.cos(to) + y * math.sin(to), y * math.cos(to) - x * math.sin(to)
    across = across + 0.25 * size * plan.swell(0.3, 3, 53)
    rim = float(np.mean(ground[(abs(far - size) < 0.02)])) if (abs(far - size) < 0.02).any() else 0.8 * height
    floor = max(rim - (0.55 * size + 0.05) * plan.radius, 0.3 * rim)
    bowl = floor + (rim - floor) * np.clip((far / size - 0.55) / 0.45, 0.0, 4.0) ** 1.3
    # The breach goes down from the floor; beyond the foot of the wall the flank is lower anyway.
    trough = floor - 0.28 * plan.radius * np.maximum(along - 0.3 * size, 0.0)
    valley = trough + 1.1 * plan.radius * np.maximum(abs(across) - 0.22 * size - 0.15 * np.maximum(along, 0.0), 0.0)
    cut = np.minimum(bowl, np.where(along > 0.0, valley, np.inf))
    inside = (far < 1.4 * size) | (along > 0.0)
    return np.asarray(
        np.where(inside & (ground > 0.0), np.minimum(ground, np.maximum(cut, 0.02 * height)), ground), np.float32
    )
