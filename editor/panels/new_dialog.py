"""New map dialog: size, cell and starting height."""

from typing import Annotated, cast

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from editor.commands import bytes_text, length_text
from editor.panels import theme
from editor.panels.form import ParamsForm
from terrain.field import MAX_SIDE
from terrain.params import Params, about

BYTES_A_VERTEX = 12


class NewMap(Params, frozen=True, kw_only=True):
    """A level map."""

    columns: Annotated[int, about("Vertices from west to east", ge=2, le=MAX_SIDE)] = 513
    rows: Annotated[int, about("Vertices from south to north", ge=2, le=MAX_SIDE)] = 513
    cell: Annotated[float, about("Distance between vertices", unit="m", ge=1e-3, le=10000)] = 2.0
    height: Annotated[float, about("Height of the whole map to start with", unit="m", ge=-20000, le=20000)] = -20.0
    sea_level: Annotated[float, about("Height of the still sea", unit="m", ge=-20000, le=20000)] = 0.0


class NewDialog(QDialog):
    """Asks for a `NewMap`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New Map")
        self.setMinimumWidth(460)
        soft = {
            "columns": (33.0, 4097.0),
            "rows": (33.0, 4097.0),
            "cell": (0.1, 100.0),
            "height": (-200.0, 200.0),
            "sea_level": (-200.0, 200.0),
        }
        self.form = ParamsForm(NewMap, soft=soft)
        self.form.changed.connect(self._describe)
        self._size = QLabel()
        self._size.setStyleSheet(f"color: {theme.QUIET}; padding: 0 10px;")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Create")
        theme.plain_buttons(buttons)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (self.form, self._size, buttons):
            layout.addWidget(widget)
        self._describe()

    @property
    def values(self) -> NewMap:
        """What was asked for."""
        return cast(NewMap, self.form.params)

    def _describe(self) -> None:
        new = self.values
        east, north = (new.columns - 1) * new.cell, (new.rows - 1) * new.cell
        memory = bytes_text(new.columns * new.rows * BYTES_A_VERTEX)
        self._size.setText(f"{length_text(east)} × {length_text(north)}, {memory} in memory")
