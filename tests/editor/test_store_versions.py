"""Files of other versions: a kept one of version 1, and the way forward for the next."""

import hashlib
import lzma
import sqlite3
from pathlib import Path

import pytest

import editor.store.schema as schema
from editor.document import Document
from editor.store import load, save_document
from terrain.errors import SkerryError
from terrain.tiles import Rect
from tests.editor.stored import assert_same, full_map, sql, write

KEPT = Path(__file__).parent / "data" / "map_v1.skerry.xz"
"""`full_map()` as the first version wrote it; never to be written anew."""


DIGEST = "9bfe006dc4ba38cd0e1540af7d7844e748fd3839c66f20afdfdb4c497aea1cdb"
"""SHA-256 of its arrays, each after its key (the map is not made anew: sines differ in the last bit by platform)."""


def unpacked(path: Path) -> bytes:
    """Write the kept file to a path; returns its bytes."""
    path.write_bytes(lzma.decompress(KEPT.read_bytes()))
    return path.read_bytes()


def test_a_kept_file_of_version_1_opens(tmp_path: Path) -> None:
    unpacked(tmp_path / "kept.skerry")
    terrain = load(tmp_path / "kept.skerry").terrain
    held = b"".join(key.encode() + array.tobytes() for key, array in terrain.arrays().items())
    assert hashlib.sha256(held).hexdigest() == DIGEST
    assert (terrain.field.rows, terrain.field.cols, terrain.field.cell) == (65, 81, 1.0)
    assert terrain.field.origin == (100.0, -50.0)
    assert terrain.sea_level == -1.25
    assert terrain.source == full_map().source
    assert list(terrain.arrays()) == list(full_map().arrays())


def raise_the_sea(database: sqlite3.Connection) -> None:
    """The step to an invented version 2, in which the sea lies a metre higher."""
    value = schema.read_meta(database, "settings").replace(b'"sea_level":-1.25', b'"sea_level":-0.25')
    schema.write_meta(database, "settings", value)


def test_an_older_file_is_brought_forward_and_changed_only_by_a_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "SCHEMA", 2)
    monkeypatch.setattr("editor.store.writing.SCHEMA", 2)
    monkeypatch.setitem(schema.MIGRATIONS, 1, raise_the_sea)
    path = tmp_path / "old.skerry"
    kept = unpacked(path)
    document = Document(load(path), path)
    assert document.scene.terrain.sea_level == -0.25
    assert path.read_bytes() == kept
    with document.edit("touch") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 1
    save_document(document)
    assert sql(path, "PRAGMA user_version") == [(2,)]
    assert_same(load(path).terrain, document.scene.terrain)
    assert (tmp_path / "old.skerry.1").read_bytes() == kept, "the old version stays as a backup"


def test_a_version_without_a_way_forward_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "map.skerry"
    write(path, full_map())
    monkeypatch.setattr(schema, "SCHEMA", 3)
    monkeypatch.setitem(schema.MIGRATIONS, 2, raise_the_sea)
    with pytest.raises(SkerryError, match="file version 1, which no Skerry wrote"):
        load(path)
