"""Mask by the weight of a material layer."""

from terrain.errors import SkerryError
from terrain.map import TerrainMap
from terrain.masks.combine import Mask, from_mask


def layer_mask(terrain: TerrainMap, layer: str) -> Mask:
    """The weight (rows, cols) of one layer; raises with the layers there are."""
    key = f"layer/{layer}"
    if key not in terrain.extras:
        known = ", ".join(terrain.names("layer")) or "none"
        raise SkerryError(f"there is no layer '{layer}'; the map has: {known}")
    return from_mask(terrain.extras[key])
