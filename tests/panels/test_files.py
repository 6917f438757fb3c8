"""File commands: save, open, the guard, locks and recovery, with the dialogs answered by the test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from editor.autosave import autosave_path
from editor.document import Document
from editor.lock import MapLock
from editor.panels.files import Files
from editor.panels.keeper import Keeper
from editor.panels.work import Work
from editor.settings import Settings
from editor.store import load, save
from terrain.tiles import Rect

Button = QMessageBox.StandardButton


class Desk:
    """A window's file commands and what came of them."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.work = Work(self.window)
        self.keeper = Keeper(self.window, self.work.poster, lambda: False)
        self.settings = Settings(folder=str(folder))
        self.files = Files(self.window, self.work, self.keeper, self.settings, lambda: None)
        self.documents: list[Document] = []
        self.files.opened.connect(self.adopt)

    def adopt(self, document: Document) -> None:
        self.documents.append(document)
        self.files.document = document
        self.keeper.adopt(document)

    def open(self, path: Path) -> Document:
        count = len(self.documents)
        self.files.open_any(path)
        self.qtbot.waitUntil(lambda: len(self.documents) > count, timeout=10000)
        return self.documents[-1]

    def close(self) -> None:
        self.keeper.close()
        self.work.close()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    desk = Desk(qtbot, tmp_path)
    yield desk
    desk.close()


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[Button], list[str]]:
    """Answer every question with one button; gives the list of questions asked."""

    def install(button: Button) -> list[str]:
        asked: list[str] = []

        def exec_(box: QMessageBox) -> int:
            asked.append(box.text())
            return int(button.value)

        monkeypatch.setattr(QMessageBox, "exec", exec_)
        return asked

    return install


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What message boxes would have said."""
    texts: list[str] = []

    def show(parent: Any, text: str, detail: str = "", *, trouble: bool = True) -> None:
        texts.append(text)

    monkeypatch.setattr("editor.panels.files.show_message", show)
    monkeypatch.setattr("editor.panels.work.show_message", show)
    return texts


def raise_corner(document: Document) -> None:
    with document.edit("corner") as edit:
        edit.write("offset", Rect(0, 2, 0, 2))[..., 2] = 9.0


def choose(monkeypatch: pytest.MonkeyPatch, path: Path | None) -> None:
    """Have file dialogs choose a path."""
    chosen = ("" if path is None else str(path), "")
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, staticmethod(lambda *args, **kwargs: chosen))


def test_save_asks_once_adds_the_ending_and_is_remembered(
    desk: Desk, document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.adopt(document)
    raise_corner(document)
    choose(monkeypatch, tmp_path / "øya 島")
    assert desk.files.save()
    path = tmp_path / "øya 島.skerry"
    assert document.path == path
    assert not document.modified
    assert desk.settings.recent == [str(path)]
    choose(monkeypatch, None)
    raise_corner(document)
    assert desk.files.save()
    np.testing.assert_array_equal(load(path).terrain.field.offset, document.scene.terrain.field.offset)


def test_a_cancelled_save_dialog_saves_nothing(
    desk: Desk, document: Document, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    desk.adopt(document)
    raise_corner(document)
    choose(monkeypatch, None)
    assert not desk.files.save()
    assert document.modified
    assert not list(tmp_path.glob("*.skerry"))


def test_a_save_that_fails_is_said_in_one_line(
    desk: Desk, document: Document, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.adopt(document)
    raise_corner(document)
    choose(monkeypatch, tmp_path / "no such folder" / "a.skerry")
    assert not desk.files.save()
    assert document.modified
    assert len(told) == 1
    assert "\n" not in told[0]


def test_open_reads_the_map(desk: Desk, document: Document, tmp_path: Path) -> None:
    path = saved(document, tmp_path / "a.skerry")
    opened = desk.open(path)
    assert opened.path == path
    assert not opened.modified
    np.testing.assert_array_equal(opened.scene.terrain.field.offset, document.scene.terrain.field.offset)


def saved(document: Document, path: Path) -> Path:
    snapshot = document.snapshot()
    save(path, snapshot, None)
    snapshot.close()
    return path


def test_what_cannot_be_opened_is_said_and_the_old_map_stays(
    desk: Desk, document: Document, told: list[str], qtbot: QtBot, tmp_path: Path
) -> None:
    desk.adopt(document)
    (tmp_path / "bad.skerry").write_bytes(b"not a map")
    desk.files.open_any(tmp_path / "bad.skerry")
    qtbot.waitUntil(lambda: bool(told), timeout=10000)
    assert desk.files.document is document
    # The lock was given back.
    MapLock(tmp_path / "bad.skerry").release()


def test_a_file_that_is_gone_leaves_the_recent_files(desk: Desk, told: list[str], tmp_path: Path) -> None:
    desk.settings.recent = [str(tmp_path / "gone.skerry")]
    desk.files.open_any(tmp_path / "gone.skerry")
    assert told == [f"{tmp_path / 'gone.skerry'}: there is no such file"]
    assert desk.settings.recent == []


@pytest.mark.parametrize(("button", "leaves"), [(Button.Discard, True), (Button.Cancel, False)])
def test_unsaved_changes_are_asked_about(
    desk: Desk, document: Document, answer: Callable[[Button], list[str]], button: Button, leaves: bool
) -> None:
    asked = answer(button)
    desk.adopt(document)
    assert desk.files.may_leave()
    assert asked == []
    raise_corner(document)
    assert desk.files.may_leave() is leaves
    assert asked == ["Save the changes to this map?"]


def test_save_in_the_guard_saves_before_leaving(
    desk: Desk, document: Document, answer: Callable[[Button], list[str]], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    answer(Button.Save)
    choose(monkeypatch, tmp_path / "kept.skerry")
    desk.adopt(document)
    raise_corner(document)
    assert desk.files.may_leave()
    assert load(tmp_path / "kept.skerry").terrain.field.offset[0, 0, 2] == 9.0


def test_a_map_open_elsewhere_is_offered_as_a_copy(
    desk: Desk, document: Document, answer: Callable[[Button], list[str]], tmp_path: Path
) -> None:
    path = saved(document, tmp_path / "a.skerry")
    other = MapLock(path)
    asked = answer(Button.Yes)
    copy = desk.open(path)
    other.release()
    assert "is open in process" in asked[0]
    assert copy.path is None
    assert copy.modified


def test_a_map_open_elsewhere_is_not_opened_if_no_copy_is_wanted(
    desk: Desk, document: Document, answer: Callable[[Button], list[str]], tmp_path: Path
) -> None:
    path = saved(document, tmp_path / "a.skerry")
    other = MapLock(path)
    answer(Button.Cancel)
    desk.files.open_any(path)
    other.release()
    assert not desk.work.runner.busy
    assert desk.documents == []


def test_the_open_map_is_locked_until_another_takes_its_place(desk: Desk, document: Document, tmp_path: Path) -> None:
    first, second = saved(document, tmp_path / "a.skerry"), saved(document, tmp_path / "b.skerry")
    desk.open(first)
    with pytest.raises(Exception, match="is open in"):
        MapLock(first)
    desk.open(second)
    MapLock(first).release()
    # Opening the map that is open already is no quarrel with oneself.
    desk.open(second)


@pytest.mark.parametrize(("button", "height"), [(Button.Yes, 9.0), (Button.Discard, -5.0)])
def test_newer_work_left_by_a_crash_is_offered(
    desk: Desk, document: Document, answer: Callable[[Button], list[str]], tmp_path: Path, button: Button, height: float
) -> None:
    path = saved(document, tmp_path / "a.skerry")
    raise_corner(document)
    saved(document, autosave_path(path))
    asked = answer(button)
    opened = desk.open(path)
    assert "newer work on a.skerry" in asked[0]
    assert opened.scene.terrain.field.offset[0, 0, 2] == height
    assert opened.path == path
    assert opened.modified is (button == Button.Yes)
    # What was recovered stays on the disk until it is saved properly.
    assert autosave_path(path).exists() is (button == Button.Yes)
    assert desk.files.save()
    assert not autosave_path(path).exists()
    assert load(path).terrain.field.offset[0, 0, 2] == height


def test_autosave_runs_after_its_interval_and_goes_with_the_save(
    qtbot: QtBot, document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    work = Work(window)
    keeper = Keeper(window, work.poster, lambda: False, interval=0.0)
    document.path = saved(document, tmp_path / "a.skerry")
    keeper.take(document.path)
    keeper.adopt(document)
    raise_corner(document)
    with qtbot.waitSignals([keeper.writing, keeper.writing], timeout=5000):
        keeper._tick()
    assert load(autosave_path(document.path)).terrain.field.offset[0, 0, 2] == 9.0
    keeper.close()
    work.close()
    assert not autosave_path(document.path).exists()


def test_a_file_that_no_importer_knows_is_said_in_one_line(desk: Desk, told: list[str], tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear island,")
    desk.files.open_any(tmp_path / "letter.txt")
    assert len(told) == 1
    assert "letter.txt" in told[0]
    assert desk.documents == []
