"""Operations: every registered one as a menu entry with a form; run in the background, applied as one undo step."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from editor import commands
from editor.document import Document
from editor.panels.actions import Actions, ActionSpec
from editor.panels.operation_dock import OperationDock, OperationPanel, can_preview
from editor.panels.previewer import Previewer
from editor.panels.work import Work
from plugins.api import Job, Operation, Patch
from plugins.registry import find_operation, operations
from terrain.params import describe

_KEYS = {"mask-invert": ("Ctrl+Shift+I",), "mask-fill": ("Ctrl+Backspace",)}
_PLAIN = frozenset({"into", "combine"})
"""Operations with no other parameters run at once."""


class Operations(QObject):
    """Asks for parameters, previews and runs operations for a window. before: called before anything is run."""

    said = Signal(str)
    """One line for the status bar."""

    def __init__(self, window: QWidget, work: Work, before: Callable[[], object]) -> None:
        super().__init__(window)
        self._work, self._before = work, before
        self.document: Document | None = None
        self.dock = OperationDock(window)
        self.previewer = Previewer(work.runner, self)
        self._last: dict[str, dict[str, Any]] = {}
        self._live: dict[str, bool] = {}
        """Whether the person wants a preview, by operation."""
        self.dock.left.connect(self.leave)
        self.previewer.said.connect(self._say)
        self.previewer.shown.connect(self._mark)

    def set_document(self, document: Document) -> None:
        """Work on another document; what was being asked for the former one is given up."""
        self.leave()
        self.document = document

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
        self.leave()
        if _runs_at_once(operation):
            self.run(op_id, {})
            return
        if self.document is None:
            return
        self._before()
        live = self._live.get(op_id, previewed_at_first(operation))
        panel = OperationPanel(operation, self._last.get(op_id, {}), live)
        panel.asked.connect(self._preview)
        panel.compared.connect(self.previewer.compare)
        panel.accepted.connect(self._apply)
        panel.rejected.connect(self.leave)
        self.dock.show_panel(panel)
        self.previewer.open(self.document)
        self._preview()

    def leave(self) -> None:
        """Close the form and show the map as it is; the form will start from the same values next time."""
        panel = self.dock.panel
        if panel is not None:
            self._last[panel.operation.id] = panel.values
        self.previewer.compare(False)
        self.previewer.close()
        self.dock.clear()

    def run(
        self,
        op_id: str,
        values: dict[str, Any],
        then: Callable[[], None] = lambda: None,
        otherwise: Callable[[], None] = lambda: None,
    ) -> None:
        """Run on the map as it is now; an edit meanwhile cancels it. then: called before the map changes."""
        document = self.document
        if document is None:
            return
        self._before()
        self._last[op_id] = values
        snapshot = document.snapshot()
        label = find_operation(op_id).label

        def done(patch: Patch) -> None:
            end()
            then()
            commands.apply_operation(document, op_id, patch)
            self.said.emit(f"{label} done")

        def end() -> None:
            snapshot.close()
            document.unwatch(job)

        def given_up() -> None:
            end()
            otherwise()

        def work(job: Job) -> Patch:
            return commands.run_on_snapshot(snapshot, op_id, values, job)

        job = self._work.run(label, work, done, given_up)
        document.watch(job)

    def _preview(self) -> None:
        panel = self.dock.panel
        if panel is None:
            return
        if can_preview(panel.operation):
            self._live[panel.operation.id] = panel.live
        if panel.live:
            self.previewer.ask(panel.operation.id, panel.values)
        else:
            self.previewer.stop()

    def _apply(self) -> None:
        """Run at full resolution; the form stays until that is done, and for good if it fails."""
        panel = self.dock.panel
        if panel is None:
            return
        self.previewer.pause()
        panel.setEnabled(False)
        self.run(panel.operation.id, panel.values, self.leave, self._resume)

    def _resume(self) -> None:
        if self.dock.panel is not None:
            self.dock.panel.setEnabled(True)
            self._preview()

    def _say(self, text: str, trouble: bool) -> None:
        if self.dock.panel is not None:
            self.dock.panel.say(text, trouble)

    def _mark(self, terrain: object, text: str) -> None:
        if self.dock.panel is not None:
            self.dock.panel.show_previewed(bool(text))


def previewed_at_first(operation: Operation) -> bool:
    """True for filters, and for what depends on a seed: what no number in a form lets one foresee."""
    seeded = any(info.name == "seed" for info in describe(operation.Params))
    return can_preview(operation) and (operation.menu != "Map" or seeded)


def _runs_at_once(operation: Operation) -> bool:
    return all(info.name in _PLAIN for info in describe(operation.Params))
