"""Files that are foreign, damaged or made to harm: one line that says what, never anything else."""

import contextlib
import functools
import os
import sqlite3
from pathlib import Path

import imagecodecs
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.store import load
from editor.store.codec import checksum, decode, encode
from plugins.api import Scene
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.editor.stored import sql, tiles, wide_map, write


def small_map() -> TerrainMap:
    """300 × 70, two tiles, with a mask: a file of few pages, so that a random byte often matters."""
    rng = np.random.default_rng(5)
    terrain = TerrainMap(VectorField.from_heights(rng.standard_normal((300, 70)).astype(np.float32), 1.0))
    terrain.extras["mask/a"] = rng.integers(0, 9, (300, 70)).astype(np.uint16)
    terrain.extras["hole"] = rng.integers(0, 2, (299, 69)).astype(bool)
    return terrain


@functools.cache
def sound() -> bytes:
    """The bytes of a sound file."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "sound.skerry", small_map())
        return (Path(folder) / "sound.skerry").read_bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "map.skerry").write_bytes(sound())
    return tmp_path / "map.skerry"


def refusal(path: Path) -> str:
    """The one line that `load` refuses a file with."""
    with pytest.raises(SkerryError) as caught:
        load(path)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(f"{path}: cannot be opened: ")
    return line.removeprefix(f"{path}: cannot be opened: ")


def set_settings(path: Path, **changes: object) -> None:
    """Change fields of the settings, checksum and all."""
    import zlib

    kept = msgspec.json.decode(sql(path, "SELECT value FROM meta WHERE name = 'settings'")[0][0])
    value = msgspec.json.encode(kept | changes)
    sql(path, f"UPDATE meta SET value = x'{value.hex()}', crc = {zlib.crc32(value)} WHERE name = 'settings'")


def set_tile(path: Path, data: bytes, key: str = "offset") -> None:
    """Put other bytes in the first tile of an array, checksum and all."""
    crc = checksum(data, key, 0, 0)
    sql(path, f"UPDATE tile SET data = x'{data.hex()}', crc = {crc} WHERE key = '{key}' AND row = 0")


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_bytes_give_a_scene_or_one_line(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    content = bytearray(sound())
    near = st.one_of(st.integers(0, len(content) - 1), st.integers(0, 120), st.integers(32768, 34000))
    for _ in range(data.draw(st.integers(0, 6))):
        content[data.draw(near)] = data.draw(st.integers(0, 255))
    length = data.draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))
    path = tmp_path_factory.getbasetemp() / "fuzzed.skerry"
    path.write_bytes(content[:length])
    line = ""
    try:
        assert isinstance(load(path), Scene)
    except SkerryError as error:
        line = str(error)
    assert "\n" not in line
    for side in path.parent.glob("fuzzed.skerry-*"):
        side.unlink()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_chunks_never_get_past_the_decoder(data: st.DataObject) -> None:
    # With a right checksum, as in a file made to harm.
    tile = np.random.default_rng(data.draw(st.integers(0, 3))).integers(0, 5, (64, 48, 3)).astype(np.float32)
    chunk = bytearray(encode(tile, 0) or b"")
    for _ in range(data.draw(st.integers(1, 5))):
        chunk[data.draw(st.one_of(st.integers(0, 40), st.integers(0, len(chunk) - 1)))] = data.draw(st.integers(0, 255))
    out = np.zeros_like(tile)
    with contextlib.suppress(SkerryError):
        decode(bytes(chunk), out)
    assert np.isfinite(out).all()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "is empty; nothing was ever saved in it"),
        (b"II*\0" + bytes(500), "is not a Skerry map; import it if it is of another kind"),
        (b"SQLite format 3\0", "is not a Skerry map"),
        (os.urandom(5000), "is not a Skerry map"),
        (b"SQLite format 3\0" + bytes(52) + b"SKRY" + bytes(60000), "file is not a database"),
    ],
)
def test_files_that_are_no_maps(tmp_path: Path, content: bytes, line: str) -> None:
    (tmp_path / "x.skerry").write_bytes(content)
    assert line in refusal(tmp_path / "x.skerry")
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.skerry"]


def test_places_that_are_no_files(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.skerry") == "there is no such file"
    assert refusal(tmp_path) == "is a folder, not a map"
    os.mkfifo(tmp_path / "pipe.skerry")
    assert refusal(tmp_path / "pipe.skerry") == "is not a regular file"
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE tile (key)")
    other.close()
    assert refusal(tmp_path / "other.db") == "is a database of another program, not a Skerry map"
    assert not (tmp_path / "none.skerry").exists()


@pytest.mark.parametrize("length", [99, 4096, 32768, 65536, 100000, -1])
def test_truncated_files(path: Path, length: int) -> None:
    path.write_bytes(sound()[:length])
    assert refusal(path)


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("DELETE FROM tile WHERE key = 'offset' AND row = 1", "'offset' lacks some of its 2 tiles"),
        ("UPDATE tile SET row = 7 WHERE key = 'offset' AND row = 1", "it holds a tile at row 7, column 0 of 'offset'"),
        ("UPDATE tile SET row = 'x' WHERE key = 'hole' AND row = 1", "it holds a tile at row 'x'"),
        ("UPDATE tile SET key = 'mask/b' WHERE key = 'mask/a'", "'mask/a' lacks some of its 2 tiles"),
        ("INSERT INTO tile VALUES ('alpha', 0, 0, 0, NULL)", "it holds tiles of 'alpha', which it does not declare"),
        ("UPDATE tile SET data = 'text' WHERE key = 'hole'", "it holds a tile at row 0, column 0 of 'hole'"),
        ("UPDATE tile SET data = NULL WHERE row = 1", "tile (1, 0) of '"),
        (
            "UPDATE tile SET crc = crc + 1 WHERE key = 'hole'",
            "'hole' (rows from 0, columns from 0) has a wrong checksum",
        ),
        ("UPDATE tile SET data = zeroblob(20000000)", "too big"),
        ("DELETE FROM meta WHERE name = 'settings'", "its settings cannot be read"),
        ("DELETE FROM meta WHERE name = 'stamp'", "its stamp cannot be read"),
        ("UPDATE meta SET value = x'7b7d' WHERE name = 'settings'", "its settings cannot be read"),
        ("DROP TABLE tile", "its tables are not those of a map"),
        ("CREATE TRIGGER t AFTER UPDATE ON meta BEGIN DELETE FROM tile; END", "its tables are not those of a map"),
        ("CREATE VIEW v AS SELECT * FROM tile", "its tables are not those of a map"),
        (
            "PRAGMA user_version = 2",
            "was saved by a newer Skerry (file version 2, this one reads up to 1); update Skerry",
        ),
        ("PRAGMA user_version = 0", "file version 0, which no Skerry wrote"),
        ("PRAGMA user_version = -5", "file version -5, which no Skerry wrote"),
    ],
)
def test_wrong_contents_are_named(path: Path, statement: str, line: str) -> None:
    sql(path, statement)
    assert line in refusal(path)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"rows": 8193}, "<= 8192"),
        ({"cols": 1}, ">= 2"),
        ({"rows": 8192, "cols": 8192}, "lacks some of its 1024 tiles"),
        ({"rows": 299}, "would decode to"),
        ({"cell": 0}, "`float` > 0"),
        ({"cell": None}, "Expected `float`"),
        ({"origin": [1.0]}, "length 2"),
        ({"extra": 1}, "unknown field `extra`"),
        ({"arrays": {"offset": "float64"}}, "no float32 'offset'"),
        ({"arrays": {}}, "no float32 'offset'"),
        ({"arrays": {"offset": "float32", "mask/a": "float32"}}, "'mask/a' is declared as float32, not uint16"),
        ({"arrays": {"offset": "float32", "../x": "uint8"}}, "'../x' is not the name of a map array"),
    ],
)
def test_wrong_settings_are_named(path: Path, changes: dict[str, object], line: str) -> None:
    set_settings(path, **changes)
    assert line in refusal(path)


def test_deep_json_is_refused(path: Path) -> None:
    import zlib

    value = b"[" * 100_000
    sql(path, f"UPDATE meta SET value = x'{value.hex()}', crc = {zlib.crc32(value)} WHERE name = 'settings'")
    assert "settings" in refusal(path)


def blosc2(array: np.ndarray, compressor: str = "zstd", shuffle: int = 1) -> bytes:
    return bytes(imagecodecs.blosc2_encode(array, level=1, compressor=compressor, shuffle=shuffle, numthreads=1))


@pytest.mark.parametrize(
    ("data", "key", "line"),
    [
        (b"short", "offset", "is cut short to 5 bytes"),
        (blosc2(np.zeros((3, 9, 9), np.float32)), "offset", "would decode to 972 bytes instead of 215040"),
        (blosc2(np.ones((3, 256, 70), np.float32))[:-1], "offset", "bytes instead of"),
        (blosc2(np.ones((3, 256, 70), np.float32), "lz4"), "offset", "not compressed the way"),
        (blosc2(np.ones((3, 256, 70), np.float32), shuffle=2), "offset", "not compressed the way"),
        (blosc2(np.full((3, 256, 70), np.nan, np.float32)), "offset", "numbers that are not finite"),
        (blosc2(np.full((3, 256, 70), -np.inf, np.float32)), "offset", "numbers that are not finite"),
        (blosc2(np.full((256, 69), 2, np.uint8)), "hole", "truth values that are neither 0 nor 1"),
    ],
)
def test_wrong_tiles_are_named(path: Path, data: bytes, key: str, line: str) -> None:
    set_tile(path, data, key)
    message = refusal(path)
    assert line in message
    assert f"tile (0, 0) of '{key}' (rows from 0, columns from 0)" in message


def test_swapped_tiles_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "map.skerry"
    write(path, wide_map())
    assert len(tiles(path)) == 9
    sql(
        path,
        "UPDATE tile SET col = 90 WHERE row = 0 AND col = 0",
        "UPDATE tile SET col = 0 WHERE row = 0 AND col = 1",
        "UPDATE tile SET col = 1 WHERE row = 0 AND col = 90",
    )
    assert "has a wrong checksum" in refusal(path)


def test_a_file_in_another_journal_mode_still_opens(path: Path) -> None:
    assert sql(path, "PRAGMA journal_mode=WAL") == [("wal",)]
    assert load(path).terrain.field.rows == 300


def test_damage_comes_with_advice(path: Path) -> None:
    path.write_bytes(sound()[:100_000])
    assert refusal(path).startswith("is damaged: ")
    assert refusal(path).endswith("; use a copy of it")
    path.with_name("map.skerry.1").write_bytes(sound())
    assert refusal(path).endswith("; a backup lies beside it: map.skerry.1")


def test_a_busy_file_is_not_called_damaged(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *what, **how: connect(*what, **(how | {"timeout": 0.01})))
    other = connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert refusal(path) == "database is locked"
    other.close()
