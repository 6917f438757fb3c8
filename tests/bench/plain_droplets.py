"""The peer of the rain: the same droplet, led one after the other over the whole map in random order, on one thread."""

import numpy as np

from terrain.erosion.displaced import metric_of
from terrain.erosion.droplets import DropletParams, brush_of, physics_of
from terrain.erosion.outcome import Grid
from terrain.erosion.walk import Brush, Metric, Physics, walk
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.noise import hash2


def plain_droplets(field: VectorField, params: DropletParams, displaced: bool = False) -> Grid:
    """Heights after `params.density` droplets a vertex, and nothing else: no tiles, rounds, border or ledger."""
    height = np.ascontiguousarray(field.offset[..., 2])
    metric = metric_of(field.offset, field.cell) if displaced else None
    brush, physics = brush_of(params.radius / field.cell), physics_of(field.cell, params, -np.inf, 1.0)
    count = int(params.density * height.size)
    deposit, flow = np.zeros_like(height), np.zeros_like(height)
    _rain(height, deposit, height.copy(), flow, metric, brush, physics, count, params.seed)
    return height


@kernel
def _rain(
    height: Grid,
    deposit: Grid,
    bedrock: Grid,
    flow: Grid,
    metric: Metric,
    brush: Brush,
    physics: Physics,
    count: int,
    seed: int,
) -> None:
    rows, cols, start = height.shape[0], height.shape[1], brush.reach + 1
    for drop in range(count):
        x = start + (cols - 2 - 2 * start) * (np.int64(hash2(2 * drop, 0, seed)) / 4294967296.0)
        y = start + (rows - 2 - 2 * start) * (np.int64(hash2(2 * drop + 1, 0, seed)) / 4294967296.0)
        walk(height, deposit, bedrock, flow, metric, None, brush, physics, x, y)
