"""Cliff: steepens a slope to a wall and hollows out its foot."""

import math
from typing import Annotated

import numpy as np

from terrain.brushes.contract import Brush, Dab, Stroke, Window
from terrain.brushes.moves import move_along
from terrain.brushes.plane import plane_of
from terrain.brushes.raise_lower import MoveParams
from terrain.params import about

_LEVEL = 0.05
"""Ground flatter than this slope has no direction in which a cliff could face."""


class CliffParams(MoveParams, frozen=True, kw_only=True):
    """How far the wall moves and how it leans."""

    strength: Annotated[
        float, about("How far one pass moves the top out and the foot in", unit="m", ge=0, le=10000)
    ] = 8.0
    undercut: Annotated[float, about("How much farther the foot goes in than the top comes out", ge=0, le=4)] = 0.5


class Cliff(Brush):
    """Moves the upper part of a slope outwards and the lower part inwards; heights stay. Inverted, eases it again."""

    id = "cliff"
    label = "Cliff"
    Params = CliffParams
    icon = "image-filter-hdr"
    family = "Land"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Shear the slope along its fall line."""
        plane = plane_of(window, dab)
        out = plane.normal[:2]
        length = math.sqrt(out @ out)
        if length < _LEVEL:
            return
        height = window.before[..., 2] - np.float32(dab.centre[2] + plane.point[2])
        # From -1 at the foot to 1 at the top of what the brush can hold of such a slope.
        place = np.clip(height / np.float32(0.5 * dab.radius * length), -1.0, 1.0)
        place = np.where(place < 0.0, place * np.float32(1.0 + state.params.undercut), place)
        amount = state.sign * state.params.strength * dab.step / length
        move_along(window.offset, window.weight * place, amount * np.array([out[0], out[1], 0.0]))
