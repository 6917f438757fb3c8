"""ToolContext: everything a tool may read, call and show."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from psygnal import Signal

from editor.document import Document
from editor.strokes import StrokeSession
from editor.tools.brushes import BrushChoice
from editor.tools.events import PointerEvent
from terrain.pick import Hit, pick

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Ring:
    """The brush's outline on the surface. centre: world (3), metres; radius: metres."""

    centre: Vector
    radius: float
    inverted: bool = False
    smoothing: bool = False


class ToolContext:
    """Joins a tool to the document, the brush in hand and what is drawn over the map.

    metres_per_pixel: what one logical pixel covers at a world point.
    """

    shown = Signal()
    """Emitted when the ring or the text beside the pointer changed."""

    def __init__(
        self, document: Document, brush: BrushChoice, metres_per_pixel: Callable[[Vector], float] = lambda point: 1.0
    ) -> None:
        self.document = document
        self.brush = brush
        self.metres_per_pixel = metres_per_pixel
        self.ring: Ring | None = None
        self.hud = ""
        """A short text beside the pointer, empty for none."""

    def pick(self, event: PointerEvent) -> Hit | None:
        """What lies under the pointer now."""
        return pick(self.document.scene.terrain, event.start, event.direction)

    def begin_stroke(self, brush_id: str, inverted: bool, event: PointerEvent) -> StrokeSession:
        """Start a stroke seen from the event's eye."""
        return StrokeSession(self.document, brush_id, self.brush.params_of(brush_id), inverted, event.start)

    def show(self, ring: Ring | None, hud: str = "") -> None:
        """Show this ring and text."""
        self.ring, self.hud = ring, hud
        self.shown.emit()

    def show_ring(self, event: PointerEvent) -> Hit | None:
        """Lay the ring under the pointer, or take it away where there is no surface; returns what was hit."""
        hit = self.pick(event)
        if hit is None:
            self.show(None)
        else:
            ctrl, shift = "ctrl" in event.modifiers, "shift" in event.modifiers
            self.show(Ring(hit.point, self.brush.params.radius, inverted=ctrl and not shift, smoothing=shift))
        return hit
