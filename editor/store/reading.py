"""Reading: a map file into a scene; nothing in it is run, and every size is checked before memory is taken."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np

from editor.backups import backup_path
from editor.disk import naming
from editor.snapshot import STORED_TILE
from editor.store.codec import checksum, decode, in_threads
from editor.store.schema import DamagedError, Settings, open_map, read_meta, read_settings
from plugins.api import Scene
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import Array, TerrainMap, array_spec
from terrain.tiles import Rect, tile_rect, tiles_in

_OUTSIDE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)
"""Errors of the disk or of another program's making, not of the file's contents."""

_Row = tuple[str, int, int, int, bytes | None]
_Tile = tuple[str, int, int]


def load(path: Path) -> Scene:
    """The scene in a map file. Raises `SkerryError` with one line that names the file and what is wrong where."""
    with naming(path, "cannot be opened"):
        try:
            return _read(path)
        except (DamagedError, UnicodeDecodeError) as error:
            raise _with_advice(path, str(error)) from None
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _OUTSIDE:
                raise
            raise _with_advice(path, str(DamagedError(" ".join(str(error).split())))) from None


def _with_advice(path: Path, what: str) -> SkerryError:
    backup = backup_path(path, 1)
    return SkerryError(
        f"{what}; {f'a backup lies beside it: {backup.name}' if backup.exists() else 'use a copy of it'}"
    )


def _read(path: Path) -> Scene:
    with closing(open_map(path)) as database:
        database.execute("BEGIN")
        settings = read_settings(database)
        missing = {key: set(_expected(shape)) for key, shape in _shapes(settings).items()}
        _check_counts(database, missing)
        arrays = {key: _empty(key, shape) for key, shape in _shapes(settings).items()}
        for key, row, col in in_threads(lambda row: _place(row, arrays), _rows(database, missing)):
            missing[key].discard((row, col))
        for key, tiles in missing.items():
            for row, col in sorted(tiles):
                raise DamagedError(f"{_name(key, row, col)} is missing")
        stamp = read_meta(database, "stamp").decode("ascii", "replace")
        field = VectorField(arrays.pop("offset"), settings.cell, settings.origin)
        active = settings.active_mask if f"mask/{settings.active_mask}" in arrays else ""
        terrain = TerrainMap(field, arrays, settings.sea_level, settings.source, active, settings.frozen)
        return Scene(terrain, stamp)


def _shapes(settings: Settings) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {"offset": (settings.rows, settings.cols, 3)}
    for key in settings.arrays:
        less = 1 if array_spec(key).per_cell else 0
        shapes[key] = (settings.rows - less, settings.cols - less)
    return shapes


def _expected(shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    return tiles_in(Rect(0, shape[0], 0, shape[1]), STORED_TILE)


def _check_counts(database: sqlite3.Connection, expected: Mapping[str, set[tuple[int, int]]]) -> None:
    """Raise unless the file holds as many tiles as its settings promise, before an array is made for them."""
    counts = dict(database.execute('SELECT "key", count(*) FROM tile GROUP BY "key"').fetchall())
    for key, tiles in expected.items():
        if counts.pop(key, 0) != len(tiles):
            raise DamagedError(f"'{key}' lacks some of its {len(tiles)} tiles")
    if counts:
        raise DamagedError(f"it holds tiles of {sorted(map(repr, counts))[0]}, which it does not declare")


def _empty(key: str, shape: tuple[int, ...]) -> Array:
    """Fill values; zeros take no memory until they are written."""
    if key == "offset":
        return np.zeros(shape, np.float32)
    spec = array_spec(key)
    return np.full(shape, spec.fill, spec.dtype) if spec.fill else np.zeros(shape, spec.dtype)


def _rows(database: sqlite3.Connection, expected: Mapping[str, set[tuple[int, int]]]) -> Iterator[_Row]:
    """Rows of the table of tiles in the order they lie in the file, each of a place that the map has."""
    known = {key: set(tiles) for key, tiles in expected.items()}
    for key, row, col, crc, data in database.execute('SELECT "key", "row", "col", crc, data FROM tile'):
        if (row, col) not in known.get(key, ()) or not isinstance(data, bytes | None):
            raise DamagedError(f"it holds a tile at row {row!r}, column {col!r} of {key!r}")
        yield key, row, col, crc, data


def _place(row: _Row, arrays: Mapping[str, Array]) -> _Tile:
    key, tile_row, tile_col, crc, data = row
    if checksum(data or b"", key, tile_row, tile_col) != crc:
        raise DamagedError(f"{_name(key, tile_row, tile_col)} has a wrong checksum")
    if data is not None:
        array = arrays[key]
        try:
            decode(data, array[tile_rect((tile_row, tile_col), array.shape, STORED_TILE).slices])
        except SkerryError as error:
            raise DamagedError(f"{_name(key, tile_row, tile_col)} {error}") from None
    return key, tile_row, tile_col


def _name(key: str, row: int, col: int) -> str:
    return f"tile ({row}, {col}) of '{key}' (rows from {row * STORED_TILE}, columns from {col * STORED_TILE})"
