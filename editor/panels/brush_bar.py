"""Brush bar: a palette of all brushes at the left of the view, by family."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QToolBar, QToolButton, QVBoxLayout, QWidget

from editor.panels import theme
from editor.panels.actions import Actions, ActionSpec
from editor.tools.brushes import BrushChoice
from plugins.registry import find_brush

COLUMNS = 3
_MOST_KEYS = 9


def add_brush_actions(actions: Actions, choice: BrushChoice, window: QWidget) -> QActionGroup:
    """One checkable action a brush, with the keys 1 to 9 for the first."""
    group = QActionGroup(window)
    for number, brush_id in enumerate(choice.ids, 1):
        brush = find_brush(brush_id)
        doc = (type(brush).__doc__ or "").split("\n")[0]
        keys = (str(number),) if number <= _MOST_KEYS else ()
        tip = f"{brush.label}: {doc}"
        action = actions.add(ActionSpec(f"brush-{brush_id}", brush.label, brush.icon, keys, tip, True))
        action.setChecked(brush_id == choice.current)
        action.triggered.connect(lambda checked=False, brush_id=brush_id: choice.take(brush_id))
        group.addAction(action)
    actions.families = {name: [f"brush-{i}" for i in ids] for name, ids in choice.families().items()}
    return group


class BrushBar(QToolBar):
    """The brushes as icons; their names and what they do are in the tool tips and in the brush panel."""

    def __init__(self, actions: Actions, choice: BrushChoice, parent: QWidget | None = None) -> None:
        super().__init__("Brushes", parent)
        self.setObjectName("brushes")
        self.setOrientation(Qt.Orientation.Vertical)
        self._actions, self._choice = actions, choice
        palette = QWidget()
        palette.setObjectName("palette")
        stack = QVBoxLayout(palette)
        stack.setContentsMargins(3, 2, 3, 2)
        stack.setSpacing(1)
        for family, ids in choice.families().items():
            heading = QLabel(family)
            heading.setStyleSheet(f"color: {theme.QUIET}; font-size: 8pt; padding: 3px 2px 0 2px;")
            stack.addWidget(heading)
            stack.addLayout(self._rows(ids))
        stack.addStretch(1)
        area = QScrollArea()
        area.setWidget(palette)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setStyleSheet(f"QScrollArea, QWidget#palette {{ background: {theme.WINDOW}; }}")
        area.setFixedWidth(palette.sizeHint().width() + 14)
        self.addWidget(area)
        choice.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Press the button of the brush in hand."""
        self._actions[f"brush-{self._choice.current}"].setChecked(True)

    def _rows(self, ids: list[str]) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(1)
        for place, brush_id in enumerate(ids):
            button = QToolButton()
            button.setDefaultAction(self._actions[f"brush-{brush_id}"])
            button.setIconSize(QSize(21, 21))
            button.setFixedSize(31, 31)
            button.setAutoRaise(True)
            grid.addWidget(button, place // COLUMNS, place % COLUMNS)
        grid.setColumnStretch(COLUMNS, 1)
        return grid
