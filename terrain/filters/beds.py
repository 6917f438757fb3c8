"""The lie of beds of rock: even layers, tilted and bent, that terraces and strata share."""

from dataclasses import dataclass

import numpy as np

from terrain.errors import SkerryError
from terrain.filters.fractal import fractal2
from terrain.kernel import kernel


@dataclass(frozen=True)
class Beds:
    """Layers of even thickness through the whole land.

    thickness: metres from one bed to the next, measured upwards. start: metres, where a bed begins at the place (0, 0).
    dip, bearing: degrees; how steeply the beds go down, and towards where, clockwise from north. bend: metres, by which
    noise lifts and lowers them; bend_size: metres, of that noise.
    """

    thickness: float = 8.0
    start: float = 0.0
    dip: float = 0.0
    bearing: float = 90.0
    bend: float = 0.0
    bend_size: float = 200.0
    seed: int = 1

    def __post_init__(self) -> None:
        if not self.thickness > 0.0:
            raise SkerryError(f"beds need a thickness above zero, not {self.thickness:g} m")
        if not 0.0 <= self.dip < 90.0:
            raise SkerryError(f"the dip of beds must be 0 to less than 90 degrees, not {self.dip:g}")
        if not self.bend_size > 0.0:
            raise SkerryError(f"the bends of beds need a size above zero, not {self.bend_size:g} m")

    @property
    def fall(self) -> tuple[float, float]:
        """Metres that the beds go down a metre eastwards, and northwards."""
        slope, turn = np.tan(np.radians(self.dip)), np.radians(self.bearing)
        return float(slope * np.sin(turn)), float(slope * np.cos(turn))


@kernel
def bed_level(
    x: float, y: float, start: float, east: float, north: float, bend: float, bend_size: float, seed: int
) -> float:
    """Height at which the bed number 0 begins at a world place, metres."""
    level = start - east * x - north * y
    if bend != 0.0:
        level += bend * fractal2(x / bend_size, y / bend_size, 3, 0.5, 2.0, seed) / 3.0
    return level
