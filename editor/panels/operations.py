"""Operations: every registered one as a menu entry with a form; run in the background, applied as one undo step."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from editor import commands
from editor.document import Document
from editor.panels import theme
from editor.panels.actions import Actions, ActionSpec
from editor.panels.form import ParamsForm
from editor.panels.work import Work
from plugins.api import Job, Operation, Patch
from plugins.registry import find_operation, operations
from terrain.errors import SkerryError
from terrain.params import describe, from_mapping, to_mapping

_KEYS = {"mask-invert": ("Ctrl+Shift+I",), "mask-fill": ("Ctrl+Backspace",)}
_PLAIN = frozenset({"into", "combine"})
"""Operations with no other parameters run at once."""


class OperationDialog(QDialog):
    """Asks for the parameters of one operation."""

    def __init__(self, operation: Operation, values: dict[str, Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(operation.label)
        self.setMinimumWidth(440)
        doc = QLabel((type(operation).__doc__ or "").split("\n")[0])
        doc.setWordWrap(True)
        doc.setStyleSheet(f"color: {theme.QUIET}; padding: 2px 10px;")
        self.form = ParamsForm(operation.Params, _remembered(operation, values))
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self.form)
        area.setMinimumHeight(min(self.form.sizeHint().height() + 8, 520))
        trouble = QLabel()
        trouble.setWordWrap(True)
        trouble.setStyleSheet(f"color: {theme.WARN}; padding: 0 10px;")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        theme.plain_buttons(buttons)
        ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setText("Apply")
        self.form.invalid.connect(trouble.setText)
        self.form.invalid.connect(lambda text: ok.setEnabled(not text))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (doc, area, trouble, buttons):
            layout.addWidget(widget)

    @property
    def values(self) -> dict[str, Any]:
        """The parameters as plain values."""
        return to_mapping(self.form.params)


class Operations(QObject):
    """Runs operations for a window."""

    said = Signal(str)
    """One line for the status bar."""

    def __init__(self, window: QWidget, work: Work, before: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._work, self._before = window, work, before
        self.document: Document | None = None
        self._last: dict[str, dict[str, Any]] = {}

    def add_actions(self, actions: Actions) -> None:
        """One action an operation, listed for its menu."""
        for op_id, operation in sorted(operations().items(), key=lambda pair: pair[1].label):
            doc = (type(operation).__doc__ or "").split("\n")[0]
            text = operation.label if _runs_at_once(operation) else f"{operation.label}…"
            action = actions.add(ActionSpec(f"op-{op_id}", text, "", _KEYS.get(op_id, ()), doc))
            action.triggered.connect(lambda checked=False, op_id=op_id: self.ask(op_id))
            actions.lists.setdefault(operation.menu, []).append(f"op-{op_id}")

    def ask(self, op_id: str) -> None:
        """Ask for parameters, unless there are none to speak of, and run."""
        operation = find_operation(op_id)
        if _runs_at_once(operation):
            self.run(op_id, {})
            return
        dialog = OperationDialog(operation, self._last.get(op_id, {}), self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.run(op_id, dialog.values))
        dialog.open()

    def run(self, op_id: str, values: dict[str, Any]) -> None:
        """Run on the map as it is now; an edit meanwhile cancels it."""
        document = self.document
        if document is None:
            return
        self._before()
        self._last[op_id] = values
        snapshot = document.snapshot()
        label = find_operation(op_id).label

        def done(patch: Patch) -> None:
            end()
            commands.apply_operation(document, op_id, patch)
            self.said.emit(f"{label} done")

        def end() -> None:
            snapshot.close()
            document.unwatch(job)

        def work(job: Job) -> Patch:
            return commands.run_on_snapshot(snapshot, op_id, values, job)

        job = self._work.run(label, work, done, end)
        document.watch(job)


def _runs_at_once(operation: Operation) -> bool:
    return all(info.name in _PLAIN for info in describe(operation.Params))


def _remembered(operation: Operation, values: dict[str, Any]) -> Any:
    try:
        return from_mapping(operation.Params, values)
    except SkerryError:
        return operation.Params()
