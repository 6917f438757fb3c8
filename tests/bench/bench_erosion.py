"""Erosion: rain against plain rain, memory, the whole map."""

import tracemalloc
from collections.abc import Iterator

import numpy as np

from terrain.erosion.droplets import DropletParams, droplets
from terrain.erosion.outcome import is_displaced
from terrain.erosion.whole import ErodeParams, erode
from terrain.field import VectorField
from tests.bench.figure import Figure, best, figure, seconds
from tests.bench.plain_droplets import plain_droplets
from tests.terrain.erosion.lands import hills, leaning

NAME = "erosion"

SIDE, DROPS = 2048, 1_000_000
RAIN = DropletParams(density=DROPS / SIDE**2, reach=60.0, radius=6.0)
"""A million droplets of thirty steps, radius three vertices, at 2 m cells."""


def figures() -> Iterator[Figure]:
    """The first call of each compiles and is not counted."""
    field = hills(SIDE, SIDE, relief=120.0)
    for land, name in ((field, "plain"), (leaning(field, 3.0), "displaced")):
        yield from _rain(land, name)
    small = hills(100, 100)
    erode(small, ErodeParams(), 0.0)
    erode(leaning(small, 3.0), ErodeParams(), 0.0)
    for land, name in ((field, ""), (leaning(field, 3.0), "_displaced")):
        yield figure(f"erosion.whole_{SIDE}{name}", seconds(lambda land=land: erode(land, ErodeParams(), 0.0)), "s")
    large = hills(2 * SIDE, 2 * SIDE, relief=120.0)
    yield figure(f"erosion.whole_{2 * SIDE}", seconds(lambda: erode(large, ErodeParams(), 0.0)), "s")


def _rain(field: VectorField, name: str) -> Iterator[Figure]:
    displaced = is_displaced(field)
    for call in (lambda: droplets(field, RAIN), lambda: plain_droplets(field, RAIN, displaced)):
        seconds(call)
    ours = best(lambda: droplets(field, RAIN), 3)
    plain = best(lambda: plain_droplets(field, RAIN, displaced), 3)
    walked = float(droplets(field, RAIN).grids["visits"].sum(dtype=np.float64)) / field.cell
    yield figure(
        f"erosion.rain_{name}", DROPS / ours / 1e6, "M droplets/s", DROPS / plain / 1e6, "plain rain, 1 thread"
    )
    yield figure(
        f"erosion.cells_{name}", walked / ours / 1e6, "M cells/s", walked / plain / 1e6, "plain rain, 1 thread"
    )
    tracemalloc.start()
    eroded = droplets(field, RAIN)
    peak = (
        tracemalloc.get_traced_memory()[1] - eroded.offset.nbytes - sum(grid.nbytes for grid in eroded.grids.values())
    )
    tracemalloc.stop()
    yield figure(f"erosion.rain_{name}_memory", peak / 2**20, "MiB", field.offset[..., 2].nbytes / 2**20, "map array")
