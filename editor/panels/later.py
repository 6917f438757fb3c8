"""Later: many requests, one call; for views of things that change with every pointer event."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Later(QTimer):
    """Calls a function once, a moment after it was first asked for; idle, it holds no running timer."""

    def __init__(self, call: Callable[[], None], parent: QObject, milliseconds: int = 60) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(milliseconds)
        self._call = call
        self.timeout.connect(call)

    def ask(self) -> None:
        """The view is stale."""
        if not self.isActive():
            self.start()

    def flush(self) -> None:
        """Call now if a call is due."""
        if self.isActive():
            self.stop()
            self._call()
