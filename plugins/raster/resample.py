"""Resampling of grids where pixel = vertex: the corners stay, and nothing overshoots."""

import numpy as np
from numpy.typing import NDArray


def resample(values: NDArray[np.float64], rows: int, cols: int) -> NDArray[np.float64]:
    """`values` at rows × cols points spread evenly from corner to corner; an axis of equal length stays exact."""
    return _along(_along(values, rows).T, cols).T


def keep_extremes(values: NDArray[np.float64], source: NDArray[np.float64]) -> None:
    """Give the vertices nearest to the source's highest and lowest sample exactly those heights, in place.

    Interpolation shaves summits; a mountain should keep the height that the map says it has.
    """
    for found in (int(np.argmax(source)), int(np.argmin(source))):
        row, col = np.unravel_index(found, source.shape)
        at = (
            round(row * (values.shape[0] - 1) / max(source.shape[0] - 1, 1)),
            round(col * (values.shape[1] - 1) / max(source.shape[1] - 1, 1)),
        )
        values[at] = source[row, col]


def _along(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Along the first axis. Finer: Catmull–Rom, held between the two samples around. Coarser: means of the area."""
    have = values.shape[0]
    if count == have:
        return values
    if count < have:
        return _area_mean(values, count)
    at = np.linspace(0.0, have - 1.0, count)
    low = np.minimum(at.astype(np.int64), have - 2)
    t = (at - low)[:, None]
    b, c = values[low], values[low + 1]
    a, d = values[np.maximum(low - 1, 0)], values[np.minimum(low + 2, have - 1)]
    curve = b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
    held: NDArray[np.float64] = np.clip(curve, np.minimum(b, c), np.maximum(b, c))
    return held


def _area_mean(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Linear samples weighted over the width of a target cell (a tent filter), so that fine detail does not alias."""
    have = values.shape[0]
    at = np.linspace(0.0, have - 1.0, count)
    width = (have - 1.0) / (count - 1.0)
    reach = int(np.ceil(width))
    total, weights = np.zeros((count, values.shape[1])), np.zeros((count, 1))
    for offset in range(-reach, reach + 1):
        index = np.round(at).astype(np.int64) + offset
        weight = np.clip(1.0 - np.abs(index - at) / width, 0.0, None)
        # Beyond the border there is nothing; the corners then stay where they are.
        weight[(index < 0) | (index >= have)] = 0.0
        total += weight[:, None] * values[np.clip(index, 0, have - 1)]
        weights += weight[:, None]
    return total / weights
