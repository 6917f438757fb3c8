"""Snake hook: pulls a tongue out of the surface, wherever the pointer goes."""

from terrain.brushes.contract import Brush, Dab, Stroke, Window
from terrain.brushes.grab import GrabParams
from terrain.brushes.moves import move_along


class SnakeHook(Brush):
    """Pulls the surface along in the plane that faces the camera; arches and tongues of rock grow from it."""

    id = "snake-hook"
    label = "Snake hook"
    Params = GrabParams
    icon = "hook"
    gesture = "pull"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Carry one short way."""
        move_along(window.offset, window.weight, state.params.strength * dab.move)
