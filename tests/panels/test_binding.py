"""The Qt binding itself: a fault of PySide6 6.12.0 on Python 3.11 must never come back unnoticed."""

import sys

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot


def test_calls_that_return_nothing_keep_the_references_of_none(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for _ in range(500):
        label.setText("a")
        label.update()
    # One lost with each call would be 1000; from Python 3.12 on None is never freed.
    assert sys.getrefcount(None) > before - 100
