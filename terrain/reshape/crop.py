"""Crop and expand: vertices taken from or added to the four sides."""

from typing import Literal

import numpy as np

from terrain.field import VectorField, check_size
from terrain.map import Array, ArraySpec, TerrainMap
from terrain.reshape.carry import carried

Fill = Literal["extend", "level"]


def crop(
    terrain: TerrainMap, west: int, south: int, east: int, north: int, fill: Fill = "extend", height: float = 0.0
) -> TerrainMap:
    """A map with so many more vertices on each side (negative: fewer); what is kept stays where it is in the world.

    fill: new vertices repeat the nearest old one's displacement, or lie level at `height` metres. New values of painted
    arrays are the nearest old ones, or those of an untouched map; new cells are never holes.
    Raises `SkerryError` if no possible map would be left.
    """
    field = terrain.field
    check_size(field.rows + south + north, field.cols + west + east)
    sides = ((south, north), (west, east))
    offset = _fitted(field.offset, sides, None if fill == "extend" else (0.0, 0.0, height))
    origin = (field.origin[0] - west * field.cell, field.origin[1] - south * field.cell)

    def convert(array: Array, spec: ArraySpec) -> Array:
        keep = fill == "extend" and not spec.per_cell
        return _fitted(array, sides, None if keep else (spec.fill,))

    return carried(terrain, VectorField(offset, field.cell, origin), convert)


def _fitted(array: Array, sides: tuple[tuple[int, int], ...], fill: tuple[float, ...] | None) -> Array:
    """Cut and pad the first two axes; fill: the new values, None to repeat the nearest."""
    cuts = tuple(slice(max(0, -low), array.shape[axis] - max(0, -high)) for axis, (low, high) in enumerate(sides))
    pads = [(max(0, low), max(0, high)) for low, high in sides] + [(0, 0)] * (array.ndim - 2)
    kept = array[cuts]
    if fill is None:
        return np.ascontiguousarray(np.pad(kept, pads, mode="edge"))
    shape = tuple(n + low + high for n, (low, high) in zip(kept.shape, pads, strict=True))
    made = np.empty(shape, array.dtype)
    made[...] = np.asarray(fill if array.ndim == 3 else fill[0], array.dtype)
    made[tuple(slice(low, low + n) for n, (low, _) in zip(kept.shape, pads, strict=True))] = kept
    return made
