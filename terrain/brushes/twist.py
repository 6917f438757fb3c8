"""Twist: turns the surface about its normal."""

import math
from typing import Annotated

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.plane import plane_of
from terrain.params import about


class TwistParams(BrushParams, frozen=True, kw_only=True):
    """How far."""

    strength: Annotated[float, about("Turn for a drag of one radius", unit="°", ge=0, le=720)] = 90.0


class Twist(Brush):
    """Press and drag sideways: what lies under the press turns about the surface's normal."""

    id = "twist"
    label = "Twist"
    Params = TwistParams
    icon = "rotate-right"
    family = "Form"
    gesture = "anchor"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Turn each vertex by the angle × its weight (Rodrigues' formula)."""
        normal = plane_of(window, dab).normal
        # A mirror turns the sense of every rotation round.
        handed = float(np.linalg.det(dab.matrix))
        angle = handed * state.sign * math.radians(state.params.strength) * float(dab.move @ dab.right) / dab.radius
        places = window.relative(dab.centre)
        turn = np.float32(angle) * window.weight
        axis = normal.astype(np.float32)
        along = (places @ axis)[..., None] * axis
        flat = places - along
        cos, sin = np.cos(turn)[..., None], np.sin(turn)[..., None]
        window.offset += (cos - np.float32(1.0)) * flat + sin * np.cross(axis, flat).astype(np.float32)
