"""The form of an operation: seed, live preview, before and after, Apply; the map stays as it is until then."""

import hashlib
import threading
from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QMessageBox
from pytestqt.qtbot import QtBot

from editor.document import Document
from editor.panels import compare
from editor.panels.actions import Actions
from editor.panels.editors import NumberEditor, OptionalEditor, SeedEditor
from editor.panels.form import ParamsForm
from editor.panels.operation_dock import OperationPanel
from editor.panels.operations import Operations, previewed_at_first
from editor.panels.work import Work
from plugins import registry
from plugins.api import Job, Operation, Params, Patch, Rect, Scene, SkerryError, TerrainMap, about
from plugins.operating import run_operation
from terrain.tiles import Rect as TileRect

LEFT = Qt.MouseButton.LeftButton


class LiftParams(Params, frozen=True, kw_only=True):
    """How far."""

    lift: Annotated[float, about("Up by", unit="m", ge=-10, le=200)] = 1.0
    seed: Annotated[int, about("Noise", ge=0, le=2**31 - 1)] = 1


class Lift(Operation):
    """Lift the land; by more than 100 m it fails, by more than 150 m in a way nobody foresaw."""

    id = "lift"
    label = "Lift"
    menu = "Filter"
    Params = LiftParams

    def __init__(self) -> None:
        self.runs: list[float] = []
        self.threads: set[int] = set()
        self.gate = threading.Event()
        self.gate.set()

    def run(self, scene: Scene, params: Any, job: Job) -> Patch:
        self.runs.append(params.lift)
        self.threads.add(threading.get_ident())
        while not self.gate.wait(0.01):
            job.progress(0.5, "lifting")
        if params.lift > 150:
            raise ZeroDivisionError("at\nlast")
        if params.lift > 100:
            raise SkerryError("lift: too high")
        offset = scene.terrain.field.offset.copy()
        offset[..., 2] += params.lift
        return Patch({"offset": (Rect.of(offset), offset)})


class Desk:
    """A window with what operations need, and what its viewport would be told to show."""

    def __init__(self, qtbot: QtBot, document: Document) -> None:
        self.qtbot, self.document = qtbot, document
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.actions = Actions(self.window)
        self.work = Work(self.window)
        self.operations = Operations(self.window, self.work, lambda: None)
        self.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.operations.dock)
        self.operations.set_document(document)
        self.operations.add_actions(self.actions)
        self.picture: TerrainMap | None = None
        self.badge = ""
        self.pictures: list[float] = []
        self.operations.previewer.shown.connect(self.show)
        self.window.show()

    def show(self, terrain: TerrainMap | None, text: str) -> None:
        self.picture, self.badge = terrain, text
        if terrain is not None:
            self.pictures.append(float(terrain.field.offset[0, 0, 2]))

    @property
    def panel(self) -> OperationPanel:
        panel = self.operations.dock.panel
        assert panel is not None
        return panel

    def ask(self, op_id: str = "lift") -> None:
        self.actions[f"op-{op_id}"].trigger()

    def set(self, lift: float) -> None:
        editor = self.panel.form.editor("lift")
        assert isinstance(editor, NumberEditor)
        editor.number.set_value(lift)

    def until_shown(self, height: float) -> None:
        self.qtbot.waitUntil(lambda: self.picture is not None and self.pictures[-1] == height, timeout=5000)


@pytest.fixture
def lift(monkeypatch: pytest.MonkeyPatch) -> Lift:
    registry.operations()
    monkeypatch.setitem(registry._registry._found["operation"], "lift", made := Lift())
    return made


@pytest.fixture
def desk(qtbot: QtBot, document: Document, lift: Lift) -> Iterator[Desk]:
    desk = Desk(qtbot, document)
    yield desk
    lift.gate.set()
    desk.operations.leave()
    desk.work.close()


def state(document: Document) -> tuple[Any, ...]:
    """Everything that a preview must leave alone."""
    arrays = document.scene.terrain.arrays()
    sums = {key: hashlib.sha256(array.tobytes()).hexdigest() for key, array in arrays.items()}
    return sums, document.history.done[:], document.history.undone[:], document.modified, bool(document.unsaved)


def test_a_die_throws_another_seed_that_can_be_edited(qtbot: QtBot) -> None:
    form = ParamsForm(LiftParams)
    qtbot.addWidget(form)
    seed = form.editor("seed")
    assert isinstance(seed, SeedEditor)
    seen: list[int] = []
    form.changed.connect(lambda params: seen.append(params.seed))
    for _ in range(50):
        seed.die.click()
    assert len(seen) == 50
    assert all(one != other for one, other in zip([1, *seen], seen, strict=False))
    assert 0 <= min(seen) <= max(seen) <= 9999
    seed.box.setValue(123456789)
    assert form.params.seed == 123456789  # type: ignore[attr-defined]
    seed.die.click()
    assert form.params.seed <= 9999  # type: ignore[attr-defined]


def test_a_seed_of_two_values_has_always_another(qtbot: QtBot) -> None:
    class Coin(Params, frozen=True, kw_only=True):
        seed: Annotated[int, about("Side", ge=3, le=4)] | None = None

    form = ParamsForm(Coin)
    qtbot.addWidget(form)
    editor = form.editor("seed")
    assert isinstance(editor, OptionalEditor)
    assert isinstance(editor.inner, SeedEditor)
    editor.set_value(3)
    sides = []
    for _ in range(6):
        editor.inner.die.click()
        sides.append(editor.inner.value())
    assert sides in ([3, 4] * 3, [4, 3] * 3)


def test_filters_and_what_depends_on_a_seed_are_previewed_at_first(lift: Lift) -> None:
    first = {op_id: previewed_at_first(operation) for op_id, operation in registry.operations().items()}
    assert first["lift"]
    assert first["noise"]
    assert first["droplets"]
    assert not first["resample"]
    assert not first["mask-height"]


def test_a_preview_shows_what_would_be_and_leaves_the_map_alone(desk: Desk) -> None:
    before = state(desk.document)
    desk.ask()
    assert desk.panel.isVisible()
    desk.until_shown(-4.0)
    assert desk.badge == "Preview, full resolution"
    desk.set(3.0)
    desk.until_shown(-2.0)
    assert desk.panel.line.text().startswith("Preview, full resolution, ")
    assert state(desk.document) == before


def test_of_two_quick_changes_only_the_last_is_shown(desk: Desk, lift: Lift) -> None:
    desk.ask()
    desk.until_shown(-4.0)
    lift.gate.clear()
    desk.set(2.0)
    desk.qtbot.waitUntil(lambda: lift.runs[-1] == 2.0, timeout=5000)
    desk.set(3.0)
    desk.set(4.0)
    lift.gate.set()
    desk.until_shown(-1.0)
    assert desk.pictures[:: len(desk.pictures) - 1] == [-4.0, -1.0]
    assert not {-3.0, -2.0} & set(desk.pictures)
    assert 3.0 not in lift.runs, "only what stays as it is for a moment is tried"
    assert len(lift.threads) == 1


def test_a_preview_that_takes_long_tells_how_far_it_is(desk: Desk, lift: Lift) -> None:
    lift.gate.clear()
    desk.ask()
    desk.qtbot.waitUntil(lambda: desk.panel.line.text() == "Working … lifting, 50 %", timeout=5000)
    assert desk.picture is None
    lift.gate.set()
    desk.until_shown(-4.0)
    lift.gate.clear()
    desk.set(2.0)
    desk.qtbot.waitUntil(lambda: desk.badge == "Preview, full resolution · updating …", timeout=5000)
    lift.gate.set()
    desk.until_shown(-3.0)
    assert desk.badge == "Preview, full resolution"


def test_before_shows_the_map_by_a_click_and_by_holding(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.ask()
    assert not desk.panel.compare.isEnabled()
    desk.until_shown(-4.0)
    button = desk.panel.compare
    button.click()
    assert (desk.picture, desk.badge) == (None, "Before: the map as it is")
    desk.set(2.0)
    desk.qtbot.waitUntil(lambda: desk.panel.line.text().startswith("Preview, full"), timeout=5000)
    assert desk.picture is None
    button.click()
    assert desk.picture is not None
    monkeypatch.setattr(compare, "HELD", -1.0)
    QTest.mousePress(button, LEFT)
    assert desk.picture is None
    QTest.mouseRelease(button, LEFT)
    assert desk.picture is not None
    assert not button.isChecked()


@pytest.mark.parametrize("how", ["cancel", "escape", "close", "untick", "another document"])
def test_leaving_shows_the_map_again(desk: Desk, how: str) -> None:
    before = state(desk.document)
    desk.ask()
    desk.until_shown(-4.0)
    desk.panel.compare.click()
    if how == "cancel":
        desk.panel.buttons.rejected.emit()
    elif how == "escape":
        desk.window.activateWindow()
        desk.qtbot.waitUntil(desk.window.isActiveWindow)
        desk.panel.form.focus_first()
        focused = QApplication.focusWidget()
        assert desk.panel.isAncestorOf(focused)
        QTest.keyClick(focused, Qt.Key.Key_Escape)
    elif how == "close":
        QApplication.sendEvent(desk.operations.dock, QCloseEvent())
    elif how == "untick":
        desk.panel.preview.setChecked(False)
        assert not desk.panel.compare.isEnabled()
    else:
        desk.operations.set_document(desk.document)
    assert (desk.picture, desk.badge) == (None, "")
    assert (desk.operations.dock.panel is None) == (how != "untick")
    desk.qtbot.wait(250)
    assert (desk.picture, desk.badge) == (None, "")
    assert state(desk.document) == before


def test_apply_is_one_step_and_what_the_operation_makes_of_the_whole_map(desk: Desk, document: Document) -> None:
    desk.ask("noise")
    seed = desk.panel.form.editor("seed")
    assert isinstance(seed, SeedEditor)
    seed.box.setValue(77)
    expected = run_operation(document.scene, "noise", desk.panel.values, Job()).arrays["offset"][1]
    with desk.qtbot.waitSignal(desk.operations.said, timeout=20000):
        desk.panel.apply.click()
        assert not desk.panel.isEnabled()
    assert [step.label for step in document.history.done] == ["Noise"]
    np.testing.assert_array_equal(document.scene.terrain.field.offset, expected)
    assert (desk.picture, desk.badge) == (None, "")
    assert not desk.operations.dock.isVisible()
    document.undo()
    assert (document.scene.terrain.field.offset[..., 2] == -5.0).all()
    desk.ask("noise")
    assert desk.panel.values["seed"] == 77


def test_apply_waits_for_no_preview_and_runs_in_the_same_thread(desk: Desk, lift: Lift, document: Document) -> None:
    lift.gate.clear()
    desk.ask()
    desk.qtbot.waitUntil(lambda: lift.runs == [1.0], timeout=5000)
    with desk.qtbot.waitSignal(desk.operations.said, timeout=5000):
        desk.panel.apply.click()
        desk.qtbot.waitUntil(lambda: len(lift.runs) == 2, timeout=5000)
        lift.gate.set()
    assert len(lift.threads) == 1
    assert desk.pictures == []
    assert (document.scene.terrain.field.offset[..., 2] == -4.0).all()


@pytest.mark.parametrize(
    ("lift_by", "line"), [(120.0, "Lift: too high"), (180.0, "Lift failed: ZeroDivisionError: at last")]
)
def test_a_preview_that_fails_says_so_in_one_line(
    desk: Desk, lift_by: float, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes: list[str] = []
    monkeypatch.setattr(QMessageBox, "open", lambda box: boxes.append(box.text()))
    desk.ask()
    desk.until_shown(-4.0)
    desk.set(lift_by)
    desk.qtbot.waitUntil(lambda: desk.panel.line.text() == line, timeout=5000)
    assert (desk.picture, desk.badge) == (None, "")
    assert boxes == []
    desk.set(2.0)
    desk.until_shown(-3.0)
    assert desk.panel.line.text() != line


def test_an_apply_that_fails_keeps_the_form(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes: list[str] = []
    monkeypatch.setattr(QMessageBox, "open", lambda box: boxes.append(box.text()) or box.deleteLater())
    desk.ask()
    desk.set(120.0)
    desk.panel.apply.click()
    desk.qtbot.waitUntil(lambda: bool(boxes), timeout=5000)
    assert boxes == ["Lift: too high"]
    assert desk.panel.isEnabled()
    desk.set(2.0)
    desk.until_shown(-3.0)


def test_an_edit_undo_or_redo_is_previewed_anew(desk: Desk, document: Document) -> None:
    desk.ask()
    desk.until_shown(-4.0)
    with document.edit("dig") as edit:
        edit.write("offset", TileRect(0, 33, 0, 65))[..., 2] = -20.0
    assert (desk.picture, desk.badge) == (None, ""), "what was shown is not true any more"
    desk.until_shown(-19.0)
    document.undo()
    assert desk.picture is None
    desk.until_shown(-4.0)
    document.redo()
    desk.until_shown(-19.0)
    assert [step.label for step in document.history.done] == ["dig"]


def test_a_mask_has_a_form_without_a_preview(desk: Desk) -> None:
    desk.ask("mask-height")
    assert not desk.panel.preview.isVisible()
    assert not desk.panel.compare.isVisible()
    desk.qtbot.wait(250)
    assert not desk.work.runner.busy
    assert desk.picture is None


def test_the_choice_of_a_preview_is_kept_for_the_operation(desk: Desk, lift: Lift) -> None:
    desk.ask()
    desk.panel.preview.setChecked(False)
    desk.set(9.0)
    desk.operations.leave()
    desk.ask("blur")
    assert desk.panel.preview.isChecked()
    desk.ask()
    assert not desk.panel.preview.isChecked()
    assert desk.panel.values["lift"] == 9.0
    assert lift.runs == []


def test_what_cannot_be_understood_can_be_neither_applied_nor_previewed(desk: Desk) -> None:
    desk.ask()
    desk.panel.form.invalid.emit("parameter lift: no number")
    assert not desk.panel.apply.isEnabled()
    assert desk.panel.line.text() == "Parameter lift: no number"
    desk.panel.form.invalid.emit("")
    assert desk.panel.apply.isEnabled()


def test_quitting_while_a_preview_is_made_is_clean(desk: Desk, lift: Lift) -> None:
    lift.gate.clear()
    desk.ask()
    desk.qtbot.waitUntil(lambda: bool(lift.runs), timeout=5000)
    desk.operations.leave()
    desk.work.close()
    desk.qtbot.wait(50)
    assert desk.pictures == []
    assert desk.document._snapshots == []


def test_snapshots_are_let_go(desk: Desk) -> None:
    desk.ask()
    desk.until_shown(-4.0)
    assert desk.document._snapshots == []
    desk.set(2.0)
    QApplication.sendEvent(desk.operations.dock, QEvent(QEvent.Type.User))
    desk.until_shown(-3.0)
    desk.operations.leave()
    assert desk.document._snapshots == []
