"""Trouble: nothing that goes wrong is lost; a log file, and a message for what nobody caught."""

import faulthandler
import logging
import sys
import threading
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QWidget

from editor.panels.work import Poster, show_message
from terrain.errors import Cancelled, SkerryError

_log = logging.getLogger("editor")
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def log_to(folder: Path) -> Path | None:
    """Keep a rotating log in a folder; None if it cannot be written."""
    path = folder / "skerry.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True)
    except OSError as error:
        _log.warning("no log can be kept in %s: %s", folder, error)
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.INFO)
    return path


def note_crashes(folder: Path) -> None:
    """Have the Python stack of a crash written into a folder; the file stays open as long as the program runs."""
    try:
        faulthandler.enable((folder / "crash.txt").open("a", encoding="utf-8"))
    except OSError as error:
        _log.warning("no crash file can be kept in %s: %s", folder, error)


class TroubleHook:
    """Shows and logs every exception that nobody caught, whichever thread raised it; Qt's own messages are logged."""

    def __init__(self, window: QWidget, poster: Poster, log: Path | None) -> None:
        self._window, self._poster, self._log = window, poster, log
        self._before = sys.excepthook, threading.excepthook
        sys.excepthook = self._caught
        threading.excepthook = lambda args: self._caught(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )
        qInstallMessageHandler(self._qt_message)

    def remove(self) -> None:
        """Put the former hooks back."""
        sys.excepthook, threading.excepthook = self._before
        qInstallMessageHandler(None)

    def _caught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._before[0](kind, error, trace)
            return
        known = _known(error)
        if isinstance(known, Cancelled):
            return
        if known is not None:
            _log.info("refused: %s", known)
            self._poster.post(lambda: show_message(self._window, str(known)))
            return
        _log.error("not caught", exc_info=(kind, error, trace))
        lines = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(lines)
        where = f" The details are in {self._log}." if self._log else ""
        text = f"Something went wrong inside Skerry: {kind.__name__}: {error}. Your map is still open.{where}"
        self._poster.post(lambda: show_message(self._window, text, lines))

    def _qt_message(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        logging.getLogger("qt").log(_LEVELS.get(kind, logging.WARNING), "%s", text)


def _known(error: BaseException | None) -> SkerryError | None:
    """The `SkerryError` that an error is or was caused by (signals wrap what their slots raise)."""
    while error is not None:
        if isinstance(error, SkerryError):
            return error
        error = error.__cause__
    return None
