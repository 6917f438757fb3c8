"""Status bar: the tool's hint, the pointer's place, and figures of map, memory and GL."""

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStatusBar, QWidget

from editor.commands import bytes_text, slope_at
from editor.document import Document
from editor.panels import theme
from editor.panels.icons import icon
from editor.panels.later import Later
from terrain.pick import Hit


class Hint(QLabel):
    """A label that gives up room and ends in an ellipsis where there is not enough."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw as much as fits."""
        painter = QPainter(self)
        area = self.contentsRect().adjusted(7, 0, -7, 0)
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, area.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.end()


class StatusBar(QStatusBar):
    """Everything is one line of small labels; the hint gives way first when there is little room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document: Document | None = None
        self._hit: Hit | None = None
        self._hint = ""
        self._flash = QTimer(self)
        self._flash.setSingleShot(True)
        self._flash.setInterval(4000)
        self._flash.timeout.connect(lambda: self._show(self._hint))
        self.later = Later(self.refresh, self)
        self.hint = Hint()
        self.place = self._figure("Place and height under the pointer", "x -00000.0  y -00000.0  z -0000.00 m")
        self.place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.size_of_map = self._figure("Vertices of the map, columns × rows")
        self.memory = self._figure("Memory held for undo")
        self.triangles = self._figure("Triangles drawn in the last frame")
        self.renderer = self._figure("What draws the picture")
        self.saving = QLabel()
        self.saving.setToolTip("Autosave")
        self.saving.setFixedSize(30, 18)
        self.addWidget(self.hint, 1)
        for label in (self.place, self.size_of_map, self.memory, self.triangles, self.renderer, self.saving):
            self.addPermanentWidget(label)

    def set_document(self, document: Document) -> None:
        """Show another document's figures."""
        if self.document is not None:
            self.document.edited.disconnect(self.later.ask)
        self.document = document
        document.edited.connect(self.later.ask)
        self.refresh()

    def set_hint(self, text: str) -> None:
        """Say what the tool does."""
        self._hint = text
        self.hint.setToolTip(text)
        if not self._flash.isActive():
            self._show(text)

    def flash(self, text: str) -> None:
        """Say what just happened, in place of the hint for a while."""
        self._show(text, theme.TEXT)
        self._flash.start()

    def point_at(self, hit: Hit | None) -> None:
        """Show where the pointer is."""
        self._hit = hit
        self.later.ask()

    def show_drawing(self, triangles: int, renderer: str) -> None:
        """Show what the last frame took; renderer: the driver's own name."""
        software = "llvmpipe" in renderer or "softpipe" in renderer or "SwiftShader" in renderer
        self.renderer.setText("software GL" if software else "GL")
        self.renderer.setToolTip(f"Drawn by {renderer}")
        self.triangles.setText(f"{triangles / 1000:.0f} k tris" if triangles >= 1000 else f"{triangles} tris")

    def show_saving(self, on: bool) -> None:
        """Show the small icon while an autosave is written."""
        if on:
            self.saving.setPixmap(icon("content-save-cog-outline", theme.ACCENT).pixmap(QSize(15, 15)))
        else:
            self.saving.clear()

    def refresh(self) -> None:
        """Bring the figures up to date."""
        hit = self._hit
        if hit is None:
            self.place.setText("")
        else:
            x, y, z = hit.point
            slope = "" if self.document is None else f"  {slope_at(self.document, hit):.0f}°"
            self.place.setText(f"x {x:.1f}  y {y:.1f}  z {z:.2f} m{slope}")
        if self.document is not None:
            field = self.document.scene.terrain.field
            self.size_of_map.setText(f"{field.cols} × {field.rows}")
            held = self.document.history.nbytes
            self.memory.setText(f"undo {bytes_text(held)}" if held else "")

    def _show(self, text: str, colour: str = theme.QUIET) -> None:
        palette = self.hint.palette()
        palette.setColor(self.hint.foregroundRole(), QColor(colour))
        self.hint.setPalette(palette)
        self.hint.setText(text)

    def _figure(self, tip: str, widest: str = "") -> QLabel:
        label = QLabel()
        label.setToolTip(tip)
        label.setStyleSheet(f"color: {theme.QUIET};")
        if widest:
            label.setMinimumWidth(label.fontMetrics().horizontalAdvance(widest) + 16)
        return label
