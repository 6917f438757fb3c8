"""Packing: what an undo step holds as compressed bytes, bit for bit, and the thread that sees to it."""

import atexit
import dataclasses
import logging
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from terrain.field import VectorField
from terrain.map import Array, TerrainMap
from terrain.tiles import TileCopies

Turn = Callable[[], AbstractContextManager[None]]
"""Entered for each batch that is read; raises `Taken` once the contents belong to somebody else."""

BATCH = 1 << 20
"""Bytes compressed in one go: enough for full speed, and less than a millisecond to copy."""

_log = logging.getLogger(__name__)


class Taken(Exception):
    """Somebody began to use the step that is being packed or unpacked, or nobody will."""


@dataclass(frozen=True)
class PackedArray:
    """An array as Blosc2 chunks (zstd 1, shuffle), each of so many rows of its first axis."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    planes: bool
    """True if the components on the last axis are stored one after the other, as in the file."""
    blobs: tuple[bytes, ...]

    @classmethod
    def of(cls, array: Array, planes: bool, turn: Turn = nullcontext) -> "PackedArray":
        """Compress an array; it is read within `turn` only."""
        blobs = []
        for rows in _batches(array.shape, array.dtype):
            with turn():
                part = (np.moveaxis(array[rows], -1, 0) if planes else array[rows]).copy()
            blobs.append(_encode(part))
        return cls(array.shape, array.dtype, planes, tuple(blobs))

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(map(len, self.blobs))

    @property
    def unpacked_nbytes(self) -> int:
        """Bytes of the array."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize

    def unpack(self, turn: Turn = nullcontext) -> Array:
        """The array again, C-contiguous; `turn` is asked before each batch."""
        out = np.empty(self.shape, self.dtype)
        for rows, blob in zip(_batches(self.shape, self.dtype), self.blobs, strict=True):
            with turn():
                pass
            if not self.planes:
                _decode(blob, out[rows])
                continue
            planes = np.empty((self.shape[-1], *out[rows].shape[:-1]), self.dtype)
            _decode(blob, planes)
            for component, plane in enumerate(planes):
                out[rows][..., component] = plane
        return out


@dataclass
class Contents:
    """The arrays of a step: tiles that were touched, arrays that came or went, or a whole map."""

    copies: dict[str, TileCopies] = field(default_factory=dict)
    arrays: dict[str, Array | None] = field(default_factory=dict)
    terrain: TerrainMap | None = None

    @property
    def empty(self) -> bool:
        """True if there is nothing to exchange with a map."""
        return self.terrain is None and not self.arrays and not any(copies.tiles for copies in self.copies.values())

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        removed = sum(array.nbytes for array in self.arrays.values() if array is not None)
        whole = 0 if self.terrain is None else self.terrain.nbytes
        return whole + removed + sum(copies.nbytes for copies in self.copies.values())

    @property
    def unpacked_nbytes(self) -> int:
        """The same, since nothing is compressed."""
        return self.nbytes


class PackedCopies:
    """The tiles of one array, compressed; without the index, which follows from the tiles."""

    def __init__(self, copies: TileCopies, turn: Turn) -> None:
        self._shape = copies.shape
        self._tiles = np.array(copies.tiles, np.int16).reshape(-1, 2)
        self._pool = PackedArray.of(copies.pool[: len(copies.tiles)], copies.pool.ndim == 4, turn)
        # A stroke that still holds the copies goes on with the same ones, should the step be the newest again.
        self._living = weakref.ref(copies)
        self.nbytes = self._pool.nbytes + self._tiles.nbytes
        self.unpacked_nbytes = self._pool.unpacked_nbytes + copies.index.nbytes

    def unpack(self, turn: Turn) -> TileCopies:
        """The copies again."""
        living = self._living()
        if living is not None:
            return living
        tiles = [(row, col) for row, col in self._tiles.tolist()]
        return TileCopies.restored(self._shape, tiles, self._pool.unpack(turn))


class PackedMap:
    """A whole map, its arrays compressed."""

    def __init__(self, terrain: TerrainMap, turn: Turn) -> None:
        self._offset = PackedArray.of(terrain.field.offset, True, turn)
        self._extras = {key: PackedArray.of(array, False, turn) for key, array in terrain.extras.items()}
        self._field = _others(terrain.field, "offset")
        self._settings = _others(terrain, "field", "extras")
        arrays = (self._offset, *self._extras.values())
        self.nbytes = sum(array.nbytes for array in arrays)
        self.unpacked_nbytes = sum(array.unpacked_nbytes for array in arrays)

    def unpack(self, turn: Turn) -> TerrainMap:
        """The map again, as a new object."""
        extras = {key: array.unpack(turn) for key, array in self._extras.items()}
        return TerrainMap(VectorField(self._offset.unpack(turn), **self._field), extras, **self._settings)


class PackedContents:
    """All the arrays of a step, compressed."""

    def __init__(self, contents: Contents, turn: Turn) -> None:
        self._copies = {key: PackedCopies(copies, turn) for key, copies in contents.copies.items()}
        self._arrays = {
            key: None if array is None else PackedArray.of(array, False, turn) for key, array in contents.arrays.items()
        }
        self._terrain = None if contents.terrain is None else PackedMap(contents.terrain, turn)
        parts = [part for part in (*self._copies.values(), *self._arrays.values(), self._terrain) if part is not None]
        self.nbytes = sum(part.nbytes for part in parts)
        self.unpacked_nbytes = sum(part.unpacked_nbytes for part in parts)

    def unpack(self, turn: Turn = nullcontext) -> Contents:
        """The arrays again."""
        return Contents(
            {key: copies.unpack(turn) for key, copies in self._copies.items()},
            {key: None if array is None else array.unpack(turn) for key, array in self._arrays.items()},
            None if self._terrain is None else self._terrain.unpack(turn),
        )


class Background:
    """Does small tasks one after another on a daemon thread that lives only while there are any.

    A task that fails is noted in the log, and nothing more: packing is a saving that one can do without.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tasks: deque[Callable[[], None]] = deque()
        self._thread: threading.Thread | None = None
        self._busy = False
        self._closed = False
        _running.add(self)

    def submit(self, task: Callable[[], None], urgent: bool = False) -> None:
        """Do a task soon, an urgent one next; nothing is done any more after `close`."""
        with self._lock:
            if self._closed:
                return
            (self._tasks.appendleft if urgent else self._tasks.append)(task)
            if not self._busy:
                self._start()

    def settle(self) -> None:
        """Wait until all tasks are done."""
        while (thread := self._thread) is not None:
            thread.join()
            if thread is self._thread:
                return

    def check(self) -> None:
        """Raise `Taken` once closed, for a task to end early."""
        if self._closed:
            raise Taken

    def close(self) -> None:
        """Forget the tasks that wait, and wait for the one being done to end early."""
        with self._lock:
            self._closed = True
            self._tasks.clear()
        self.settle()

    def _start(self) -> None:
        thread = threading.Thread(target=self._run, name="skerry-undo", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no more threads, or the program is ending
            self._tasks.clear()
        else:
            self._thread, self._busy = thread, True

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._tasks:
                    self._busy = False
                    return
                task = self._tasks.popleft()
            try:
                task()
            except Exception:
                _log.warning("an undo step could not be compressed or prepared", exc_info=True)
            del task


_running: "weakref.WeakSet[Background]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """A thread that is still compressing must not outlive the interpreter."""
    for background in list(_running):
        background.close()


def _batches(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Iterator[slice]:
    row_bytes = int(np.prod(shape[1:], dtype=np.int64)) * dtype.itemsize
    rows = max(1, BATCH // max(1, row_bytes))
    for first in range(0, shape[0], rows):
        yield slice(first, min(first + rows, shape[0]))


def _encode(part: Array) -> bytes:
    import imagecodecs

    blosc2: Any = imagecodecs.blosc2_encode  # its stubs leave out that arrays are taken
    return bytes(blosc2(part, level=1, compressor="zstd", shuffle=1, numthreads=1))


def _decode(blob: bytes, out: Array) -> None:
    """Decode into a C-contiguous array."""
    import imagecodecs

    imagecodecs.blosc2_decode(blob, numthreads=1, out=out.reshape(-1).view(np.uint8).data)


def _others(record: Any, *names: str) -> dict[str, Any]:
    """The fields of a dataclass but those named."""
    return {entry.name: getattr(record, entry.name) for entry in dataclasses.fields(record) if entry.name not in names}
