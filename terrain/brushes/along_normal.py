"""Along normal: inflates the surface, each vertex along its own normal."""

from terrain.brushes.contract import Brush, Dab, Stroke, Window
from terrain.brushes.moves import move_each
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
        amount = state.sign * state.params.strength * dab.step
        move_each(window.offset, window.weight, normals_of(window.before, state.cell), amount)
