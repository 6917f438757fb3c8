"""`make erosion`: what every process of erosion does to the same land, its masks, the islands, and a real DEM.

Pictures go to out/erosion, or to the folder named. The real land is read from `DEM`, a file, if it is set.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from demo.relief import Picture, beside, grey, relief, write
from plugins.api import Job, Scene
from plugins.importing import import_file
from plugins.operating import run_operation
from terrain.field import VectorField
from terrain.filters.noise import noise
from terrain.map import TerrainMap
from terrain.masks.combine import from_mask

SIDE, CELL = 768, 2.0

_PART = 384
"""Vertices a side of the real land that is shown."""

PROCESSES: dict[str, dict[str, object]] = {
    "erode": {},
    "droplets": {"strength": 0.4},
    "fluvial": {},
    "drain": {},
    "thermal": {"angle": 30},
    "hillslope": {"years": 5000},
    "coastal": {},
    "river": {"points": "960,640,860,560,900,440,760,380,740,260,640,100", "width_end": 24, "depth_end": 5},
    "fan": {"x": 500, "y": 760, "volume": 400000, "slope": 8},
}
ISLANDS = ("high", "archipelago", "atoll", "volcanic", "fjord")


def main() -> None:
    """Make them all."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out/erosion")
    for name, picture in pictures():
        write(folder / f"{name}.png", picture)
        print(folder / f"{name}.png", flush=True)


def pictures() -> Iterator[tuple[str, Picture]]:
    """Names and pictures, one after the other."""
    land = _land()
    for op_id, values in PROCESSES.items():
        after = _run(land, op_id, values)
        yield op_id, beside(_relief(land), _relief(after))
        if op_id == "erode":
            yield from _masks(after)
    desert = _run(
        TerrainMap(VectorField.flat(SIDE, SIDE, CELL), sea_level=-100.0), "noise", {"amplitude": 6, "size": 300}
    )
    yield "dunes", beside(_relief(desert), _relief(_run(desert, "dunes", {"years": 5, "sand": 6})))
    for kind in ISLANDS:
        made = _run(TerrainMap(VectorField.flat(1025, 1025, 4.0)), "island", {"kind": kind})
        yield f"island-{kind}", _relief(made)
    real = os.environ.get("DEM")
    if real:
        yield "beside-a-real-dem", _beside_real(Path(real))


def _land() -> TerrainMap:
    """A rough island of plain noise: what erosion starts from."""
    flat = VectorField.flat(SIDE, SIDE, CELL)
    offset = noise(flat, amplitude=220.0, size=700.0, octaves=9, seed=4)
    row, col = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    offset[..., 2] += (70.0 - 190.0 * np.maximum(np.abs(row), np.abs(col)) ** 4).astype(np.float32)
    return TerrainMap(VectorField(offset, CELL))


def _run(terrain: TerrainMap, op_id: str, values: dict[str, object]) -> TerrainMap:
    """A map after an operation; the first stays as it is."""
    patch = run_operation(Scene(terrain), op_id, values, Job())
    field = terrain.field
    made = TerrainMap(VectorField(patch.arrays["offset"][1], field.cell, field.origin), sea_level=terrain.sea_level)
    made.extras = {key: array for key, (_, array) in patch.arrays.items() if key != "offset"}
    return made


def _relief(terrain: TerrainMap) -> Picture:
    return relief(terrain.field.offset[..., 2], terrain.field.cell, terrain.sea_level)


def _masks(terrain: TerrainMap) -> Iterator[tuple[str, Picture]]:
    for name in terrain.names("mask"):
        yield f"mask-{name}", grey(from_mask(terrain.extras[f"mask/{name}"]))


def _beside_real(path: Path) -> Picture:
    """Fractal noise, the same eroded, and real land: as many vertices, the same relief in the same cells."""
    real = import_file(path, None, {}, Job()).terrain
    height, cell = real.field.offset[..., 2], real.field.cell
    row, col = (int(i) for i in np.unravel_index(np.argmax(_windows(height)), height.shape))
    part = height[row : row + _PART, col : col + _PART]
    noisy = VectorField.flat(_PART, _PART, cell)
    spread = float(part.std())
    offset = noise(noisy, amplitude=3.0 * spread, size=_PART * cell / 2.5, octaves=9, seed=9)
    start = TerrainMap(VectorField(offset, cell), sea_level=-1e4)
    ours = _run(start, "erode", {"coast": 0})
    heights = [each.field.offset[..., 2] for each in (start, ours)] + [part]
    return beside(*(relief(each, cell, exaggerate=2.0) for each in heights))


def _windows(height: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mean height (rows, cols) of the windows that start at each vertex; none that leave the land's array."""
    mean = np.full(height.shape, -np.inf, np.float32)
    for row in range(0, height.shape[0] - _PART + 1, 32):
        for col in range(0, height.shape[1] - _PART + 1, 32):
            mean[row, col] = np.maximum(height[row : row + _PART, col : col + _PART], 0.0).mean()
    return mean


if __name__ == "__main__":
    main()
