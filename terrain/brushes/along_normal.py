"""Along normal: inflates the surface, each vertex along its own normal."""

import numpy as np

from terrain.brushes.contract import Brush, Dab, Stroke, Window
from terrain.brushes.raise_lower import MoveParams
from terrain.field import normals_of


class AlongNormal(Brush):
    """Moves vertices along their normals (as they were before the stroke); inverted, inwards."""

    id = "along-normal"
    label = "Inflate"
    Params = MoveParams
    icon = "arrow-expand-all"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Inflate."""
        amount = np.float32(state.sign * state.params.strength * dab.step)
        window.offset += normals_of(window.before, state.cell) * (amount * window.weight)[..., None]
