"""Headless raw heights (.raw, .r16, .r32, ...): the size, depth and byte order are guessed, or given."""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from plugins.api import Guess, Job, Scene, SkerryError, about
from plugins.decode.raw import DTYPES, ByteOrder, Layout, RawKind, likely_layouts, read, unlikeliness
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.registry import importer

_SUFFIXES = (".raw", ".r8", ".r16", ".r32", ".rf32", ".r32f", ".bin", ".dat", ".ter16")
_LARGEST = 8192 * 8192 * 4 + 4096
_LOOKS_LIKE_LAND = 0.6
_FULL_RANGE = {"u8": 255.0, "u16": 65535.0, "u32": 4294967295.0}


class RawParams(ImportParams, frozen=True, kw_only=True):
    """What a file without a header leaves open."""

    width: Annotated[int, about("Samples from west to east; default: guessed", ge=2)] | None = None
    height: Annotated[int, about("Samples from north to south; default: guessed", ge=2)] | None = None
    kind: (
        Annotated[RawKind, about("Type of a sample: unsigned, signed or float, and its bits; default: guessed")] | None
    ) = None
    byte_order: Annotated[ByteOrder, about("Which byte of a sample comes first; default: guessed")] | None = None
    header: Annotated[int, about("Bytes to skip at the start; default: guessed", ge=0)] | None = None
    first_row: Annotated[Literal["north", "south"], about("Which edge the file's first row is")] = "north"


@importer
class ImportRaw:
    """Lists every layout that fits the file's size and scores how much like land each looks."""

    id = "raw"
    label = "Headless raw heights"
    suffixes = _SUFFIXES
    Params = RawParams

    def probe(self, path: Path) -> list[Guess]:
        """Every fitting layout, likeliest first; only sure of itself where the name says raw."""
        if path.suffix.lower() not in _SUFFIXES:
            return []
        if not 8 <= path.stat().st_size <= _LARGEST:
            return [Guess(self.id, "raw heights of an unusual size; give width and height", 0.5)]
        return self._guesses(path) or [Guess(self.id, "raw heights of an unusual size; give width and height", 0.5)]

    def _guesses(self, path: Path) -> list[Guess]:
        return [
            Guess(self.id, _summary(layout, score), max(0.8 - 0.25 * score, 0.01) - 0.0001 * rank, _implied(layout))
            for rank, (score, layout) in enumerate(likely_layouts(_bytes(path)))
        ]

    def read(self, path: Path, params: RawParams, job: Job) -> Scene:
        """Settle what is not given by the likeliest layout that agrees with what is."""
        data = _bytes(path)
        layout, score, rival = _settle(data, params)
        refuse_beyond(params.memory_limit, layout.height, layout.width, layout.dtype.itemsize, path)
        values = read(data, layout)
        north = params.first_row == "north"
        raster = Raster(
            np.ascontiguousarray(values[::-1] if north else values).astype(layout.dtype.newbyteorder("=")),
            f"raw {layout.kind}",
            full_range=(0.0, _FULL_RANGE[layout.kind]) if layout.kind in _FULL_RANGE else None,
            orientation=f"first row in the file is {params.first_row}",
            flipped=north,
            byte_order=layout.byte_order if layout.dtype.itemsize > 1 else "",
            notes=_notes(layout, score, rival, len(data)),
        )
        return to_scene(raster, params, job)


def _bytes(path: Path) -> NDArray[np.uint8]:
    return np.memmap(path, np.uint8, mode="r")


def _settle(data: NDArray[np.uint8], params: RawParams) -> tuple[Layout, float, float | None]:
    """The layout to read, its roughness, and the roughness under the other byte order."""
    given = {
        name: getattr(params, name)
        for name in ("width", "height", "kind", "byte_order", "header")
        if getattr(params, name) is not None
    }
    scored = likely_layouts(data)
    fitting = [(s, layout) for s, layout in scored if all(getattr(layout, k) == v for k, v in given.items())]
    score, best = (
        fitting[0] if fitting else min((unlikeliness(data, layout), layout) for layout in _as_given(data, params))
    )
    other = best._replace(byte_order="big" if best.byte_order == "little" else "little")
    return best, score, unlikeliness(data, other) if best.dtype.itemsize > 1 else None


def _as_given(data: NDArray[np.uint8], params: RawParams) -> list[Layout]:
    """Layouts that are on no list but agree with what was given; bytes left over lie before the heights or after."""
    if params.width is None or params.height is None:
        raise SkerryError(
            f"no layout of {len(data):,} bytes agrees with what was given; see --guess, or give --width and --height"
        )
    kinds: tuple[RawKind, ...] = (params.kind,) if params.kind else ("u16", "i16", "f32", "u8", "u32", "i32")
    orders: tuple[ByteOrder, ...] = (params.byte_order,) if params.byte_order else ("little", "big")
    layouts = []
    for kind in kinds:
        body = Layout(params.width, params.height, kind, orders[0], 0)
        left = len(data) - body.nbytes
        headers = {params.header} if params.header is not None else {0, left}
        layouts += [
            body._replace(byte_order=order, header=header)
            for order in orders
            for header in sorted(headers)
            if 0 <= header <= left
        ]
    if not layouts:
        item = np.dtype(DTYPES[kinds[0]]).itemsize
        needed = params.width * params.height * item + (params.header or 0)
        raise SkerryError(
            f"{params.width}x{params.height} samples of {kinds[0]} need {needed:,} bytes; "
            f"the file has {len(data):,}; see --guess"
        )
    return layouts


def _notes(layout: Layout, score: float, rival: float | None, size: int) -> list[str]:
    notes = [f"read as {_shape(layout)}"]
    if size > layout.nbytes:
        notes.append(f"{size - layout.nbytes:,} bytes at the end were left aside; --header moves the start")
    if rival is not None and rival < 0.5 * score:
        notes.append("the other byte order looks far more like land; give --byte-order if this looks like noise")
    elif score > _LOOKS_LIKE_LAND:
        notes.append("no layout looks clearly like land; compare the others that --guess lists")
    return notes


def _summary(layout: Layout, score: float) -> str:
    looks = "looks like land" if score <= _LOOKS_LIKE_LAND else "looks rough"
    return f"{_shape(layout)}, {looks} ({score:.2f})"


def _shape(layout: Layout) -> str:
    order = "" if layout.dtype.itemsize == 1 else f" {layout.byte_order}-endian"
    header = f" after {layout.header} bytes" if layout.header else ""
    return f"{layout.width}x{layout.height} {layout.kind}{order}{header}"


def _implied(layout: Layout) -> dict[str, object]:
    return dict(layout._asdict())
