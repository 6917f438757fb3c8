"""The file: what is written follows what was touched; opening is a matter of bytes."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from editor.document import Document
from editor.store import load, save_document
from plugins.api import Scene
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.bench.bench_sculpt import dab_times
from tests.bench.figure import Figure, figure, seconds

NAME = "store"

SIDE = 4096
MASKS = 4


def rough_map(side: int = SIDE) -> TerrainMap:
    """Fractal ground that does not compress to nothing, displaced sideways too, and four masks."""
    rng = np.random.default_rng(3)
    heights = np.zeros((side, side), np.float32)
    for octave in range(2, 12):
        knots = rng.standard_normal((2**octave + 1, 2**octave + 1)).astype(np.float32)
        at = np.linspace(0.0, 2**octave, side, dtype=np.float32)
        low, part = np.minimum(at.astype(int), 2**octave - 1), at - np.minimum(at.astype(int), 2**octave - 1)
        rows = knots[low] * (1 - part[:, None]) + knots[low + 1] * part[:, None]
        heights += 400.0 * 0.5**octave * (rows[:, low] * (1 - part) + rows[:, low + 1] * part)
    terrain = TerrainMap(VectorField.from_heights(heights, 1.0))
    terrain.field.offset[..., 0] = 0.05 * heights
    terrain.field.offset[..., 1] = -0.03 * heights[::-1]
    for number in range(MASKS):
        mask = np.clip(32768 + 200.0 * np.roll(heights, 97 * number, axis=0), 0, 65535).astype(np.uint16)
        terrain.extras[f"mask/{number}"] = mask
    return terrain


def figures() -> Iterator[Figure]:
    """Saving everything, saving after a stroke, opening."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        path = Path(folder) / "bench.skerry"
        document = Document(Scene(rough_map()))
        arrays = list(document.scene.terrain.arrays().values())
        plain = seconds(lambda: _write_plain(arrays, Path(folder) / "plain"))
        yield figure(
            f"store.save_whole_{SIDE}", seconds(lambda: save_document(document, path)), "s", plain,
            "writing and syncing the raw bytes",
        )  # fmt: skip
        read = seconds(lambda: (Path(folder) / "plain").read_bytes())
        opening = min(seconds(lambda: load(path)) for _ in range(3))
        yield figure(f"store.open_{SIDE}_{MASKS}_masks", opening, "s", read, "reading the raw bytes")
        yield from _after_a_stroke(document, path, Path(folder))


def _after_a_stroke(document: Document, path: Path, folder: Path) -> Iterator[Figure]:
    """The first save of a while also copies the old file aside; the ones after it write tiles alone."""
    first, *later = [_stroke_and_save(document, path) for _ in range(6)]
    tiles = later[-1][1]
    touched = [np.zeros((tiles, 256, 256, 3), np.float32)]
    plain = min(seconds(lambda: _write_plain(touched, folder / "touched")) for _ in range(5))
    against = f"writing and syncing its {tiles} tiles raw"
    yield figure(f"store.save_stroke_{SIDE}", max(later)[0], "s", plain, against)
    yield figure(f"store.save_stroke_and_backup_{SIDE}", first[0], "s", plain, against)


def _stroke_and_save(document: Document, path: Path) -> tuple[float, int]:
    dab_times("raise", document)
    tiles = sum(len(tiles) for tiles in document.unsaved.tiles.values())
    return seconds(lambda: save_document(document, path)), tiles


def _write_plain(arrays: list[np.ndarray], path: Path) -> None:
    with path.open("wb") as file:
        for array in arrays:
            file.write(array.data)
        file.flush()
        os.fsync(file.fileno())
