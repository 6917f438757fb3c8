"""Maps, files and comparisons that the tests of the store share."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from editor.document import Document
from editor.store import save
from plugins.api import Scene
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.fixtures import arch_map


def full_map() -> TerrainMap:
    """The arch, with an array of every kind, both zeros, a name in Greek and a found source."""
    terrain = arch_map()
    rng = np.random.default_rng(4)
    for key in ("alpha", "ao", "hole", "passable", "mask/βράχος", "mask/empty", "layer/1", "field/wear"):
        array = terrain.new_array(key)
        if key != "mask/empty":
            most = 2 if array.dtype == bool else 3
            array[...] = rng.integers(0, most, array.shape).astype(array.dtype)
        terrain.extras[key] = array
    terrain.extras["field/wear"][::2] = -0.0
    terrain.field.offset[5:9, :, 0] = -0.0
    terrain.sea_level = -1.25
    terrain.source = {"file": "Ψ.tif", "levels": 12, "range": [-3.5, 100.0], "nodata": None}
    return terrain


def wide_map() -> TerrainMap:
    """600 × 530: 3 × 3 stored tiles, clipped at the edges."""
    rng = np.random.default_rng(6)
    return TerrainMap(VectorField.from_heights(rng.standard_normal((600, 530)).astype(np.float32), 2.0))


def write(path: Path, terrain: TerrainMap) -> str:
    """A whole new file; returns its stamp."""
    document = Document(Scene(terrain))
    with_snapshot = document.snapshot()
    stamp = save(path, with_snapshot)
    with_snapshot.close()
    return stamp


def assert_same(got: TerrainMap, expected: TerrainMap) -> None:
    """Equal in every bit of every array, and every setting."""
    assert list(got.arrays()) == list(expected.arrays())
    for key, array in expected.arrays().items():
        assert got.array(key).dtype == array.dtype, key
        assert got.array(key).shape == array.shape, key
        assert got.array(key).tobytes() == array.tobytes(), key
    assert (got.field.cell, got.field.origin) == (expected.field.cell, expected.field.origin)
    assert repr(got.sea_level) == repr(expected.sea_level)
    assert got.source == expected.source


def sql(path: Path, *statements: str) -> list[Any]:
    """Run statements on a file as another program would; rows of the last one."""
    rows: list[Any] = []
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            rows = database.execute(statement).fetchall()
        database.commit()
    return rows


def tiles(path: Path) -> dict[tuple[str, int, int], tuple[int, int]]:
    """By place, the row id and the checksum of every stored tile."""
    return {(k, r, c): (i, crc) for i, k, r, c, crc in sql(path, "SELECT rowid, key, row, col, crc FROM tile")}
