"""The part of a map around a river or fan: cut out, given new heights, put back."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain.erosion.exposure import area_of, books, displaced, open_to_sky, refuse_not_finite
from terrain.erosion.outcome import Eroded, Grid
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.tiles import Rect


class Land(NamedTuple):
    """Vertices (rows, cols) of a part of a map: world x, y, height, how free to move, and area.

    And the world x, y of its corner at rest, its cell, and how far any vertex lies from its place at rest.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    height: Grid
    free: Grid
    area: NDArray[np.float64]
    left: float
    bottom: float
    cell: float
    astray: float


def checked_line(field: VectorField, points: ArrayLike, sea: float, softness: Grid | None) -> NDArray[np.float64]:
    """Points (n, 2) or (n, 3) in float64; raises `SkerryError` for what is no line, or a number that is not finite."""
    line = np.asarray(points, np.float64)
    if line.ndim != 2 or line.shape[0] < 2 or line.shape[1] not in (2, 3):
        raise SkerryError(f"a river needs two points or more with x, y and perhaps z, not an array {line.shape}")
    if math.isnan(sea):
        raise SkerryError("the sea's level is not a number")
    refuse_not_finite(offset=field.offset, points=line, softness=softness)
    return line


def blank_grids(field: VectorField, *names: str) -> dict[str, Grid]:
    """A grid of zeros, the size of the field, for each name."""
    return {name: np.zeros(field.offset.shape[:2], np.float32) for name in names}


def put_back(field: VectorField, out: Eroded, rect: Rect) -> Eroded:
    """Heights from what was cut and laid within the rectangle, and the books."""
    part = rect.slices
    before, cut, laid = field.offset[..., 2][part], out.grids["wear"][part], out.grids["deposit"][part]
    after = (before + laid) - cut
    wear = (before + laid) - after
    out.offset[..., 2][part], out.grids["wear"][part] = after, wear
    area = area_of(crop_of(field, rect))
    return Eroded(out.offset, out.grids, books(area, before, after, wear))


def crop_of(field: VectorField, rect: Rect) -> VectorField:
    """The part of a field in a rectangle, with its own origin."""
    x0, y0 = field.origin
    origin = (x0 + rect.col0 * field.cell, y0 + rect.row0 * field.cell)
    return VectorField(np.ascontiguousarray(field.offset[rect.slices]), field.cell, origin)


def with_heights(field: VectorField, rect: Rect, heights: Grid) -> VectorField:
    """A copy of a field with other heights (rows, cols) in a rectangle."""
    offset = field.offset.copy()
    offset[..., 2][rect.slices] = heights
    return VectorField(offset, field.cell, field.origin)


def land_of(field: VectorField, rect: Rect, softness: Grid | None = None) -> Land:
    """The part of a field in a rectangle, with its places, areas, and how free it is to move."""
    part = crop_of(field, rect)
    place = part.positions()
    free = open_to_sky(part)
    if softness is not None:
        free = free * softness[rect.slices].astype(np.float32)
    x, y, height = (np.ascontiguousarray(place[..., axis]) for axis in range(3))
    astray = float(np.abs(part.offset[..., :2]).max())
    return Land(x, y, height.astype(np.float32), free, area_of(part), *part.origin, part.cell, astray)


def rect_of(field: VectorField, low: NDArray[np.float64], high: NDArray[np.float64], margin: float) -> Rect:
    """Vertices that may lie within a margin of a box in the world; at least two by two."""
    if displaced(field):
        margin += float(np.abs(field.offset[..., :2]).max())
    origin = np.asarray(field.origin)
    first = np.floor((low - origin - margin) / field.cell)
    last = np.ceil((high - origin + margin) / field.cell) + 1
    size = np.array([field.cols, field.rows])
    first = np.clip(first, 0, size - 2).astype(int)
    last = np.clip(last, first + 2, size).astype(int)
    return Rect(int(first[1]), int(last[1]), int(first[0]), int(last[0]))
