"""MapTextures: the map's arrays as textures; after an edit only the rectangles that changed are sent again."""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy import gloo

from terrain.map import TerrainMap
from terrain.tiles import Rect

MERGE = 1.25
"""Two rectangles become one if that sends at most this many times their elements."""

ALWAYS = ("offset", "hole", "alpha")
"""Keys of the arrays that every picture needs."""

_FORMATS = {"offset": ("rgb", "rgb32f"), "hole": ("red", "r8"), "alpha": ("red", "r8"), "ao": ("red", "r8")}
_MASK = ("red", "r16")


def merge(rects: list[Rect], rect: Rect) -> None:
    """Add a rectangle to a list, joined with those near enough that one upload is cheaper than two."""
    if rect.empty:
        return
    for index, other in enumerate(rects):
        both = rect.union(other)
        if both.rows * both.cols <= MERGE * (rect.rows * rect.cols + other.rows * other.cols):
            del rects[index]
            merge(rects, both)
            return
    rects.append(rect)


class MapTextures:
    """Textures of `offset` and, if the map has them, `hole`, `alpha` and whatever else a picture asks for."""

    def __init__(self, terrain: TerrainMap) -> None:
        self.terrain = terrain
        self._textures: dict[str, Any] = {}
        self._sources: dict[str, NDArray[Any]] = {}
        self._dirty: dict[str, list[Rect]] = {}

    def __getitem__(self, key: str) -> Any:
        return self._textures[key]

    def __contains__(self, key: str) -> bool:
        return key in self._textures

    def changed(self, key: str, rect: Rect) -> None:
        """Note that a rectangle of an array differs from what was sent."""
        if key in self._textures:
            merge(self._dirty.setdefault(key, []), rect)

    def upload(self, more: Collection[str] = ()) -> tuple[int, list[Rect]]:
        """Send what changed; returns the bytes sent and the rectangles of moved vertices.

        more: keys (`ao`, `mask/NAME`) wanted besides those that every picture needs; others are let go.
        """
        sent, moved = 0, list(self._dirty.get("offset", []))
        wanted = (*ALWAYS, *more)
        for key in dict.fromkeys((*wanted, *self._textures)):
            array = self._array(key) if key in wanted else None
            if array is not self._sources.get(key):
                sent += self._replace(key, array)
                if key == "offset":
                    moved = []
            elif array is not None:
                sent += sum(self._send(key, array, rect) for rect in self._dirty.get(key, []))
        self._dirty.clear()
        return sent, moved

    def release(self) -> None:
        """Delete the textures."""
        for texture in self._textures.values():
            texture.delete()
        self._textures.clear()
        self._sources.clear()

    def _array(self, key: str) -> NDArray[Any] | None:
        return self.terrain.field.offset if key == "offset" else self.terrain.extras.get(key)

    def _replace(self, key: str, array: NDArray[Any] | None) -> int:
        old = self._textures.pop(key, None)
        self._sources.pop(key, None)
        if old is not None:
            old.delete()
        if array is None:
            return 0
        layout, internal = _FORMATS.get(key, _MASK)
        channels = 3 if key == "offset" else 1
        # Whole fields are smooth between vertices; holes belong to cells.
        smooth = "nearest" if key == "hole" else "linear"
        shape = (*array.shape[:2], channels)
        texture = gloo.Texture2D(shape, format=layout, internalformat=internal, interpolation=smooth)
        self._textures[key], self._sources[key] = texture, array
        return self._send(key, array, Rect.of(array))

    def _send(self, key: str, array: NDArray[Any], rect: Rect) -> int:
        rect = rect.clip(array.shape[0], array.shape[1])
        if rect.empty:
            return 0
        part = np.ascontiguousarray(array[rect.slices])
        if part.dtype == np.bool_:
            part = part.view(np.uint8) * np.uint8(255)
        self._textures[key].set_data(part, offset=(rect.row0, rect.col0))
        return int(part.nbytes)
