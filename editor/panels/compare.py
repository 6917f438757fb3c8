"""CompareButton: the map before and after, by a click or for as long as it is held."""

import time

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from editor.panels.icons import icon

HELD = 0.3
"""Seconds from which a press counts as holding."""


class CompareButton(QPushButton):
    """Down shows the map as it is; a click leaves it down until the next, holding ends with the hold."""

    compared = Signal(bool)
    """True: show what was before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Before", parent)
        self.setIcon(icon("compare"))
        self.setCheckable(True)
        self.setToolTip("The map as it is. Click to switch, or hold to compare")
        self._pressed_at = 0.0
        self.pressed.connect(self._press)
        self.released.connect(self._release)

    def _press(self) -> None:
        self._pressed_at = time.perf_counter()
        self.compared.emit(True)

    def _release(self) -> None:
        if time.perf_counter() - self._pressed_at > HELD:
            self.setChecked(False)
        self.compared.emit(self.isChecked())
