"""Pen: what becomes of pressure and of an unsteady hand before a stroke hears of them."""

import math
from typing import Annotated, Literal

from terrain.params import Params, about

LINEAR = (0.0, 0.25, 0.5, 0.75, 1.0)


class PenParams(Params, frozen=True, kw_only=True):
    """How the hand is heard."""

    lazy: Annotated[float, about("Length of the string that pulls the brush; 0: none", unit="px", ge=0, le=300)] = 0
    line: Annotated[
        Literal["straight", "curved"], about("What Shift+clicks after a stroke draw: straight lines, or one curve")
    ] = "straight"
    curve: Annotated[
        tuple[float, ...], about("Pressure heard for 0, ¼, ½, ¾ and full pressure of the pen, each 0..1")
    ] = LINEAR

    def pressed(self, pressure: float) -> float:
        """The pressure that the brush gets for one of the pen, 0..1: straight pieces between the curve's values."""
        values = self.curve if len(self.curve) >= 2 else LINEAR
        place = min(max(pressure, 0.0), 1.0) * (len(values) - 1)
        left = min(int(place), len(values) - 2)
        value = values[left] + (place - left) * (values[left + 1] - values[left])
        return min(max(value, 0.0), 1.0)


class LazyPointer:
    """Follows the pointer on a string: it moves only when the string is taut, and then straight towards it."""

    def __init__(self, length: float, x: float, y: float) -> None:
        self.length = length
        self.x, self.y = x, y

    def follow(self, x: float, y: float) -> tuple[float, float]:
        """Where the brush is now that the pointer is at (x, y), logical pixels."""
        dx, dy = x - self.x, y - self.y
        away = math.hypot(dx, dy)
        if away > self.length:
            share = (away - self.length) / away
            self.x, self.y = self.x + share * dx, self.y + share * dy
        return self.x, self.y
