"""Crease: cuts a sharp valley, or raises a sharp ridge."""

from typing import Annotated

from terrain.brushes.contract import Brush, Dab, Falloff, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.brushes.moves import move_along, move_each
from terrain.brushes.pinch import inwards
from terrain.brushes.plane import plane_of
from terrain.brushes.raise_lower import MoveParams
from terrain.params import about


class CreaseParams(MoveParams, frozen=True, kw_only=True):
    """How deep and how sharp."""

    strength: Annotated[float, about("Depth of one pass", unit="m", ge=0, le=10000)] = 10.0
    falloff: Annotated[Falloff, about("How the effect fades from the centre to the rim")] = "sharp"
    pinch: Annotated[float, about("How far the walls are drawn together in one dab", ge=0, le=1)] = 0.25


class Crease(Brush):
    """Pushes in along the normal and draws the walls together; inverted, raises a ridge."""

    id = "crease"
    label = "Crease"
    Params = CreaseParams
    icon = "vector-curve"
    family = "Form"
    live = True

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Cut and draw together."""
        plane = plane_of(window, dab)
        move_each(window.offset, window.weight, inwards(window, dab, plane), pass_share(state.params.pinch, dab.step))
        depth = -state.sign * state.params.strength * dab.step
        move_along(window.offset, window.weight, depth * plane.normal)
