"""Every key belongs to one action, once: Qt does nothing for a key that is claimed twice."""

from collections import Counter

from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from editor.panels.actions import SPECS, Actions, sequences

STANDARD = QKeySequence.StandardKey


def test_no_key_is_claimed_twice(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = Actions(window)
    keys = Counter(key.toString() for action in actions.by_id.values() for key in action.shortcuts())
    assert [key for key, count in keys.items() if count > 1] == []
    # On a US keyboard these are the same key press.
    assert not {"Shift+[", "Shift+]"} & set(keys)
    assert len(keys) > len(SPECS) / 3


def test_standard_keys_and_texts_that_are_the_same_become_one() -> None:
    # Which of the two is Redo's own differs from platform to platform.
    found = [key.toString() for key in sequences((STANDARD.Redo, "Ctrl+Shift+Z", "Ctrl+Y"))]
    assert sorted(found) == ["Ctrl+Shift+Z", "Ctrl+Y"]


def test_pressing_the_keys_triggers_the_actions(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = Actions(window)
    fired: list[str] = []
    wanted = {"redo": "Ctrl+Shift+Z", "save-as": "Ctrl+Shift+S", "quit": "Ctrl+Q", "undo": "Ctrl+Z"}
    for name in wanted:
        actions[name].triggered.connect(lambda checked=False, name=name: fired.append(name))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=2000)
    for name, keys in wanted.items():
        combination = QKeySequence(keys)[0]
        QTest.keyClick(window, combination.key(), combination.keyboardModifiers())
        assert fired[-1:] == [name]
