"""Along view: pulls the surface towards the viewer; from the side, it makes overhangs."""

from terrain.brushes.contract import Brush, Dab, Stroke, Window
from terrain.brushes.moves import move_along
from terrain.brushes.raise_lower import MoveParams


class AlongView(Brush):
    """Moves vertices against the view direction by weight × strength; inverted, away from the viewer."""

    id = "along-view"
    label = "Push"
    Params = MoveParams
    icon = "eye-arrow-left-outline"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Pull."""
        amount = -state.sign * state.params.strength * dab.step
        move_along(window.offset, window.weight, amount * dab.view)
