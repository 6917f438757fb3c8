"""Previewer: runs an operation on a smaller copy of the map after every change of its parameters."""

import time
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from editor.document import Document
from editor.jobs import JobRunner
from editor.preview import SmallMap
from plugins.api import Job, TerrainMap
from terrain.errors import Cancelled, SkerryError

QUIET = 150
"""Milliseconds without a change before a preview is made."""
_PATIENCE = 300
"""Milliseconds before a preview that is being made is spoken of."""


class Previewer(QObject):
    """Keeps one preview up to date, and drops it as soon as the map changes. The document is only read.

    Its jobs wait in the same queue as all others, so that parallel kernels never meet.
    """

    shown = Signal(object, str)
    """The `TerrainMap` to draw in place of the map (None: the map) and what is shown; an empty text ends it."""
    said = Signal(str, bool)
    """One line for the form; True if it tells of a failure."""

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._document: Document | None = None
        self._wish: tuple[str, dict[str, Any]] | None = None
        """Operation and values to preview; None while none is wanted."""
        self._small: SmallMap | None = None
        self._job: Job | None = None
        self._result: TerrainMap | None = None
        self._before = self._late = False
        self._begun = 0.0
        self._doing = ""
        self._quiet, self._slow = self._timer(QUIET, self._start), self._timer(_PATIENCE, self._lag)

    def open(self, document: Document) -> None:
        """Preview this document from now on."""
        self.close()
        self._document = document
        document.changed.connect(self._map_changed)

    def close(self) -> None:
        """Show the map and let go of the document."""
        self.stop()
        if self._document is not None:
            self._document.changed.disconnect(self._map_changed)
            self._document = None

    def ask(self, op_id: str, values: dict[str, Any]) -> None:
        """Preview an operation with these values, once they stay as they are for a moment."""
        self._wish = (op_id, values)
        self._cancel()
        self._quiet.start()

    def pause(self) -> None:
        """Make no further preview; the one that is shown stays, until `ask` or `stop`."""
        self._wish = None
        self._cancel()
        self._late = False
        self._show()

    def stop(self) -> None:
        """Make no further preview, and show the map."""
        self.pause()
        self._drop()
        self.said.emit("", False)

    def compare(self, before: bool) -> None:
        """Show the map as it is, or the preview again."""
        self._before = before
        self._show()

    def _timer(self, milliseconds: int, call: Any) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(call)
        return timer

    def _cancel(self) -> None:
        for timer in (self._quiet, self._slow):
            timer.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _drop(self) -> None:
        """Forget what was made from the map as it was."""
        if self._small is not None:
            self._small.close()
            self._small = None
        self._result = None
        self._show()

    def _map_changed(self, changes: object) -> None:
        self._cancel()
        self._drop()
        if self._wish is not None:
            self._quiet.start()

    def _start(self) -> None:
        if self._document is None or self._wish is None:
            return
        if self._document.editing:
            self._quiet.start()
            return
        if self._small is None:
            self._small = SmallMap(self._document)
        small, (op_id, values) = self._small, self._wish
        self._begun, self._doing = time.perf_counter(), ""

        def done(result: TerrainMap) -> None:
            if job is self._job:
                self._finish(small)
                self._result = result
                self._show()
                self.said.emit(f"{_size(small)}, {time.perf_counter() - self._begun:.1f} s", False)

        def failed(error: Exception) -> None:
            if job is self._job:
                self._finish(small)
                self._result = None
                self._show()
                if not isinstance(error, Cancelled):
                    self.said.emit(_line(error), True)

        def progress(share: float, doing: str) -> None:
            if job is self._job:
                self._doing = f"{doing}, {100.0 * share:.0f} %" if doing else f"{100.0 * share:.0f} %"
                if not self._slow.isActive():
                    self._speak()

        job = self._runner.start(lambda job: small.preview(op_id, values, job), done, failed, progress)
        self._job = job
        self._slow.start()

    def _finish(self, small: SmallMap) -> None:
        self._job, self._late = None, False
        self._slow.stop()
        if small.read:
            small.close()

    def _lag(self) -> None:
        """What is shown will be out of date for a while."""
        self._late = True
        self._show()
        self._speak()

    def _speak(self) -> None:
        self.said.emit(f"Working … {self._doing}".rstrip(), False)

    def _show(self) -> None:
        if self._result is None or self._small is None:
            self.shown.emit(None, "")
        elif self._before:
            self.shown.emit(None, "Before: the map as it is")
        else:
            self.shown.emit(self._result, _size(self._small) + (" · updating …" if self._late else ""))


def _size(small: SmallMap) -> str:
    return "Preview, full resolution" if small.factor == 1 else f"Preview, 1/{small.factor} resolution"


def _line(error: Exception) -> str:
    text = str(error) if isinstance(error, SkerryError) else f"{type(error).__name__}: {error}"
    text = " ".join(text.split())
    return text[:1].upper() + text[1:]
