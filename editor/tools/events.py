"""PointerEvent: what a tool is told of mouse, pen and touch, without a window system."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Phase = Literal["press", "move", "release"]

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PointerEvent:
    """One report of the pointer.

    x, y: logical pixels from the top left of the viewport. start, direction: its ray in the world (3), metres.
    pressure: 0..1, 1 for a mouse. buttons: of `left`, `middle`, `right`. modifiers: of `shift`, `ctrl`, `alt`.
    time: seconds of a clock that only grows. tilt: direction in which a pen leans, radians from right towards up.
    """

    phase: Phase
    x: float
    y: float
    start: Vector
    direction: Vector
    pressure: float = 1.0
    buttons: frozenset[str] = NONE
    modifiers: frozenset[str] = NONE
    time: float = 0.0
    tilt: float = 0.0

    @property
    def along(self) -> Vector:
        """A point on the ray, one metre from its start."""
        return self.start + self.direction
