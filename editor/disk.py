"""Disk: files put in place whole or not at all, and failures said in one line."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from terrain.errors import Cancelled, SkerryError

_SIDE_FILES = ("-journal", "-wal", "-shm")
"""Endings of the files that SQLite keeps beside a database."""


@contextlib.contextmanager
def naming(path: Path, failure: str) -> Iterator[None]:
    """Turn whatever the disk or the database raises into one `SkerryError` line: the path, `failure`, the reason."""
    try:
        yield
    except Cancelled:
        raise
    except SkerryError as error:
        raise SkerryError(f"{path}: {failure}: {error}") from None
    except MemoryError:
        raise SkerryError(f"{path}: {failure}: there is not enough memory; close other programs") from None
    except OSError as error:
        raise SkerryError(f"{path}: {failure}: {(error.strerror or str(error)).lower()}") from None
    except (sqlite3.Error, OverflowError, ValueError) as error:
        raise SkerryError(f"{path}: {failure}: {' '.join(str(error).split())}") from None


def beside(path: Path) -> Path:
    """Where a file is made before it takes the place of `path`; what a killed program left there is overwritten."""
    return path.with_name(path.name + ".new")


def put_in_place(new: Path, path: Path) -> None:
    """Make `new` durable and give it the name `path` in one step, with the permissions of the file it replaces."""
    if path.exists():
        os.chmod(new, path.stat().st_mode & 0o7777)
    sync(new)
    settle(path)
    os.replace(new, path)
    sync_folder(path.parent)


def settle(path: Path) -> None:
    """Finish what a killed program left half done in a database: roll back its journal.

    Must precede replacing or copying the file: a left journal would be rolled back into the new one.
    """
    sides = [path.with_name(path.name + ending) for ending in _SIDE_FILES]
    if not any(os.path.lexists(side) for side in sides):
        return
    with contextlib.suppress(sqlite3.Error), contextlib.closing(connect(path, "rw")) as database:
        database.execute("PRAGMA journal_mode=DELETE").fetchall()
        database.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    for side in sides:
        side.unlink(missing_ok=True)


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A database connection in autocommit mode, usable from any one thread at a time; mode: `rw` or `rwc`."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=5.0)


def sync(path: Path) -> None:
    """Wait until a file's bytes are on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until a folder's names are on the disk, where the system can do that."""
    with contextlib.suppress(PermissionError, NotImplementedError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
