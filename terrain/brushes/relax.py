"""Relax: evens out the density of vertices and eases noise and folds out of the surface."""

from typing import Annotated

from terrain.brushes.contract import Stroke
from terrain.brushes.unify import Springs, Unify, UnifyParams
from terrain.params import about


class RelaxParams(UnifyParams, frozen=True, kw_only=True):
    """How firmly to even out, and how far the shape may give way."""

    ease: Annotated[float, about("Share of the pull across the surface that may change its shape", ge=0, le=1)] = 0.3


class Relax(Unify):
    """The springs of Unify, let off the surface: noise and folds ease out while vertices spread evenly."""

    id = "relax"
    label = "Relax"
    Params = RelaxParams
    icon = "blur-linear"
    live = True

    def begin(self, stroke: Stroke) -> Springs:
        """Springs that pull across the surface too."""
        return Springs(stroke.params.strength, stroke.params.ease, live=True, even=stroke.mirrored)
