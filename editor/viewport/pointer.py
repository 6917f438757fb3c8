"""Pointer: Qt's mouse and tablet events as the tools' own."""

import math
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QSinglePointEvent, QTabletEvent

from editor.render.camera import Camera
from editor.tools.events import Phase, PointerEvent

Button = Literal["left", "middle", "right", ""]

_BUTTONS: dict[Qt.MouseButton, Button] = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
}
_MODIFIERS = {
    Qt.KeyboardModifier.ShiftModifier: "shift",
    Qt.KeyboardModifier.ControlModifier: "ctrl",
    Qt.KeyboardModifier.AltModifier: "alt",
}


def button_name(button: Qt.MouseButton) -> Button:
    """`left`, `middle`, `right`, or empty for any other."""
    return _BUTTONS.get(button, "")


def modifier_names(modifiers: Qt.KeyboardModifier) -> frozenset[str]:
    """The held ones of `shift`, `ctrl`, `alt`."""
    return frozenset(name for flag, name in _MODIFIERS.items() if modifiers & flag)


def pressure_of(event: QSinglePointEvent) -> float:
    """What the pen reports, 0..1; a mouse presses fully."""
    return min(max(float(event.pressure()), 0.0), 1.0) if isinstance(event, QTabletEvent) else 1.0


def tilt_of(event: QSinglePointEvent) -> float:
    """Direction in which a pen leans, radians from right towards up; 0 for a mouse or an upright pen."""
    if not isinstance(event, QTabletEvent) or not (event.xTilt() or event.yTilt()):
        return 0.0
    return math.atan2(-event.yTilt(), event.xTilt())


def pointer_event(event: QSinglePointEvent, phase: Phase, camera: Camera, width: float, height: float) -> PointerEvent:
    """The tools' event for one of Qt's; width, height: logical pixels of the viewport."""
    place = event.position()
    start, direction = camera.ray(place.x(), place.y(), width, height)
    return PointerEvent(
        phase,
        place.x(),
        place.y(),
        start,
        direction,
        pressure_of(event),
        frozenset(name for flag, name in _BUTTONS.items() if event.buttons() & flag),
        modifier_names(event.modifiers()),
        event.timestamp() / 1000.0,
        tilt_of(event),
    )
