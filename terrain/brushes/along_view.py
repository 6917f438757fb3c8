"""Along view: pulls the surface towards the viewer; from the side, it makes overhangs."""

import numpy as np

from terrain.brushes.contract import Dab, Stroke, Window
from terrain.brushes.raise_lower import MoveParams


class AlongView:
    """Moves vertices against the view direction by weight × strength; inverted, away from the viewer."""

    id = "along-view"
    label = "Along view"
    Params = MoveParams

    def begin(self, stroke: Stroke) -> Stroke:
        """The stroke is all the state there is."""
        return stroke

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Pull."""
        amount = -state.sign * state.params.strength * dab.step
        window.offset += (amount * dab.view).astype(np.float32) * window.weight[..., None]
