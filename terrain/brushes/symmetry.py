"""Symmetry: the images of a dab in mirrors and under rotation about a vertical axis."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from terrain.params import Params, about

Vector = NDArray[np.float64]


class Symmetry(Params, frozen=True, kw_only=True):
    """Where else a stroke acts at the same time."""

    mirror_x: Annotated[bool, about("Mirror east and west")] = False
    mirror_y: Annotated[bool, about("Mirror south and north")] = False
    turns: Annotated[int, about("Copies around the axis", ge=1, le=32)] = 1
    x: Annotated[float, about("Axis, east", unit="m")] | None = None
    y: Annotated[float, about("Axis, north", unit="m")] | None = None

    @property
    def plain(self) -> bool:
        """True if a stroke has no images."""
        return not (self.mirror_x or self.mirror_y or self.turns > 1)

    def axis(self, middle: tuple[float, float]) -> Vector:
        """The point (3) about which everything turns; `middle` of the map (x, y) where none is set."""
        return np.array([middle[0] if self.x is None else self.x, middle[1] if self.y is None else self.y, 0.0])

    def matrices(self) -> list[Vector]:
        """One orthogonal matrix (3, 3) an image, the stroke's own first, none twice."""
        mirrors = [(1.0, 1.0)]
        if self.mirror_x:
            mirrors.append((-1.0, 1.0))
        if self.mirror_y:
            mirrors += [(x, -y) for x, y in mirrors]
        found: list[Vector] = []
        for turn in range(self.turns):
            cos, sin = _cos_sin(turn, self.turns)
            for x, y in mirrors:
                matrix = np.array([[cos * x, -sin * y, 0.0], [sin * x, cos * y, 0.0], [0.0, 0.0, 1.0]]) + 0.0
                if not any(np.allclose(matrix, other, atol=1e-9) for other in found):
                    found.append(matrix)
        return found


def shares(centres: list[Vector], radius: float) -> list[float]:
    """What each image's weight is multiplied by, 0..1, so that images that meet do not act twice at one place."""
    found = []
    for centre in centres:
        overlap = 0.0
        for other in centres:
            away = centre - other
            overlap += max(0.0, 1.0 - math.sqrt(away @ away) / (2.0 * radius))
        found.append(1.0 / overlap)
    return found


def _cos_sin(turn: int, turns: int) -> tuple[float, float]:
    """Exact at quarter turns, where the library's cosine is not."""
    quarter = {0: (1.0, 0.0), 1: (0.0, 1.0), 2: (-1.0, 0.0), 3: (0.0, -1.0)}
    if 4 * turn % turns == 0:
        return quarter[4 * turn // turns]
    angle = 2.0 * math.pi * turn / turns
    return math.cos(angle), math.sin(angle)
