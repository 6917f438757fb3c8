"""Grab: takes hold of the surface and carries it with the pointer."""

from typing import Annotated

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.moves import move_along
from terrain.params import about


class GrabParams(BrushParams, frozen=True, kw_only=True):
    """How firm the grip is."""

    strength: Annotated[float, about("How far the surface follows the pointer", ge=0, le=1)] = 1.0


class Grab(Brush):
    """Moves what lies under the press with the pointer, in the plane that faces the camera."""

    id = "grab"
    label = "Grab"
    Params = GrabParams
    icon = "hand-back-right"
    gesture = "anchor"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Carry."""
        move_along(window.offset, window.weight, state.sign * state.params.strength * dab.move)
