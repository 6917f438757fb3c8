"""Style: how a scene is to look; nothing here changes the map."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Tint = Literal["natural", "height", "slope", "clay"]

TINTS: tuple[Tint, ...] = ("natural", "height", "slope", "clay")
"""The ways to colour the ground, in the order in which the shader numbers them."""


@dataclass(frozen=True)
class BrushRing:
    """Where the brush would act: all surface within `radius` metres of `centre` (3), overhangs included."""

    centre: NDArray[np.float64]
    radius: float
    inverted: bool = False


@dataclass(frozen=True)
class Style:
    """What to draw and in which light."""

    sun_azimuth: float = math.radians(300.0)
    """Radians, 0 is north, grows clockwise."""
    sun_elevation: float = math.radians(34.0)
    """Radians above the horizon."""
    tint: Tint = "natural"
    show_sea: bool = True
    show_sky: bool = True
    """False leaves `background` where nothing is drawn, and adds no haze."""
    background: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """sRGB, 0..1."""
    contours: float = 0.0
    """Metres between contour lines; 0 draws none."""
    brush: BrushRing | None = None
    tolerance: float | None = None
    """Pixels by which the drawn surface may stray from the true one; 0 draws every vertex, None suits the GPU."""

    @property
    def sun(self) -> NDArray[np.float64]:
        """Unit vector (3) towards the sun."""
        level = math.cos(self.sun_elevation)
        return np.array(
            [math.sin(self.sun_azimuth) * level, math.cos(self.sun_azimuth) * level, math.sin(self.sun_elevation)]
        )
