"""Fold: a heading that shows or hides what belongs to it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from editor.panels import theme

_open: dict[str, bool] = {}
"""Which headings are open, for every panel that has one of the same name."""


class Fold(QWidget):
    """A body under a heading; what the person opens stays open wherever the same heading stands."""

    def __init__(self, title: str, body: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self.body = title, body
        self.heading = QToolButton()
        self.heading.setText(title)
        self.heading.setCheckable(True)
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.heading.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.heading.setStyleSheet(
            f"QToolButton {{ border: none; border-top: 1px solid {theme.LINE}; background: {theme.PANEL};"
            f" padding: 4px 6px; font-weight: 600; text-align: left; }}"
            f"QToolButton:hover {{ background: {theme.BUTTON}; }}"
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(body)
        self.heading.toggled.connect(self.unfold)
        self.heading.setChecked(_open.get(title, False))
        self.unfold(self.heading.isChecked())

    def unfold(self, on: bool) -> None:
        """Show the body, or hide it."""
        _open[self._title] = on
        self.heading.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self.body.setVisible(on)
