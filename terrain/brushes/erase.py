"""Erase: takes displacement back, towards the rest grid."""

from typing import Annotated, Literal

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.params import about


class EraseParams(BrushParams, frozen=True, kw_only=True):
    """What is erased, to which height."""

    strength: Annotated[float, about("Share of the way to the rest grid in one dab", ge=0, le=1)] = 0.3
    what: Annotated[
        Literal["all", "sideways", "height"], about("Everything, the sideways displacement alone, or the height alone")
    ] = "all"
    height: Annotated[float, about("Height of the rest grid", unit="m")] = 0.0


class Erase(Brush):
    """Moves vertices back to where an untouched map has them; sideways alone turns overhangs into plain heights."""

    id = "erase"
    label = "Erase"
    Params = EraseParams
    icon = "eraser"
    family = "Copy"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """A step back."""
        params = state.params
        share = np.float32(pass_share(params.strength, dab.step)) * window.weight
        if params.what != "height":
            window.offset[..., :2] -= share[..., None] * window.offset[..., :2]
        if params.what != "sideways":
            window.offset[..., 2] += share * (np.float32(params.height) - window.offset[..., 2])
