"""Hole: cuts cells out of the surface."""

from typing import Annotated, Any

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Falloff, Stroke, Window
from terrain.params import about


class HoleParams(BrushParams, frozen=True, kw_only=True):
    """How far the hole reaches."""

    strength: Annotated[float, about("Share of the brush that is cut", ge=0, le=1)] = 1.0
    falloff: Annotated[Falloff, about("How the effect fades from the centre to the rim")] = "linear"


class Hole(Brush):
    """Cuts holes for caves and tunnels; inverted, closes them. A cell goes when all of its corners are in reach."""

    id = "hole"
    label = "Hole"
    Params = HoleParams
    icon = "circle-off-outline"
    family = "Paint"
    through_holes = False

    def paints(self, params: Any) -> str:
        """One truth value a cell."""
        return "hole"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Cut or close."""
        rows, cols = window.painted.shape
        least = 1.0 - state.params.strength
        reached = window.weight > np.float32(least * dab.pressure)
        whole = reached[:-1, :-1] & reached[1:, :-1] & reached[:-1, 1:] & reached[1:, 1:]
        part = whole[:rows, :cols]
        window.painted[: part.shape[0], : part.shape[1]][part] = state.sign > 0.0
