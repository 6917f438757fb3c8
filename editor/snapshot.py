"""Snapshots that cost nothing to take, and records of the tiles that a file still lacks."""

import copy
import threading
from collections.abc import Callable
from typing import Any

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import Array, TerrainMap
from terrain.tiles import Rect, TileCopies, tiles_in

STORED_TILE = 256
"""Elements along one side of a tile in the file."""


class Snapshot:
    """A map as it was when taken; edits copy each tile here before they change it the first time.

    Reading is safe from any thread while the editing one writes through the document; `close` belongs to the latter.
    """

    def __init__(self, terrain: TerrainMap, on_close: Callable[["Snapshot"], None]) -> None:
        self._lock = threading.Lock()
        self._live = terrain
        self._copies: dict[str, TileCopies] = {}
        self._arrays: dict[str, Array] = dict(terrain.arrays())
        self._on_close = on_close
        self.cell = terrain.field.cell
        self.origin = terrain.field.origin
        self.sea_level = terrain.sea_level
        self.source: dict[str, Any] = copy.deepcopy(terrain.source)
        self.active_mask, self.frozen = terrain.active_mask, terrain.frozen
        self._closed = False

    @property
    def keys(self) -> list[str]:
        """Keys of the arrays the map had."""
        return list(self._arrays)

    def shape(self, key: str) -> tuple[int, ...]:
        """Shape of one array."""
        return self._arrays[key].shape

    def dtype(self, key: str) -> Any:
        """Dtype of one array."""
        return self._arrays[key].dtype

    def read(self, key: str, rect: Rect | None = None) -> Array:
        """Values of an array under `rect` (default: all) as they were; a fresh array. Raises once closed."""
        array = self._arrays[key]
        rect = rect or Rect.of(array)
        with self._lock:
            if self._closed:
                raise SkerryError(f"the snapshot of '{key}' was closed before it was read")
            copies = self._copies.get(key)
            return array[rect.slices].copy() if copies is None else copies.read(array, rect)

    def terrain(self) -> TerrainMap:
        """The whole map as it was; every array copied."""
        arrays = {key: self.read(key) for key in self._arrays}
        field = VectorField(arrays.pop("offset"), self.cell, self.origin)
        return TerrainMap(field, arrays, self.sea_level, self.source, self.active_mask, self.frozen)

    def touch(self, key: str, rect: Rect) -> None:
        """Keep the tiles under `rect` before they change; called by the document."""
        with self._lock:
            if key in self._arrays and self._arrays[key] is self._current(key):
                if key not in self._copies:
                    self._copies[key] = TileCopies(self._arrays[key])
                self._copies[key].touch(self._arrays[key], rect)

    def close(self) -> None:
        """Let go of the copies; edits no longer pay for this snapshot."""
        with self._lock:
            already, self._closed = self._closed, True
            self._copies.clear()
        if not already:
            self._on_close(self)

    def _current(self, key: str) -> Array | None:
        return self._live.field.offset if key == "offset" else self._live.extras.get(key)


class DirtyTiles:
    """Which 256×256 tiles of which arrays changed since they were last taken, and whether settings did."""

    def __init__(self) -> None:
        self.tiles: dict[str, set[tuple[int, int]]] = {}
        self.whole: set[str] = set()
        """Arrays that came or went: to be written or deleted entirely."""
        self.settings = False
        self.everything = False
        """True after the whole map was replaced: no part of the file fits any more."""

    def __bool__(self) -> bool:
        return bool(self.tiles or self.whole or self.settings or self.everything)

    def add(self, key: str, rect: Rect) -> None:
        """Note that `rect` of an array changes."""
        if not rect.empty:
            self.tiles.setdefault(key, set()).update(tiles_in(rect, STORED_TILE))

    def add_whole(self, key: str) -> None:
        """Note that an array came or went."""
        self.whole.add(key)

    def take(self) -> "DirtyTiles":
        """Hand over everything noted so far and start afresh."""
        taken = DirtyTiles()
        taken.tiles, taken.whole, taken.settings = self.tiles, self.whole, self.settings
        taken.everything = self.everything
        self.tiles, self.whole, self.settings, self.everything = {}, set(), False, False
        return taken

    def give_back(self, taken: "DirtyTiles") -> None:
        """Note again what could not be written."""
        for key, tiles in taken.tiles.items():
            self.tiles.setdefault(key, set()).update(tiles)
        self.whole |= taken.whole
        self.settings |= taken.settings
        self.everything |= taken.everything
