"""Channel: cuts a river bed that never rises along the stroke."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from terrain.brushes.contract import Brush, Dab, Falloff, Stroke, Vector, Window
from terrain.brushes.raise_lower import MoveParams
from terrain.params import about


class ChannelParams(MoveParams, frozen=True, kw_only=True):
    """How deep and how steep."""

    radius: Annotated[float, about("Half the width, banks included", unit="m", ge=1e-3, le=100000)] = 15.0
    strength: Annotated[float, about("Depth of the bed below the ground", unit="m", ge=0, le=10000)] = 4.0
    falloff: Annotated[Falloff, about("Shape of the banks")] = "smooth"
    fall: Annotated[float, about("Least fall of the bed, metres for each 100 m", ge=0, le=100)] = 0.2


@dataclass
class _Bed:
    stroke: Stroke
    level: float = math.inf
    place: Vector | None = None


class Channel(Brush):
    """Draw from the spring downwards: the bed lies below the ground and only ever falls. Inverted, upstream."""

    id = "channel"
    label = "Channel"
    Params = ChannelParams
    icon = "waves-arrow-right"
    family = "Land"

    def begin(self, stroke: Stroke) -> _Bed:
        """The bed so far."""
        return _Bed(stroke)

    def dab(self, window: Window, dab: Dab, state: _Bed) -> None:
        """Lower what stands above the bed; nothing is filled."""
        params, upstream = state.stroke.params, state.stroke.sign < 0.0
        ground = float(dab.centre[2]) - params.strength
        if state.place is None:
            state.level = ground
        else:
            way = dab.centre - state.place
            fall = 0.01 * params.fall * math.hypot(way[0], way[1])
            state.level = max(ground, state.level + fall) if upstream else min(ground, state.level - fall)
        state.place = dab.centre
        height = window.offset[..., 2]
        # The bed is level across its middle third, then the banks rise to the ground as it was.
        rise = np.float32(1.0) - np.minimum(np.float32(1.5) * window.weight, 1.0)
        bed = np.float32(state.level) + rise * np.maximum(window.before[..., 2] - np.float32(state.level), 0.0)
        window.offset[..., 2] = np.minimum(height, np.where(window.weight > 0.0, bed, height))
