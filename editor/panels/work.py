"""Work: jobs with a progress window, results and failures back on Qt's own thread."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QProgressDialog, QWidget

from editor.jobs import JobRunner
from editor.panels import theme
from plugins.api import Job
from terrain.errors import Cancelled, SkerryError

T = TypeVar("T")

_PATIENCE = 400
"""Milliseconds before a progress window is shown."""


class Poster(QObject):
    """Calls functions on the thread that made it, whichever thread asks."""

    _called = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._called.connect(self._run, Qt.ConnectionType.QueuedConnection)

    def post(self, call: Callable[[], None]) -> None:
        """Have `call` called soon."""
        self._called.emit(call)

    def _run(self, call: Callable[[], None]) -> None:
        call()


class Work(QObject):
    """Starts jobs for a window: a modal progress dialog with Cancel, one message box for what goes wrong."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.poster = Poster(self)
        self.runner = JobRunner(self.poster.post)

    def run(
        self,
        title: str,
        work: Callable[[Job], T],
        done: Callable[[T], None],
        otherwise: Callable[[], None] = lambda: None,
    ) -> Job:
        """Do `work` in the background while the window waits; then `done` with its result, or `otherwise`."""
        dialog = QProgressDialog(title, "Cancel", 0, 1000, self._window)
        dialog.setWindowTitle("Skerry")
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.setMinimumDuration(_PATIENCE)
        dialog.setMinimumWidth(380)
        dialog.setAutoClose(False)
        dialog.setAutoReset(False)
        dialog.setValue(0)

        def progress(share: float, doing: str) -> None:
            if not dialog.wasCanceled():
                dialog.setLabelText(f"{title}\n{doing}" if doing else title)
                dialog.setValue(min(999, int(share * 1000)))

        def finish() -> None:
            dialog.close()
            dialog.deleteLater()

        def succeeded(result: T) -> None:
            finish()
            done(result)

        def failed(error: Exception) -> None:
            finish()
            otherwise()
            show_failure(self._window, error)

        job = self.runner.start(work, succeeded, failed, progress)
        dialog.canceled.connect(job.cancel)
        return job

    def close(self) -> None:
        """Cancel and wait."""
        self.runner.close()


def show_failure(parent: QWidget | None, error: Exception) -> None:
    """Show one clear line for a `SkerryError`, nothing for a cancelled job; anything else is a fault of ours."""
    if isinstance(error, Cancelled):
        return
    if isinstance(error, SkerryError):
        show_message(parent, str(error))
        return
    raise error


def show_message(parent: QWidget | None, text: str, detail: str = "", *, trouble: bool = True) -> None:
    """A message box that does not stop the program; detail: further text, hidden at first."""
    icon = QMessageBox.Icon.Warning if trouble else QMessageBox.Icon.Information
    box = QMessageBox(icon, "Skerry", text[:1].upper() + text[1:], QMessageBox.StandardButton.Ok, parent)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    theme.plain_buttons(box)
    if detail:
        box.setDetailedText(detail)
    box.open()
