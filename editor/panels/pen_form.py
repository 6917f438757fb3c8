"""Pen form: how the hand is heard, with the pressure as a curve to be drawn."""

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from editor.panels import theme
from editor.panels.form import ParamsForm
from editor.tools.pen import LINEAR, PenParams

_EDGE = 8.0


class PenForm(QWidget):
    """A form of `PenParams`; `changed` carries the new ones."""

    changed = Signal(object)

    def __init__(self, params: PenParams, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.params = params
        self._form = ParamsForm(PenParams, params, hidden=frozenset({"curve"}), soft={"lazy": (0.0, 100.0)})
        self._form.changed.connect(self._take)
        self.curve = CurveEdit(params.curve)
        self.curve.changed.connect(lambda values: self._take(msgspec.structs.replace(self.params, curve=values)))
        label = QLabel("Pressure: drag the dots; double-click for a straight line")
        label.setWordWrap(True)
        label.setStyleSheet(f"color: {theme.QUIET}; padding: 0 10px;")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 6)
        layout.addWidget(self._form)
        layout.addWidget(label)
        layout.addWidget(self.curve)

    def set_params(self, params: PenParams) -> None:
        """Show these; emits nothing."""
        self.params = params
        self._form.set_params(params)
        self.curve.set_values(params.curve)

    def _take(self, params: PenParams) -> None:
        self.params = params
        self._form.set_params(params)
        self.changed.emit(params)


class CurveEdit(QWidget):
    """A curve through dots at even distances, each dragged up and down; values 0..1."""

    changed = Signal(tuple)

    def __init__(self, values: tuple[float, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values = list(values)
        self._held: int | None = None
        self.setFixedHeight(96)
        self.setCursor(Qt.CursorShape.SizeVerCursor)
        self.setToolTip("Left: a light touch; right: full pressure. Up: the brush hears more")

    def set_values(self, values: tuple[float, ...]) -> None:
        """Show these; emits nothing."""
        self.values = list(values)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw the field, a straight line for comparison, the curve and its dots."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        field = self._field()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.BASE))
        painter.drawRoundedRect(field.adjusted(-4, -4, 4, 4), 4, 4)
        painter.setPen(QPen(QColor(theme.BUTTON), 1.0, Qt.PenStyle.DashLine))
        painter.drawLine(field.bottomLeft(), field.topRight())
        dots = [self._dot(index) for index in range(len(self.values))]
        painter.setPen(QPen(QColor(theme.ACCENT), 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(dots))
        painter.setBrush(QColor(theme.TEXT))
        for dot in dots:
            painter.drawEllipse(dot, 3.5, 3.5)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Take the nearest dot."""
        field = self._field()
        share = (event.position().x() - field.left()) / max(field.width(), 1.0)
        self._held = min(max(round(share * (len(self.values) - 1)), 0), len(self.values) - 1)
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Carry it."""
        if self._held is None:
            return
        field = self._field()
        value = (field.bottom() - event.position().y()) / field.height()
        self.values[self._held] = round(min(max(value, 0.0), 1.0), 3)
        self.update()
        self.changed.emit(tuple(self.values))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Let go."""
        self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Straighten it."""
        self.values = list(LINEAR)
        self.update()
        self.changed.emit(tuple(self.values))

    def _field(self) -> QRectF:
        return QRectF(self.rect()).adjusted(10 + _EDGE, _EDGE, -10 - _EDGE, -_EDGE)

    def _dot(self, index: int) -> QPointF:
        field = self._field()
        share = index / (len(self.values) - 1)
        return QPointF(field.left() + share * field.width(), field.bottom() - self.values[index] * field.height())
