"""Digger: carves along the view down to a flat floor; into a cliff, it makes a cave."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Vector, Window
from terrain.brushes.factors import pass_share
from terrain.brushes.moves import move_along
from terrain.params import about
from terrain.products import dots

_RIM = 4.0
"""How steeply the walls stand: the weight that reaches the floor is 1 / this."""


class DiggerParams(BrushParams, frozen=True, kw_only=True):
    """How deep and how fast."""

    strength: Annotated[float, about("Depth of the floor below where the stroke begins", unit="m", ge=0, le=10000)] = (
        20.0
    )
    speed: Annotated[float, about("Share of the way to the floor in one dab", ge=0.01, le=1)] = 0.4


@dataclass
class _Digging:
    stroke: Stroke
    start: Vector | None = None
    view: Vector | None = None


class Digger(Brush):
    """Pushes the surface away from the viewer until it lies on a floor square to the view; inverted, builds out."""

    id = "digger"
    label = "Digger"
    Params = DiggerParams
    icon = "shovel"
    family = "Land"

    def begin(self, stroke: Stroke) -> _Digging:
        """The floor is known once the stroke has begun."""
        return _Digging(stroke)

    def dab(self, window: Window, dab: Dab, state: _Digging) -> None:
        """A step towards the floor, which nothing passes."""
        if state.start is None or state.view is None:
            state.start, state.view = dab.centre, dab.view
        params, sign = state.stroke.params, state.stroke.sign
        view = (sign * state.view).astype(np.float32)
        depth = dots(window.relative(state.start, np.ascontiguousarray(window.offset)), view)
        left = np.maximum(np.float32(params.strength) - depth, 0.0)
        share = np.float32(pass_share(params.speed, dab.step))
        hard = np.minimum(np.float32(_RIM) * window.weight, np.float32(dab.pressure))
        move_along(window.offset, hard * left, float(share) * sign * state.view)
