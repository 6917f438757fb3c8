"""Operation dock: the form of one operation, its preview, and Apply."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from editor.panels import theme
from editor.panels.compare import CompareButton
from editor.panels.form import ParamsForm
from plugins.api import Operation
from terrain.errors import SkerryError
from terrain.params import from_mapping, to_mapping


class OperationPanel(QWidget):
    """Asks for the parameters of one operation. values: those to start from; live: preview from the start."""

    asked = Signal()
    """The parameters, or whether they are to be previewed, have changed."""
    compared = Signal(bool)
    accepted = Signal()
    rejected = Signal()

    def __init__(
        self, operation: Operation, values: dict[str, Any], live: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.operation = operation
        self.form = ParamsForm(operation.Params, _remembered(operation, values))
        self.preview = QCheckBox("Preview")
        self.preview.setToolTip("Show at once, on a smaller copy of the map, what the operation would do")
        self.preview.setChecked(live)
        self.compare = CompareButton()
        self.line = QLabel()
        self.line.setWordWrap(True)
        # Room for two lines, so that the buttons stay where they are.
        self.line.setMinimumHeight(2 * self.line.fontMetrics().lineSpacing() + 6)
        self.line.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.apply = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self._arrange()
        self._connect()
        self.say("")

    @property
    def values(self) -> dict[str, Any]:
        """The parameters as plain values."""
        return to_mapping(self.form.params)

    @property
    def live(self) -> bool:
        """True if a preview is wanted, of an operation that can have one."""
        return self.preview.isChecked() and can_preview(self.operation)

    def say(self, text: str, trouble: bool = False) -> None:
        """Show one line under the form; trouble: as a failure."""
        self.line.setText(text)
        self.line.setStyleSheet(f"color: {theme.WARN if trouble else theme.QUIET}; padding: 0 10px;")

    def show_previewed(self, on: bool) -> None:
        """Let before and after be compared only while there is a preview."""
        self.compare.setEnabled(on)

    def _arrange(self) -> None:
        doc = QLabel((type(self.operation).__doc__ or "").split("\n")[0])
        doc.setWordWrap(True)
        doc.setStyleSheet(f"color: {theme.QUIET}; padding: 6px 10px 2px 10px;")
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self.form)
        row = QHBoxLayout()
        row.setContentsMargins(10, 4, 10, 0)
        row.addWidget(self.preview)
        row.addStretch(1)
        row.addWidget(self.compare)
        for widget in (self.preview, self.compare):
            widget.setVisible(can_preview(self.operation))
        self.compare.setEnabled(False)
        self.apply.setText("Apply")
        self.apply.setToolTip("Run at full resolution, as one step to undo  (Ctrl+Return)")
        theme.plain_buttons(self.buttons)
        self.buttons.setContentsMargins(10, 0, 10, 8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(doc)
        layout.addWidget(area, 1)
        layout.addLayout(row)
        layout.addWidget(self.line)
        layout.addWidget(self.buttons)

    def _connect(self) -> None:
        self.form.changed.connect(self.asked)
        self.form.invalid.connect(self._invalid)
        self.preview.toggled.connect(self.asked)
        self.compare.compared.connect(self.compared)
        self.buttons.accepted.connect(self.accepted)
        self.buttons.rejected.connect(self.rejected)
        for keys, call in (("Ctrl+Return", self.apply.click), ("Esc", self.rejected.emit)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(call)

    def _invalid(self, text: str) -> None:
        self.apply.setEnabled(not text)
        if text:
            self.say(text[:1].upper() + text[1:], trouble=True)


class OperationDock(QDockWidget):
    """Holds the panel of the operation that is being asked about; hidden while there is none."""

    left = Signal()
    """The person closed the dock."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Operation", parent)
        self.setObjectName("operation")
        self.panel: OperationPanel | None = None
        self.hide()

    def show_panel(self, panel: OperationPanel) -> None:
        """Ask with this panel."""
        self.clear()
        self.panel = panel
        self.setWindowTitle(panel.operation.label)
        self.setWidget(panel)
        self.show()
        self.raise_()
        # Keys typed now are meant for the form, not for the brushes.
        panel.form.focus_first()

    def clear(self) -> None:
        """Take the panel away."""
        if self.panel is not None:
            self.panel.hide()
            self.panel.deleteLater()
            self.panel = None
        self.hide()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Closing is cancelling."""
        super().closeEvent(event)
        self.left.emit()


def can_preview(operation: Operation) -> bool:
    """True for what may change the surface; a mask is seen only once it is there."""
    return operation.menu != "Mask"


def _remembered(operation: Operation, values: dict[str, Any]) -> Any:
    try:
        return from_mapping(operation.Params, values)
    except SkerryError:
        return operation.Params()
