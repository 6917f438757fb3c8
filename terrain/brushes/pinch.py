"""Pinch: draws the surface together towards the stroke."""

from typing import Annotated

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.brushes.moves import move_each
from terrain.brushes.plane import Plane, plane_of
from terrain.params import about
from terrain.products import combined


class PinchParams(BrushParams, frozen=True, kw_only=True):
    """How firmly."""

    strength: Annotated[float, about("Share of the way to the stroke in one dab", ge=0, le=1)] = 0.3


class Pinch(Brush):
    """Draws vertices towards the middle of the brush within the surface, which sharpens edges; inverted, spreads."""

    id = "pinch"
    label = "Pinch"
    Params = PinchParams
    icon = "arrow-collapse-horizontal"
    family = "Form"
    live = True

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """A step towards the line of the stroke."""
        share = state.sign * pass_share(state.params.strength, dab.step)
        move_each(window.offset, window.weight, inwards(window, dab, plane_of(window, dab)), share)


def inwards(window: Window, dab: Dab, plane: Plane) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Vectors (rows, cols, 3), metres, to the line through the dab along its way, within the surface's plane."""
    across = np.eye(3) - np.outer(plane.normal, plane.normal)
    way = across @ dab.move
    length = np.sqrt(way @ way)
    if length > 1e-9:
        across = across - np.outer(way, way) / (length * length)
    return np.asarray(-combined(window.relative(dab.centre), across.astype(np.float32)), np.float32)
