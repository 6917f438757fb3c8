"""Resample: the same land on a grid of other cells."""

import math

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField, check_size
from terrain.map import Array, ArraySpec, TerrainMap
from terrain.reshape.carry import carried

_SPREAD = 0.5
"""Standard deviation of the averaging, in new cells, that keeps finer relief from turning into noise."""


def resample(terrain: TerrainMap, cell: float, average: bool = True) -> TerrainMap:
    """A map with cells of `cell` metres over the same ground, to within half a new cell at the far borders.

    Displacements go through Catmull–Rom curves, so that a vertex that stays keeps its exact place; masks and weights
    are linear between vertices; passability and holes are those of the nearest. average: before the grid becomes much
    coarser, relief finer than it can hold is averaged away.
    """
    field = terrain.field
    if not (math.isfinite(cell) and cell > 0.0):
        raise ValueError(cell)
    ratio = cell / field.cell
    rows, cols = (max(2, round((n - 1) / ratio) + 1) for n in (field.rows, field.cols))
    check_size(rows, cols)
    rows_at, cols_at = (np.minimum(np.arange(n) * ratio, m - 1.0) for n, m in ((rows, field.rows), (cols, field.cols)))
    offset = _averaged(field.offset, ratio) if average and ratio > 1.5 else field.offset
    offset = catmull_rom(catmull_rom(offset, rows_at, 0), cols_at, 1)

    def convert(array: Array, spec: ArraySpec) -> Array:
        if spec.per_cell:
            near_rows, near_cols = (
                np.minimum(((np.arange(n - 1) + 0.5) * ratio).astype(int), m - 2)
                for n, m in ((rows, field.rows), (cols, field.cols))
            )
            return np.ascontiguousarray(array[near_rows[:, None], near_cols])
        if spec.choice:
            return np.ascontiguousarray(array[np.rint(rows_at).astype(int)[:, None], np.rint(cols_at).astype(int)])
        return _linear(_linear(array, rows_at, 0), cols_at, 1)

    return carried(terrain, VectorField(np.ascontiguousarray(offset, np.float32), cell, field.origin), convert)


def _averaged(offset: NDArray[np.float32], ratio: float) -> NDArray[np.float32]:
    from scipy.ndimage import gaussian_filter1d

    spread = _SPREAD * ratio
    once = gaussian_filter1d(offset, spread, axis=0, mode="nearest")
    return np.asarray(gaussian_filter1d(once, spread, axis=1, mode="nearest"), np.float32)


def catmull_rom(values: NDArray[np.float32], places: NDArray[np.float64], axis: int) -> NDArray[np.float32]:
    """Catmull–Rom along one axis (Catmull and Rom 1974); beyond the ends the outermost value is repeated."""
    last = values.shape[axis] - 1
    first = np.minimum(places.astype(int), max(last - 1, 0))
    t = places - first
    taps = (
        0.5 * (-t + 2 * t * t - t**3),
        0.5 * (2 - 5 * t * t + 3 * t**3),
        0.5 * (t + 4 * t * t - 3 * t**3),
        0.5 * (-t * t + t**3),
    )
    shape = [1] * values.ndim
    shape[axis] = len(places)
    total = np.zeros(tuple(len(places) if k == axis else n for k, n in enumerate(values.shape)))
    for shift, tap in zip((-1, 0, 1, 2), taps, strict=True):
        index = np.clip(first + shift, 0, last)
        total += tap.reshape(shape) * np.take(values, index, axis=axis)
    return total.astype(np.float32)


def _linear(values: Array, places: NDArray[np.float64], axis: int) -> Array:
    first = np.minimum(places.astype(int), max(values.shape[axis] - 2, 0))
    share = (places - first)[:, None] if axis == 0 else places - first
    low, high = np.take(values, first, axis=axis), np.take(values, first + 1, axis=axis)
    mixed = low + share * (high.astype(np.float64) - low)
    return np.asarray(np.rint(mixed) if values.dtype.kind != "f" else mixed, values.dtype)
