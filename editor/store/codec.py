"""Codec: one tile of an array to compressed bytes and back, with every size checked before it is trusted."""

import struct
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from terrain.errors import SkerryError
from terrain.map import Array

I = TypeVar("I")  # noqa: E741 - an item
R = TypeVar("R")

THREADS = 2
_AHEAD = 8 * THREADS
"""Tiles in memory at a time."""

_HEADER = struct.Struct("<4Bi4xi6s10s")
"""A Blosc2 chunk's start: version, …, decoded size, (block size), encoded size, filters, codec and flags."""
_SHUFFLE = bytes((0, 0, 0, 0, 0, 1))
_ZSTD = bytes((5, 0, 0, 0, 0, 0, 0, 0, 0))
_NO_FLAGS, _ALL_ZERO = 0x00, 0x10


def encode(tile: Array, fill: int) -> bytes | None:
    """A tile (rows, cols) or (rows, cols, n) as Blosc2 (zstd 1, shuffle) bytes; None if every bit is as in `fill`.

    The n components of a vertex are stored as planes, one after the other: a map of heights alone has two planes of
    zeros, which cost nothing. Raises `SkerryError` for floats that are not finite: such a file would not open again.
    """
    import imagecodecs

    if tile.dtype.kind == "f" and not np.isfinite(tile).all():
        raise SkerryError("holds numbers that are not finite; undo what made them")
    planes = np.ascontiguousarray(tile if tile.ndim == 2 else np.moveaxis(tile, 2, 0))
    # By bits, because -0.0 equals the fill 0.0 and must come back as it was.
    bits = planes.view(np.uint32) if planes.dtype == np.float32 else planes
    if (not bits.any()) if fill == 0 else (bits == fill).all():
        return None
    blosc2: Any = imagecodecs.blosc2_encode  # its stubs leave out that arrays are taken
    return bytes(blosc2(planes, level=1, compressor="zstd", shuffle=1, numthreads=1))


def decode(blob: bytes, out: Array) -> None:
    """Decode a tile into `out` (a view of the map), whose shape and dtype say what it must be."""
    import imagecodecs

    _check_header(blob, out.nbytes)
    shape = out.shape if out.ndim == 2 else (out.shape[2], *out.shape[:2])
    planes = np.empty(shape, out.dtype)
    try:
        imagecodecs.blosc2_decode(blob, numthreads=1, out=planes.reshape(-1).view(np.uint8).data)
    except (RuntimeError, ValueError):
        raise SkerryError("cannot be decompressed") from None
    if planes.dtype == np.bool_ and planes.view(np.uint8).max() > 1:
        raise SkerryError("holds truth values that are neither 0 nor 1")
    if planes.dtype.kind == "f" and not np.isfinite(planes).all():
        raise SkerryError("holds numbers that are not finite")
    if out.ndim == 2:
        out[...] = planes
    else:
        for component, plane in enumerate(planes):
            out[..., component] = plane


def checksum(blob: bytes, key: str, row: int, col: int) -> int:
    """CRC-32 of a tile's bytes and of its place, so that a tile in the wrong place is noticed too."""
    return zlib.crc32(blob, zlib.crc32(f"{key}/{row}/{col}".encode()))


def in_threads(work: Callable[[I], R], items: Iterable[I]) -> Iterator[R]:
    """`map` on the codec's threads, in order, a few items ahead of whoever takes the results."""
    with ThreadPoolExecutor(THREADS, thread_name_prefix="skerry-codec") as pool:
        waiting: deque[Future[R]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _check_header(blob: bytes, size: int) -> None:
    """Raise unless a chunk is of the one kind we write.

    Blosc2 chunks may name filters and codecs that the decoder fetches from elsewhere, and sizes of any amount.
    """
    if len(blob) < 32:
        raise SkerryError(f"is cut short to {len(blob)} bytes")
    *_, decoded, encoded, filters, rest = _HEADER.unpack_from(blob)
    codec, flags = rest[:9], rest[9]
    if decoded != size:
        raise SkerryError(f"would decode to {decoded} bytes instead of {size}")
    if encoded != len(blob):
        raise SkerryError(f"has {len(blob)} bytes instead of {encoded}")
    if filters != _SHUFFLE or codec != _ZSTD or flags not in (_NO_FLAGS, _ALL_ZERO):
        raise SkerryError("is not compressed the way this program does it")
