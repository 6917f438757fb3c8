"""Files: new, open, import, save, export, and the guard before anything unsaved is lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from editor import commands
from editor.autosave import forget, recover, recoverable
from editor.document import Document
from editor.lock import HeldError
from editor.panels import theme
from editor.panels.export_dialog import ExportDialog
from editor.panels.import_dialog import ImportDialog
from editor.panels.keeper import Keeper
from editor.panels.new_dialog import NewDialog
from editor.panels.work import Work, show_message
from editor.settings import Settings
from plugins.api import Job, Report
from plugins.registry import importers
from terrain.errors import SkerryError

_SAVE, _DISCARD, _CANCEL = (
    QMessageBox.StandardButton.Save,
    QMessageBox.StandardButton.Discard,
    QMessageBox.StandardButton.Cancel,
)
_RECOVER = QMessageBox.StandardButton.Yes
_MAPS = f"Skerry maps (*{commands.SUFFIX})"


class Files(QObject):
    """The file commands of a window. opened: a document is to be shown; kept: a map was saved; said: a note."""

    opened = Signal(object)
    kept = Signal(object)
    said = Signal(str)

    def __init__(
        self, window: QWidget, work: Work, keeper: Keeper, settings: Settings, before_change: Callable[[], None]
    ) -> None:
        super().__init__(window)
        self._keeper = keeper
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
        name = document.path.name if document.path else "this map"
        answers = {_SAVE: "Save", _DISCARD: "Discard", _CANCEL: "Cancel"}
        answer = self._ask(f"Save the changes to {name}?", "Without saving they are lost.", answers, _SAVE)
        return self.save() if answer == _SAVE else answer == _DISCARD

    def _current(self) -> Document:
        self._before_change()
        if self.document is None:
            raise SkerryError("there is no map yet")
        return self.document

    def offer_recovery(self) -> None:
        """Offer work on a map that never had a file, left by an editor that did not end well."""
        found = recoverable(None)
        if found is not None:
            answer = self._ask_recovery("An island that was never saved was left behind when Skerry ended.")
            if answer == _RECOVER:
                self._recover(found, None)
            elif answer == _DISCARD:
                forget(found)

    def _open_map(self, path: Path) -> None:
        keep: Path | None = path
        try:
            self._keeper.take(path)
        except HeldError as error:
            if not self._ask_copy(str(error)):
                return
            keep = None
        found = recoverable(path) if keep is not None else None
        if found is not None:
            answer = self._ask_recovery(f"There is newer work on {path.name} than what was last saved.")
            if answer == _CANCEL:
                self._keeper.give_back()
                return
            if answer == _RECOVER:
                self._recover(found, path)
                return
            forget(found)
        self._load(path, keep)

    def _load(self, path: Path, keep: Path | None) -> None:
        """Open a map; keep: its path, or None for a copy that has no file of its own yet."""

        def work(job: Job) -> Document:
            document = commands.open_document(path)
            document.scene.terrain.bounds  # noqa: B018 - built here, in the worker
            return document

        def done(document: Document) -> None:
            if keep is None:
                document.path, document.stamp, document.modified = None, "", True
            else:
                self._settings.used(path)
            self.opened.emit(document)

        self._work.run(f"Opening {path.name}", work, done, self._keeper.give_back)

    def _recover(self, autosave: Path, path: Path | None) -> None:
        def done(document: Document) -> None:
            self._keeper.expect(autosave)
            self.opened.emit(document)
            self.said.emit("Recovered; save to keep it")

        self._work.run("Recovering", lambda job: recover(autosave, path), done, self._keeper.give_back)

    def _ask_recovery(self, text: str) -> QMessageBox.StandardButton:
        return self._ask(text, "Recover it?", {_RECOVER: "Recover", _DISCARD: "Discard", _CANCEL: "Later"}, _RECOVER)

    def _ask_copy(self, text: str) -> bool:
        answers = {_RECOVER: "Open a Copy", _CANCEL: "Cancel"}
        return self._ask(text, "A copy can be looked at and saved under another name.", answers, _CANCEL) == _RECOVER

    def _ask(
        self,
        text: str,
        more: str,
        answers: dict[QMessageBox.StandardButton, str],
        default: QMessageBox.StandardButton,
    ) -> QMessageBox.StandardButton:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Skerry")
        box.setText(text)
        box.setInformativeText(more)
        for button, label in answers.items():
            box.addButton(button).setText(label)
        theme.plain_buttons(box)
        box.setDefaultButton(default)
        answer = QMessageBox.StandardButton(box.exec())
        box.deleteLater()
        return answer

    def _import_file(self, path: Path) -> None:
        from plugins.importing import probe_all

        try:
            guesses = probe_all(path)
        except SkerryError as error:
            show_message(self._window, str(error))
            return
        self._settings.folder = str(path.parent)
        dialog = ImportDialog(path, guesses, self._work.runner.start, commands.import_document, self._window)
        if dialog.exec() and dialog.document is not None:
            self.opened.emit(dialog.document)
        dialog.deleteLater()

    def _may_overwrite(self, document: Document, path: Path) -> bool:
        """Ask before a map is replaced that another program changed since it was opened."""
        from editor.store import stamp_of

        own = document.path is not None and path.resolve() == document.path.resolve()
        if not own or not path.exists() or stamp_of(path) == document.on_disk:
            return True
        text = f"{path.name} was changed by another program since it was opened here."
        answers = {_SAVE: "Save Over It", _CANCEL: "Cancel"}
        return self._ask(text, f"Saving replaces it; {path.name}.1 will hold it.", answers, _CANCEL) == _SAVE

    def _save_to(self, document: Document, path: Path) -> bool:
        from editor.store import save_document

        if not self._may_overwrite(document, path):
            return False
        QApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            self._keeper.take(path)
            save_document(document, path)
        except SkerryError as error:
            self._keeper.give_back()
            show_message(self._window, str(error))
            return False
        finally:
            QApplication.restoreOverrideCursor()
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
