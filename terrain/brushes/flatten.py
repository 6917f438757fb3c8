"""Flatten, fill and scrape: move the surface towards the plane it lies around."""

from typing import Annotated, ClassVar, Literal

import numpy as np

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.brushes.moves import move_along
from terrain.brushes.plane import plane_of
from terrain.params import about


class FlattenParams(BrushParams, frozen=True, kw_only=True):
    """How firmly, and to which plane."""

    strength: Annotated[float, about("Share of the way to the plane in one dab", ge=0, le=1)] = 0.5
    depth: Annotated[float, about("How far above the surface the plane lies", unit="m", ge=-1000, le=1000)] = 0.0


class Flatten(Brush):
    """Moves everything under the brush onto one plane; inverted, away from it."""

    id: ClassVar[str] = "flatten"
    label: ClassVar[str] = "Flatten"
    Params = FlattenParams
    icon: ClassVar[str] = "arrow-collapse-vertical"
    family = "Form"
    live = True
    side: ClassVar[Literal["both", "below", "above"]] = "both"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """A step towards the plane, along its normal."""
        plane = plane_of(window, dab)
        height = plane.heights(window.relative(dab.centre)) - np.float32(state.params.depth)
        side = self.side
        if state.sign < 0.0 and side != "both":
            side = "above" if side == "below" else "below"
        if side != "both":
            height = np.minimum(height, 0.0) if side == "below" else np.maximum(height, 0.0)
        share = pass_share(state.params.strength, dab.step) * (
            state.sign if side == "both" and self.side == "both" else 1.0
        )
        move_along(window.offset, window.weight * height, -share * plane.normal)


class Fill(Flatten):
    """Lifts what lies below the plane onto it; inverted, scrapes."""

    id = "fill"
    label = "Fill"
    icon = "format-color-fill"
    side = "below"


class Scrape(Flatten):
    """Takes off what stands above the plane; inverted, fills."""

    id = "scrape"
    label = "Scrape"
    icon = "knife"
    side = "above"
