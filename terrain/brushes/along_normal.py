"""Along normal: inflates the surface, each vertex along its own normal."""

import numpy as np

from terrain.brushes.contract import Dab, Stroke, Window
from terrain.brushes.raise_lower import MoveParams
from terrain.field import normals_of


class AlongNormal:
    """Moves vertices along their normals (as they were before the stroke); inverted, inwards."""

    id = "along-normal"
    label = "Along normal"
    Params = MoveParams

    def begin(self, stroke: Stroke) -> Stroke:
        """The stroke is all the state there is."""
        return stroke

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Inflate."""
        amount = np.float32(state.sign * state.params.strength * dab.step)
        window.offset += normals_of(window.before, state.cell) * (amount * window.weight)[..., None]
