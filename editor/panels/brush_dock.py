"""Brush dock: the settings of the brush in hand."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from editor.panels import theme
from editor.panels.fold import Fold
from editor.panels.form import ParamsForm
from editor.panels.pen_form import PenForm
from editor.tools.brushes import BrushChoice
from plugins.registry import find_brush
from terrain.brushes.contract import BrushParams
from terrain.brushes.symmetry import Symmetry

_HELP = "Ctrl inverts · Shift smooths · Shift+click draws on · [ ] size · { } strength"


class BrushDock(QDockWidget):
    """Shows a form of the brush in hand and keeps both in step."""

    def __init__(self, choice: BrushChoice, parent: QWidget | None = None) -> None:
        super().__init__("Brush", parent)
        self.setObjectName("brush")
        self.choice = choice
        self.extent = 1000.0
        """Metres across the map, which bound the radius slider."""
        self.cell = 1.0
        self.form: ParamsForm | None = None
        self._shown = ""
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QFrame.Shape.NoFrame)
        self._body = QWidget()
        self._layout = QVBoxLayout(self._body)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._name, self._doc = QLabel(), QLabel()
        self._name.setStyleSheet("font-weight: 600; font-size: 110%; padding: 8px 10px 0 10px;")
        self._doc.setStyleSheet(f"color: {theme.QUIET}; padding: 3px 10px 4px 10px;")
        self._help = QLabel(_HELP)
        self._help.setStyleSheet(f"color: {theme.QUIET}; padding: 4px 10px 10px 10px;")
        for label in (self._doc, self._help):
            label.setWordWrap(True)
        # Room for the longest description, so that the rows below never jump.
        self._doc.setMinimumHeight(4 * self._doc.fontMetrics().lineSpacing())
        self._doc.setAlignment(Qt.AlignmentFlag.AlignTop)
        for widget in (self._name, self._doc):
            self._layout.addWidget(widget)
        self._symmetry = ParamsForm(Symmetry, choice.symmetry, soft={"turns": (1, 16)})
        self._symmetry.changed.connect(choice.set_symmetry)
        self._pen = PenForm(choice.pen)
        self._pen.changed.connect(choice.set_pen)
        for part in (Fold("Symmetry", self._symmetry), Fold("Pen", self._pen), self._help):
            self._layout.addWidget(part)
        self._layout.addStretch(1)
        area.setWidget(self._body)
        self.setWidget(area)
        choice.changed.connect(self.refresh)
        self.refresh()

    def set_map(self, cell: float, extent: float) -> None:
        """Fit the radius slider to a map: cell and extent in metres."""
        self.cell, self.extent = cell, extent
        self._shown = ""
        self.refresh()

    def refresh(self) -> None:
        """Show the brush in hand."""
        if self.choice.current != self._shown:
            self._build()
        elif self.form is not None and self.form.params != self.choice.params:
            self.form.set_params(self.choice.params)
        if self._symmetry.params != self.choice.symmetry:
            self._symmetry.set_params(self.choice.symmetry)
        if self._pen.params != self.choice.pen:
            self._pen.set_params(self.choice.pen)

    def _build(self) -> None:
        brush = find_brush(self.choice.current)
        if self.form is not None:
            self._layout.removeWidget(self.form)
            self.form.deleteLater()
        soft = {"radius": (2.0 * self.cell, max(0.5 * self.extent, 20.0 * self.cell))}
        self.form = ParamsForm(brush.Params, self.choice.params, soft=soft)
        self.form.changed.connect(self._take)
        self._layout.insertWidget(2, self.form)
        self._name.setText(brush.label)
        self._doc.setText((type(brush).__doc__ or "").split("\n")[0])
        self._shown = self.choice.current

    def _take(self, params: BrushParams) -> None:
        self.choice.set(params)
