"""Overlays: a text beside the pointer and a compass, drawn by Qt above the GL picture."""

import math

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QWidget


class Hud(QLabel):
    """A short text that follows the pointer and never takes its events."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setStyleSheet(
            "background: rgba(18, 20, 24, 205); color: #f2f5f8; border-radius: 5px; padding: 4px 9px; font-weight: 600;"
        )
        self.hide()

    def show_at(self, text: str, x: float, y: float) -> None:
        """Show a text near a pixel of the parent, or nothing if it is empty."""
        if not text:
            self.hide()
            return
        self.setText(text)
        self.adjustSize()
        room = self._view.rect()
        left = min(max(int(x) + 22, 4), max(4, room.width() - self.width() - 4))
        top = min(max(int(y) - self.height() - 14, 4), max(4, room.height() - self.height() - 4))
        self.move(left, top)
        self.show()
        self.raise_()


class Note(QLabel):
    """A line at the top of the view that says which mode is on."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setStyleSheet("background: rgba(18, 20, 24, 190); color: #e6eaef; border-radius: 6px; padding: 6px 12px;")
        self.hide()

    def say(self, text: str) -> None:
        """Show a text, or nothing if it is empty."""
        self.setVisible(bool(text))
        if text:
            self.setText(text)
            self.adjustSize()
            self.move(max(4, (self._view.width() - self.width()) // 2), 12)
            self.raise_()


class Badge(QLabel):
    """A line in the upper left corner while the picture is not the map as it stands."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setStyleSheet(
            "background: rgba(18, 20, 24, 215); color: #ffd37a; border: 1px solid #e0a458; border-radius: 6px;"
            "padding: 5px 11px; font-weight: 600;"
        )
        self.move(12, 12)
        self.hide()

    def say(self, text: str) -> None:
        """Show a text, or nothing if it is empty."""
        self.setText(text)
        self.adjustSize()
        self.setVisible(bool(text))
        self.raise_()


class Compass(QWidget):
    """A needle that points north; a click looks north, a double click from above."""

    clicked = Signal()
    double_clicked = Signal()
    SIZE = 58

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(self.SIZE, self.SIZE)
        self.setToolTip("Red points north. Click: look north. Double-click: look from above")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._yaw, self._pitch = 0.0, 0.0

    def turn(self, yaw: float, pitch: float) -> None:
        """Show a view direction, radians."""
        if abs(yaw - self._yaw) + abs(pitch - self._pitch) > 1e-4:
            self._yaw, self._pitch = yaw, pitch
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw the dial, tilted as the ground is seen, and the needle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, radius = 0.5 * self.SIZE, 0.5 * self.SIZE - 3.0
        squash = max(0.35, math.sin(abs(self._pitch)))
        painter.translate(middle, middle)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(18, 20, 24, 150))
        painter.drawEllipse(QPointF(0, 0), radius, radius)
        for angle, colour in ((0.0, "#e06c60"), (math.pi, "#aab3bf")):
            painter.setBrush(QColor(colour))
            painter.drawPolygon(self._needle(angle - self._yaw, radius * 0.62, squash))
        painter.setPen(QPen(QColor("#f2f5f8")))
        font = QFont(self.font())
        font.setPixelSize(11)
        font.setBold(True)
        painter.setFont(font)
        tip = self._at(-self._yaw, radius * 0.82, squash)
        painter.drawText(QRectF(tip.x() - 8, tip.y() - 8, 16, 16), Qt.AlignmentFlag.AlignCenter, "N")
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Look north."""
        self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Look from above."""
        self.double_clicked.emit()

    @staticmethod
    def _at(angle: float, length: float, squash: float) -> QPointF:
        return QPointF(math.sin(angle) * length, -math.cos(angle) * length * squash)

    def _needle(self, angle: float, length: float, squash: float) -> QPolygonF:
        side = 0.5 * math.pi
        return QPolygonF(
            [
                self._at(angle, length, squash),
                self._at(angle + side, 5.0, squash),
                self._at(angle - side, 5.0, squash),
            ]
        )
