"""Level: brings the ground to one height."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.params import about


class LevelParams(BrushParams, frozen=True, kw_only=True):
    """To which height, how firmly."""

    strength: Annotated[float, about("Share of the way to the height in one dab", ge=0, le=1)] = 0.5
    height: Annotated[float, about("The height; automatic: where the stroke begins", unit="m")] | None = None


@dataclass
class _Levelling:
    stroke: Stroke
    height: float | None


class Level(Brush):
    """Moves vertices straight up or down to one height."""

    id = "level"
    label = "Level"
    Params = LevelParams
    icon = "spirit-level"
    family = "Form"

    def begin(self, stroke: Stroke) -> _Levelling:
        """The height to reach, if it is set."""
        return _Levelling(stroke, stroke.params.height)

    def dab(self, window: Window, dab: Dab, state: _Levelling) -> None:
        """A step towards the height."""
        if state.height is None:
            state.height = float(dab.centre[2])
        share = np.float32(pass_share(state.stroke.params.strength, dab.step))
        window.offset[..., 2] += share * window.weight * (np.float32(state.height) - window.offset[..., 2])
