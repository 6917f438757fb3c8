"""Files: new, open, import, save, export, and the guard before anything unsaved is lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from editor import commands
from editor.document import Document
from editor.panels.export_dialog import ExportDialog
from editor.panels.import_dialog import ImportDialog
from editor.panels.new_dialog import NewDialog
from editor.panels.work import Work, show_message
from editor.settings import Settings
from plugins.api import Job, Report
from plugins.registry import importers
from terrain.errors import SkerryError

_MAPS = f"Skerry maps (*{commands.SUFFIX})"


class Files(QObject):
    """The file commands of a window. opened: a document is to be shown; kept: a map was saved; said: a note."""

    opened = Signal(object)
    kept = Signal(object)
    said = Signal(str)

    def __init__(self, window: QWidget, work: Work, settings: Settings, before_change: Callable[[], None]) -> None:
        super().__init__(window)
        self._window = window
        self._work = work
        self._settings = settings
        self._before_change = before_change
        self.document: Document | None = None

    def new(self) -> None:
        """Ask for a size and start a level map."""
        if self.may_leave():
            dialog = NewDialog(self._window)
            if dialog.exec():
                new = dialog.values
                self.opened.emit(commands.new_document(new.columns, new.rows, new.cell, new.height, new.sea_level))
            dialog.deleteLater()

    def sample(self) -> None:
        """Start again from the island."""
        if self.may_leave():
            self._work.run("Making the island", lambda job: commands.sample_document(), self.opened.emit)

    def open(self) -> None:
        """Ask for a map and open it."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open Map", self._settings.folder, f"{_MAPS};;All files (*)"
        )
        if path:
            self.open_any(Path(path))

    def import_(self) -> None:
        """Ask for a foreign file and import it."""
        suffixes = sorted({suffix for found in importers().values() for suffix in found.suffixes})
        heights = f"Heights ({' '.join('*' + suffix for suffix in suffixes)});;" if suffixes else ""
        path, _ = QFileDialog.getOpenFileName(self._window, "Import", self._settings.folder, f"{heights}All files (*)")
        if path:
            self.open_any(Path(path))

    def open_any(self, path: Path) -> None:
        """Open one of our maps or import any other file."""
        if not path.exists():
            self._settings.forget(path)
            show_message(self._window, f"{path}: there is no such file")
        elif self.may_leave():
            if commands.is_map(path):
                self._open_map(path)
            else:
                self._import_file(path)

    def save(self) -> bool:
        """Save where the map was saved before, or ask; True if it is saved now."""
        document = self._current()
        return self.save_as() if document.path is None else self._save_to(document, document.path)

    def save_as(self) -> bool:
        """Ask where to save; True if it is saved now."""
        document = self._current()
        start = document.path or Path(self._settings.folder or str(Path.home())) / f"island{commands.SUFFIX}"
        path, _ = QFileDialog.getSaveFileName(self._window, "Save Map", str(start), _MAPS)
        return bool(path) and self._save_to(document, commands.with_suffix(Path(path)))

    def export(self) -> None:
        """Ask for a target and write it while editing goes on."""
        document, settings = self._current(), self._settings
        stem = document.path.stem if document.path else "island"
        folder = Path(settings.folder or str(Path.home())) / f"{stem}-export"
        dialog = ExportDialog(folder, settings.target, settings.exports, self._window)
        if dialog.exec() and dialog.target:
            self._export(document, dialog.target, Path(dialog.folder.text()).expanduser(), dialog.values)
        dialog.deleteLater()

    def may_leave(self) -> bool:
        """Ask what to do with unsaved changes; False if the person would rather stay."""
        document = self.document
        self._before_change()
        if document is None or not document.modified:
            return True
        buttons = QMessageBox.StandardButton
        name = document.path.name if document.path else "this map"
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Skerry")
        box.setText(f"Save the changes to {name}?")
        box.setInformativeText("Without saving they are lost.")
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answer = box.exec()
        box.deleteLater()
        return self.save() if answer == buttons.Save else answer == buttons.Discard

    def _current(self) -> Document:
        self._before_change()
        if self.document is None:
            raise SkerryError("there is no map yet")
        return self.document

    def _open_map(self, path: Path) -> None:
        def work(job: Job) -> Document:
            document = commands.open_document(path)
            document.scene.terrain.bounds  # noqa: B018 - built here, in the worker
            return document

        def done(document: Document) -> None:
            self._settings.used(path)
            self.opened.emit(document)

        self._work.run(f"Opening {path.name}", work, done)

    def _import_file(self, path: Path) -> None:
        from plugins.importing import probe_all

        guesses = probe_all(path)
        if not guesses:
            show_message(self._window, f"{path.name}: no importer knows this kind of file")
            return
        self._settings.folder = str(path.parent)
        dialog = ImportDialog(path, guesses, self._work.runner.start, commands.import_document, self._window)
        if dialog.exec() and dialog.document is not None:
            self.opened.emit(dialog.document)
        dialog.deleteLater()

    def _save_to(self, document: Document, path: Path) -> bool:
        from editor.store import save_document

        try:
            save_document(document, path)
        except SkerryError as error:
            show_message(self._window, str(error))
            return False
        self._settings.used(path)
        self.kept.emit(path)
        self.said.emit(f"Saved {path.name}")
        return True

    def _export(self, document: Document, target: str, folder: Path, values: dict[str, Any]) -> None:
        self._settings.target = target
        self._settings.exports[target] = values
        self._settings.folder = str(folder.parent)
        snapshot = document.snapshot()

        def done(report: Report) -> None:
            files = ", ".join(path.name for path in report.files)
            detail = "\n".join([*(str(path) for path in report.files), "", *report.notes])
            show_message(self._window, f"Exported {files} into {folder}", detail.strip(), trouble=False)

        def work(job: Job) -> Report:
            try:
                return commands.export_snapshot(snapshot, target, folder, values, job)
            finally:
                self._work.poster.post(snapshot.close)

        self._work.run(f"Exporting into {folder.name}", work, done)
