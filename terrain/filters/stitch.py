"""Stitch: one edge of the map is made to match the neighbour's, and the land behind it follows."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField

Edge = Literal["west", "east", "south", "north"]
_FACING: dict[Edge, Edge] = {"west": "east", "east": "west", "south": "north", "north": "south"}

_BAND = 64
"""Lines along the edge that are worked on at a time, to bound the memory."""

Lines = NDArray[np.float64]


def stitch(
    field: VectorField,
    other: VectorField,
    edge: Edge,
    width: float = 50.0,
    shift: float | None = None,
    slopes: bool = True,
    keep_sides: bool = False,
) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) whose `edge` is exactly that of the neighbour, which lies beyond it.

    The difference fades over `width` metres inwards, its fine detail sooner: a wave along the edge within about its own
    length, as in a thin plate. slopes: the neighbour's slope across the edge is taken on too.
    shift: metres along the edge, eastwards or northwards, from this map's corner to the neighbour's; None: as both lie
    in the world, or 0 if they do not meet so. The distance between the maps across the edge does not count.
    Where the neighbour's edge is shorter, the difference fades beyond its ends likewise. Other cells than this map's
    are read between vertices, linearly. keep_sides: the two edges at right angles stay as they are, for maps that
    were stitched there before. Raises `SkerryError` if the neighbour is not beside the edge at all.
    """
    if edge not in _FACING or not width >= 0.0:
        raise SkerryError(
            f"stitch needs an edge of west, east, south, north and a width of 0 m or more, not {edge}, {width:g}"
        )
    out = field.offset.copy()
    ours, theirs = _inwards(out, edge), _inwards(other.offset, _FACING[edge])
    places = field.cell * np.arange(len(ours), dtype=np.float64)
    start = _shift(field, other, edge, shift)
    goal, beyond = _read(theirs, other.cell, places - start)
    if beyond.min() > 0.0:
        raise SkerryError(f"the neighbour's edge lies {beyond.min():g} m beyond the {edge} edge; give another shift")
    share = _fade(beyond, width)[:, None]
    gap = share * (goal[:, 0] - ours[:, 0])
    bend = np.zeros_like(gap)
    if slopes:
        bend = share * ((goal[:, 0] - goal[:, 1]) / other.cell - (ours[:, 1] - ours[:, 0]) / np.float64(field.cell))
    if gap.any() or bend.any():
        _follow(ours, gap, bend, field.cell, min(width, (ours.shape[1] - 1) * field.cell), keep_sides)
    met = beyond <= 0.0
    ours[~met, 0] += gap[~met].astype(np.float32)
    ours[met, 0] = goal[met, 0]
    return out


def _inwards(offset: NDArray[np.float32], edge: Edge) -> NDArray[np.float32]:
    """A view (along the edge, inwards, 3), along eastwards or northwards; the edge itself is [:, 0]."""
    lines = offset if edge in ("west", "east") else offset.swapaxes(0, 1)
    return lines if edge in ("west", "south") else lines[:, ::-1]


def _shift(field: VectorField, other: VectorField, edge: Edge, shift: float | None) -> float:
    if shift is not None:
        return shift
    axis = 1 if edge in ("west", "east") else 0
    start = other.origin[axis] - field.origin[axis]
    return start if -other.rest_size[axis] < start < field.rest_size[axis] else 0.0


def _read(theirs: NDArray[np.float32], cell: float, places: Lines) -> tuple[Lines, Lines]:
    """The neighbour's edge and the line behind it (n, 2, 3) at places along it, and metres beyond its ends (n)."""
    last = len(theirs) - 1
    at = places / cell
    # Places that differ from a vertex by rounding alone are that vertex, so that equal grids match bit for bit.
    near = np.rint(at)
    at = np.where(np.abs(at - near) < 1e-6, near, at)
    beyond = cell * np.maximum(np.maximum(-at, at - last), 0.0)
    at = np.clip(at, 0.0, last)
    first = np.minimum(at.astype(np.int64), last - 1)
    t = (at - first)[:, None, None]
    lines = theirs[:, :2].astype(np.float64)
    return (1.0 - t) * lines[first] + t * lines[first + 1], beyond


def _fade(distance: Lines, width: float) -> Lines:
    """1 at 0, 0 from `width` metres on."""
    share = np.clip(distance / width, 0.0, 1.0) if width > 0.0 else (distance > 0.0).astype(np.float64)
    return np.asarray(1.0 - share * share * (3.0 - 2.0 * share))


def _follow(ours: NDArray[np.float32], gap: Lines, bend: Lines, cell: float, width: float, keep_sides: bool) -> None:
    """Add to the lines [:, 1:] what closes `gap` (n, 3) at the edge with the further slope `bend` (n, 3) inwards.

    A cosine of wavenumber k along the edge is continued as exp(-k·t)·(gap·h00 + width·(bend + k·gap)·h10), where
    h00 and h10 are Hermite's cubics of t / width: it has the value and slope asked for at t = 0, and none at the width.
    """
    from scipy.fft import dct, idct

    count = len(ours)
    wave = (np.pi / ((count - 1) * cell)) * np.arange(count)[:, None, None]
    value = dct(gap, type=1, axis=0)[:, None]
    slope = dct(bend, type=1, axis=0)[:, None] + wave * value
    side = cell * np.minimum(np.arange(count), np.arange(count)[::-1])
    held = (1.0 - _fade(side, width))[:, None, None] if keep_sides else np.float64(1.0)
    lines = int(np.ceil(width / cell))
    for first in range(1, lines, _BAND):
        inwards = cell * np.arange(first, min(first + _BAND, lines))[None, :, None]
        t = inwards / width
        waves = value * ((1.0 + 2.0 * t) * (1.0 - t) ** 2) + slope * (width * t * (1.0 - t) ** 2)
        waves *= np.exp(np.maximum(-wave * inwards, -700.0))
        part = ours[:, first : first + waves.shape[1]]
        part += (held * idct(waves, type=1, axis=0)).astype(np.float32)
