"""Parts of the window: actions, brush bar, status bar, background work and what nobody caught."""

import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QThread
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMessageBox, QProgressDialog, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from editor.document import Document
from editor.panels.actions import MENUS, SPECS, TOOLS, Actions
from editor.panels.brush_bar import BrushBar, add_brush_actions
from editor.panels.help import about_text, keys_text
from editor.panels.icons import icon
from editor.panels.status_bar import StatusBar
from editor.panels.trouble import TroubleHook, log_to
from editor.panels.work import Work, show_failure
from editor.tools.brushes import BrushChoice
from terrain.errors import Cancelled, SkerryError
from terrain.pick import Hit
from terrain.tiles import Rect


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    return window


def test_every_action_has_its_icon_and_every_menu_its_actions(window: QMainWindow) -> None:
    actions = Actions(window)
    for spec in SPECS:
        assert not spec.icon or not icon(spec.icon).isNull(), spec.icon
    named = {action_id for ids in MENUS.values() for action_id in ids if action_id and action_id[0] not in ">*"}
    assert named | set(TOOLS) - {""} <= set(actions.by_id)
    shown = named | {spec.id for spec in SPECS if spec.group or spec.id.startswith(("view-", "keep-"))}
    assert {spec.id for spec in SPECS} == shown


def test_no_key_has_two_meanings(window: QMainWindow) -> None:
    actions = Actions(window)
    add_brush_actions(actions, BrushChoice(), window)
    keys: dict[str, str] = {}
    for action_id, action in actions.by_id.items():
        for sequence in action.shortcuts():
            text = sequence.toString(QKeySequence.SequenceFormat.PortableText)
            assert keys.setdefault(text, action_id) == action_id, f"{text}: {keys[text]} and {action_id}"
    assert keys["Ctrl+S"] == "save"
    assert keys["Ctrl+Z"] == "undo"
    assert keys["1"] == "brush-raise"


def test_menus_hold_brushes_and_submenus(window: QMainWindow) -> None:
    actions = Actions(window)
    add_brush_actions(actions, BrushChoice(), window)
    actions.fill(window.menuBar())
    brush_menu = next(menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == "&Brush")
    families = [action.menu() for action in brush_menu.actions() if action.menu()]
    assert [menu.title() for menu in families][:2] == ["Shape", "Form"]
    assert [action.text() for action in families[0].actions()][:2] == ["Raise", "Inflate"]
    listed = {action for menu in families for action in menu.actions()}
    assert len(listed) == len(BrushChoice().ids)
    assert len(actions.submenus["bookmarks"].actions()) == 8
    assert len(actions.submenus["navigation"].actions()) == 2
    assert {"recent", "docks", "shading"} <= set(actions.submenus)


def test_the_brush_bar_and_the_brush_follow_each_other(window: QMainWindow) -> None:
    actions, choice = Actions(window), BrushChoice()
    add_brush_actions(actions, choice, window)
    bar = BrushBar(actions, choice, window)
    actions["brush-smooth"].trigger()
    assert choice.current == "smooth"
    choice.take("along-view")
    assert actions["brush-along-view"].isChecked()
    assert not actions["brush-smooth"].isChecked()
    assert len(bar.findChildren(QToolButton)) >= len(choice.ids)


def test_status_bar_shows_place_size_memory_and_renderer(qtbot: QtBot, document: Document) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_document(document)
    bar.later.flush()
    assert bar.memory.text() == ""
    bar.point_at(Hit(np.array([12.34, -5.0, 3.456]), 10.0, 1.0, 2.0))
    with document.edit("x") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 1.0
    bar.show_drawing(123456, "llvmpipe (LLVM 15.0.6, 256 bits)")
    bar.later.flush()
    assert bar.place.text() == "x 12.3  y -5.0  z 3.46 m  0°"
    assert bar.size_of_map.text() == "65 × 33"
    assert bar.memory.text().startswith("undo ")
    assert (bar.triangles.text(), bar.renderer.text()) == ("123 k tris", "software GL")
    assert "llvmpipe" in bar.renderer.toolTip()
    bar.point_at(None)
    bar.later.flush()
    assert bar.place.text() == ""


def test_status_bar_flashes_and_returns_to_the_hint(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_hint("drag")
    bar.flash("Saved")
    bar.set_hint("drag on")
    assert bar.hint.text() == "Saved"
    bar._flash.timeout.emit()
    assert bar.hint.text() == "drag on"
    bar.show_saving(True)
    assert not bar.saving.pixmap().isNull()
    bar.show_saving(False)
    assert bar.saving.pixmap().isNull()


@pytest.fixture
def work(qtbot: QtBot) -> Iterator[Work]:
    parent = QWidget()
    qtbot.addWidget(parent)
    work = Work(parent)
    yield work
    work.close()


def test_work_runs_elsewhere_and_answers_here(work: Work, qtbot: QtBot) -> None:
    answers: list[Any] = []
    work.run(
        "Counting",
        lambda job: threading.current_thread(),
        lambda thread: answers.append((thread, QThread.isMainThread())),
    )
    qtbot.waitUntil(lambda: bool(answers), timeout=5000)
    assert answers[0][0] is not threading.main_thread()
    assert answers[0][1]


def test_work_can_be_cancelled_from_its_dialog(work: Work, qtbot: QtBot) -> None:
    ended: list[str] = []
    begun = threading.Event()

    def endless(job: Any) -> None:
        begun.set()
        while True:
            job.progress(0.5, "still at it")

    work.run("Long", endless, lambda result: ended.append("done"), lambda: ended.append("given up"))
    assert begun.wait(5.0)
    dialog = work.parent().findChild(QProgressDialog)
    dialog.canceled.emit()
    qtbot.waitUntil(lambda: bool(ended), timeout=5000)
    assert ended == ["given up"]


def test_a_refusal_is_one_line_and_a_cancel_is_silent(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(QMessageBox, "open", lambda box: said.append(box.text()) or box.deleteLater())
    show_failure(None, Cancelled())
    show_failure(None, SkerryError("a.tif: too large: needs 9 GB"))
    assert said == ["A.tif: too large: needs 9 GB"]
    with pytest.raises(ZeroDivisionError):
        show_failure(None, ZeroDivisionError())


@pytest.fixture
def hook(work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    said: list[str] = []
    monkeypatch.setattr("editor.panels.trouble.show_message", lambda parent, text, detail="": said.append(text))
    hook = TroubleHook(work.parent(), work.poster, tmp_path / "skerry.log")
    yield said
    hook.remove()


def _raise(error: BaseException) -> None:
    try:
        raise error
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]


def test_what_nobody_caught_is_logged_and_shown(
    hook: list[str], qtbot: QtBot, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    _raise(ValueError("odd"))
    qtbot.waitUntil(lambda: bool(hook), timeout=2000)
    assert "ValueError: odd" in hook[0]
    assert "skerry.log" in hook[0]
    assert "ValueError: odd" in caplog.text
    assert "Traceback" in capsys.readouterr().err


def test_a_refusal_wrapped_by_a_signal_is_still_one_line(hook: list[str], qtbot: QtBot) -> None:
    try:
        raise RuntimeError("while emitting") from SkerryError("no room")
    except RuntimeError:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    _raise(Cancelled())
    qtbot.waitUntil(lambda: bool(hook), timeout=2000)
    assert hook == ["no room"]


def test_threads_are_heard_too(hook: list[str], qtbot: QtBot, capsys: pytest.CaptureFixture[str]) -> None:
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: bool(hook), timeout=2000)
    assert "ZeroDivisionError" in hook[0]


def test_the_log_is_a_file_in_its_folder(tmp_path: Path) -> None:
    before = logging.getLogger().handlers[:]
    path = log_to(tmp_path / "logs")
    assert path == tmp_path / "logs" / "skerry.log"
    added = [handler for handler in logging.getLogger().handlers if handler not in before]
    logging.getLogger("editor").warning("heard")
    for handler in added:
        handler.close()
        logging.getLogger().removeHandler(handler)
    assert "heard" in path.read_text()


@pytest.mark.parametrize("navigation", ["blender", "maya"])
def test_help_names_the_keys_of_the_chosen_navigation(navigation: str) -> None:
    text = keys_text(navigation)
    assert ("Alt + right" in text) is (navigation == "maya")
    assert "Esc takes the stroke back" in text
    assert "Skerry" in about_text()


def test_an_unknown_icon_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert icon("no-such-thing").isNull()
    assert "no-such-thing" in caplog.text
