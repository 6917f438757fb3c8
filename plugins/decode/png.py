"""PNG as data: true 16 bit, palette indices, no gamma, and never a silent half of a truncated file."""

import struct
import zlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
PALETTE = 3


class PngHeader(NamedTuple):
    """The IHDR chunk."""

    width: int
    height: int
    bits: int
    colour: int
    interlaced: bool

    @property
    def channels(self) -> int:
        """Samples a pixel; a palette index is one."""
        return _CHANNELS[self.colour]

    @property
    def nbytes(self) -> int:
        """Bytes of the decoded picture."""
        return self.width * self.height * self.channels * (2 if self.bits == 16 else 1)


def read_header(data: bytes) -> PngHeader:
    """The header; raises `SkerryError` if these bytes are not the start of a PNG."""
    if not data.startswith(SIGNATURE) or len(data) < 33 or data[12:16] != b"IHDR":
        raise SkerryError("not a PNG, or cut off within its header")
    width, height, bits, colour, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
    if not (width and height) or colour not in _CHANNELS or bits not in (1, 2, 4, 8, 16):
        raise SkerryError(f"damaged PNG header: {width}x{height}, {bits} bits, colour type {colour}")
    return PngHeader(width, height, bits, colour, bool(interlace))


def decode(data: bytes) -> NDArray[np.unsignedinteger]:
    """Samples uint8 or uint16 (height, width) or (height, width, channels), top row first; palettes as indices.

    Raises `SkerryError` with one line for a file that is cut off or damaged.
    """
    from imagecodecs import png_decode

    header = read_header(data)
    packed = _image_data(data)
    if header.colour == PALETTE and not header.interlaced:
        return _indices(packed, header)
    try:
        samples: NDArray[np.unsignedinteger] = np.asarray(png_decode(data))
    except Exception as error:
        raise SkerryError(f"damaged PNG: {error}") from None
    return samples


def _image_data(data: bytes) -> bytes:
    """All IDAT bytes, after checking that every chunk is there and whole."""
    at, parts = 8, []
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, end = data[at + 4 : at + 8], at + 12 + length
        if end > len(data):
            break
        if struct.unpack(">I", data[end - 4 : end])[0] != zlib.crc32(data[at + 4 : end - 4]):
            raise SkerryError(f"damaged PNG: the checksum of its {kind.decode('latin-1')} chunk is wrong")
        if kind == b"IDAT":
            parts.append(data[at + 8 : end - 4])
        if kind == b"IEND":
            return b"".join(parts)
        at = end
    raise SkerryError("the PNG ends early: it was cut off or only partly downloaded")


def _indices(packed: bytes, header: PngHeader) -> NDArray[np.uint8]:
    """Undo compression, row filters and bit packing of a palette picture (PNG specification, chapters 7 and 9)."""
    stride = (header.width * header.bits + 7) // 8
    try:
        raw = zlib.decompressobj().decompress(packed, (stride + 1) * header.height)
    except zlib.error as error:
        raise SkerryError(f"damaged PNG: {error}") from None
    if len(raw) < (stride + 1) * header.height:
        raise SkerryError("the PNG ends early: rows are missing")
    lines = np.frombuffer(raw, np.uint8).reshape(header.height, stride + 1)
    rows = np.zeros((header.height + 1, stride), np.int64)
    for number, line in enumerate(lines):
        rows[number + 1] = _unfilter(int(line[0]), line[1:].astype(np.int64), rows[number])
    return _unpack(rows[1:].astype(np.uint8), header)


def _unfilter(kind: int, line: NDArray[np.int64], above: NDArray[np.int64]) -> NDArray[np.int64]:
    if kind == 0:
        return line
    if kind == 1:
        return np.cumsum(line) & 255
    if kind == 2:
        return (line + above) & 255
    if kind not in (3, 4):
        raise SkerryError(f"damaged PNG: there is no row filter {kind}")
    out = np.zeros_like(line)
    left = up_left = 0
    for k in range(len(line)):
        up = int(above[k])
        guess = (left + up) // 2 if kind == 3 else _paeth(left, up, up_left)
        left, up_left = (int(line[k]) + guess) & 255, up
        out[k] = left
    return out


def _paeth(left: int, up: int, up_left: int) -> int:
    estimate = left + up - up_left
    distances = abs(estimate - left), abs(estimate - up), abs(estimate - up_left)
    return (left, up, up_left)[distances.index(min(distances))]


def _unpack(rows: NDArray[np.uint8], header: PngHeader) -> NDArray[np.uint8]:
    if header.bits == 8:
        return rows
    per_byte = 8 // header.bits
    shifts = np.arange(per_byte - 1, -1, -1, dtype=np.uint8) * np.uint8(header.bits)
    values = (rows[:, :, None] >> shifts) & np.uint8(2**header.bits - 1)
    return np.ascontiguousarray(values.reshape(len(rows), -1)[:, : header.width])
