"""Unify: evens out how densely vertices lie on the surface, whose shape it keeps."""

import math
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.field import VectorField
from terrain.params import about
from terrain.relax import Border, Scratch, relax_window
from terrain.tiles import Rect, TileCopies

ROUNDS_A_PASS = 40
"""Rounds of the springs that a full pass stands for."""

MOST_ROUNDS = 2
"""Rounds a dab at most."""

VERTEX_ROUNDS = 250_000
"""Rounds × vertices a dab at most (but one round), so that a large brush keeps up with the pointer."""

_STABLE = 0.8
"""A full step to the balance would overshoot where vertices lie unevenly."""


class UnifyParams(BrushParams, frozen=True, kw_only=True):
    """How firmly to even out."""

    strength: Annotated[float, about("Share of the way to an even density in each round", ge=0, le=1)] = 0.8


class Unify(Brush):
    """Slides vertices along the surface until they lie evenly in space."""

    id = "unify"
    label = "Unify"
    Params = UnifyParams
    icon = "grid"
    family = "Density"

    def begin(self, stroke: Stroke) -> "Springs":
        """Springs that remember where on the surface before the stroke each vertex is."""
        return Springs(stroke.params.strength, live=stroke.params.accumulate, even=stroke.mirrored)

    def dab(self, window: Window, dab: Dab, state: "Springs") -> None:
        """Even out; inverting makes no difference."""
        state.run(window, dab)


@dataclass
class Springs:
    """The springs of one stroke."""

    strength: float
    ease: float = 0.0
    """Share of the pull across the surface that is followed."""
    live: bool = False
    """True if vertices stay on the surface as the dab meets it; False for the surface before the stroke."""
    even: bool = False
    """True in a stroke with mirror images."""
    slides: TileCopies | None = None
    """Float32 (rows, cols, 2) of the whole map, zero where no dab has been: where on that surface each vertex is."""
    scratch: Scratch = field(default_factory=Scratch)

    def run(self, window: Window, dab: Dab) -> None:
        """Let the springs pull for one dab."""
        rounds, stiffness = self._plan(dab.step, window.weight.size)
        if rounds < 1:
            return
        terrain, rect = window.field, window.rect
        border = Border.of(rect, terrain.rows, terrain.cols)
        slide = None if self.live else self._slide(terrain, rect)
        relax_window(
            window.before, window.offset, window.weight, terrain.cell, border, rounds=rounds, stiffness=stiffness,
            ease=self.ease, slide=slide, scratch=self.scratch, even=self.even,
        )  # fmt: skip
        if self.slides is not None and slide is not None:
            self.slides.put(rect, np.moveaxis(slide, 0, -1))

    def _slide(self, terrain: VectorField, rect: Rect) -> NDArray[np.float32]:
        home = np.broadcast_to(np.float32(0.0), (terrain.rows, terrain.cols, 2))
        if self.slides is None:
            self.slides = TileCopies(home)
        self.slides.touch(home, rect)
        return np.moveaxis(self.slides.read(home, rect), -1, 0)

    def _plan(self, step: float, vertices: int) -> tuple[int, float]:
        """Rounds and stiffness for a share of a pass in a window of so many vertices."""
        due = ROUNDS_A_PASS * step
        rounds = min(math.ceil(due), max(1, min(MOST_ROUNDS, VERTEX_ROUNDS // vertices)))
        return rounds, _STABLE * self.strength * min(due / max(rounds, 1), 1.0)
