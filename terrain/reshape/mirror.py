"""Mirror and rotate: displacements turn as vectors, and normals stay upward.

Every cell splits along the diagonal (row, col)–(row+1, col+1). A mirror or a quarter turn would need the other
diagonal, which a map cannot have: vertices come out exact, and inside a cell the surface may differ by at most half the
cell's twist, |a - b + c - d| / 2 for its corners in turn, at its middle, where the two foldings lie farthest apart. A
half turn maps the diagonal onto itself and keeps the surface exactly.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np

from terrain.field import VectorField
from terrain.map import Array, ArraySpec, TerrainMap
from terrain.reshape.carry import carried

Axis = Literal["east-west", "north-south"]
Half = Literal["west-to-east", "east-to-west", "south-to-north", "north-to-south"]


def flip(terrain: TerrainMap, axis: Axis) -> TerrainMap:
    """The whole map seen in a mirror: east and west, or north and south, change places."""
    side = 1 if axis == "east-west" else 0
    signs = np.array([-1, 1, 1] if side == 1 else [1, -1, 1], np.float32)
    return _turned(terrain, lambda array: np.flip(array, side), lambda offset: offset * signs)


def copy_half(terrain: TerrainMap, half: Half) -> TerrainMap:
    """One half of the map mirrored onto the other; a middle line of vertices lies on the mirror."""
    side = 1 if half in ("west-to-east", "east-to-west") else 0
    from_low = half in ("west-to-east", "south-to-north")
    field = terrain.field
    size = field.offset.shape[side]

    def mirrored(array: Array) -> Array:
        made = array.copy()
        count = made.shape[side] // 2
        low, high = slice(0, count), slice(made.shape[side] - count, None)
        source, goal = (low, high) if from_low else (high, low)
        made[_at(side, goal)] = np.flip(array[_at(side, source)], side)
        return made

    offset = mirrored(field.offset)
    count = size // 2
    goal = slice(size - count, None) if from_low else slice(0, count)
    across = 0 if side == 1 else 1
    offset[(*_at(side, goal), across)] *= np.float32(-1.0)
    if size % 2:
        offset[(*_at(side, slice(count, count + 1)), across)] = 0.0
    return carried(terrain, VectorField(offset, field.cell, field.origin), lambda array, spec: mirrored(array))


def rotate(terrain: TerrainMap, quarters: int) -> TerrainMap:
    """The map turned counter-clockwise about its middle by so many quarter turns."""
    for _ in range(quarters % 4):
        terrain = _quarter(terrain)
    return terrain


def _quarter(terrain: TerrainMap) -> TerrainMap:
    """East becomes north, north becomes west."""
    field = terrain.field
    width, height = field.rest_size
    origin = (field.origin[0] + 0.5 * (width - height), field.origin[1] + 0.5 * (height - width))

    def turn(array: Array) -> Array:
        return np.flip(np.swapaxes(array, 0, 1), 1)

    def vectors(offset: Array) -> Array:
        return np.stack([-offset[..., 1], offset[..., 0], offset[..., 2]], axis=-1)

    return _turned(terrain, turn, vectors, origin)


def _turned(
    terrain: TerrainMap,
    places: Callable[[Array], Array],
    vectors: Callable[[Array], Array],
    origin: tuple[float, float] | None = None,
) -> TerrainMap:
    field = terrain.field
    # Adding zero turns the -0.0 that a mirror leaves into 0.0.
    offset = np.ascontiguousarray(vectors(places(field.offset)), np.float32) + np.float32(0.0)

    def convert(array: Array, spec: ArraySpec) -> Array:
        return places(array).copy(order="C")

    return carried(terrain, VectorField(offset, field.cell, origin or field.origin), convert)


def _at(side: int, part: slice) -> tuple[slice, slice]:
    return (part, slice(None)) if side == 0 else (slice(None), part)
