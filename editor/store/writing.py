"""Writing: changed tiles into the file in one transaction, or a whole new file that takes the old one's place."""

import math
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from editor.disk import beside, connect, naming, put_in_place
from editor.snapshot import STORED_TILE, DirtyTiles, Snapshot
from editor.store.codec import checksum, encode, in_threads
from editor.store.schema import (
    APPLICATION_ID,
    PAGE_SIZE,
    SCHEMA,
    TABLES,
    Settings,
    guard,
    new_stamp,
    read_stamp,
    write_meta,
)
from plugins.api import Job
from terrain.errors import SkerryError
from terrain.map import array_spec
from terrain.tiles import Rect, tile_rect, tiles_in

_Place = tuple[str, int, int]
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN)


def save(
    path: Path, snapshot: Snapshot, dirty: DirtyTiles | None = None, stamp: str = "", job: Job | None = None
) -> str:
    """Put a map's state into a file and return the stamp of that state.

    dirty: what changed since the state `stamp`; if the file holds that very state, only this is written, in one
    transaction. Otherwise (None; another file) a whole new file is written beside it and renamed.
    Raises `SkerryError` with one line, or `Cancelled`; the file is then as it was before.
    """
    with naming(path, "was not saved"):
        target = path.resolve()
        if target.is_dir():
            raise SkerryError("is a folder; give a file name")
        if not target.parent.is_dir():
            raise SkerryError(f"there is no folder {target.parent}; make it first")
        settings, new, job = _settings(snapshot), new_stamp(), job or Job()
        whole = dirty is None or dirty.everything or not stamp or not target.exists()
        if whole or dirty is None or not _update(target, snapshot, dirty, stamp, new, job):
            _write_whole(target, snapshot, settings, new, job)
        return new


def _settings(snapshot: Snapshot) -> bytes:
    """The settings as JSON, refused if they would not open again."""
    rows, cols = snapshot.shape("offset")[:2]
    numbers = {"cell": (snapshot.cell,), "sea level": (snapshot.sea_level,), "origin": snapshot.origin}
    for name, values in numbers.items():
        if not all(map(math.isfinite, values)):
            raise SkerryError(f"its {name} is not finite: {values}")
    settings = Settings(
        rows=rows,
        cols=cols,
        cell=float(snapshot.cell),
        origin=(float(snapshot.origin[0]), float(snapshot.origin[1])),
        sea_level=float(snapshot.sea_level),
        source=snapshot.source,
        active_mask=snapshot.active_mask,
        frozen=snapshot.frozen,
        arrays={key: snapshot.dtype(key).name for key in snapshot.keys},
    )
    try:
        coded = msgspec.json.encode(settings)
        msgspec.json.decode(coded, type=Settings)
    except (msgspec.MsgspecError, TypeError, OverflowError, RecursionError, UnicodeError) as error:
        raise SkerryError(f"its settings cannot be written as JSON: {error}") from None
    return coded


def _update(path: Path, snapshot: Snapshot, dirty: DirtyTiles, stamp: str, new: str, job: Job) -> bool:
    """Write what changed into the file, if it is still in the state `stamp`; False if it is not, or is broken."""
    try:
        with closing(connect(path, "rw")) as database:
            guard(database)
            database.execute("PRAGMA journal_mode=DELETE").fetchall()
            # EXTRA is FULL plus a sync of the folder, so that a power cut cannot bring the journal back.
            database.execute("PRAGMA synchronous=EXTRA")
            database.execute("BEGIN IMMEDIATE")
            try:
                if not _same_state(database, stamp):
                    database.execute("ROLLBACK")
                    return False
                _write_changes(database, snapshot, dirty, job)
                write_meta(database, "settings", _settings(snapshot))
                write_meta(database, "stamp", new.encode())
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN:
            return False
        raise
    return True


def _same_state(database: sqlite3.Connection, stamp: str) -> bool:
    try:
        return read_stamp(database) == stamp
    except SkerryError:
        return False


def _write_changes(database: sqlite3.Connection, snapshot: Snapshot, dirty: DirtyTiles, job: Job) -> None:
    for key in dirty.whole:
        database.execute('DELETE FROM tile WHERE "key" = ?', (key,))
    present = set(snapshot.keys)
    places = [place for key in sorted(dirty.whole & present) for place in _all_places(snapshot, key)]
    for key in sorted(dirty.tiles.keys() & present - dirty.whole):
        places += [(key, row, col) for row, col in sorted(dirty.tiles[key])]
    _write_tiles(database, snapshot, places, job)


def _write_whole(path: Path, snapshot: Snapshot, settings: bytes, stamp: str, job: Job) -> None:
    new = beside(path)
    try:
        new.unlink(missing_ok=True)
        with closing(connect(new, "rwc")) as database:
            # The page size first: it is fixed with the first page. No journal: before its renaming the file is nothing.
            database.execute(f"PRAGMA page_size={PAGE_SIZE}")
            database.execute("PRAGMA journal_mode=OFF").fetchall()
            database.execute("PRAGMA synchronous=OFF")
            database.execute(f"PRAGMA application_id={APPLICATION_ID}")
            database.execute(f"PRAGMA user_version={SCHEMA}")
            guard(database)
            database.execute("BEGIN")
            for table in TABLES:
                database.execute(table)
            write_meta(database, "settings", settings)
            write_meta(database, "stamp", stamp.encode())
            places = [place for key in snapshot.keys for place in _all_places(snapshot, key)]
            _write_tiles(database, snapshot, places, job)
            database.execute("COMMIT")
        put_in_place(new, path)
    except BaseException:
        if not new.is_dir():
            new.unlink(missing_ok=True)
        raise


def _all_places(snapshot: Snapshot, key: str) -> Iterator[_Place]:
    rows, cols = snapshot.shape(key)[:2]
    return ((key, *tile) for tile in tiles_in(Rect(0, rows, 0, cols), STORED_TILE))


def _write_tiles(database: sqlite3.Connection, snapshot: Snapshot, places: Iterable[_Place], job: Job) -> None:
    def coded(place: _Place) -> tuple[str, int, int, int, bytes | None]:
        key, row, col = place
        rect = tile_rect((row, col), snapshot.shape(key), STORED_TILE)
        fill = 0 if key == "offset" else array_spec(key).fill
        try:
            data = encode(snapshot.read(key, rect), fill)
        except SkerryError as error:
            raise SkerryError(
                f"'{key}' in rows {rect.row0}-{rect.row1 - 1}, columns {rect.col0}-{rect.col1 - 1} {error}"
            ) from None
        return key, row, col, checksum(data or b"", key, row, col), data

    places = list(places)
    for count, values in enumerate(in_threads(coded, places), 1):
        database.execute(
            'INSERT INTO tile VALUES (?, ?, ?, ?, ?) ON CONFLICT ("key", "row", "col")'
            " DO UPDATE SET crc = excluded.crc, data = excluded.data",
            values,
        )
        job.progress(count / len(places))
