"""Nudge: pushes vertices sideways along the stroke."""

from typing import Annotated

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.moves import move_along
from terrain.brushes.plane import plane_of
from terrain.params import about


class NudgeParams(BrushParams, frozen=True, kw_only=True):
    """How far."""

    strength: Annotated[float, about("Share of the stroke's way that the surface goes along", ge=0, le=1)] = 0.5


class Nudge(Brush):
    """Pushes vertices along with the stroke within the surface; inverted, against it."""

    id = "nudge"
    label = "Nudge"
    Params = NudgeParams
    icon = "arrow-right-bold"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Go along."""
        normal = plane_of(window, dab).normal
        way = dab.move - (dab.move @ normal) * normal
        move_along(window.offset, window.weight, state.sign * state.params.strength * way)
