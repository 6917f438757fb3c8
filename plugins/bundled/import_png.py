"""PNG: grey, RGB and palette of 8 and 16 bit as heights, and the elevation tiles Terrarium and Mapbox."""

import math
import re
from pathlib import Path
from typing import Annotated, Literal

from plugins.api import Guess, Job, Scene, about
from plugins.decode import png
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.raster.picture import picture_raster
from plugins.registry import importer

_EQUATOR = 2.0 * math.pi * 6378137.0
"""Metres round the sphere of Web Mercator."""

_LABELS = {0: "grey", 2: "RGB", 3: "palette indices", 4: "grey with alpha", 6: "RGBA"}


class PngParams(ImportParams, frozen=True, kw_only=True):
    """How a picture's colours mean heights."""

    encoding: Annotated[
        Literal["auto", "grey", "terrarium", "mapbox"],
        about("What colours mean: one grey, or an elevation tile (R·256+G+B/256-32768 or -10000+0.1·RGB)"),
    ] = "auto"


@importer
class ImportPng:
    """Reads true 16 bit, ignores gamma and alpha, and refuses files that are cut off."""

    id = "png"
    label = "PNG heightmap or elevation tile"
    suffixes = (".png",)
    Params = PngParams

    def probe(self, path: Path) -> list[Guess]:
        """By its signature."""
        with path.open("rb") as file:
            start = file.read(33)
        if not start.startswith(png.SIGNATURE):
            return []
        if len(start) < 33 or start[12:16] != b"IHDR":
            return [Guess(self.id, "a PNG that is cut off", 0.9)]
        width, height = int.from_bytes(start[16:20], "big"), int.from_bytes(start[20:24], "big")
        kind = _LABELS.get(start[25], "of an unknown kind")
        return [Guess(self.id, f"PNG {start[24]}-bit {kind}, {width}x{height}", 0.95)]

    def read(self, path: Path, params: PngParams, job: Job) -> Scene:
        """Decode, find out what the colours mean, and hand over."""
        data = path.read_bytes()
        header = png.read_header(data)
        refuse_beyond(params.memory_limit, header.height, header.width, header.channels * header.bits // 8 + 1, path)
        samples = png.decode(data)
        job.progress(0.2, "decoded")
        label = f"PNG {header.bits}-bit {_LABELS[header.colour]}"
        # Grey of 1, 2 and 4 bits is decoded to the full range of 8.
        bits = 8 * samples.dtype.itemsize
        raster = picture_raster(samples, label, bits, params.encoding)
        if raster.full_range is None:
            _locate_tile(raster, path)
        return to_scene(raster, params, job)


def _locate_tile(raster: Raster, path: Path) -> None:
    """Pixel size of a web map tile whose name or folders are zoom, column and row (Web Mercator, EPSG:3857)."""
    found = re.search(r"(?:^|\D)(\d{1,2})[-_/](\d+)[-_/](\d+)$", path.resolve().with_suffix("").as_posix())
    if found is None:
        return
    zoom, col, row = (int(word) for word in found.groups())
    tiles = 2**zoom
    if zoom > 22 or col >= tiles or row >= tiles:
        return
    latitude = math.atan(math.sinh(math.pi * (1.0 - (2 * row + 1) / tiles)))
    pixel = _EQUATOR * math.cos(latitude) / (tiles * raster.values.shape[1])
    raster.pixel, raster.unit, raster.crs = (pixel, pixel), "m", f"web map tile {zoom}/{col}/{row}"
