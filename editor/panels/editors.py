"""Editors of single values: one widget a kind of parameter, all with `value`, `set_value` and `edited`."""

import random
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from editor.panels.icons import icon
from editor.panels.number import IntBox, NumberEdit
from terrain.params import ParamInfo

_MOST_SEED = 2**31 - 1
_THROWN = 9999
"""How far above the lowest seed a thrown one may be."""


class Editor(QWidget):
    """Base of all editors: a row without margins."""

    edited = Signal()
    """Emitted when the person changed the value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(6)

    def value(self) -> Any:
        """What is shown, as `terrain.params.from_mapping` takes it."""
        raise NotImplementedError

    def set_value(self, value: Any) -> None:
        """Show a value."""
        raise NotImplementedError


class NumberEditor(Editor):
    """A float or int."""

    def __init__(self, info: ParamInfo, soft: tuple[float, float] | None) -> None:
        super().__init__()
        self.number = NumberEdit(info.low, info.high, info.unit, whole=info.kind == "int", soft=soft)
        self._exact: float | None = None
        self.row.addWidget(self.number)
        self.setFocusProxy(self.number)
        self.number.changed.connect(self._changed)

    def value(self) -> float | int:
        """The number; one set by the program comes back exactly, whatever the box rounds it to."""
        if self._exact is not None:
            return self._exact
        return int(self.number.value()) if self.number.whole else self.number.value()

    def set_value(self, value: Any) -> None:
        """Show a number."""
        self.number.set_value(value)
        self._exact = value

    def _changed(self) -> None:
        self._exact = None
        self.edited.emit()


class SeedEditor(Editor):
    """A seed: a number that means nothing by itself, so no slider but a die that throws another one."""

    def __init__(self, info: ParamInfo) -> None:
        super().__init__()
        low = 0 if info.low is None else int(info.low)
        high = _MOST_SEED if info.high is None else min(int(info.high), _MOST_SEED)
        self.box = IntBox(low, high, "")
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.die = QToolButton()
        self.die.setIcon(icon("dice-5-outline"))
        self.die.setToolTip("Throw another seed")
        self.row.addWidget(self.box, 1)
        self.row.addWidget(self.die)
        self.setFocusProxy(self.box)
        self.box.valueChanged.connect(lambda number: self.edited.emit())
        self.die.clicked.connect(self.throw)

    def value(self) -> int:
        """The seed."""
        return self.box.value()

    def set_value(self, value: Any) -> None:
        """Show a seed."""
        self.box.setValue(int(value))

    def throw(self) -> None:
        """Take another seed, short enough to be read out."""
        low, high = self.box.minimum(), self.box.maximum()
        high = min(high, low + _THROWN)
        seed = random.randint(low, max(low, high - 1))
        # One number is left out of the throw: the one that is shown.
        self.box.setValue(seed + 1 if seed >= self.box.value() and high > low else seed)


class ChoiceEditor(Editor):
    """One of a few texts."""

    def __init__(self, info: ParamInfo) -> None:
        super().__init__()
        self.box = QuietComboBox()
        for choice in info.choices:
            self.box.addItem(choice.replace("-", " ").replace("_", " ").capitalize(), choice)
        self.row.addWidget(self.box)
        self.setFocusProxy(self.box)
        self.box.currentIndexChanged.connect(lambda index: self.edited.emit())

    def value(self) -> str:
        """The chosen text."""
        return str(self.box.currentData())

    def set_value(self, value: Any) -> None:
        """Choose a text."""
        self.box.setCurrentIndex(self.box.findData(value))


class QuietComboBox(QComboBox):
    """A combo box that leaves the wheel to the panel it stands in and may be narrower than its texts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Ignored."""
        event.ignore()


class BoolEditor(Editor):
    """Yes or no."""

    def __init__(self) -> None:
        super().__init__()
        self.box = QCheckBox()
        self.row.addWidget(self.box)
        self.row.addStretch(1)
        self.setFocusProxy(self.box)
        self.box.toggled.connect(lambda on: self.edited.emit())

    def value(self) -> bool:
        """Whether it is ticked."""
        return self.box.isChecked()

    def set_value(self, value: Any) -> None:
        """Tick it or not."""
        self.box.setChecked(bool(value))


class TextEditor(Editor):
    """A text, numbers with commas, or a path with a button to choose a file."""

    def __init__(self, info: ParamInfo) -> None:
        super().__init__()
        self._empty: Any = None if info.optional else () if info.kind == "numbers" else ""
        self.line = QLineEdit()
        self.line.setPlaceholderText("automatic" if info.optional else "")
        self.row.addWidget(self.line)
        self.setFocusProxy(self.line)
        self.line.editingFinished.connect(self.edited.emit)
        if info.kind == "path":
            browse = QToolButton()
            browse.setIcon(icon("folder-open-outline"))
            browse.setToolTip("Choose a file")
            browse.clicked.connect(self._browse)
            self.row.addWidget(browse)

    def value(self) -> Any:
        """The text; an empty one means automatic where that is possible, and no numbers."""
        return self.line.text().strip() or self._empty

    def set_value(self, value: Any) -> None:
        """Show a text, or numbers with commas."""
        if isinstance(value, tuple):
            value = ", ".join(f"{number:g}" for number in value)
        self.line.setText("" if value is None else str(value))

    def _browse(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Choose a file", self.line.text())
        if path:
            self.line.setText(path)
            self.edited.emit()


class OptionalEditor(Editor):
    """A value that may be left to the program: a tick box switches the inner editor on."""

    def __init__(self, inner: Editor, start: Any) -> None:
        super().__init__()
        self.box = QCheckBox()
        self.box.setToolTip("Set by hand; automatic while not ticked")
        self.inner = inner
        self.inner.set_value(start)
        self.word = QLabel("automatic")
        self.word.setStyleSheet("color: #6d7682;")
        self.row.addWidget(self.box)
        self.row.addWidget(inner, 1)
        self.row.addWidget(self.word, 1)
        self._show(False)
        self.setFocusProxy(self.box)
        self.box.toggled.connect(self._toggled)
        self.inner.edited.connect(self.edited.emit)

    def value(self) -> Any:
        """The inner value, or None for automatic."""
        return self.inner.value() if self.box.isChecked() else None

    def set_value(self, value: Any) -> None:
        """Show a value or automatic."""
        if value is not None:
            self.inner.set_value(value)
        self.box.setChecked(value is not None)

    def _toggled(self, on: bool) -> None:
        self._show(on)
        self.edited.emit()

    def _show(self, on: bool) -> None:
        self.inner.setEnabled(on)
        self.inner.setVisible(on)
        self.word.setVisible(not on)


def make_editor(info: ParamInfo, soft: tuple[float, float] | None) -> Editor:
    """The editor for one field."""
    if info.kind == "int" and info.name == "seed":
        seed = SeedEditor(info)
        return OptionalEditor(seed, _start(info)) if info.optional else seed
    if info.kind in ("float", "int"):
        number = NumberEditor(info, soft)
        return OptionalEditor(number, _start(info)) if info.optional else number
    if info.kind == "choice":
        choice = ChoiceEditor(info)
        return OptionalEditor(choice, info.choices[0]) if info.optional else choice
    if info.kind == "bool":
        return OptionalEditor(BoolEditor(), False) if info.optional else BoolEditor()
    return TextEditor(info)


def _start(info: ParamInfo) -> float:
    """The number shown when an automatic one is first set by hand: plausible for what must be positive, else 0."""
    low = -1e12 if info.low is None else info.low
    high = 1e12 if info.high is None else info.high
    wish = 0.0 if low <= 0 else 513.0 if info.kind == "int" else 1.0
    start = min(max(wish, low), high)
    return int(start) if info.kind == "int" else start
