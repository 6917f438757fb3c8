"""ESRI ASCII grids (.asc, .grd), with the header's words before or after their values (GeoClaw)."""

import re
from pathlib import Path

import numpy as np

from plugins.api import Guess, Job, Scene, SkerryError
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.raster.crs import looks_like_degrees, name_of_wkt, unit_of_wkt
from plugins.registry import importer

_WORDS = {
    "ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "xlower", "ylower", "cellsize", "dx", "dy",
    "nodata_value", "nodata",
}  # fmt: skip
_MOST_HEADER_LINES = 12
_HEADER_BYTES = 4096


@importer
class ImportAscii:
    """Numbers in reading order, first row north; degrees are told by the .prj beside it or by the extent."""

    id = "ascii"
    label = "ESRI ASCII grid"
    suffixes = (".asc", ".grd", ".txt")
    Params = ImportParams

    def probe(self, path: Path) -> list[Guess]:
        """By a header that names its columns and rows."""
        start = _text(path, _HEADER_BYTES)
        if "\x00" in start:
            return []
        header, _ = _header(start)
        if not {"ncols", "nrows"} <= set(header):
            return []
        return [Guess(self.id, f"ESRI ASCII grid {header['ncols']:g}x{header['nrows']:g}", 0.95)]

    def read(self, path: Path, params: ImportParams, job: Job) -> Scene:
        """Parse and hand over."""
        header, _ = _header(_text(path, _HEADER_BYTES))
        rows, cols = _count(header, "nrows"), _count(header, "ncols")
        text_share = path.stat().st_size // (rows * cols)
        refuse_beyond(params.memory_limit, rows, cols, 8 + text_share, path)
        text = _text(path)
        _, body = _header(text)
        values = _numbers(text, body, rows, cols)
        job.progress(0.2, "parsed")
        x = header.get("dx", header.get("cellsize", 0.0))
        y = header.get("dy", header.get("cellsize", 0.0))
        if not (0.0 < x < 1e9 and 0.0 < y < 1e9):
            raise SkerryError("the header has no usable cellsize (or dx and dy)")
        whole = bool((values == np.floor(values)).all())
        raster = Raster(
            values[::-1].astype(np.int64) if whole and np.abs(values).max() < 2**53 else values[::-1],
            "ESRI ASCII grid",
            pixel=(x, y),
            nodata_value=header.get("nodata_value", header.get("nodata")),
        )
        _locate(raster, header, path)
        return to_scene(raster, params, job)


def _text(path: Path, count: int = -1) -> str:
    """The first `count` characters, or all; any line end, without the byte order mark of Windows editors."""
    with path.open(encoding="latin-1") as file:
        return file.read(count).removeprefix("ï»¿")


def _header(text: str) -> tuple[dict[str, float], int]:
    """Header values by lower-case word, and where the numbers begin."""
    header: dict[str, float] = {}
    at = 0
    for _ in range(_MOST_HEADER_LINES):
        end = text.find("\n", at)
        words = text[at : end if end >= 0 else len(text)].split("#")[0].split()
        if words:
            pair = (_pair(words[0], words[1]) or _pair(words[1], words[0])) if len(words) > 1 else None
            if pair is not None:
                header[pair[0]] = pair[1]
            elif not (len(words) == 2 and re.fullmatch(r"(?!nan|inf)[a-z_]{3,}", words[0], re.I)):
                # Words of other programs ('byteorder lsbfirst') are passed over; a number begins the grid.
                break
        if end < 0:
            return header, len(text)
        at = end + 1
    return header, at


def _pair(word: str, value: str) -> tuple[str, float] | None:
    if word.lower() not in _WORDS:
        return None
    try:
        return word.lower(), float(value.replace(",", "."))
    except ValueError:
        return None


def _count(header: dict[str, float], name: str) -> int:
    value = header.get(name, 0.0)
    if not (1 <= value <= 1e9 and float(value).is_integer()):
        raise SkerryError(f"the header's {name} is {value:g}; it must be a whole number above 0")
    return int(value)


def _numbers(text: str, body: int, rows: int, cols: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The grid, or a line that says where it goes wrong; a comma alone is a decimal comma."""
    text = text[body:]
    if "," in text:
        text = text.replace(",", " " if "." in text else ".")
    # At a word numpy stops, with a warning that some make an error; the slow way below then finds it.
    try:
        numbers = np.fromstring(text, np.float64, sep=" ")
    except (DeprecationWarning, ValueError):
        numbers = np.empty(0)
    if len(numbers) == rows * cols:
        return numbers.reshape(rows, cols)
    words = text.split()
    if len(words) != rows * cols:
        raise SkerryError(f"the grid holds {len(words):,} numbers; {cols}x{rows} would be {rows * cols:,}")
    try:
        return np.array(words, np.float64).reshape(rows, cols)
    except ValueError:
        bad = next(k for k, word in enumerate(words) if not re.fullmatch(r"[-+0-9.eE]+|[-+]?(nan|inf)\w*", word, re.I))
        raise SkerryError(f"row {bad // cols + 1}, column {bad % cols + 1}: '{words[bad][:20]}' is no number") from None


def _locate(raster: Raster, header: dict[str, float], path: Path) -> None:
    rows, cols = raster.values.shape
    x, y = raster.pixel
    west = header.get("xllcenter", header.get("xllcorner", header.get("xlower", 0.0)))
    south = header.get("yllcenter", header.get("yllcorner", header.get("ylower", 0.0)))
    prj = next((p for p in (path.with_suffix(".prj"), path.with_suffix(".PRJ")) if p.is_file()), None)
    unit, metres = "", 1.0
    if prj is not None:
        text = prj.read_text(encoding="latin-1")
        unit, metres = unit_of_wkt(text)
        raster.crs = name_of_wkt(text)
    if not unit and looks_like_degrees(west, south, west + cols * x, south + rows * y, x):
        unit = "deg"
        raster.notes.append("no coordinate system is named; from its extent the grid was taken to be in degrees")
    raster.unit = "deg" if unit == "deg" else "m"
    raster.pixel = x * metres, y * metres
    raster.latitude = south + 0.5 * (rows - 1 if "yllcenter" in header else rows) * y
