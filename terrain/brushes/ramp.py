"""Ramp: an even slope between two points."""

from typing import Annotated, Any

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Falloff, Stroke, Vector, Window
from terrain.params import about


class RampParams(BrushParams, frozen=True, kw_only=True):
    """How wide and how firm."""

    radius: Annotated[float, about("Half the width, banks included", unit="m", ge=1e-3, le=100000)] = 40.0
    strength: Annotated[float, about("Share of the way to the slope", ge=0, le=1)] = 1.0
    falloff: Annotated[Falloff, about("How the banks fade")] = "sphere"


class Ramp(Brush):
    """Press at one end, release at the other: the ground between rises evenly, through hills and over gaps."""

    id = "ramp"
    label = "Ramp"
    Params = RampParams
    icon = "slope-uphill"
    family = "Form"
    gesture = "anchor"
    plan = True

    def reach(self, dab: Dab, params: Any) -> tuple[Vector, Vector, float]:
        """From where it began to where the pointer is."""
        return dab.centre, dab.target, dab.radius

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Lay the slope."""
        way = (dab.target - dab.centre)[:2]
        square = float(way @ way)
        places = window.relative(dab.centre)
        if square > 1e-12:
            east, north = (way / square).astype(np.float32)
            share = np.clip(east * places[..., 0] + north * places[..., 1], 0.0, 1.0)
        else:
            share = np.zeros(window.weight.shape, np.float32)
        height = np.float32(dab.centre[2]) + share * np.float32(dab.target[2] - dab.centre[2])
        window.offset[..., 2] += np.float32(state.params.strength) * window.weight * (height - window.offset[..., 2])
