"""Backups: copies of a map file as it was before it was overwritten, NAME.skerry.1 (newest) to .3 (oldest)."""

import contextlib
import logging
import os
import shutil
import time
from pathlib import Path

from editor.disk import beside, settle, sync, sync_folder

KEPT = 3
"""How many backups are kept."""
INTERVAL = 600.0
"""Seconds before the next save makes another one."""

_log = logging.getLogger(__name__)


def backup_path(path: Path, number: int) -> Path:
    """Where backup `number` (1 is the newest) of a map lies."""
    return path.with_name(f"{path.name}.{number}")


def backup_due(path: Path, interval: float = INTERVAL) -> bool:
    """True if the file was changed since its newest backup and that is older than `interval` seconds, or of the future.

    Raises `OSError` if the file cannot be looked at.
    """
    if not path.is_file() or path.stat().st_size == 0:
        return False
    try:
        newest = backup_path(path, 1).stat().st_mtime
    except FileNotFoundError:
        return True
    age = time.time() - newest
    return age < 0.0 or (age >= interval and path.stat().st_mtime > newest)


def keep_backup(path: Path, now: bool = False, interval: float = INTERVAL) -> bool:
    """Copy a map file aside if a backup is due (`now`: whatever the interval), the oldest dropped; True if it was.

    Costs one look at the clock when none is due, a copy of the file (about 0.2 s per 100 MB) when one is. A backup that
    cannot be made is logged and never keeps a person from saving.
    """
    try:
        path = path.resolve()
        if not backup_due(path, 0.0 if now else interval):
            return False
        _rotate(path)
    except (OSError, RuntimeError) as error:
        _log.warning("%s: no backup could be made: %s", path, error)
        return False
    return True


def _rotate(path: Path) -> None:
    new = beside(backup_path(path, 1))
    try:
        settle(path)
        shutil.copyfile(path, new)
        sync(new)
        for number in range(KEPT, 1, -1):
            with contextlib.suppress(FileNotFoundError):
                os.replace(backup_path(path, number - 1), backup_path(path, number))
        os.replace(new, backup_path(path, 1))
        sync_folder(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise
