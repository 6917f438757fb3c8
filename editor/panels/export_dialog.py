"""Export dialog: target, its form, and the folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from editor.panels import theme
from editor.panels.form import ParamsForm
from editor.panels.icons import icon
from plugins.registry import exporters
from terrain.errors import SkerryError
from terrain.params import from_mapping, to_mapping


class ExportDialog(QDialog):
    """Asks what to write and where. remembered: parameters last used, by target."""

    def __init__(
        self,
        folder: Path,
        target: str = "",
        remembered: Mapping[str, Mapping[str, Any]] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.resize(760, 460)
        self._exporters = exporters()
        self._remembered = dict(remembered or {})
        self.form: ParamsForm | None = None
        self.targets = QListWidget()
        self.targets.setFixedWidth(220)
        for exporter_id, exporter in self._exporters.items():
            theme.add_row(self.targets, exporter.label).setData(Qt.ItemDataRole.UserRole, exporter_id)
        self._doc, self._trouble = QLabel(), QLabel()
        self._doc.setWordWrap(True)
        self._doc.setStyleSheet(f"color: {theme.QUIET}; padding: 4px 10px;")
        self._trouble.setWordWrap(True)
        self._trouble.setStyleSheet(f"color: {theme.WARN}; padding: 0 10px;")
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self.folder = QLineEdit(str(folder))
        self._lay_out()
        self.targets.currentRowChanged.connect(self._choose)
        ids = list(self._exporters)
        self.targets.setCurrentRow(ids.index(target) if target in ids else 0)
        if not ids:
            self._ok.setEnabled(False)

    @property
    def target(self) -> str:
        """Id of the chosen exporter."""
        item = self.targets.currentItem()
        return "" if item is None else str(item.data(Qt.ItemDataRole.UserRole))

    @property
    def values(self) -> dict[str, Any]:
        """Its parameters."""
        return {} if self.form is None else to_mapping(self.form.params)

    def _lay_out(self) -> None:
        browse = QToolButton()
        browse.setIcon(icon("folder-open-outline"))
        browse.setToolTip("Choose a folder")
        browse.clicked.connect(self._browse)
        place = QHBoxLayout()
        place.addWidget(QLabel("Folder"))
        place.addWidget(self.folder, 1)
        place.addWidget(browse)
        right = QVBoxLayout()
        right.addWidget(self._doc)
        right.addWidget(self._area, 1)
        right.addWidget(self._trouble)
        middle = QHBoxLayout()
        middle.addWidget(self.targets)
        middle.addLayout(right, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self._ok.setText("Export")
        theme.plain_buttons(buttons)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addLayout(middle, 1)
        layout.addLayout(place)
        layout.addWidget(buttons)

    def _choose(self) -> None:
        exporter = self._exporters.get(self.target)
        self._ok.setEnabled(exporter is not None)
        if exporter is None:
            return
        values = None
        if self.target in self._remembered:
            try:
                values = from_mapping(exporter.Params, self._remembered[self.target])
            except SkerryError:
                # Remembered by a version whose parameters were others.
                values = None
        self.form = ParamsForm(exporter.Params, values)
        self.form.invalid.connect(self._invalid)
        self._doc.setText((type(exporter).__doc__ or "").split("\n\n")[0].replace("\n", " "))
        self._area.setWidget(self.form)
        self._invalid("")

    def _invalid(self, text: str) -> None:
        self._trouble.setText(text)
        self._ok.setEnabled(not text)

    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Export into", self.folder.text())
        if folder:
            self.folder.setText(folder)
