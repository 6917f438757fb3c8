"""Schema: the tables of a map file, the settings in it, and the steps from each older version to the next.

    meta(name, value, crc)             `settings`: JSON of `Settings`; `stamp`: random text, new with every save
    tile(key, row, col, crc, data)     256 × 256 elements of one array; data NULL where all hold the fill value

The header's application id is "SKRY", its user version the schema's. Every tile of every array has its row: a missing
one is damage, never silently fill. The stamp names one state of one map: tiles are only ever added to the very state
that they were counted from, so that a file put back from elsewhere is never mixed with newer tiles.
"""

import secrets
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import msgspec

from editor.disk import connect
from terrain.errors import SkerryError
from terrain.field import MAX_SIDE
from terrain.map import array_spec

APPLICATION_ID = 0x534B5259
SCHEMA = 1
"""Version of the tables that this program writes; older ones are brought forward when they are opened."""

PAGE_SIZE = 32768
_LONGEST = 16 << 20
"""Most bytes of one value: settings or a tile (one of floats is 0.8 MB)."""

TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL)",
    'CREATE TABLE tile ("key" TEXT NOT NULL, "row" INTEGER NOT NULL, "col" INTEGER NOT NULL,'
    ' crc INTEGER NOT NULL, data BLOB, PRIMARY KEY ("key", "row", "col"))',
)

MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}
"""By version: what makes that version's tables into the next one's."""


class DamagedError(SkerryError):
    """A map file whose contents do not hold together."""

    def __init__(self, what: str) -> None:
        super().__init__(f"is damaged: {what}")


Side = Annotated[int, msgspec.Meta(ge=2, le=MAX_SIDE)]


class Settings(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Everything of a map but its arrays."""

    rows: Side
    cols: Side
    cell: Annotated[float, msgspec.Meta(gt=0, le=1e9)]
    origin: tuple[float, float]
    sea_level: float
    source: dict[str, Any]
    arrays: dict[str, str]
    """By key, the dtype's name."""
    active_mask: str = ""
    frozen: bool = False


def open_map(path: Path) -> sqlite3.Connection:
    """A connection to a map file of this or an older version, checked but for its contents."""
    _check_file(path)
    database = connect(path, "rw")
    try:
        guard(database)
        version = version_of(database)
        if version > SCHEMA:
            raise SkerryError(
                f"was saved by a newer Skerry (file version {version}, this one reads up to {SCHEMA}); update Skerry"
            )
        if version < 1 or any(old not in MIGRATIONS for old in range(version, SCHEMA)):
            raise SkerryError(f"has the file version {version}, which no Skerry wrote")
        damage = database.execute("PRAGMA quick_check(1)").fetchone()
        if damage != ("ok",):
            raise DamagedError(f"{' '.join(str(damage[0]).split()) if damage else 'not checkable'}")
        if version < SCHEMA:
            database = _migrated(database, version)
        check_tables(database)
    except BaseException:
        database.close()
        raise
    return database


def guard(database: sqlite3.Connection) -> None:
    """Trust nothing that the file itself may define, and no value of unreasonable length."""
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    database.execute("PRAGMA trusted_schema=OFF")
    database.execute("PRAGMA cell_size_check=ON")
    database.execute("PRAGMA cache_size=-65536")


def version_of(database: sqlite3.Connection) -> int:
    """The schema's version in the file."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def check_tables(database: sqlite3.Connection) -> None:
    """Raise unless the file defines exactly our tables: no views, triggers or columns that compute."""
    found = database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql").fetchall()
    if found != [(table,) for table in sorted(TABLES)]:
        raise DamagedError("its tables are not those of a map")


def read_meta(database: sqlite3.Connection, name: str) -> bytes:
    """One entry of `meta`, its checksum verified."""
    found = database.execute("SELECT value, crc FROM meta WHERE name = ?", (name,)).fetchone()
    if found is None or not isinstance(found[0], bytes) or zlib.crc32(found[0]) != found[1]:
        raise DamagedError(f"its {name} cannot be read")
    return found[0]


def write_meta(database: sqlite3.Connection, name: str, value: bytes) -> None:
    """Set one entry of `meta`."""
    database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (name, value, zlib.crc32(value)))


def read_settings(database: sqlite3.Connection) -> Settings:
    """The settings, every declared array known and of the dtype that its key stands for."""
    try:
        settings = msgspec.json.decode(read_meta(database, "settings"), type=Settings)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedError(f"settings: {error}") from None
    if settings.arrays.pop("offset", None) != "float32":
        raise DamagedError("it declares no float32 'offset'")
    for key, dtype in settings.arrays.items():
        if dtype != array_spec(key).dtype.name:
            raise DamagedError(f"'{key}' is declared as {dtype}, not {array_spec(key).dtype.name}")
    return settings


def stamp_of(path: Path) -> str:
    """The stamp of the state in a file of this version; empty if there is no such file or it is not sound."""
    try:
        _check_file(path)
        with closing(connect(path, "rw")) as database:
            guard(database)
            return read_stamp(database)
    except (SkerryError, sqlite3.Error, OSError, ValueError, OverflowError):
        return ""


def read_stamp(database: sqlite3.Connection) -> str:
    """The stamp in a map of this version; empty for an older or a foreign one."""
    ours = database.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    if not ours or version_of(database) != SCHEMA:
        return ""
    check_tables(database)
    return read_meta(database, "stamp").decode("ascii", "replace")


def new_stamp() -> str:
    """A name for a state that no other state has."""
    return secrets.token_hex(16)


def _check_file(path: Path) -> None:
    """Look at the first bytes before SQLite does."""
    if path.is_dir():
        raise SkerryError("is a folder, not a map")
    if not path.exists():
        raise SkerryError("there is no such file")
    if not path.is_file():
        raise SkerryError("is not a regular file")
    with path.open("rb") as file:
        head = file.read(100)
    if not head:
        raise SkerryError("is empty; nothing was ever saved in it")
    if not head.startswith(b"SQLite format 3\0") or len(head) < 100:
        raise SkerryError("is not a Skerry map; import it if it is of another kind")
    if int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise SkerryError("is a database of another program, not a Skerry map")


def _migrated(database: sqlite3.Connection, version: int) -> sqlite3.Connection:
    """A copy in memory brought forward to this version; the old file stays as it is until it is saved."""
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with closing(database):
        database.backup(copy)
    guard(copy)
    for old in range(version, SCHEMA):
        MIGRATIONS[old](copy)
    return copy
