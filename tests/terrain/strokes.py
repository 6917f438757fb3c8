"""Strokes for tests: the shortest way from a brush and a few points to changed vertices."""

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush
from terrain.brushes.sculpt import SculptStroke
from terrain.brushes.stroke import Sample
from terrain.brushes.symmetry import Symmetry
from terrain.map import TerrainMap
from tests.terrain.easel import Easel

DOWN = np.array([0.0, 0.0, -1.0])


def from_above(x: float, y: float, pressure: float = 1.0, time: float = 0.0) -> Sample:
    return Sample(np.array([x, y, 1e4]), DOWN, pressure, time)


def from_eye(eye: NDArray[np.float64], target: NDArray[np.float64]) -> Sample:
    away = np.asarray(target, np.float64) - eye
    return Sample(np.asarray(eye, np.float64), away / np.linalg.norm(away), 1.0)


def paint(
    terrain: TerrainMap,
    brush: Brush,
    samples: list[Sample],
    *,
    inverted: bool = False,
    symmetry: Symmetry | None = None,
    mask: NDArray[np.uint16] | None = None,
    frozen: bool = False,
    pictures: dict[str, NDArray[np.float32]] | None = None,
    seed: int = 1,
    **params: object,
) -> Easel:
    """Run a whole stroke; returns what it was written through."""
    easel = Easel(terrain)
    stroke = SculptStroke(
        terrain, brush, brush.Params.of(**params), easel, inverted=inverted, symmetry=symmetry, pictures=pictures,
        seed=seed, mask=mask, frozen=frozen,
    )  # fmt: skip
    for sample in samples:
        stroke.add(sample, easel)
    stroke.finish(easel)
    terrain.moved(easel.written)
    return easel


def rub(x: float, y: float, times: int) -> list[Sample]:
    """A gesture that stays about one place long enough for so many dabs of spacing 0.1 m or more."""
    return [from_above(x + 0.25 * (number % 2), y) for number in range(times)]
