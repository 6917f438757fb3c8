"""A map on another grid: what happens to the surface happens to everything painted on it."""

from collections.abc import Callable

from terrain.field import VectorField
from terrain.map import Array, ArraySpec, TerrainMap, array_spec


def carried(terrain: TerrainMap, field: VectorField, convert: Callable[[Array, ArraySpec], Array]) -> TerrainMap:
    """A new map with another surface, every extra array converted, and the settings as they were."""
    extras = {key: convert(array, array_spec(key)) for key, array in terrain.extras.items()}
    return TerrainMap(field, extras, terrain.sea_level, dict(terrain.source), terrain.active_mask, terrain.frozen)
