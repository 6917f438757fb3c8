"""Viewport: the central widget; one scene, one camera, one tool, redrawn on demand."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from editor.commands import slope_at
from editor.document import Document
from editor.history import Change
from editor.render.camera import Camera
from editor.render.offscreen import default_camera
from editor.render.style import BrushRing, Style
from editor.tools.brushes import BrushChoice
from editor.tools.context import Ray, ToolContext
from editor.tools.events import PointerEvent
from editor.tools.gesture import Gesture, Tool
from editor.tools.handles import Mode
from editor.tools.sculpt import sculpt
from editor.tools.widget import Widget
from editor.viewport.canvas import GlCanvas
from editor.viewport.flight import Flight
from editor.viewport.navigation import CLEARANCE, Navigator, Vector
from editor.viewport.overlay import Badge, Compass, Hud, Note
from plugins.api import TerrainMap
from terrain.errors import SkerryError
from terrain.pick import Hit, pick
from terrain.transform import TransformParams

_WIDE = 1.6
"""Width by height that `default_camera` frames for."""
_MARCH = 125
"""Milliseconds between two steps of the dashes around a mask; where the processor draws, they stand still."""
_SPRAY = 33
"""Milliseconds between looks at the clock while an airbrush is held still."""
_FRAME = 0.016
"""Seconds between steps of flight while a key is held."""


class Viewport(QWidget):
    """Shows a document and sculpts it. The pointer's events come from `editor.viewport.input`."""

    pointed = Signal(object)
    """The `Hit` under the pointer, or None."""
    drawn = Signal()
    """A frame was drawn (sent from inside the paint event)."""
    first_frame = Signal()
    """A document was drawn for the first time."""
    idle = Signal()
    """A gesture ended."""
    walking_changed = Signal(bool)
    dismissed = Signal()
    """Escape was pressed over the handles of the widget, or what they move is not selected any more."""
    refused = Signal(str)
    """A gesture was not begun, with the reason."""
    preview_left = Signal()
    """Escape was pressed while a preview was on."""
    transformed = Signal(object)
    """The `TransformParams` of the widget, whenever its handles are shown anew."""

    def __init__(self, document: Document, brush: BrushChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.camera = Camera()
        self.style_of_map = Style()
        self.context = ToolContext(document, brush, self._metres_per_pixel, self._ray, self._project)
        self.navigator = Navigator(self.camera, self._surface)
        self.flight = Flight(self.camera, self._surface)
        self.tool: Tool = sculpt
        """What a press of the left button begins."""
        self.widget: Widget | None = None
        """The handles shown over the selection, whose drags are then the tool."""
        self.readout = False
        """True while height and slope stand beside the pointer."""
        self.gesture: Gesture | None = None
        self.modal = False
        """True while the gesture runs without a button held and a press ends it."""
        self.hovered: PointerEvent | None = None
        """Where the pointer was last seen over the map."""
        self.ready = True
        """False while the kernels are still being made ready: no ring yet, so that the window stays alive."""
        self.previewing = False
        """True while a preview is on, shown or for a moment not: the map cannot be edited by hand meanwhile."""
        self.show_mask = True
        """True while the active mask is laid over the picture."""
        self._sprayed = (PointerEvent("move", 0.0, 0.0, np.zeros(3), np.zeros(3)), 0.0)
        """The last event of a gesture, and when it came."""
        self._awaited: Tool | None = None
        self._fresh = True
        self.canvas = GlCanvas(self, self.camera, self._style, self._drawn)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas.native)
        self.hud, self.note, self.badge, self.compass = Hud(self), Note(self), Badge(self), Compass(self)
        self.compass.clicked.connect(lambda: self.look_north())
        self.compass.double_clicked.connect(lambda: self.view("top"))
        self._stepper = QTimer(self)
        self._stepper.setInterval(int(_FRAME * 1000))
        self._stepper.timeout.connect(self._step)
        self._marcher = QTimer(self)
        self._marcher.setInterval(_MARCH)
        self._marcher.timeout.connect(self._march)
        self._sprayer = QTimer(self)
        self._sprayer.setInterval(_SPRAY)
        self._sprayer.timeout.connect(self._spray)
        self.context.shown.connect(self._show_tool)
        brush.changed.connect(self.refresh_ring)
        self.set_document(document)

    def set_document(self, document: Document) -> None:
        """Show another document."""
        self.finish_gesture()
        self.widget, self.tool = None, sculpt
        self.document.changed.disconnect(self._changed, missing_ok=True)
        self.document = self.context.document = document
        document.changed.connect(self._changed)
        terrain = document.scene.terrain
        self.stop_walking()
        self.show_preview(None)
        self._reach()
        self.flight.sea_level = self.navigator.sea_level = terrain.sea_level
        self._fresh = True
        self.context.show(None)
        self.canvas.set_scene(document.scene)
        if self.style_of_map.contours:
            self.show_contours(True)
        self.look_from_start()

    def set_style(self, **values: object) -> None:
        """Change how the map is drawn."""
        self.style_of_map = replace(self.style_of_map, **values)  # type: ignore[arg-type]
        self.canvas.update()

    def show_preview(self, terrain: TerrainMap | None, text: str = "") -> None:
        """Draw a map in place of the document's own (None: that one); text: what the badge says, empty ends it."""
        if text and not self.previewing:
            self.finish_gesture()
            self.hover(None)
        self.badge.say(text)
        if (terrain is self.canvas.preview) and bool(text) == self.previewing:
            return
        self.previewing = bool(text)
        self.canvas.preview = terrain
        self.canvas.update()

    def show_contours(self, on: bool) -> None:
        """Show lines of equal height, some twenty from the lowest to the highest point, or none."""
        low, high = self.document.scene.terrain.field.height_range()
        self.set_style(contours=round_step((high - low) / 20.0) if on else 0.0)

    def look_from_start(self) -> None:
        """See the land as pictures without a window do; all of a map that is sea."""
        start = default_camera(self.document.scene)
        # It frames for a wide picture; a narrower one has to stand farther back.
        start.distance *= max(1.0, _WIDE * self.height() / max(1.0, self.width()))
        for name in ("target", "yaw", "pitch", "distance", "fov"):
            setattr(self.camera, name, getattr(start, name))
        self.camera_moved()

    def frame_all(self) -> None:
        """See the whole map."""
        self._measure()
        self.stop_walking()
        self.navigator.frame(self.document.scene.terrain.bounds.whole)
        self.camera_moved()

    def view(self, name: str) -> None:
        """Look from one of `navigation.VIEWS`."""
        self.stop_walking()
        self.navigator.view(name)
        self.camera_moved()

    def look_north(self) -> None:
        """Turn around the target until north is up."""
        self.camera.yaw = 0.0
        self.navigator.stay_above()
        self.camera_moved()

    def take_widget(self, mode: Mode | None) -> None:
        """Show handles over what the active mask selects, or take them away; raises if nothing is selected."""
        self.finish_gesture()
        self.widget, self.tool = None, sculpt
        if mode is not None:
            self.widget = Widget(self.document, mode, self.camera.rotation().astype(np.float64))
            self.tool = self.widget.drag
        self.context.show(None)
        self.refresh_ring()

    def transform(self, params: TransformParams) -> None:
        """Transform the selection by numbers."""
        if self.widget is not None and params != self.widget.params:
            self.finish_gesture()
            self.widget.set(params)
            self.widget.show(self.context)

    def cancel_widget(self) -> None:
        """Take the transform back and the handles away."""
        if self.widget is not None:
            self.finish_gesture()
            self.widget.cancel()
            self.take_widget(None)

    def keep_view(self) -> list[float]:
        """The camera as plain numbers: target (3), yaw, pitch, distance."""
        camera = self.camera
        return [*(float(value) for value in camera.target), camera.yaw, camera.pitch, camera.distance]

    def look_through(self, view: Sequence[float]) -> None:
        """See what `keep_view` saw."""
        if len(view) == 6 and np.isfinite(view).all():
            self.stop_walking()
            self.camera.target = np.array(view[:3], np.float64)
            self.camera.yaw, self.camera.pitch, self.camera.distance = view[3:]
            self.camera_moved()

    def camera_moved(self) -> None:
        """Show what the camera sees now."""
        self.compass.turn(self.camera.yaw, self.camera.pitch)
        if self.widget is not None and self.gesture is None:
            # The handles keep their size on the screen.
            self.widget.show(self.context)
        self.canvas.update()

    def refresh_ring(self) -> None:
        """Lay the ring anew where the pointer was last seen; while a gesture runs, that does."""
        if self.gesture is not None or not self.ready or self.previewing:
            return
        if self.widget is not None:
            self.widget.show(self.context)
        elif self.hovered is not None:
            self._show_hit(self.context.show_ring(self.hovered))

    def hover(self, event: PointerEvent | None) -> None:
        """The pointer moves over the map without a button, or has left it (None)."""
        self.hovered = event
        if not self.ready:
            return
        if event is None:
            if self.widget is None:
                self.context.show(None)
            self.pointed.emit(None)
        elif self.previewing:
            self.pointed.emit(None)
        elif self.widget is not None:
            self._show_hit(self.widget.hover(self.context, event))
        elif self._awaited is not None:
            tool, self._awaited = self._awaited, None
            self.begin(event, tool, modal=True)
        else:
            self._show_hit(self.context.show_ring(event))

    def begin(self, event: PointerEvent, tool: Tool | None = None, *, modal: bool = False) -> None:
        """Start a gesture with a tool, by default the one in hand; a modal one runs until the next press."""
        self.finish_gesture()
        if self._refuse():
            return
        tool = self.tool if tool is None else tool
        self.modal = modal
        self.gesture = Gesture(tool, self.context, event)
        if tool is sculpt and self.context.brush.params.airbrush:
            self._sprayed = (event, time.perf_counter())
            self._sprayer.start()
        self._after_gesture()

    def adjust(self, tool: Tool) -> None:
        """Start a modal gesture where the pointer is, or where it comes back to the map."""
        if self._refuse():
            return
        if self.hovered is None:
            self._awaited = tool
        else:
            self.begin(self.hovered, tool, modal=True)

    def feed(self, event: PointerEvent) -> None:
        """Pass an event to the running gesture."""
        if self.gesture is not None:
            self.hovered = event
            self._sprayed = (event, time.perf_counter())
            try:
                self.gesture.send(event)
            finally:
                self._after_gesture()

    def _refuse(self) -> bool:
        if self.previewing:
            self.refused.emit("A preview is shown: apply or cancel it before you edit the map")
        return self.previewing

    def cancel_gesture(self) -> None:
        """Take the running gesture back."""
        if self.gesture is not None:
            try:
                self.gesture.cancel()
            finally:
                self._after_gesture()

    def finish_gesture(self) -> None:
        """End the running gesture where it is, so that something else may happen to the document."""
        if self.gesture is not None:
            try:
                self.gesture.finish()
            finally:
                self._after_gesture()

    def toggle_walking(self, on: bool) -> None:
        """Walk on the ground or leave it."""
        if not on:
            self.stop_walking()
            return
        self.flight.start_walking()
        self.walking_changed.emit(self.flight.walking)
        if self.flight.walking:
            self.note.say("Walking — W A S D or arrows to move, right drag to look, Shift runs, Esc leaves")
        self.camera_moved()

    def stop_walking(self) -> None:
        """Leave the ground, if on it."""
        if self.flight.walking:
            self.flight.stop_walking()
            self.note.say("")
            self.walking_changed.emit(False)
        self.hold_keys()

    def hold_keys(self) -> None:
        """Run the clock of flight exactly while a key is held."""
        if self.flight.moving and not self._stepper.isActive():
            self._stepper.start()
        elif not self.flight.moving and self._stepper.isActive():
            self._stepper.stop()

    def close_gl(self) -> None:
        """Let go of the document and of GL."""
        for timer in (self._stepper, self._marcher, self._sprayer):
            timer.stop()
        self.document.changed.disconnect(self._changed, missing_ok=True)
        self.canvas.close()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keep the overlays in their corners."""
        self._measure()
        if self._fresh:
            self.look_from_start()
        self.compass.move(self.width() - self.compass.width() - 12, 12)
        self.note.say(self.note.text() if self.note.isVisible() else "")

    def _measure(self) -> None:
        self.navigator.width, self.navigator.height = max(1.0, self.width()), max(1.0, self.height())

    def _surface(self, start: Vector, direction: Vector) -> Vector | None:
        hit = pick(self.canvas.preview or self.document.scene.terrain, start, direction)
        return None if hit is None else hit.point

    def _reach(self) -> None:
        """Walk and fly at a pace that suits the size of the map."""
        field = self.document.scene.terrain.field
        self.navigator.clearance = min(CLEARANCE, field.cell)
        self.flight.speed = max(float(np.hypot(*field.rest_size)) / 15.0, 1.0)

    def _metres_per_pixel(self, point: Vector) -> float:
        depth = float((point - self.camera.eye) @ self.camera.forward)
        return max(depth, 1e-6) / self.camera.focal(max(1.0, self.height()))

    def _ray(self, x: float, y: float) -> Ray:
        return self.camera.ray(x, y, max(1.0, self.width()), max(1.0, self.height()))

    def _project(self, points: Vector) -> Vector:
        return self.camera.project(points, max(1.0, self.width()), max(1.0, self.height()))

    def march(self) -> None:
        """Let the dashes around the shown mask march, or stop them; nothing is drawn for them otherwise."""
        view = self.canvas.view
        shown = bool(self.show_mask and self.document.scene.terrain.active_mask)
        if shown and view is not None and not view.software:
            self._marcher.start()
        else:
            self._marcher.stop()

    def _march(self) -> None:
        self.set_style(phase=(self.style_of_map.phase + 0.125) % 1.0)

    def _spray(self) -> None:
        """Tell a held airbrush that time goes by though the pointer rests."""
        event, seen = self._sprayed
        if self.gesture is not None:
            self.feed(replace(event, phase="move", time=event.time + time.perf_counter() - seen))

    def _style(self) -> Style:
        context, terrain = self.context, self.document.scene.terrain
        ring = context.ring
        brush = None if ring is None else BrushRing(ring.centre, ring.radius, ring.inverted, smoothing=ring.smoothing)
        images = tuple(
            BrushRing(image.centre, image.radius, image.inverted, False, smoothing=image.smoothing)
            for image in context.images
        )
        mask = terrain.active_mask if self.show_mask else ""
        # Handles would stand where the map is, not where the preview is.
        marks = () if self.previewing else context.marks
        return replace(
            self.style_of_map, brush=brush, images=images, marks=marks, mask=mask, mask_frozen=terrain.frozen,
            outline=bool(mask), isolate=self.style_of_map.isolate and bool(terrain.active_mask),
        )  # fmt: skip

    def _show_tool(self) -> None:
        place = self.hovered
        self.hud.show_at(self.context.hud, *(0.0, 0.0) if place is None else (place.x, place.y))
        if self.widget is not None:
            self.transformed.emit(self.widget.params)
        self.canvas.update()

    def _show_hit(self, hit: Hit | None) -> None:
        self.pointed.emit(hit)
        if self.readout and hit is not None and self.hovered is not None:
            text = f"{hit.point[2]:.1f} m · {slope_at(self.document, hit):.0f}°"
            self.hud.show_at(text, self.hovered.x, self.hovered.y)

    def _after_gesture(self) -> None:
        if self.gesture is not None and not self.gesture.running:
            self.gesture, self.modal = None, False
            self._sprayer.stop()
            self.idle.emit()
        if self.hovered is not None:
            self.pointed.emit(self.context.pick(self.hovered))

    def _changed(self, changes: list[Change]) -> None:
        self.flight.sea_level = self.navigator.sea_level = self.document.scene.terrain.sea_level
        if any(change.key in ("active_mask", "") for change in changes):
            self.march()
        if any(change.kind == "scene" for change in changes):
            self._reach()
            self.canvas.set_scene(self.document.scene)
        else:
            self.canvas.changed(changes)
        self._restart_widget()

    def _restart_widget(self) -> None:
        """Let the handles stand over what is selected now; without a selection they go."""
        if self.widget is None or self.widget.writing:
            return
        self.finish_gesture()
        try:
            self.widget.start()
        except SkerryError:
            self.widget = None
            self.dismissed.emit()
        else:
            self.widget.show(self.context)

    def _step(self) -> None:
        self.flight.step(_FRAME)
        self.camera_moved()

    def _drawn(self) -> None:
        self.drawn.emit()
        if self._fresh:
            self._fresh = False
            self.march()
            # Not from inside the paint event: whoever listens may open a dialog.
            QTimer.singleShot(0, self, self.first_frame.emit)


def round_step(wish: float) -> float:
    """The number of the series 1, 2, 5, 10, … next above a positive one; at least 0.1."""
    wish = max(wish, 0.1)
    power = 10.0 ** math.floor(math.log10(wish) + 1e-9)
    return next(power * step for step in (1.0, 2.0, 5.0, 10.0) if power * step >= wish * (1.0 - 1e-9))
