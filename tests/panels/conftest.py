"""Panels run on Qt's offscreen platform; any Qt warning fails, and no widget may outlive its test."""

import gc
import os
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_API", "pyside6")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.commands import new_document
from editor.document import Document
from editor.panels.theme import apply_theme


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/panels" in item.path.as_posix():
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            # The offscreen platform says so of every window that has a smallest size.
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints", extend=True))


@pytest.fixture(scope="session")
def themed(qapp: QApplication) -> QApplication:
    apply_theme(qapp)
    return qapp


@pytest.fixture(autouse=True)
def no_widget_left(themed: QApplication, qtbot: QtBot) -> Iterator[None]:
    """pytest-qt closes what a test gave to qtbot before fixtures end; anything still there is a leak."""
    yield
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [type(widget).__name__ for widget in themed.topLevelWidgets()]
    for widget in themed.topLevelWidgets():
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not left, f"widgets outlived the test: {left}"


@pytest.fixture
def document() -> Document:
    """33 rows × 65 columns, 2 m cells, 5 m under the sea."""
    return new_document(65, 33, 2.0, height=-5.0)
