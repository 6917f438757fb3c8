"""Lands that the tests of erosion share."""

import numpy as np

from terrain.erosion.outcome import Grid
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.noise import fbm2


def hills(rows: int, cols: int, cell: float = 2.0, relief: float = 60.0, seed: int = 3) -> VectorField:
    """Fractal hills; the same land at any cell size."""
    return VectorField.from_heights(_hills(rows, cols, cell / 256.0, seed) * np.float32(relief), cell)


@kernel
def _hills(rows: int, cols: int, step: float, seed: int) -> Grid:
    out = np.empty((rows, cols), np.float32)
    for row in range(rows):
        for col in range(cols):
            out[row, col] = fbm2(col * step, row * step, 9, seed)
    return out


def leaning(field: VectorField, far: float) -> VectorField:
    """The same land with its vertices moved sideways in waves of up to `far` metres; it overhangs nowhere itself."""
    row, col = np.mgrid[: field.rows, : field.cols].astype(np.float32) * np.float32(field.cell)
    moved = field.offset.copy()
    moved[..., 0] += far * np.sin(row / 31.0 + col / 57.0)
    moved[..., 1] += far * np.cos(col / 43.0 - row / 71.0)
    return VectorField(moved, field.cell, field.origin)


def steepest_fold(field: VectorField) -> float:
    """The least vertical share of a normal: below 0 where the surface overhangs."""
    return float(field.normals()[..., 2].min())
