"""Map dock: sizes, heights, sea level and what the importer found."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from editor.commands import map_facts, set_sea_level, source_lines
from editor.document import Document
from editor.panels import theme
from editor.panels.later import Later
from editor.panels.number import NumberEdit


class MapDock(QDockWidget):
    """Facts of the open map; the sea level can be changed, as an undoable edit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Map", parent)
        self.setObjectName("map")
        self.document: Document | None = None
        self.later = Later(self.refresh, self)
        body = QWidget()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(10, 6, 10, 4)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(1, 1)
        self._values: dict[str, QLabel] = {}
        self.sea_level = NumberEdit(-20000.0, 20000.0, "m", soft=(-100.0, 100.0))
        self.sea_level.setToolTip("Height of the still sea; changing it can be undone")
        self.sea_level.changed.connect(self._move_sea)
        self._add_row("Sea level", self.sea_level)
        self._source = QLabel()
        self._source.setWordWrap(True)
        self._source.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._source.setStyleSheet(f"color: {theme.QUIET}; padding: 4px 10px 10px 10px;")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._grid)
        layout.addWidget(self._source)
        layout.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(body)
        self.setWidget(area)

    def set_document(self, document: Document) -> None:
        """Show another document."""
        if self.document is not None:
            self.document.edited.disconnect(self.later.ask)
        self.document = document
        document.edited.connect(self.later.ask)
        terrain = document.scene.terrain
        low, high = float(terrain.bounds.whole[2]), float(terrain.bounds.whole[5])
        room = 0.25 * max(high - low, 10.0)
        self.sea_level.set_soft(min(low, terrain.sea_level) - room, max(high, terrain.sea_level) + room)
        self.refresh()

    def refresh(self) -> None:
        """Bring every figure up to date."""
        if self.document is None:
            return
        for name, value in map_facts(self.document):
            if name not in self._values:
                label = QLabel()
                label.setWordWrap(True)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                self._values[name] = label
                self._add_row(name, label)
            if self._values[name].text() != value:
                self._values[name].setText(value)
        self.sea_level.blockSignals(True)
        self.sea_level.set_value(self.document.scene.terrain.sea_level)
        self.sea_level.blockSignals(False)
        lines = source_lines(self.document)
        self._source.setVisible(bool(lines))
        self._source.setText("\n".join(lines))

    def _add_row(self, name: str, widget: QWidget) -> None:
        row = self._grid.rowCount()
        label = QLabel(name)
        label.setStyleSheet(f"color: {theme.QUIET};")
        top = Qt.AlignmentFlag.AlignTop if isinstance(widget, QLabel) else Qt.AlignmentFlag.AlignVCenter
        self._grid.addWidget(label, row, 0, top | Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(widget, row, 1)

    def _move_sea(self, level: float) -> None:
        if self.document is not None and not self.document.editing:
            set_sea_level(self.document, level)
