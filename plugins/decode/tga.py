"""TGA (Truevision 2.0): grey and true colour, plain and run-length, any corner as the origin."""

import struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError

_TRUE_COLOUR, _GREY, _RLE = 2, 3, 8


class TgaHeader(NamedTuple):
    """The fixed header of 18 bytes."""

    id_length: int
    palette_kind: int
    kind: int
    width: int
    height: int
    bits: int
    descriptor: int

    @property
    def nbytes(self) -> int:
        """Bytes of the decoded picture."""
        return self.width * self.height * (self.bits // 8)


def read_header(data: bytes) -> TgaHeader | None:
    """The header, or None if these bytes cannot be a TGA that we read. The format has no signature at its start."""
    if len(data) < 18:
        return None
    id_length, palette, kind, _, _, _, _, _, width, height, bits, descriptor = struct.unpack("<BBBHHBHHHHBB", data[:18])
    header = TgaHeader(id_length, palette, kind, width, height, bits, descriptor)
    depths = (24, 32) if kind & ~_RLE == _TRUE_COLOUR else (8, 16)
    fits = palette == 0 and kind & ~_RLE in (_TRUE_COLOUR, _GREY) and bits in depths and width and height
    return header if fits and not descriptor & 0xC0 else None


def decode(data: bytes) -> NDArray[np.unsignedinteger]:
    """Samples, top row first: (height, width) uint8 or uint16, or (height, width, 3 or 4) uint8 as RGB(A)."""
    header = read_header(data)
    if header is None:
        raise SkerryError("not a TGA of a kind that is read: grey 8 or 16 bit, colour 24 or 32 bit")
    size, count = header.bits // 8, header.width * header.height
    body = np.frombuffer(data, np.uint8, offset=18 + min(header.id_length, len(data) - 18))
    pixels = _expand(body, size, count) if header.kind & _RLE else body[: size * count]
    if len(pixels) < size * count:
        raise SkerryError(f"the TGA ends early: {len(pixels) // size} of {count} pixels are there")
    rows = pixels.reshape(header.height, header.width, size)
    picture: NDArray[np.unsignedinteger]
    if header.kind & ~_RLE == _TRUE_COLOUR:
        picture = rows[..., [2, 1, 0, 3][:size]]
    else:
        picture = np.ascontiguousarray(rows).view("<u2" if size == 2 else np.uint8)[..., 0]
    if not header.descriptor & 0x20:
        picture = picture[::-1]
    if header.descriptor & 0x10:
        picture = picture[:, ::-1]
    return np.ascontiguousarray(picture)


def _expand(body: NDArray[np.uint8], size: int, count: int) -> NDArray[np.uint8]:
    """Undo run-length packets: a byte n, then n+1 pixels, or one pixel to be repeated n-127 times."""
    parts, made, at = [], 0, 0
    while made < count and at < len(body):
        number = (int(body[at]) & 127) + 1
        if body[at] & 128:
            parts.append(np.tile(body[at + 1 : at + 1 + size], number))
            at += 1 + size
        else:
            parts.append(body[at + 1 : at + 1 + size * number])
            at += 1 + size * number
        made += number
    return np.concatenate(parts)[: size * count] if parts else body[:0]
