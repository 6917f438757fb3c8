"""Wave exposure: how much open water the points of a coast look out upon."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.erosion.outcome import Grid, Ledger
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import kernel, parallel_kernel
from terrain.params import Params, about

_MOST_BLOCKS = 300_000
_SHORE_SCALES = tuple((2.0 * 2.0**k, 0.125**k) for k in range(5))
"""Widths in blocks, and weights, of the Gaussians that carry a value of the coast inland and out to sea."""


class ExposureParams(Params, frozen=True, kw_only=True):
    """What counts as open water, and where the waves come from."""

    fetch: Annotated[float, about("Open water over which waves grow to their full size", unit="m", ge=1, le=1e5)] = 1e3
    directions: Annotated[int, about("Directions in which to look", ge=8, le=64)] = 24
    wind_deg: Annotated[float, about("Where the wind comes from, clockwise from north", unit="°")] | None = None
    spread_deg: Annotated[float, about("How far waves turn away from the wind", unit="°", ge=5, le=360)] = 60.0
    least_area: Annotated[float, about("Water that is no lake, border or not", unit="m²", ge=0)] = 1e5


@dataclass(frozen=True)
class Blocks:
    """Squares, `size` metres wide, that cover a field seen from above; their values are read back smoothly."""

    field: VectorField
    size: float
    left: float
    bottom: float
    rows: int
    cols: int

    @classmethod
    def over(cls, field: VectorField, size: float) -> "Blocks":
        """Blocks over all displaced positions, metres from the field's origin; half a block is free on every side."""
        size = max(size, field.cell)
        low, high = [0.0, 0.0], [(field.cols - 1) * field.cell, (field.rows - 1) * field.cell]
        if displaced(field):
            place = field.positions()[..., :2] - np.asarray(field.origin)
            low, high = place.min(axis=(0, 1)).tolist(), place.max(axis=(0, 1)).tolist()
        size = max(size, math.sqrt((high[0] - low[0] + size) * (high[1] - low[1] + size) / _MOST_BLOCKS))
        cols, rows = (math.floor((end - start) / size + 0.5) + 1 for start, end in zip(low, high, strict=True))
        return cls(field, size, low[0] - 0.5 * size, low[1] - 0.5 * size, rows, cols)

    def places(self) -> NDArray[np.int64]:
        """Number of the block (rows, cols of the field) that each vertex lies in."""
        out = np.empty(self.field.offset.shape[:2], np.int64)
        _places(self.field.offset, self.field.cell, self.size, self.left, self.bottom, self.rows, self.cols, out)
        return out

    def gather(self, values: NDArray[np.floating], places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Sum of the values within each block; places: the block of each value."""
        sums = np.bincount(places.ravel(), values.ravel(), minlength=self.rows * self.cols)
        return np.asarray(sums, np.float64).reshape(self.rows, self.cols)

    def read(self, grid: NDArray[np.floating]) -> Grid:
        """A value for each vertex, from quadratic B-splines over the blocks, so that no edge of a block shows."""
        out = np.empty(self.field.offset.shape[:2], np.float32)
        source = np.pad(grid.astype(np.float32), 1, mode="edge")
        _read(self.field.offset, self.field.cell, source, self.size, self.left, self.bottom, out)
        return out


def displaced(field: VectorField) -> bool:
    """Whether any vertex lies aside of its place on the rest grid."""
    return bool(field.offset[..., :2].any())


def open_to_sky(field: VectorField) -> Grid:
    """How freely each vertex (rows, cols) may move up and down, 0..1.

    0 where a cell nearby, seen from above, is upright or looks down, so that nothing is cut through an overhang or
    filled up to its underside; 1 a few blocks of Blocks away. The volume of a change of height is its share of the
    map, see `area_of`.
    """
    from scipy.ndimage import maximum_filter

    if not displaced(field):
        return np.ones(field.offset.shape[:2], np.float32)
    blocks = Blocks.over(field, field.cell)
    folded = np.zeros((blocks.rows, blocks.cols), np.uint8)
    _folded(field.offset, field.cell, blocks.size, blocks.left, blocks.bottom, folded)
    # Grown by more than the smoothing reaches, that the middle stays whole.
    near = _blur(maximum_filter(folded, 9).astype(np.float64), 1.0)
    free = np.maximum(0.0, 1.0 - 1.001 * blocks.read(near)).astype(np.float32)
    free[free < 2e-3] = 0.0
    free[field.normals()[..., 2] <= 0.0] = 0.0
    return np.asarray(free)


def area_of(field: VectorField) -> NDArray[np.float64]:
    """Area (rows, cols) of the map that each vertex stands for, m²; that of a cell on an undisplaced field."""
    if not displaced(field):
        return np.full(field.offset.shape[:2], field.cell**2)
    place = field.positions()
    xv, xu = np.gradient(place[..., 0])
    yv, yu = np.gradient(place[..., 1])
    return np.asarray(np.maximum(0.0, xu * yv - xv * yu))


def books(area: NDArray[np.float64], before: Grid, after: Grid, wear: Grid) -> Ledger:
    """Volumes as they arrived in the stored heights, from wear in metres; what came from outside is less exported."""
    picked = float((area * wear).sum())
    gained = float((area * (after.astype(np.float64) - before)).sum())
    return Ledger(picked=picked, dropped=picked + gained, exported=-gained)


def refuse_not_finite(**arrays: NDArray[np.floating] | float | None) -> None:
    """Raise `SkerryError` in one line for a named array or number that has values which are not finite."""
    for name, array in arrays.items():
        if array is not None and not np.isfinite(array).all():
            raise SkerryError(f"{name} has values that are not finite; erosion needs numbers everywhere")


def ocean_of(field: VectorField, sea: float, least_area: float) -> NDArray[np.bool_]:
    """Vertices (rows, cols) at or below the sea, in water that reaches the border or covers `least_area` m²."""
    from scipy.ndimage import label

    # Joined as the cells' triangles join them.
    parts, count = label(field.offset[..., 2] <= sea, np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]]))
    open_water = np.bincount(parts.ravel(), minlength=count + 1) * field.cell**2 >= max(least_area, field.cell**2)
    for edge in (parts[0], parts[-1], parts[:, 0], parts[:, -1]):
        open_water[edge] = True
    open_water[0] = False
    found: NDArray[np.bool_] = open_water[parts]
    return found


def exposure(
    field: VectorField, params: ExposureParams, sea: float, *, progress: Callable[[float], None] = lambda share: None
) -> Grid:
    """Wave exposure 0..1, float32 (rows, cols): the share of full waves that reach the nearest coast.

    In each direction waves grow with the open water before the coast, up to the fetch; beyond the border all is open
    sea. Half of all directions reach a straight coast. Carried inland and out to sea smoothly, by some tens of blocks
    of fetch / 150; 0 in lakes, on their shores and far from the coast. sea: metres. Displaced fields count where
    their vertices lie in the world. Raises `SkerryError` for a number that is not finite.
    """
    refuse_not_finite(offset=field.offset, sea=sea)
    ocean = ocean_of(field, sea, params.least_area)
    blocks = Blocks.over(field, params.fetch / 150.0)
    places = blocks.places()
    found = coast_exposure(blocks, share_of(ocean, blocks, places), params, progress)
    lakes = share_of((field.offset[..., 2] <= sea) & ~ocean, blocks, places)
    if lakes.any():
        found *= np.maximum(0.0, 1.0 - 2.0 * _blur(lakes, 2.0))
    out = blocks.read(found)
    out[(field.offset[..., 2] <= sea) & ~ocean] = 0.0
    progress(1.0)
    return out


def coast_exposure(
    blocks: Blocks, water: NDArray[np.float64], params: ExposureParams, progress: Callable[[float], None]
) -> NDArray[np.float64]:
    """Exposure 0..1 of the nearest coast, for each block, from the share 0..1 of open water; see `exposure`."""
    angles = 2.0 * np.pi * np.arange(params.directions) / params.directions
    weights = _winds(angles, params)
    shares, total = water.astype(np.float32), np.zeros(water.shape)
    # As many at once as keep a progress call within a tenth of a second.
    for first in range(0, params.directions, 8):
        progress(first / params.directions)
        some = slice(first, first + 8)
        reached = np.empty((len(angles[some]), *water.shape), np.float32)
        _sweeps(shares, np.cos(angles[some]), np.sin(angles[some]), params.fetch / blocks.size, reached)
        total += np.tensordot(weights[some], reached.astype(np.float64), 1)
    return along_shore(total, shore_band(water))


def shore_band(water: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much of each block is water by the coast, 0..1, from the share of water 0..1 in each.

    Only the water: what lies behind the coast sees less of the sea than the coast does.
    """
    soft = _blur(water, 2.0)
    return np.asarray(np.maximum(0.0, 4.0 * soft * (1.0 - soft)) * water**2)


def along_shore(values: NDArray[np.float64], band: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values of the coast's blocks, smoothed along it and carried inland and out to sea; 0 far away."""
    above, below = np.zeros(values.shape), np.full(values.shape, 1e-8)
    for width, weight in _SHORE_SCALES:
        above += weight * _blur(values * band, width)
        below += weight * _blur(band, width)
    return np.asarray(above / below)


def share_of(inside: NDArray[np.bool_], blocks: Blocks, places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Share 0..1 of each block's vertices that are inside; blocks without vertices are like the nearest with some."""
    from scipy.ndimage import distance_transform_edt

    count = blocks.gather(np.ones(inside.shape, np.float32), places)
    share = blocks.gather(inside.astype(np.float32), places) / np.maximum(count, 1.0)
    if (count == 0.0).any():
        nearest = distance_transform_edt(count == 0.0, return_distances=False, return_indices=True)
        share = share[tuple(nearest)]
    return np.asarray(share)


def _winds(angles: NDArray[np.float64], params: ExposureParams) -> NDArray[np.float64]:
    """Weights of directions (counter-clockwise from east), in sum 1: even, or a bell about the wind's."""
    weights = np.ones(len(angles))
    if params.wind_deg is not None:
        away = np.degrees(angles) - (90.0 - params.wind_deg)
        away = (away + 180.0) % 360.0 - 180.0
        weights = np.exp(-0.5 * (away / params.spread_deg) ** 2)
    return np.asarray(weights / weights.sum())


def _blur(values: NDArray[np.float64], sigma: float) -> NDArray[np.float64]:
    """A Gaussian of `sigma` blocks; a wide one as three running means."""
    from scipy.ndimage import gaussian_filter, uniform_filter

    # No wider than the map: scipy would mirror it again and again.
    sigma = min(sigma, float(max(values.shape)))
    if sigma < 6.0:
        return np.asarray(gaussian_filter(values, sigma, mode="nearest"))
    width = 2 * round(sigma) + 1
    for _ in range(3):
        values = uniform_filter(values, width, mode="nearest")
    return values


@parallel_kernel
def _places(
    offset: NDArray[np.float32],
    cell: float,
    size: float,
    left: float,
    bottom: float,
    rows: int,
    cols: int,
    out: NDArray[np.int64],
) -> None:
    for row in prange(out.shape[0]):
        for col in range(out.shape[1]):
            j = int((col * cell + offset[row, col, 0] - left) / size)
            i = int((row * cell + offset[row, col, 1] - bottom) / size)
            out[row, col] = min(max(i, 0), rows - 1) * cols + min(max(j, 0), cols - 1)


@kernel
def _folded(
    offset: NDArray[np.float32], cell: float, size: float, left: float, bottom: float, out: NDArray[np.uint8]
) -> None:
    """Mark the blocks over which a triangle of a cell is upright or looks down."""
    x, y = np.empty(4), np.empty(4)
    for row in range(offset.shape[0] - 1):
        for col in range(offset.shape[1] - 1):
            for corner in range(4):
                i, j = row + corner // 2, col + (corner % 2 if corner < 2 else 1 - corner % 2)
                x[corner], y[corner] = j * cell + offset[i, j, 0], i * cell + offset[i, j, 1]
            first = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
            second = (x[2] - x[0]) * (y[3] - y[0]) - (x[3] - x[0]) * (y[2] - y[0])
            if min(first, second) > 1e-3 * cell * cell:
                continue
            for i in range(int((y.min() - bottom) / size), int((y.max() - bottom) / size) + 1):
                for j in range(int((x.min() - left) / size), int((x.max() - left) / size) + 1):
                    if 0 <= i < out.shape[0] and 0 <= j < out.shape[1]:
                        out[i, j] = 1


@parallel_kernel
def _read(
    offset: NDArray[np.float32], cell: float, source: Grid, size: float, left: float, bottom: float, out: Grid
) -> None:
    rows, cols = source.shape
    for row in prange(out.shape[0]):
        for col in range(out.shape[1]):
            # One block of padding, less half a block to the middle of a block.
            x = (col * cell + offset[row, col, 0] - left) / size + 0.5
            y = (row * cell + offset[row, col, 1] - bottom) / size + 0.5
            j = min(max(int(x + 0.5), 1), cols - 2)
            i = min(max(int(y + 0.5), 1), rows - 2)
            fx, fy = min(max(x - j, -0.5), 0.5), min(max(y - i, -0.5), 0.5)
            wx0, wx1, wx2 = 0.5 * (0.5 - fx) ** 2, 0.75 - fx * fx, 0.5 * (0.5 + fx) ** 2
            wy0, wy1, wy2 = 0.5 * (0.5 - fy) ** 2, 0.75 - fy * fy, 0.5 * (0.5 + fy) ** 2
            south = wx0 * source[i - 1, j - 1] + wx1 * source[i - 1, j] + wx2 * source[i - 1, j + 1]
            middle = wx0 * source[i, j - 1] + wx1 * source[i, j] + wx2 * source[i, j + 1]
            north = wx0 * source[i + 1, j - 1] + wx1 * source[i + 1, j] + wx2 * source[i + 1, j + 1]
            out[row, col] = wy0 * south + wy1 * middle + wy2 * north


@parallel_kernel
def _sweeps(
    water: Grid, east: NDArray[np.float64], north: NDArray[np.float64], fetch: float, out: NDArray[np.float32]
) -> None:
    """Share of the fetch that lies open towards each direction; one pass a direction, from where its waves come."""
    for k in prange(out.shape[0]):
        if abs(east[k]) >= abs(north[k]):
            _sweep(water, east[k], north[k], fetch, out[k])
        else:
            _sweep(water.T, north[k], east[k], fetch, out[k].T)


@kernel
def _sweep(water: Grid, major: float, minor: float, fetch: float, out: Grid) -> None:
    """Along columns; the water before a block is that before its two neighbours towards the waves, in between."""
    rows, cols = water.shape
    step, lean, towards = 1.0 / abs(major), minor / abs(major), (1 if major > 0.0 else -1)
    before, now = np.full(rows, fetch), np.empty(rows)
    for k in range(cols):
        col = cols - 1 - k if towards > 0 else k
        for row in range(rows):
            at = row + lean
            low = int(np.floor(at))
            part = at - low
            first = before[low] if 0 <= low < rows else fetch
            second = before[low + 1] if 0 <= low + 1 < rows else fetch
            came = first + part * (second - first)
            out[row, col] = came / fetch
            now[row] = min(fetch, water[row, col] * (came + step))
        before, now = now, before
