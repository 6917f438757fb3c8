"""SRTM tiles (.hgt): no header at all; the size says how fine, the name says where."""

import re
from pathlib import Path

import numpy as np

from plugins.api import Guess, Job, Scene, SkerryError
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.registry import importer

_SHAPES = {rows * cols * 2: (rows, cols) for rows, cols in (
    (601, 601), (1201, 1201), (1801, 1801), (3601, 3601), (7201, 7201), (1201, 601), (3601, 1801),
)}  # fmt: skip
"""Rows and columns by the size in bytes; beyond 50° of latitude some tiles have half as many columns."""

VOID = -32768.0


@importer
class ImportHgt:
    """int16, big-endian, north first; one degree a side, named by its south-west corner."""

    id = "hgt"
    label = "SRTM tile"
    suffixes = (".hgt",)
    Params = ImportParams

    def probe(self, path: Path) -> list[Guess]:
        """By a size that a tile can have, and the name."""
        named = path.suffix.lower() == ".hgt"
        shape = _SHAPES.get(path.stat().st_size)
        if shape is None:
            return [Guess(self.id, "an SRTM tile of a size that no tile has", 0.85)] if named else []
        place = _corner(path) or "place unknown"
        return [Guess(self.id, f"SRTM tile {shape[1]}x{shape[0]}, {place}", 0.95 if named else 0.3)]

    def read(self, path: Path, params: ImportParams, job: Job) -> Scene:
        """Read and hand over."""
        size = path.stat().st_size
        if size not in _SHAPES:
            known = ", ".join(f"{cols}x{rows}: {need:,}" for need, (rows, cols) in sorted(_SHAPES.items()))
            raise SkerryError(f"{size:,} bytes are no whole SRTM tile ({known}); download it again or import it as raw")
        rows, cols = _SHAPES[size]
        refuse_beyond(params.memory_limit, rows, cols, 2, path)
        values = np.fromfile(path, ">i2", rows * cols).reshape(rows, cols)[::-1].astype(np.int16)
        corner = _corner(path)
        raster = Raster(
            values, "SRTM HGT", (1.0 / (cols - 1), 1.0 / (rows - 1)), "deg",
            crs="WGS 84", nodata_value=VOID, byte_order="big",
        )  # fmt: skip
        if corner is None:
            raster.notes.append("the name does not say where the tile lies; it was measured as at the equator")
        else:
            raster.latitude = _degrees(corner) + 0.5
        return to_scene(raster, params, job)


def _corner(path: Path) -> str | None:
    found = re.search(r"[NS]\d{1,2}[EW]\d{1,3}", path.stem.upper())
    return found.group(0) if found else None


def _degrees(corner: str) -> float:
    latitude = float(re.findall(r"\d+", corner)[0])
    return latitude if corner.startswith("N") else -latitude
