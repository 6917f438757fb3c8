"""ToolContext: everything a tool may read, call and show."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray
from psygnal import Signal

from editor.document import Document
from editor.render.style import Mark
from editor.strokes import StrokeSession
from editor.tools.brushes import BrushChoice
from editor.tools.events import PointerEvent
from plugins.registry import find_brush
from terrain.pick import Hit, pick

Vector = NDArray[np.float64]
Ray = tuple[Vector, Vector]

_AXIS = (0.55, 0.85, 1.0)


@dataclass(frozen=True)
class Ring:
    """The brush's outline on the surface. centre: world (3), metres; radius: metres."""

    centre: Vector
    radius: float
    inverted: bool = False
    smoothing: bool = False


class ToolContext:
    """Joins a tool to the document, the brush in hand and what is drawn over the map.

    metres_per_pixel: what one logical pixel covers at a world point. ray: start and direction (3) through a pixel.
    project: pixel x, y and depth (n, 3) of world points (n, 3).
    """

    shown = Signal()
    """Emitted when the rings, the marks or the text beside the pointer changed."""

    def __init__(
        self,
        document: Document,
        brush: BrushChoice,
        metres_per_pixel: Callable[[Vector], float] = lambda point: 1.0,
        ray: Callable[[float, float], Ray] | None = None,
        project: Callable[[Vector], Vector] | None = None,
    ) -> None:
        self.document = document
        self.brush = brush
        self.metres_per_pixel = metres_per_pixel
        self.ray = ray
        self.project = project
        self.ring: Ring | None = None
        self.images: tuple[Ring, ...] = ()
        """The ring in mirrors and turned about the axis of symmetry."""
        self.marks: tuple[Mark, ...] = ()
        """Lines that the tool draws over the map."""
        self.hud = ""
        """A short text beside the pointer, empty for none."""
        self.chain: list[Vector] = []
        """Where the last stroke ended and Shift+clicks went since: world points (3)."""
        self.chain_key: object = None
        """Merge key of the curve that the Shift+clicks drew so far."""

    def pick(self, event: PointerEvent) -> Hit | None:
        """What lies under the pointer now."""
        holes = find_brush(self.brush.current).through_holes
        return pick(self.document.scene.terrain, event.start, event.direction, holes=holes)

    def begin_stroke(self, brush_id: str, inverted: bool, event: PointerEvent) -> StrokeSession:
        """Start a stroke seen from the event's eye."""
        params = self.brush.params_of(brush_id)
        return StrokeSession(self.document, brush_id, params, inverted, event.start, symmetry=self.brush.symmetry)

    def show(self, ring: Ring | None, hud: str = "", marks: tuple[Mark, ...] = ()) -> None:
        """Show this ring, text and lines."""
        self.ring, self.hud = ring, hud
        self.images = self._images(ring)
        self.marks = (*marks, *self._axis_marks(ring))
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

    def move_axis(self, event: PointerEvent) -> None:
        """Move the axis of symmetry to the place under the pointer."""
        hit = self.pick(event)
        if hit is not None:
            place = {"x": float(hit.point[0]), "y": float(hit.point[1])}
            self.brush.set_symmetry(msgspec.structs.replace(self.brush.symmetry, **place))

    def _axis(self) -> Vector:
        field = self.document.scene.terrain.field
        width, height = field.rest_size
        return self.brush.symmetry.axis((field.origin[0] + 0.5 * width, field.origin[1] + 0.5 * height))

    def _axis_marks(self, ring: Ring | None) -> tuple[Mark, ...]:
        """The axis as an upright line, and each mirror as a line on the ground."""
        symmetry, terrain = self.brush.symmetry, self.document.scene.terrain
        if ring is None or symmetry.plain:
            return ()
        foot, reach = self._ground(self._axis()), 4.0 * ring.radius
        lines = [np.array([foot, foot + np.array([0.0, 0.0, reach])])]
        for mirrored, way in ((symmetry.mirror_x, (0.0, 1.0, 0.0)), (symmetry.mirror_y, (1.0, 0.0, 0.0))):
            if mirrored:
                along = np.linspace(-1.0, 1.0, 33)[:, None] * np.array(way) * max(terrain.field.rest_size)
                lines.append(np.array([self._ground(foot + step) for step in along]))
        return tuple(Mark(points, _AXIS, 1.5) for points in lines)

    def _images(self, ring: Ring | None) -> tuple[Ring, ...]:
        symmetry = self.brush.symmetry
        if ring is None or symmetry.plain:
            return ()
        axis = self._axis()
        others = symmetry.matrices()[1:]
        centres = [self._ground(matrix @ (ring.centre - axis) + axis) for matrix in others]
        return tuple(Ring(centre, ring.radius, ring.inverted, ring.smoothing) for centre in centres)

    def _ground(self, place: Vector) -> Vector:
        """The surface above or below a place; the place itself where there is none."""
        terrain = self.document.scene.terrain
        start = np.array([place[0], place[1], float(terrain.bounds.whole[5]) + 1.0])
        hit = pick(terrain, start, np.array([0.0, 0.0, -1.0]))
        return place if hit is None else hit.point
