"""SRTM tiles (.hgt): no header at all; the size says how fine, the name says where."""

import math
import re
from pathlib import Path

import numpy as np

from plugins.api import Guess, Job, Scene
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.registry import importer

_SIDES = (601, 1201, 1801, 3601, 7201)
VOID = -32768.0


@importer
class ImportHgt:
    """int16, big-endian, north first; one degree a side, named by its south-west corner."""

    id = "hgt"
    label = "SRTM tile"
    suffixes = (".hgt",)
    Params = ImportParams

    def probe(self, path: Path) -> list[Guess]:
        """By a size that is a square of a known side, and the name."""
        side = _side(path)
        if side is None:
            return []
        sure = 0.95 if path.suffix.lower() == ".hgt" else 0.3
        return [Guess(self.id, f"SRTM tile {side}x{side}, {_corner(path) or 'place unknown'}", sure)]

    def read(self, path: Path, params: ImportParams, job: Job) -> Scene:
        """Read and hand over."""
        side = _side(path) or math.isqrt(path.stat().st_size // 2)
        refuse_beyond(params.memory_limit, side, side, 2, path)
        values = np.fromfile(path, ">i2", side * side).reshape(side, side)[::-1].astype(np.int16)
        corner = _corner(path)
        raster = Raster(
            values, "SRTM HGT", (1.0 / (side - 1), 1.0 / (side - 1)), "deg",
            crs="WGS 84", nodata_value=VOID, byte_order="big",
        )  # fmt: skip
        if corner is None:
            raster.notes.append("the name does not say where the tile lies; it was measured as at the equator")
        else:
            raster.latitude = _degrees(corner) + 0.5
        return to_scene(raster, params, job)


def _side(path: Path) -> int | None:
    size = path.stat().st_size
    return next((side for side in _SIDES if side * side * 2 == size), None)


def _corner(path: Path) -> str | None:
    found = re.search(r"[NS]\d{1,2}[EW]\d{1,3}", path.stem.upper())
    return found.group(0) if found else None


def _degrees(corner: str) -> float:
    latitude = float(re.findall(r"\d+", corner)[0])
    return latitude if corner.startswith("N") else -latitude
