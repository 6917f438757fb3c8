"""Docks: brush, history and map show their document and change it only through commands."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QLabel
from pytestqt.qtbot import QtBot

from editor.commands import new_document
from editor.document import Document
from editor.panels.brush_dock import BrushDock
from editor.panels.editors import NumberEditor
from editor.panels.history_dock import HistoryDock
from editor.panels.later import Later
from editor.panels.map_dock import MapDock
from editor.tools.brushes import BrushChoice
from terrain.tiles import Rect


def step(document: Document, label: str) -> None:
    with document.edit(label) as edit:
        edit.write("offset", Rect(0, 3, 0, 3))[..., 2] += 1.0


@pytest.fixture
def history(qtbot: QtBot, document: Document) -> HistoryDock:
    dock = HistoryDock()
    qtbot.addWidget(dock)
    dock.set_document(document)
    dock.show()
    return dock


@pytest.fixture
def map_dock(qtbot: QtBot, document: Document) -> MapDock:
    dock = MapDock()
    qtbot.addWidget(dock)
    dock.set_document(document)
    dock.show()
    return dock


def rows(dock: HistoryDock) -> list[str]:
    dock.later.flush()
    return [dock.list.item(row).text() for row in range(dock.list.count())]


def test_history_lists_done_then_undone_steps(history: HistoryDock, document: Document) -> None:
    for label in ("one", "two", "three"):
        step(document, label)
    document.undo()
    assert rows(history) == ["Start", "one", "two", "three"]
    assert history.list.currentRow() == 2
    assert history.list.item(3).font().italic()
    assert not history.list.item(2).font().italic()
    assert "of 1.07 GB" in history.memory.text()


def test_a_click_travels_both_ways(history: HistoryDock, document: Document, qtbot: QtBot) -> None:
    for label in ("one", "two", "three"):
        step(document, label)
    rows(history)
    for row in (1, 0, 3):
        place = history.list.visualItemRect(history.list.item(row)).center()
        qtbot.mouseClick(history.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert len(document.history.done) == row
        assert document.scene.terrain.field.offset[0, 0, 2] == -5.0 + row


def test_history_forgets_rows_that_no_longer_exist(history: HistoryDock, document: Document) -> None:
    for label in ("one", "two", "three"):
        step(document, label)
    document.undo()
    document.undo()
    step(document, "other")
    assert rows(history) == ["Start", "one", "other"]


def test_many_edits_make_one_refresh(history: HistoryDock, document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(history.list, "scrollToItem", lambda item: calls.append(1))
    for number in range(50):
        step(document, str(number))
    assert not calls
    history.later.flush()
    assert len(calls) == 1
    assert not history.later.isActive()


def test_another_document_replaces_the_old_one(history: HistoryDock, document: Document) -> None:
    step(document, "old")
    history.set_document(new_document(9, 9, 1.0))
    step(document, "old")
    assert rows(history) == ["Start"]


def test_map_dock_shows_facts_and_follows_edits(map_dock: MapDock, document: Document) -> None:
    texts = [label.text() for label in map_dock.findChildren(QLabel)]
    assert "65 × 33" in texts
    assert "-5.0 … -5.0 m" in texts
    step(document, "up")
    map_dock.later.flush()
    assert "-5.0 … -4.0 m" in [label.text() for label in map_dock.findChildren(QLabel)]


def test_sea_level_is_edited_as_one_undo_step(map_dock: MapDock, document: Document) -> None:
    for level in (1.0, 2.0, 3.5):
        map_dock.sea_level.set_value(level)
    assert document.scene.terrain.sea_level == 3.5
    assert [done.label for done in document.history.done] == ["Sea level"]
    document.undo()
    map_dock.later.flush()
    assert map_dock.sea_level.value() == 0.0
    assert not document.history.done


def test_showing_a_document_edits_nothing(map_dock: MapDock, document: Document) -> None:
    other = new_document(9, 9, 1.0, sea_level=12.345678)
    map_dock.set_document(other)
    assert other.scene.terrain.sea_level == 12.345678
    assert not other.history.done
    assert not document.history.done


@pytest.fixture
def brush_dock(qtbot: QtBot) -> BrushDock:
    dock = BrushDock(BrushChoice())
    qtbot.addWidget(dock)
    dock.show()
    return dock


def test_brush_dock_and_brush_follow_each_other(brush_dock: BrushDock) -> None:
    choice = brush_dock.choice
    assert brush_dock.form is not None
    radius = brush_dock.form.editor("radius")
    assert isinstance(radius, NumberEditor)
    choice.adjust(radius=12.0)
    assert radius.number.value() == 12.0
    radius.number.set_value(30.0)
    assert choice.params.radius == 30.0


def test_another_brush_brings_its_own_form_with_the_shared_radius(brush_dock: BrushDock) -> None:
    brush_dock.choice.adjust(radius=12.0)
    brush_dock.choice.take("smooth")
    assert brush_dock.form is not None
    assert type(brush_dock.form.params).__name__ == "SmoothParams"
    radius = brush_dock.form.editor("radius")
    assert isinstance(radius, NumberEditor)
    assert radius.number.value() == 12.0


def test_the_radius_slider_fits_the_map(brush_dock: BrushDock) -> None:
    brush_dock.set_map(0.5, 200.0)
    assert brush_dock.form is not None
    radius = brush_dock.form.editor("radius")
    assert isinstance(radius, NumberEditor)
    assert radius.number.soft == (1.0, 100.0)


@pytest.mark.parametrize("name", ["brush_dock", "map_dock", "history"])
def test_nothing_is_clipped_at_the_smallest_width(name: str, request: pytest.FixtureRequest) -> None:
    dock: QDockWidget = request.getfixturevalue(name)
    dock.resize(290, 400)
    for label in dock.findChildren(QLabel):
        if label.isVisible() and not label.wordWrap() and label.text():
            assert label.width() >= label.sizeHint().width() - 1, label.text()


def test_later_calls_once_and_then_rests(qtbot: QtBot) -> None:
    calls: list[int] = []
    dock = HistoryDock()
    qtbot.addWidget(dock)
    later = Later(lambda: calls.append(1), dock, 5)
    for _ in range(10):
        later.ask()
    qtbot.waitUntil(lambda: bool(calls), timeout=1000)
    assert calls == [1]
    assert not later.isActive()
