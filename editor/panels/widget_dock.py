"""Widget dock: the transform of the selection in numbers."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDockWidget, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from editor.panels import theme
from editor.panels.form import ParamsForm
from terrain.transform import TransformParams

_SPAN = 100.0


class WidgetDock(QDockWidget):
    """A form of `TransformParams`, in step with the handles in the view."""

    changed = Signal(object)
    """The transform as typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Transform", parent)
        self.setObjectName("transform")
        near = dict.fromkeys("xyz", (-_SPAN, _SPAN))
        turns = {f"turn_{name}": (-180.0, 180.0) for name in "xyz"}
        sizes = {f"scale_{name}": (0.25, 4.0) for name in "xyz"}
        self.form = ParamsForm(TransformParams, soft={**near, **turns, **sizes, "soft": (0.0, _SPAN)})
        self.form.changed.connect(self.changed)
        note = QLabel(
            "Drag the handles, Ctrl snaps · G moves, R turns, S scales · Esc takes it back · a brush keeps it"
        )
        note.setWordWrap(True)
        note.setStyleSheet(f"color: {theme.QUIET}; padding: 4px 10px;")
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(note)
        layout.addWidget(self.form)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(body)
        self.setWidget(area)

    def show_params(self, params: TransformParams) -> None:
        """Show a transform; emits nothing."""
        if params != self.form.params:
            self.form.set_params(params)
