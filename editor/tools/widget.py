"""Widget: the handles with which the selected vertices are moved, turned and scaled."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from editor.document import Document
from editor.render.style import Mark
from editor.tools.context import ToolContext
from editor.tools.events import PointerEvent
from editor.tools.gesture import GestureCancelled, Steps
from editor.tools.handles import HANDLES, Mode, Place, drag_amount, handle_marks, nearest_handle
from terrain.pick import Hit
from terrain.tiles import Rect
from terrain.transform import Selection, TransformParams, select, transformed

Vector = NDArray[np.float64]
Kind = Literal["x", "y", "z", "turn_x", "turn_y", "turn_z", "scale_x", "scale_y", "scale_z"]

_ids = itertools.count(1)
_TURN_SNAP, _SCALE_SNAP = 5.0, 0.1


class Widget:
    """Transforms what the active mask selects: one undo step, seen while it is dragged or typed.

    Raises `SkerryError` if nothing is selected.
    """

    def __init__(self, document: Document, mode: Mode, camera_axes: Vector) -> None:
        self.document = document
        self.mode: Mode = mode
        self.params = TransformParams()
        self.camera_axes = camera_axes
        """Right, up and backward of the viewer, one a row; what axes of the view are."""
        self.hovered = ""
        self.writing = False
        """True while the map changes by the widget itself."""
        self.start()

    @property
    def frame(self) -> Vector:
        """Axes (3, 3) of the transform, one a row."""
        return {"world": np.eye(3), "local": self._selection.local, "view": self.camera_axes}[self.params.axes]

    @property
    def place(self) -> Place:
        """Where the handles stand now."""
        way = np.array([self.params.x, self.params.y, self.params.z])
        return Place(self._selection.pivot + way @ self.frame, self.frame)

    @property
    def selection(self) -> Selection:
        """What is transformed."""
        return self._selection

    def start(self) -> None:
        """A new transform, so far none, of what is selected now; raises `SkerryError` if that is nothing."""
        self._key = ("transform", next(_ids))
        kept = self.params
        self.params = TransformParams(axes=kept.axes, soft=kept.soft, falloff=kept.falloff)
        self._selection = select(self.document.scene.terrain, kept.soft, kept.falloff)

    def set(self, params: TransformParams) -> None:
        """Show this transform of the selection as it was at first; nothing adds up."""
        if (params.soft, params.falloff) != (self.params.soft, self.params.falloff):
            self._put(self._selection.rect, self._selection.before)
            self._selection = select(self.document.scene.terrain, params.soft, params.falloff)
        self.params = params
        field = self.document.scene.terrain.field
        self._put(self._selection.rect, transformed(self._selection, field.cell, field.origin, params, self.frame))

    def cancel(self) -> None:
        """Take the transform back as if it had never been."""
        with self._own_change():
            self.document.abandon(self._key)
        self.start()

    def hover(self, context: ToolContext, event: PointerEvent) -> Hit | None:
        """Show the handles, the one under the pointer in light."""
        self.hovered = nearest_handle(context, self.place, self.mode, event.x, event.y)
        self.show(context)
        return context.pick(event)

    def show(self, context: ToolContext, hud: str = "") -> None:
        """Show the handles."""
        context.show(None, hud, self.marks(context))

    def marks(self, context: ToolContext) -> tuple[Mark, ...]:
        """The handles as lines."""
        return handle_marks(context, self.place, self.mode, self.hovered)

    def drag(self, context: ToolContext, event: PointerEvent) -> Steps:
        """Drag a handle; Ctrl snaps to whole cells, five degrees or tenths."""
        handle = nearest_handle(context, self.place, self.mode, event.x, event.y)
        start, before, place = event, self.params, self.place
        self.hovered = handle
        try:
            while event.phase != "release":
                if handle:
                    amount = drag_amount(context, place, handle, start, event)
                    self.set(_applied(before, handle, amount, "ctrl" in event.modifiers, self._cell))
                    self.show(context, _words(self.params, handle))
                event = yield
        except GestureCancelled:
            self.set(before)
        self.show(context)

    @property
    def _cell(self) -> float:
        return self.document.scene.terrain.field.cell

    @contextmanager
    def _own_change(self) -> Iterator[None]:
        self.writing = True
        try:
            yield
        finally:
            self.writing = False

    def _put(self, rect: Rect, offset: NDArray[np.float32]) -> None:
        with self._own_change(), self.document.edit("Transform", merge=self._key) as edit:
            edit.write("offset", rect)[...] = offset


def _applied(before: TransformParams, handle: str, amount: Vector, snap: bool, cell: float) -> TransformParams:
    """The transform after a drag by an amount: metres along the axes, degrees, or factors."""
    kind, axes = HANDLES[handle]
    values = {}
    for k, name in enumerate("xyz"):
        if name not in axes:
            continue
        if kind == "move":
            values[name] = getattr(before, name) + _snapped(amount[k], cell, snap)
        elif kind == "turn":
            values[f"turn_{name}"] = getattr(before, f"turn_{name}") + _snapped(amount[k], _TURN_SNAP, snap)
        else:
            factor = getattr(before, f"scale_{name}") * max(amount[k], 0.01)
            values[f"scale_{name}"] = min(max(_snapped(factor, _SCALE_SNAP, snap), 0.01), 100.0)
    return msgspec.structs.replace(before, **{name: round(float(value), 3) for name, value in values.items()})


def _snapped(value: float, step: float, snap: bool) -> float:
    return round(value / step) * step if snap else float(value)


def _words(params: TransformParams, handle: str) -> str:
    kind, axes = HANDLES[handle]
    prefix = {"move": "", "turn": "turn_", "scale": "scale_"}[kind]
    unit = {"move": " m", "turn": "°", "scale": "×"}[kind]
    digits = 2 if kind != "turn" else 1
    return "  ".join(f"{name} {getattr(params, prefix + name):.{digits}f}{unit}" for name in axes)
