"""Terrace: steps of even height."""

from typing import Annotated

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.params import about


class TerraceParams(BrushParams, frozen=True, kw_only=True):
    """How the steps lie."""

    strength: Annotated[float, about("Share of the way to the steps in one dab", ge=0, le=1)] = 0.4
    height: Annotated[float, about("Height of a step", unit="m", ge=0.01, le=1000)] = 8.0
    start: Annotated[float, about("Height at which a step begins, above the sea", unit="m")] = 0.0
    sharp: Annotated[float, about("0: the slope as it is; 1: level treads and upright risers", ge=0, le=1)] = 0.8


class Terrace(Brush):
    """Moves heights towards treads and risers; the risers stand in the middle between two treads."""

    id = "terrace"
    label = "Terrace"
    Params = TerraceParams
    icon = "stairs"
    family = "Form"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """A step towards the steps."""
        params = state.params
        steps = (window.before[..., 2] - np.float32(state.sea_level + params.start)) / np.float32(params.height)
        tread = np.floor(steps)
        share = steps - tread
        power = np.float32(1.0 + 15.0 * params.sharp)
        rising, falling = share**power, (1.0 - share) ** power
        goal = (tread + rising / (rising + falling)) * np.float32(params.height)
        goal += np.float32(state.sea_level + params.start)
        part = np.float32(pass_share(params.strength, dab.step))
        window.offset[..., 2] += part * window.weight * (goal - window.offset[..., 2])
