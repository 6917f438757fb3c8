"""Headless raw heights: which layouts fit a file's size, and which of them looks like land."""

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

RawKind = Literal["u8", "u16", "i16", "u32", "i32", "f32"]
ByteOrder = Literal["little", "big"]

DTYPES: dict[RawKind, str] = {"u8": "u1", "u16": "u2", "i16": "i2", "u32": "u4", "i32": "i4", "f32": "f4"}

_MOST_OBLONG = 8
_LARGEST_HEADER = 4096
_USUAL_SIDES = tuple(
    sorted(
        {2**n + plus for n in range(5, 14) for plus in (0, 1)}
        | {127, 253, 505, 1009, 2017, 4033, 8129, 1000, 2000, 3000, 4000, 5000, 6000, 8000, 1201, 3601}
    )
)
"""Sides that engines and terrain tools write: 2^n, 2^n+1, Unreal's landscape sizes, round numbers, SRTM tiles."""
_SAMPLED_ROWS = 96


class Layout(NamedTuple):
    """One way to read a raw file."""

    width: int
    height: int
    kind: RawKind
    byte_order: ByteOrder
    header: int
    """Bytes to skip."""

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The numpy dtype of a sample."""
        return np.dtype(("<" if self.byte_order == "little" else ">") + DTYPES[self.kind])

    @property
    def nbytes(self) -> int:
        """Bytes of the file that this layout explains."""
        return self.header + self.width * self.height * self.dtype.itemsize


def read(data: NDArray[np.uint8], layout: Layout) -> NDArray[np.generic]:
    """Samples (height, width) in file order; `data` must hold at least `layout.nbytes`."""
    body = data[layout.header : layout.nbytes]
    return np.ascontiguousarray(body).view(layout.dtype).reshape(layout.height, layout.width)


def likely_layouts(data: NDArray[np.uint8]) -> list[tuple[float, Layout]]:
    """Every layout that fits, with its roughness: the likelier the smaller, below about 0.5 it looks like land."""
    scored = [(unlikeliness(data, layout), layout) for layout in _fitting(len(data))]
    return sorted(scored, key=lambda pair: (pair[0], pair[1].header, abs(pair[1].width - pair[1].height), pair[1]))


def _fitting(size: int) -> Iterator[Layout]:
    for kind, code in DTYPES.items():
        item = np.dtype(code).itemsize
        orders: tuple[ByteOrder, ...] = ("little",) if item == 1 else ("little", "big")
        shapes = [(w, h, 0) for w, h in _factor_pairs(size, item)]
        shapes += [(s, s, size - s * s * item) for s in _USUAL_SIDES if 0 < size - s * s * item <= _LARGEST_HEADER]
        for width, height, header in shapes:
            for order in orders:
                yield Layout(width, height, kind, order, header)


def _factor_pairs(size: int, item: int) -> Iterator[tuple[int, int]]:
    """Widths and heights of at least 2 that use up a whole file without a header."""
    if size % item:
        return
    count = size // item
    for side in range(2, math.isqrt(count) + 1):
        if count % side == 0 and count // side <= _MOST_OBLONG * side:
            yield count // side, side
            if side * side != count:
                yield side, count // side


def _habit(layout: Layout) -> float:
    """Square layouts of usual sizes without a header are what tools write; others must look better to win."""
    usual = layout.width in _USUAL_SIDES and layout.height in _USUAL_SIDES
    square = layout.width == layout.height
    # Where nothing tells them apart, heights are unsigned 16 bit.
    rarity = {"i16": 1.02, "u32": 1.5, "i32": 1.5}.get(layout.kind, 1.0)
    return (1.0 if usual else 1.15) * (1.0 if square else 1.1) * (1.0 if layout.header == 0 else 1.2) * rarity


def unlikeliness(data: NDArray[np.uint8], layout: Layout) -> float:
    """How little like land a layout makes the data look: below about 0.5 it does."""
    return _roughness(data, layout) * _habit(layout)


def _roughness(data: NDArray[np.uint8], layout: Layout) -> float:
    """Mean step between neighbours ÷ mean distance from the mean, on a band of rows from the middle."""
    item = layout.dtype.itemsize
    rows = min(layout.height, _SAMPLED_ROWS)
    first = layout.header + (layout.height - rows) // 2 * layout.width * item
    band = np.ascontiguousarray(data[first : first + rows * layout.width * item]).view(layout.dtype)
    with np.errstate(all="ignore"):
        # A wrong layout may read anything as floats, signalling NaNs too.
        values = band.reshape(rows, layout.width).astype(np.float64)
    if not np.isfinite(values).all() or np.abs(values).max() > 1e12:
        return 9.0
    spread = float(np.abs(values - values.mean()).mean())
    if spread < 1e-30:
        return 1.0
    # Tiny floats are integers misread; heights have a size that a person would write.
    if layout.kind == "f32" and spread < 1e-6:
        return 9.0
    steps = float(np.abs(np.diff(values, axis=0)).mean() + np.abs(np.diff(values, axis=1)).mean())
    return steps / spread
