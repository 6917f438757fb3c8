"""Easel: what a stroke writes through where there is no document."""

import numpy as np

from terrain.map import Array, TerrainMap
from terrain.tiles import Rect, TileCopies


class Easel:
    """Keeps the touched tiles and the rectangle around everything that was written."""

    def __init__(self, terrain: TerrainMap) -> None:
        self.terrain = terrain
        self.written = Rect(0, 0, 0, 0)
        self._copies: dict[str, TileCopies] = {}

    def write(self, key: str, rect: Rect) -> Array:
        array = self._array(key)
        self.copies(key).touch(array, rect)
        self.written = self.written.union(rect)
        return array[rect.slices]

    def copies(self, key: str) -> TileCopies:
        if key not in self._copies:
            self._copies[key] = TileCopies(self._array(key))
        return self._copies[key]

    def _array(self, key: str) -> np.ndarray:
        if key != "offset" and key not in self.terrain.extras:
            self.terrain.extras[key] = self.terrain.new_array(key)
        return self.terrain.array(key)
