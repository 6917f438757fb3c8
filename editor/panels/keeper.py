"""Keeper: the lock and the autosave of the open document, and what a crash left behind."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from editor.autosave import INTERVAL, Autosave, forget
from editor.document import Document
from editor.jobs import JobRunner
from editor.lock import HeldError, MapLock
from editor.panels.work import Poster
from terrain.errors import SkerryError

_TICK = 1000
"""Milliseconds between looks at the clock while something is unsaved; none are taken otherwise."""


class Keeper(QObject):
    """Keeps one document safe at a time. busy: true while a gesture is under way."""

    writing = Signal(bool)
    """An autosave begins or ends."""
    failed = Signal(str)
    """An autosave could not be written, with the reason."""

    def __init__(self, parent: QObject, poster: Poster, busy: Callable[[], bool], interval: float = INTERVAL) -> None:
        super().__init__(parent)
        self._runner = JobRunner(poster.post)
        self._busy, self._interval = busy, interval
        self._document: Document | None = None
        self._autosave: Autosave | None = None
        self._recovered: Path | None = None
        self._expected: Path | None = None
        self._lock: tuple[Path, MapLock] | None = None
        self._taken: tuple[Path, MapLock] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK)
        self._timer.timeout.connect(self._tick)

    def take(self, path: Path) -> None:
        """Lock a map that is about to be opened or written; `adopt` or `give_back` follows.

        Raises `HeldError` if another editor has it; where no lock can be made, none is.
        """
        path = path.resolve()
        self.give_back()
        if self._lock is not None and self._lock[0] == path:
            return
        try:
            self._taken = (path, MapLock(path))
        except HeldError:
            raise
        except SkerryError:
            self._taken = None

    def give_back(self) -> None:
        """The map is not opened after all."""
        if self._taken is not None:
            self._taken[1].release()
            self._taken = None

    def expect(self, recovered: Path) -> None:
        """The document adopted next comes from this autosave, which is kept until the map is saved or given up."""
        self._expected = recovered

    def adopt(self, document: Document) -> None:
        """Keep another document; the former one is saved or meant to be lost."""
        self._let_go()
        self._document = document
        self._recovered, self._expected = self._expected, None
        self._settle_lock(document.path)
        self._autosave = Autosave(
            document,
            self._runner,
            self._interval,
            started=lambda: self.writing.emit(True),
            finished=self._finished,
            busy=self._busy,
        )
        document.edited.connect(self._wake)
        document.stored.connect(self._stored)
        self._wake()

    def close(self) -> None:
        """The window closes."""
        self._let_go()
        self._settle_lock(None)
        self._runner.close()

    def _let_go(self) -> None:
        if self._autosave is not None and self._document is not None:
            self._document.edited.disconnect(self._wake)
            self._document.stored.disconnect(self._stored)
            self._autosave.close()
        self._forget_recovered()
        self._autosave = self._document = None
        self._timer.stop()

    def _settle_lock(self, path: Path | None) -> None:
        """Hold the lock of `path` alone."""
        wanted = None if path is None else path.resolve()
        if self._lock is not None and self._lock[0] != wanted:
            self._lock[1].release()
            self._lock = None
        if self._taken is not None and self._taken[0] == wanted:
            self._lock, self._taken = self._taken, None
        self.give_back()

    def _wake(self) -> None:
        if self._document is not None and self._document.modified and not self._timer.isActive():
            self._timer.start()

    def _tick(self) -> None:
        if self._autosave is None or self._document is None:
            return
        if not self._autosave.waiting:
            self._timer.stop()
        else:
            self._autosave.tick()

    def _stored(self, path: Path) -> None:
        self._settle_lock(path)
        self._forget_recovered()

    def _forget_recovered(self) -> None:
        if self._recovered is not None:
            forget(self._recovered)
            self._recovered = None

    def _finished(self, error: Exception | None) -> None:
        self.writing.emit(False)
        if error is not None:
            self.failed.emit(f"autosave failed: {error}")
