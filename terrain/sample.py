"""The sample island: a crescent of old volcano round a lagoon, which a newcomer's first stroke lands on."""

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.noise import eroded_ridges2, fbm2

DEPTH = 60.0
"""Metres of water along the map's border."""

SPREAD = 0.72
"""Half the map's shorter side in units of the island's own frame, whose ring has a radius of 0.34."""


def sample_island(rows: int = 513, cols: int = 513, cell: float = 2.0, seed: int = 7) -> VectorField:
    """An island of about two thirds of the map's shorter side, with beaches, cliffs, a lagoon and its seabed.

    The same bytes for the same arguments on every machine. Sea level is 0.
    """
    heights = np.empty((rows, cols), np.float32)
    _island(heights, seed, min(rows, cols) * cell / 1026.0)
    return VectorField.from_heights(heights, cell)


@kernel
def _smoothstep(low: float, high: float, x: float) -> float:
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def _island(heights: NDArray[np.float32], seed: int, scale: float) -> None:
    rows, cols = heights.shape
    half = 0.5 * (min(rows, cols) - 1)
    for row in range(rows):
        for col in range(cols):
            u, v = SPREAD * (col - 0.5 * (cols - 1)) / half, SPREAD * (row - 0.5 * (rows - 1)) / half
            edge = max(
                abs(col - 0.5 * (cols - 1)) / (0.5 * (cols - 1)), abs(row - 0.5 * (rows - 1)) / (0.5 * (rows - 1))
            )
            heights[row, col] = scale * _height(u, v, edge, seed)


@kernel
def _height(u: float, v: float, edge: float, seed: int) -> float:
    """Metres at a place of the island's frame; `edge` is 1 on the border of the map."""
    x = u + 0.16 * fbm2(2.1 * u + 3.0, 2.1 * v, 4, seed + 11) + 0.05
    y = v + 0.16 * fbm2(2.1 * u, 2.1 * v + 8.0, 4, seed + 23) - 0.02
    radius, angle = np.sqrt(x * x + y * y), np.arctan2(y, x)
    # The crescent is broad in the north-west and opens to the south-east.
    facing = 0.5 + 0.5 * np.cos(angle - 2.3)
    broad = 0.05 + 0.25 * facing - 0.16 * _smoothstep(0.75, 1.0, 1.0 - facing)
    inland = broad - abs(radius - 0.34) + 0.05 * fbm2(6.0 * u, 6.0 * v, 5, seed + 31)
    land = _land(u, v, inland, facing, radius, seed)
    sea = _seabed(u, v, inland, radius, seed)
    height = sea + (land - sea) * _smoothstep(-0.012, 0.012, inland)
    return height + (-DEPTH - height) * _smoothstep(0.82, 1.0, edge)


@kernel
def _land(u: float, v: float, inland: float, facing: float, radius: float, seed: int) -> float:
    """A beach, then hills that grow into ridges; the outer coast of the broad side stands in cliffs."""
    beach = 3.0 * _smoothstep(-0.01, 0.05, inland) + 1.5 * fbm2(14.0 * u, 14.0 * v, 3, seed + 41)
    rise = _smoothstep(0.01, 0.3, inland)
    ridges = eroded_ridges2(3.1 * u + 1.7, 3.1 * v + 4.2, 8, seed + 53)
    hills = rise * (30.0 + 165.0 * ridges * rise * (0.3 + 0.7 * facing))
    cliff = 26.0 * _smoothstep(0.34, 0.40, radius) * _smoothstep(0.45, 0.75, facing) * _smoothstep(0.0, 0.022, inland)
    ledges = 1.0 + 0.5 * fbm2(9.0 * u + 2.0, 9.0 * v, 3, seed + 61)
    return beach + hills + cliff * ledges


@kernel
def _seabed(u: float, v: float, inland: float, radius: float, seed: int) -> float:
    """A shallow lagoon inside the ring, a shelf outside it that drops to the deep; reefs here and there."""
    away = max(-inland, 0.0)
    lagoon = -2.0 - 9.0 * _smoothstep(0.0, 0.14, away)
    shelf = -1.5 - 14.0 * _smoothstep(0.0, 0.12, away) - (DEPTH - 15.5) * _smoothstep(0.08, 0.42, away)
    inside = _smoothstep(0.40, 0.26, radius)
    reef = 6.0 * _smoothstep(0.05, 0.3, fbm2(5.0 * u, 5.0 * v, 4, seed + 71)) * _smoothstep(0.02, 0.08, away)
    floor = shelf + (lagoon - shelf) * inside
    return min(floor + reef * _smoothstep(-45.0, -8.0, floor) + 1.2 * fbm2(11.0 * u, 11.0 * v, 3, seed + 83), -0.8)
