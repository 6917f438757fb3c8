"""Autosave: what was not saved yet, kept beside the map while the person works, and found again after a crash."""

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from editor.disk import beside, settle
from editor.document import Document
from editor.history import Change
from editor.jobs import JobRunner
from editor.lock import MapLock, holder_of
from editor.snapshot import DirtyTiles, Snapshot
from editor.store import load, save, stamp_of
from plugins.api import Job
from terrain.errors import SkerryError

INTERVAL = 2.0
"""Seconds from the first change to the autosave that keeps it."""

_ENDING = ".autosave"


def autosave_path(path: Path) -> Path:
    """Where the autosave of a map lies: beside the file itself, whatever link it was opened through."""
    path = path.resolve()
    return path.with_name(path.name + _ENDING)


def state_folder() -> Path:
    """Where autosaves of maps without a file of their own lie."""
    import platformdirs

    return Path(platformdirs.user_state_dir("skerry", appauthor=False))


class Autosave:
    """Keeps one document's unsaved changes in a file of their own, written off-thread.

    All methods belong to the editing thread; call `tick` every few seconds. A runner of its own keeps it from waiting
    behind long work. started, finished: called as a write begins and as it ends (with the error, or None).
    busy: asked before a write; true while a gesture is under way. folder: for maps without a path.
    """

    def __init__(
        self,
        document: Document,
        runner: JobRunner,
        interval: float = INTERVAL,
        started: Callable[[], None] = lambda: None,
        finished: Callable[[Exception | None], None] = lambda error: None,
        busy: Callable[[], bool] = lambda: False,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._document, self._runner, self._interval = document, runner, interval
        self._started, self._finished, self._busy, self._clock = started, finished, busy, clock
        self._folder = folder
        self._dirty = document.track()
        self._since: float | None = clock() if document.modified else None
        """When the first change was made that no autosave holds."""
        self._held = 0
        self._writing = False
        self._target: Path | None = None
        self._stamp = ""
        self._untitled: MapLock | None = None
        self._guard = threading.Lock()
        self._unwanted: set[Path] = set()
        """Files that a write under way must not leave behind."""
        document.changed.connect(self._noted)
        document.stored.connect(self._stored)

    @property
    def waiting(self) -> bool:
        """True while something is not kept yet, or is being written."""
        return self._since is not None or self._writing

    @property
    def writing(self) -> bool:
        """True while an autosave is under way."""
        return self._writing

    def hold(self) -> None:
        """A gesture begins: no autosave until `release`; calls nest."""
        self._held += 1

    def release(self) -> None:
        """A gesture has ended."""
        self._held = max(0, self._held - 1)

    def due(self, now: float) -> bool:
        """True if something has waited for the interval and nothing is in the way. now: as the clock tells."""
        if self._since is None or now - self._since < self._interval:
            return False
        quiet = not (self._held or self._document.editing or self._document.saving or self._busy())
        return quiet and not self._writing

    def tick(self) -> bool:
        """Begin an autosave if one is due; True if it began."""
        return self.due(self._clock()) and self._begin()

    def close(self) -> None:
        """The document is closed, saved or meant to be lost: its autosave is no longer wanted."""
        self._document.changed.disconnect(self._noted)
        self._document.stored.disconnect(self._stored)
        self._document.untrack(self._dirty)
        self._since = None
        self._discard()

    def _begin(self) -> bool:
        try:
            target = self._where()
        except SkerryError as error:
            self._since = self._clock()
            self._finished(error)
            return False
        if target != self._target:
            self._target, self._stamp = target, ""
        with self._guard:
            self._unwanted.discard(target)
        snapshot, dirty, stamp = self._document.snapshot(), self._dirty.take(), self._stamp
        since, self._since = self._since, None
        self._writing = True
        self._started()

        def done(new: str) -> None:
            self._stamp = new if target == self._target else ""
            self._end(snapshot, None)

        def failed(error: Exception) -> None:
            self._dirty.give_back(dirty)
            # Not at once again: a full disk would otherwise be tried at every tick.
            self._since = None if since is None else self._clock()
            self._end(snapshot, error)

        try:
            self._runner.start(lambda job: self._write(target, snapshot, dirty, stamp, job), done, failed)
        except SkerryError as error:
            failed(error)
            return False
        return True

    def _end(self, snapshot: Snapshot, error: Exception | None) -> None:
        snapshot.close()
        self._writing = False
        self._finished(error)

    def _write(self, target: Path, snapshot: Snapshot, dirty: DirtyTiles, stamp: str, job: Job) -> str:
        """In the worker."""
        new = save(target, snapshot, dirty, stamp, job)
        with self._guard:
            if target in self._unwanted:
                _remove(target)
        return new

    def _where(self) -> Path:
        if self._document.path is not None:
            return autosave_path(self._document.path)
        if self._target is not None and self._untitled is not None:
            return self._target
        folder = self._folder or state_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SkerryError(f"{folder}: no folder for autosaves: {error.strerror}") from None
        target = folder / f"untitled-{os.getpid()}-{id(self):x}{_ENDING}"
        # The lock tells another editor that this file is in use and nothing to be recovered.
        self._untitled = MapLock(target)
        return target

    def _noted(self, changes: list[Change]) -> None:
        if self._since is None:
            self._since = self._clock()

    def _stored(self, path: Path) -> None:
        """The map was saved properly."""
        if not self._document.modified:
            self._since = None
        self._discard()

    def _discard(self) -> None:
        """Remove the autosave, this session's and one that it began from; one under way removes itself at its end."""
        path = self._document.path
        unwanted = {target for target in (self._target, path and autosave_path(path)) if target is not None}
        self._target, self._stamp = None, ""
        with self._guard:
            for target in unwanted:
                self._unwanted.add(target)
                _remove(target)
        if self._untitled is not None:
            self._untitled.release()
            self._untitled = None


def recoverable(path: Path | None, folder: Path | None = None) -> Path | None:
    """An autosave that holds newer work than the map at `path`, left by an editor that did not end well; or None.

    path None: of a map that never had a file. Ask before (or with) locking the map: what an editor that still runs
    keeps is not to be recovered.
    """
    if path is not None:
        found = autosave_path(path.resolve())
        newer = _age(found) > _age(path.resolve())
        return found if newer and found.is_file() else None
    left = sorted((folder or state_folder()).glob(f"untitled-*{_ENDING}"), key=_age, reverse=True)
    return next((found for found in left if holder_of(found) is None), None)


def recover(autosave: Path, path: Path | None) -> Document:
    """The document in an autosave, unsaved, as of the map at `path`. Raises `SkerryError` if it cannot be read."""
    document = Document(load(autosave), path)
    document.modified = True
    document.on_disk = "" if path is None else stamp_of(path)
    return document


def forget(autosave: Path) -> None:
    """Remove an autosave that the person does not want, or has recovered and saved."""
    _remove(autosave)


def _age(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return -1


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
        # What a killed write left beside it must not outlive it either.
        settle(path)
        beside(path).unlink(missing_ok=True)
