"""Brush bar: one button a brush at the left of the view."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QToolBar, QWidget

from editor.panels.actions import Actions, ActionSpec
from editor.tools.brushes import BrushChoice
from plugins.registry import find_brush

_ICONS = {
    "raise": "arrow-expand-up",
    "along-normal": "arrow-expand-all",
    "along-view": "eye-arrow-left-outline",
    "smooth": "blur",
}
_SHORT = {"raise": "Raise", "along-normal": "Normal", "along-view": "View", "smooth": "Smooth"}
_MOST_KEYS = 9


def add_brush_actions(actions: Actions, choice: BrushChoice, window: QWidget) -> QActionGroup:
    """One checkable action a brush, with the keys 1 to 9."""
    group = QActionGroup(window)
    for number, brush_id in enumerate(choice.ids, 1):
        brush = find_brush(brush_id)
        doc = (type(brush).__doc__ or "").split("\n")[0]
        keys = (str(number),) if number <= _MOST_KEYS else ()
        name = _ICONS.get(brush_id, "brush")
        action = actions.add(ActionSpec(f"brush-{brush_id}", brush.label, name, keys, f"{brush.label}: {doc}", True))
        action.setIconText(_SHORT.get(brush_id, brush.label))
        action.setChecked(brush_id == choice.current)
        action.triggered.connect(lambda checked=False, brush_id=brush_id: choice.take(brush_id))
        group.addAction(action)
    return group


class BrushBar(QToolBar):
    """The brushes, with their names."""

    def __init__(self, actions: Actions, choice: BrushChoice, parent: QWidget | None = None) -> None:
        super().__init__("Brushes", parent)
        self.setObjectName("brushes")
        self.setIconSize(QSize(24, 24))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.setOrientation(Qt.Orientation.Vertical)
        self._actions, self._choice = actions, choice
        for brush_id in choice.ids:
            self.addAction(actions[f"brush-{brush_id}"])
        self.addSeparator()
        for action_id in ("drag-radius", "drag-strength"):
            self.addAction(actions[action_id])
            actions[action_id].setIconText("Radius" if action_id == "drag-radius" else "Strength")
        choice.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Press the button of the brush in hand."""
        self._actions[f"brush-{self._choice.current}"].setChecked(True)
