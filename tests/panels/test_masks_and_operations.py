"""Mask dock, operations in menus, folds and the pressure curve."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QMenu
from pytestqt.qtbot import QtBot

from editor.commands import choose_mask
from editor.document import Document
from editor.panels.actions import Actions
from editor.panels.brush_dock import BrushDock
from editor.panels.fold import Fold
from editor.panels.mask_dock import MaskDock
from editor.panels.operation_dock import OperationPanel
from editor.panels.operations import Operations
from editor.panels.pen_form import CurveEdit
from editor.panels.work import Work
from editor.tools.brushes import BrushChoice
from plugins.registry import find_operation, operations

LEFT = Qt.MouseButton.LeftButton


class Desk:
    """A window with what masks and operations need."""

    def __init__(self, qtbot: QtBot, document: Document) -> None:
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.actions = Actions(self.window)
        self.work = Work(self.window)
        self.operations = Operations(self.window, self.work, lambda: None)
        self.operations.document = document
        self.operations.add_actions(self.actions)
        self.dock = MaskDock(self.actions, self.window)
        self.dock.set_document(document)
        self.actions.fill(self.window.menuBar())


@pytest.fixture
def desk(qtbot: QtBot, document: Document) -> Desk:
    return Desk(qtbot, document)


def names(desk: Desk) -> list[str]:
    desk.dock.later.flush()
    return [desk.dock.list.item(row).text() for row in range(desk.dock.list.count())]


def test_every_operation_has_a_place_in_a_menu(desk: Desk) -> None:
    listed = {action_id for ids in desk.actions.lists.values() for action_id in ids}
    assert listed == {f"op-{op_id}" for op_id in operations()}
    shown = {action.objectName() for menu in desk.window.menuBar().findChildren(QMenu) for action in menu.actions()}
    assert listed <= shown


def test_an_operation_without_parameters_runs_at_once_as_one_step(qtbot: QtBot, desk: Desk, document: Document) -> None:
    with document.edit("mask") as edit:
        edit.add("mask/selection")
    with qtbot.waitSignal(desk.operations.said, timeout=5000):
        desk.actions["op-mask-invert"].trigger()
    assert (document.scene.terrain.extras["mask/selection"] == 65535).all()
    assert document.history.done[-1].label == "Mask: invert"
    assert document.scene.terrain.active_mask == "selection"
    desk.work.close()


def test_an_edit_meanwhile_makes_the_answer_stale(qtbot: QtBot, desk: Desk, document: Document) -> None:
    desk.operations.run("mask-height", {})
    with document.edit("dig") as edit:
        edit.set("sea_level", 3.0)
    desk.work.close()
    qtbot.wait(50)
    assert [step.label for step in document.history.done] == ["dig"]


def test_a_form_shows_what_it_was_given_last(qtbot: QtBot, desk: Desk) -> None:
    operation = find_operation("mask-height")
    panel = OperationPanel(operation, {"low": 12.0, "nonsense": 1}, parent=desk.window)
    assert panel.values["low"] == operation.Params().low
    panel = OperationPanel(operation, {"low": 12.0}, parent=desk.window)
    assert panel.values["low"] == 12.0


def test_the_list_follows_the_map_and_a_click_chooses(desk: Desk, document: Document) -> None:
    assert len(names(desk)) == 1
    for name in ("cliffs", "selection"):
        with document.edit(name) as edit:
            edit.add(f"mask/{name}")
    assert names(desk)[1:] == ["cliffs", "selection"]
    desk.dock.list.setCurrentRow(2)
    assert document.scene.terrain.active_mask == "selection"
    choose_mask(document, "cliffs", frozen=True)
    desk.dock.later.flush()
    assert desk.dock.list.currentRow() == 1
    document.undo()
    document.undo()
    desk.dock.later.flush()
    assert desk.dock.list.currentRow() <= 1


def test_a_fold_hides_its_rows_and_stays_as_it_was_left(qtbot: QtBot) -> None:
    dock = BrushDock(BrushChoice())
    qtbot.addWidget(dock)
    dock.show()
    assert dock.form is not None
    assert dock.form.editor("radius").isVisible()
    assert not dock.form.editor("jitter").isVisible()
    fold = next(fold for fold in dock.findChildren(Fold) if fold.heading.text() == "Stroke")
    fold.heading.click()
    assert dock.form.editor("jitter").isVisible()
    dock.choice.take("smooth")
    qtbot.wait(20)
    assert dock.form.editor("jitter").isVisible()
    next(fold for fold in dock.findChildren(Fold) if fold.heading.text() == "Stroke").heading.click()


def test_symmetry_and_pen_are_the_choices_own(qtbot: QtBot) -> None:
    choice = BrushChoice()
    dock = BrushDock(choice)
    qtbot.addWidget(dock)
    dock._symmetry.editor("mirror_x").set_value(True)
    dock._symmetry.editor("mirror_x").edited.emit()
    assert choice.symmetry.mirror_x
    dock._pen.curve.changed.emit((0.0, 0.1, 0.2, 0.3, 1.0))
    assert choice.pen.curve == (0.0, 0.1, 0.2, 0.3, 1.0)


def test_the_pressure_curve_is_dragged_and_straightened(qtbot: QtBot) -> None:
    curve = CurveEdit((0.0, 0.25, 0.5, 0.75, 1.0))
    qtbot.addWidget(curve)
    curve.resize(240, 96)
    curve.show()
    seen: list[tuple[float, ...]] = []
    curve.changed.connect(seen.append)
    QTest.mousePress(curve, LEFT, pos=QPoint(120, 80))
    QTest.mouseRelease(curve, LEFT, pos=QPoint(120, 80))
    assert 0.0 <= seen[-1][2] < 0.2
    assert (seen[-1][0], seen[-1][4]) == (0.0, 1.0)
    QTest.mouseDClick(curve, LEFT, pos=QPoint(120, 40))
    assert seen[-1] == (0.0, 0.25, 0.5, 0.75, 1.0)
