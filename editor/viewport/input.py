"""Input: Qt's events on the canvas, sorted into camera, flight and tool."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QPointingDevice, QTabletEvent, QWheelEvent

from editor.tools.events import Phase, PointerEvent
from editor.viewport.navigation import action_for
from editor.viewport.pointer import button_name, modifier_names, pointer_event
from editor.viewport.viewport import Viewport

_FLIGHT_KEYS = {
    Qt.Key.Key_W: "w",
    Qt.Key.Key_A: "a",
    Qt.Key.Key_S: "s",
    Qt.Key.Key_D: "d",
    Qt.Key.Key_Q: "q",
    Qt.Key.Key_E: "e",
    Qt.Key.Key_Up: "w",
    Qt.Key.Key_Down: "s",
    Qt.Key.Key_Left: "a",
    Qt.Key.Key_Right: "d",
}
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.TabletPress)
_MOVES = (QEvent.Type.MouseMove, QEvent.Type.TabletMove)
_RELEASES = (QEvent.Type.MouseButtonRelease, QEvent.Type.TabletRelease)
_SCROLL = 1.0
"""Logical pixels of panning or turning for one of a trackpad."""


class Input(QObject):
    """An event filter on the canvas. preset: `blender` or `maya`."""

    def __init__(self, viewport: Viewport, preset: str = "blender") -> None:
        super().__init__(viewport)
        self.viewport = viewport
        self.preset = preset
        self.looking = False
        self._at = (0.0, 0.0)
        native = viewport.canvas.native
        native.setMouseTracking(True)
        native.setTabletTracking(True)
        native.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        native.setCursor(Qt.CursorShape.CrossCursor)
        native.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Handle what is for the map; True keeps Qt from making a mouse event of a pen's."""
        kind = event.type()
        if isinstance(event, QMouseEvent | QTabletEvent):
            if kind in _PRESSES:
                self._press(event)
            elif kind in _MOVES:
                self._move(event)
            elif kind in _RELEASES:
                self._release(event)
            else:
                return False
            event.accept()
            return True
        if isinstance(event, QWheelEvent):
            self._wheel(event)
            return True
        if isinstance(event, QNativeGestureEvent):
            return self._native_gesture(event)
        if isinstance(event, QKeyEvent):
            return self._key(event)
        if kind in (QEvent.Type.Leave, QEvent.Type.TabletLeaveProximity):
            if self.viewport.gesture is None:
                self.viewport.hover(None)
        elif kind == QEvent.Type.FocusOut:
            self.let_go()
        return False

    def _event(self, event: QMouseEvent | QTabletEvent, phase: Phase) -> PointerEvent:
        native = self.viewport.canvas.native
        return pointer_event(event, phase, self.viewport.camera, native.width(), native.height())

    def _press(self, event: QMouseEvent | QTabletEvent) -> None:
        view, button = self.viewport, button_name(event.button())
        pointer = self._event(event, "press")
        if view.gesture is not None:
            # A second button during a stroke, or the press that ends a modal gesture.
            if button == "right":
                view.cancel_gesture()
            elif view.modal:
                view.feed(pointer)
            return
        action = action_for(self.preset, button, pointer.modifiers)
        self._at = (pointer.x, pointer.y)
        if action is not None:
            view.context.show(None)
            view.navigator.begin(action, pointer.x, pointer.y)
        elif button == "left" and not self.looking:
            view.hovered = pointer
            view.begin(pointer)
        elif button == "right":
            self.looking = True
            view.context.show(None)

    def _move(self, event: QMouseEvent | QTabletEvent) -> None:
        view = self.viewport
        pointer = self._event(event, "move")
        if view.gesture is not None:
            view.feed(pointer)
        elif view.navigator.active:
            view.navigator.drag(pointer.x, pointer.y)
            view.camera_moved()
        elif self.looking:
            view.flight.look(pointer.x - self._at[0], pointer.y - self._at[1])
            self._at = (pointer.x, pointer.y)
            view.camera_moved()
        else:
            view.hover(pointer)

    def _release(self, event: QMouseEvent | QTabletEvent) -> None:
        view, button = self.viewport, button_name(event.button())
        if view.gesture is not None:
            if button == "left" and not view.modal:
                view.feed(self._event(event, "release"))
            return
        if button == "right":
            self.let_go()
        view.navigator.end()
        view.hover(self._event(event, "move"))

    def _wheel(self, event: QWheelEvent) -> None:
        view = self.viewport
        place, pixels = event.position(), event.pixelDelta()
        if self.looking or view.flight.walking:
            view.flight.change_speed(event.angleDelta().y() / 120.0)
            view.hud.show_at(self._speed_text(), place.x(), place.y())
            return
        modifiers = modifier_names(event.modifiers())
        touchpad = event.device().type() == QPointingDevice.DeviceType.TouchPad
        if touchpad and not pixels.isNull() and "ctrl" not in modifiers:
            dx, dy = pixels.x() * _SCROLL, pixels.y() * _SCROLL
            if "shift" in modifiers:
                view.navigator.pan(dx, dy)
            else:
                view.navigator.orbit(dx, dy)
        else:
            # Alt turns a vertical wheel into a horizontal one on some systems.
            turn = event.angleDelta().y() or event.angleDelta().x()
            view.navigator.zoom(turn / 120.0, place.x(), place.y())
        view.camera_moved()
        self._hover_at(event)

    def _native_gesture(self, event: QNativeGestureEvent) -> bool:
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        place = event.position()
        self.viewport.navigator.zoom(event.value() * 6.0, place.x(), place.y())
        self.viewport.camera_moved()
        return True

    def _hover_at(self, event: QWheelEvent) -> None:
        """Lay the ring where the pointer is in the moved picture."""
        view, native = self.viewport, self.viewport.canvas.native
        if view.gesture is None:
            place = event.position()
            start, direction = view.camera.ray(place.x(), place.y(), native.width(), native.height())
            modifiers = modifier_names(event.modifiers())
            view.hover(PointerEvent("move", place.x(), place.y(), start, direction, modifiers=modifiers))

    def _key(self, event: QKeyEvent) -> bool:
        view, kind, key = self.viewport, event.type(), Qt.Key(event.key())
        flying = self.looking or view.flight.walking
        if kind == QEvent.Type.ShortcutOverride:
            # Keys of flight and Escape are meant for the view before any action of the window.
            leaving = bool(view.gesture or view.previewing or view.widget or view.flight.walking)
            if (flying and key in _FLIGHT_KEYS) or (key == Qt.Key.Key_Escape and leaving):
                event.accept()
                return True
            return False
        pressed = kind == QEvent.Type.KeyPress
        if key in (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt):
            self._modifier(key, pressed)
            return False
        if pressed and key == Qt.Key.Key_Escape:
            if view.gesture is not None:
                view.cancel_gesture()
            elif view.previewing:
                view.preview_left.emit()
            elif view.widget is not None:
                self.viewport.dismissed.emit()
            else:
                view.stop_walking()
            return True
        if pressed and view.modal and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            view.finish_gesture()
            return True
        if key in _FLIGHT_KEYS and (flying or view.flight.moving) and not event.isAutoRepeat():
            (view.flight.keys.add if pressed and flying else view.flight.keys.discard)(_FLIGHT_KEYS[key])
            view.hold_keys()
            return True
        return False

    def _modifier(self, key: Qt.Key, pressed: bool) -> None:
        """Show at once what a held key will do to the brush."""
        view = self.viewport
        if key == Qt.Key.Key_Shift:
            view.flight.fast = pressed
        if view.gesture is None and view.hovered is not None and not view.navigator.active and not self.looking:
            name = {Qt.Key.Key_Control: "ctrl", Qt.Key.Key_Shift: "shift"}.get(key, "alt")
            held = view.hovered.modifiers | {name} if pressed else view.hovered.modifiers - {name}
            last = view.hovered
            view.hover(PointerEvent("move", last.x, last.y, last.start, last.direction, modifiers=held))

    def let_go(self) -> None:
        """No button or key is held any more."""
        self.looking = False
        self.viewport.hud.hide()
        self.viewport.flight.keys.clear()
        self.viewport.flight.fast = False
        self.viewport.hold_keys()

    def _speed_text(self) -> str:
        flight = self.viewport.flight
        return f"{flight.walk_speed if flight.walking else flight.speed:.3g} m/s"
