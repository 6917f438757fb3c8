"""ESRI BIL and its relatives BIP, BSQ and FLT: samples in one file, their description in a .hdr beside it."""

from pathlib import Path

import numpy as np

from plugins.api import Guess, Job, Scene, SkerryError
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.raster.crs import looks_like_degrees, name_of_wkt, unit_of_wkt
from plugins.registry import importer

_SUFFIXES = (".bil", ".bip", ".bsq", ".flt")


@importer
class ImportBil:
    """One band of 8, 16 or 32 bit integers or 32 bit floats."""

    id = "bil"
    label = "ESRI BIL / FLT grid"
    suffixes = _SUFFIXES
    Params = ImportParams

    def probe(self, path: Path) -> list[Guess]:
        """By the name and a header beside it."""
        header = _header_file(path)
        if path.suffix.lower() == ".dem" and header is not None and "ncols" in _words(header):
            return [Guess(self.id, "GTOPO30 tile", 0.95)]
        if path.suffix.lower() not in _SUFFIXES:
            return []
        if header is None:
            return [Guess(self.id, "a BIL grid whose .hdr is missing", 0.85)]
        words = _words(header)
        return [Guess(self.id, f"BIL grid {words.get('ncols', '?')}x{words.get('nrows', '?')}", 0.95)]

    def read(self, path: Path, params: ImportParams, job: Job) -> Scene:
        """Read and hand over."""
        header = _header_file(path)
        if header is None:
            raise SkerryError(
                f"its header {path.with_suffix('.hdr').name} is not beside it; without it no size is known"
            )
        words = _words(header)
        rows, cols = int(_number(words, "nrows")), int(_number(words, "ncols"))
        if int(_number(words, "nbands", 1)) != 1:
            raise SkerryError("a grid of several bands is not read; write the band of heights alone")
        dtype = _dtype(words, path)
        refuse_beyond(params.memory_limit, rows, cols, dtype.itemsize, path)
        values = _read(path, words, rows, cols, dtype)
        raster = Raster(
            values[::-1].astype(dtype.newbyteorder("=")),
            f"ESRI {path.suffix[1:].upper()}",
            nodata_value=_optional(words, "nodata", "nodata_value"),
            byte_order="big" if dtype.byteorder == ">" else "little" if dtype.itemsize > 1 else "",
        )
        _locate(raster, words, path)
        return to_scene(raster, params, job)


def _header_file(path: Path) -> Path | None:
    names = (path.with_suffix(".hdr"), path.with_suffix(".HDR"), path.with_name(path.name + ".hdr"))
    return next((name for name in names if name.is_file()), None)


def _words(header: Path) -> dict[str, str]:
    pairs = (line.split(None, 1) for line in header.read_text(encoding="latin-1").splitlines())
    return {pair[0].lower(): pair[1].strip() for pair in pairs if len(pair) == 2}


def _number(words: dict[str, str], name: str, default: float | None = None) -> float:
    try:
        value = float(words[name]) if default is None else float(words.get(name, default))
    except (KeyError, ValueError):
        raise SkerryError(f"the header's {name} is {words.get(name, 'missing')}; it must be a number") from None
    if name in ("nrows", "ncols") and not 1 <= value <= 1e9:
        raise SkerryError(f"the header's {name} is {value:g}; it must be above 0")
    return value


def _optional(words: dict[str, str], *names: str) -> float | None:
    return next((_number(words, name) for name in names if name in words), None)


def _dtype(words: dict[str, str], path: Path) -> np.dtype[np.generic]:
    floats = path.suffix.lower() == ".flt" or words.get("pixeltype", "").upper().startswith("FLOAT")
    bits = int(_number(words, "nbits", 32 if floats else 8 if "nbits" not in words else 16))
    signed = words.get("pixeltype", "").upper().startswith("SIGNED")
    # Grids of 16 bit are heights; those that do not say so are signed all the same.
    kind = "f" if floats else "i" if signed or (bits >= 16 and "pixeltype" not in words) else "u"
    if bits not in (8, 16, 32, 64) or (kind == "f" and bits < 32):
        raise SkerryError(f"samples of {bits} bits are not read")
    order = words.get("byteorder", "I").upper()
    return np.dtype((">" if order in ("M", "MSBFIRST") else "<") + kind + str(bits // 8))


def _read(path: Path, words: dict[str, str], rows: int, cols: int, dtype: np.dtype[np.generic]) -> np.ndarray:
    skip = int(_number(words, "skipbytes", 0))
    row_bytes = int(_number(words, "totalrowbytes", cols * dtype.itemsize))
    if row_bytes < cols * dtype.itemsize or skip < 0:
        raise SkerryError(
            f"the header's totalrowbytes {row_bytes} cannot hold {cols} samples of {dtype.itemsize} bytes"
        )
    needed = skip + (rows - 1) * row_bytes + cols * dtype.itemsize
    data = np.fromfile(path, np.uint8)
    if len(data) < needed:
        raise SkerryError(
            f"{cols}x{rows} samples of {dtype.itemsize} bytes need {needed:,} bytes; the file has {len(data):,}"
        )
    body = np.zeros(rows * row_bytes, np.uint8)
    part = data[skip : skip + rows * row_bytes]
    body[: len(part)] = part
    lines = body.reshape(rows, row_bytes)[:, : cols * dtype.itemsize]
    return np.ascontiguousarray(lines).view(dtype)


def _locate(raster: Raster, words: dict[str, str], path: Path) -> None:
    rows, cols = raster.values.shape
    size = _optional(words, "cellsize")
    x, y = _optional(words, "xdim") or size, _optional(words, "ydim") or size
    if x is None or y is None or not (x > 0.0 and y > 0.0):
        return
    west = _optional(words, "ulxmap", "xllcorner", "xllcenter") or 0.0
    top = _optional(words, "ulymap")
    south = top - (rows - 1) * y if top is not None else _optional(words, "yllcorner", "yllcenter") or 0.0
    prj = path.with_suffix(".prj")
    unit, metres = "", 1.0
    if prj.is_file():
        text = prj.read_text(encoding="latin-1")
        unit, metres = unit_of_wkt(text)
        raster.crs = name_of_wkt(text)
    if not unit and looks_like_degrees(west, south, west + cols * x, south + rows * y, x):
        unit = "deg"
    raster.unit = "deg" if unit == "deg" else "m"
    raster.pixel, raster.latitude = (x * metres, y * metres), south + 0.5 * (rows - 1) * y
