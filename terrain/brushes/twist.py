"""Twist: turns the surface about its normal."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Vector, Window
from terrain.brushes.plane import plane_of
from terrain.kernel import kernel
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
        _turn(window.relative(dab.centre), window.weight, normal, angle, window.offset)


@kernel
def _turn(
    places: NDArray[np.float32], weight: NDArray[np.float32], axis: Vector, angle: float, out: NDArray[np.float32]
) -> None:
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            if not weight[i, j] > 0.0:
                continue
            x, y, z = float(places[i, j, 0]), float(places[i, j, 1]), float(places[i, j, 2])
            along = x * axis[0] + y * axis[1] + z * axis[2]
            x, y, z = x - along * axis[0], y - along * axis[1], z - along * axis[2]
            less, sin = np.cos(angle * weight[i, j]) - 1.0, np.sin(angle * weight[i, j])
            out[i, j, 0] += less * x + sin * (axis[1] * z - axis[2] * y)
            out[i, j, 1] += less * y + sin * (axis[2] * x - axis[0] * z)
            out[i, j, 2] += less * z + sin * (axis[0] * y - axis[1] * x)
