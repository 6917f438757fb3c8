"""Raise / lower: moves the surface straight up."""

from typing import Annotated

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.params import about


class MoveParams(BrushParams, frozen=True, kw_only=True):
    """A brush that moves vertices by a distance."""

    strength: Annotated[float, about("How far one pass moves the surface", unit="m", ge=0, le=10000)] = 20.0


class RaiseLower(Brush):
    """Moves vertices up by weight × strength; inverted, down."""

    id = "raise"
    label = "Raise"
    inverted_label = "Lower"
    Params = MoveParams
    icon = "arrow-expand-up"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Add height."""
        height = np.float32(state.sign * state.params.strength * dab.step)
        window.offset[..., 2] += height * window.weight
