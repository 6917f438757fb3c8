"""Rectangles of an array, and first-touch copies of its 64×64 tiles (the grain of undo and snapshots)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

TILE = 64
"""Vertices along one side of a dirty tile."""

_SPARE = 4
"""A growing pool holds one spare slot to so many copies at most."""


class Rect(NamedTuple):
    """Half-open rectangle of array indices: rows row0..row1-1, columns col0..col1-1."""

    row0: int
    row1: int
    col0: int
    col1: int

    @classmethod
    def of(cls, array: NDArray[Any]) -> "Rect":
        """The whole of an array's first two axes."""
        return cls(0, array.shape[0], 0, array.shape[1])

    @property
    def rows(self) -> int:
        """Number of rows, never negative."""
        return max(0, self.row1 - self.row0)

    @property
    def cols(self) -> int:
        """Number of columns, never negative."""
        return max(0, self.col1 - self.col0)

    @property
    def empty(self) -> bool:
        """True if no element lies inside."""
        return self.row1 <= self.row0 or self.col1 <= self.col0

    @property
    def slices(self) -> tuple[slice, slice]:
        """Index an array with this; an empty rectangle selects nothing (a negative end would count from behind)."""
        return slice(self.row0, max(self.row0, self.row1)), slice(self.col0, max(self.col0, self.col1))

    def clip(self, rows: int, cols: int) -> "Rect":
        """The part inside an array of `rows` × `cols`."""
        return self.clip_to(Rect(0, rows, 0, cols))

    def clip_to(self, other: "Rect") -> "Rect":
        """The part inside another rectangle."""
        return Rect(
            max(self.row0, other.row0),
            min(self.row1, other.row1),
            max(self.col0, other.col0),
            min(self.col1, other.col1),
        )

    def within(self, outer: "Rect") -> "Rect":
        """The same rectangle counted from the corner of one that holds it."""
        return Rect(self.row0 - outer.row0, self.row1 - outer.row0, self.col0 - outer.col0, self.col1 - outer.col0)

    def grown(self, margin: int) -> "Rect":
        """Larger by `margin` on every side."""
        return Rect(self.row0 - margin, self.row1 + margin, self.col0 - margin, self.col1 + margin)

    def union(self, other: "Rect") -> "Rect":
        """The smallest rectangle around both; an empty one adds nothing."""
        if self.empty or other.empty:
            return other if self.empty else self
        return Rect(
            min(self.row0, other.row0),
            max(self.row1, other.row1),
            min(self.col0, other.col0),
            max(self.col1, other.col1),
        )


def tiles_in(rect: Rect, side: int = TILE) -> Iterator[tuple[int, int]]:
    """Tile indices (tile row, tile column) that a rectangle touches."""
    if rect.empty:
        return
    for tile_row in range(rect.row0 // side, (rect.row1 - 1) // side + 1):
        for tile_col in range(rect.col0 // side, (rect.col1 - 1) // side + 1):
            yield tile_row, tile_col


def tile_rect(tile: tuple[int, int], shape: tuple[int, ...], side: int = TILE) -> Rect:
    """The elements of one tile, clipped to the array's shape."""
    row, col = tile[0] * side, tile[1] * side
    return Rect(row, row + side, col, col + side).clip(shape[0], shape[1])


class TileCopies:
    """The tiles of one array as they were when each was first touched.

    `index` (int32, tile rows × tile cols; -1 = untouched) and `pool` (slots × 64 × 64 × …) are public so that
    a kernel can read the earlier state of any element without a copy of the map.
    """

    def __init__(self, array: NDArray[Any]) -> None:
        self.shape = array.shape
        grid = tuple(-(-n // TILE) for n in array.shape[:2])
        self.index: NDArray[np.int32] = np.full(grid, -1, np.int32)
        self.pool: NDArray[Any] = np.empty((0, TILE, TILE, *array.shape[2:]), array.dtype)
        self.tiles: list[tuple[int, int]] = []

    @classmethod
    def restored(cls, shape: tuple[int, ...], tiles: list[tuple[int, int]], pool: NDArray[Any]) -> "TileCopies":
        """Copies of an array of `shape` made earlier: one slot of `pool` for each of `tiles`."""
        copies = cls(np.broadcast_to(pool.dtype.type(0), shape))
        for slot, tile in enumerate(tiles):
            copies.index[tile] = slot
        copies.tiles, copies.pool = tiles, pool
        return copies

    def touch(self, array: NDArray[Any], rect: Rect) -> None:
        """Copy those tiles under `rect` that have no copy yet."""
        fresh = [tile for tile in tiles_in(rect) if self.index[tile] < 0]
        self._reserve(len(self.tiles) + len(fresh))
        for tile in fresh:
            self._copy(array, tile)

    def swap(self, array: NDArray[Any]) -> None:
        """Exchange the copies with the array's present values, bit for bit."""
        for slot, tile in enumerate(self.tiles):
            rect = tile_rect(tile, self.shape)
            kept = self.pool[slot, : rect.rows, : rect.cols]
            now = array[rect.slices].copy()
            array[rect.slices] = kept
            kept[...] = now

    def read(self, array: NDArray[Any], rect: Rect) -> NDArray[Any]:
        """The earlier values under `rect`, untouched ones taken from the array; a fresh array."""
        out = array[rect.slices].copy()
        for tile in tiles_in(rect):
            slot = self.index[tile]
            if slot >= 0:
                part = tile_rect(tile, self.shape)
                both = part.clip_to(rect)
                out[both.within(rect).slices] = self.pool[slot][both.within(part).slices]
        return out

    def put(self, rect: Rect, values: NDArray[Any]) -> None:
        """Change the kept values under `rect`, all of whose tiles have been touched."""
        for tile in tiles_in(rect):
            part = tile_rect(tile, self.shape)
            both = part.clip_to(rect)
            self.pool[self.index[tile]][both.within(part).slices] = values[both.within(rect).slices]

    def rect(self) -> Rect:
        """The smallest rectangle around all touched tiles."""
        bounds = Rect(0, 0, 0, 0)
        for tile in self.tiles:
            bounds = bounds.union(tile_rect(tile, self.shape))
        return bounds

    @property
    def nbytes(self) -> int:
        """Bytes held by the copies."""
        return int(self.pool.nbytes + self.index.nbytes)

    def _reserve(self, slots: int) -> None:
        """Make room for so many copies; a growing stroke moves its pool rarely and never holds many spare slots.

        The last stroke may stay as it is for long, so nothing relies on a trim after it.
        """
        used = len(self.tiles)
        if slots > len(self.pool):
            room = min(self.index.size, max(slots, used + used // _SPARE))
            grown = np.empty((room, *self.pool.shape[1:]), self.pool.dtype)
            grown[:used] = self.pool[:used]
            self.pool = grown

    def _copy(self, array: NDArray[Any], tile: tuple[int, int]) -> None:
        slot = len(self.tiles)
        rect = tile_rect(tile, self.shape)
        if rect.rows < TILE or rect.cols < TILE:
            self.pool[slot] = 0  # beyond the border: the same bytes every time, which compress to nothing
        self.pool[slot, : rect.rows, : rect.cols] = array[rect.slices]
        self.index[tile] = slot
        self.tiles.append(tile)
