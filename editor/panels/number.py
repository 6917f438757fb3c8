"""NumberEdit: a slider and a spin box for one number, on a logarithmic scale where the range is wide."""

import math

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QHBoxLayout, QSizePolicy, QSlider, QSpinBox, QWidget

_TICKS = 1000
_WIDE = 100.0
"""High ÷ low from which the slider is logarithmic."""
_UNBOUNDED = 1e12
_MOST_INT = 2**31 - 1


class SpinBox(QDoubleSpinBox):
    """A spin box that shows a number as short as it is: 40, 0.35, 1250.5."""

    def __init__(self, low: float, high: float, unit: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLocale(QLocale.c())
        self.setDecimals(6)
        self.setRange(low, high)
        self.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        self.setKeyboardTracking(False)
        self.setSuffix(f" {unit}" if unit else "")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def textFromValue(self, value: float) -> str:  # noqa: N802
        """Six significant digits at most, without an exponent or trailing zeros."""
        digits = 6 if value == 0.0 else min(6, max(0, 5 - math.floor(math.log10(abs(value)))))
        text = f"{value:.{digits}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Only the box that has the focus takes the wheel, so that scrolling a panel changes nothing."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class IntBox(QSpinBox):
    """A spin box for whole numbers that leaves the wheel to the panel unless it has the focus."""

    def __init__(self, low: int, high: int, unit: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLocale(QLocale.c())
        self.setRange(low, high)
        self.setKeyboardTracking(False)
        self.setSuffix(f" {unit}" if unit else "")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """As `SpinBox.wheelEvent`."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Slider(QSlider):
    """A slider that leaves the wheel to the panel it stands in."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Ignored."""
        event.ignore()


class NumberEdit(QWidget):
    """One number. low, high: what is allowed; soft: what the slider spans (default: the allowed range if finite)."""

    changed = Signal(float)
    """Emitted with every new value, from slider, keys or code alike."""

    def __init__(
        self,
        low: float | None,
        high: float | None,
        unit: str = "",
        *,
        whole: bool = False,
        soft: tuple[float, float] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        if soft is None and low is not None and high is not None:
            soft = (low, high)
        self.soft = soft
        self.whole = whole
        self.log = soft is not None and soft[0] > 0 and soft[1] >= _WIDE * soft[0]
        self.box: SpinBox | IntBox = (
            IntBox(-_MOST_INT if low is None else math.ceil(low), _MOST_INT if high is None else math.floor(high), unit)
            if whole
            else SpinBox(-_UNBOUNDED if low is None else low, _UNBOUNDED if high is None else high, unit)
        )
        self.slider: Slider | None = None
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        if soft is not None:
            self.slider = Slider(Qt.Orientation.Horizontal)
            self.slider.setRange(0, _TICKS)
            self.slider.setMinimumWidth(56)
            self.slider.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            self.slider.valueChanged.connect(self._slid)
            layout.addWidget(self.slider, 1)
            self.box.setFixedWidth(max(96, self.box.fontMetrics().horizontalAdvance("-00000.00 m/s") + 30))
        else:
            self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        layout.addWidget(self.box, 0 if soft is not None else 1)
        self.setFocusProxy(self.box)
        self.box.valueChanged.connect(self._typed)
        self._show_share(self.value())

    def value(self) -> float:
        """The number."""
        return float(self.box.value())

    def set_value(self, value: float) -> None:
        """Show a number; emits `changed` if it differs."""
        self.box.setValue(round(value) if self.whole else value)  # type: ignore[arg-type]

    def set_soft(self, low: float, high: float) -> None:
        """Let the slider span another range; only for one that has a slider."""
        self.soft = (low, high)
        self.log = low > 0 and high >= _WIDE * low
        self._show_share(self.value())

    def _typed(self, value: float) -> None:
        self._show_share(value)
        self.changed.emit(float(value))

    def _show_share(self, value: float) -> None:
        if self.slider is not None:
            was = self.slider.blockSignals(True)
            self.slider.setValue(round(_TICKS * self._share(value)))
            self.slider.blockSignals(was)

    def _slid(self, tick: int) -> None:
        self.set_value(self._at(tick / _TICKS))

    def _share(self, value: float) -> float:
        assert self.soft is not None
        low, high = self.soft
        if self.log:
            return math.log(max(value, low) / low) / math.log(high / low)
        return (value - low) / (high - low) if high > low else 0.0

    def _at(self, share: float) -> float:
        assert self.soft is not None
        low, high = self.soft
        value = low * (high / low) ** share if self.log else low + share * (high - low)
        if not self.log:
            return float(value)
        # Three significant digits: a slider cannot mean more.
        return float(f"{value:.3g}")
