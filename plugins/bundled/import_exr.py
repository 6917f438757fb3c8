"""OpenEXR: one channel of heights, whatever it is called, or three of displacement."""

from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from plugins.api import Guess, Job, Scene, SkerryError, TerrainMap, about
from plugins.exr import read_exr
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.registry import importer
from terrain.field import VectorField

_MAGIC = b"\x76\x2f\x31\x01"
_HEIGHT_NAMES = ("height", "z", "y", "r", "l")


class ExrParams(ImportParams, frozen=True, kw_only=True):
    """Which channels, and what they mean."""

    channel: Annotated[str, about("Channel with the heights; default: the only one, or the one called so")] | None = (
        None
    )
    content: Annotated[
        Literal["height", "displacement"],
        about("'displacement' reads R, G, B as the x, y, z displacement of every vertex, metres"),
    ] = "height"


@importer
class ImportExr:
    """Reads half, float and uint, scanline and tiled (full size), values as they are."""

    id = "exr"
    label = "OpenEXR heights or vector displacement"
    suffixes = (".exr",)
    Params = ExrParams

    def probe(self, path: Path) -> list[Guess]:
        """By its magic number."""
        with path.open("rb") as file:
            if file.read(4) != _MAGIC:
                return []
        try:
            width, height, names = _header(path)
        except Exception:
            return [Guess(self.id, "an OpenEXR file that is damaged", 0.9)]
        return [Guess(self.id, f"OpenEXR {', '.join(names)}, {width}x{height}", 0.95)]

    def read(self, path: Path, params: ExrParams, job: Job) -> Scene:
        """Decode the channels wanted and hand over."""
        width, height, names = _header(path)
        refuse_beyond(params.memory_limit, height, width, 4 * len(names), path)
        pixels: dict[str, NDArray[Any]] = dict(read_exr(path))
        job.progress(0.2, "decoded")
        if params.content == "displacement":
            return _displacement(pixels, params)
        name, notes = _choose(pixels, params.channel)
        values = pixels[name]
        label = f"OpenEXR {values.dtype} channel {name}"
        return to_scene(Raster(np.ascontiguousarray(values[::-1]), label, notes=notes), params, job)


def _header(path: Path) -> tuple[int, int, list[str]]:
    import OpenEXR

    header = OpenEXR.File(str(path), header_only=True).header()
    low, high = header["dataWindow"]
    width, height = (int(high[k]) - int(low[k]) + 1 for k in (0, 1))
    return width, height, [str(channel.name) for channel in header["channels"]]


def _choose(pixels: dict[str, NDArray[Any]], wanted: str | None) -> tuple[str, list[str]]:
    """The channel of heights: as asked, the only one, the only one of colour, or the one named like a height."""
    listed = ", ".join(pixels)
    if wanted is not None:
        if wanted not in pixels:
            raise SkerryError(f"there is no channel '{wanted}'; the file has {listed}")
        return wanted, []
    names = [name for name in pixels if name.split(".")[-1].lower() not in ("a", "alpha")]
    if len(names) == 1:
        return names[0], []
    named = [name for name in names if name.split(".")[-1].lower() == "height"]
    if len(named) == 1:
        return named[0], [f"of the channels {listed}, {named[0]} was taken"]
    first = pixels[names[0]] if names else None
    if first is not None and all(np.array_equal(pixels[name], first, equal_nan=True) for name in names):
        name = min(names, key=lambda name: _rank(name))
        return name, [f"the channels {listed} are equal; {name} was taken"]
    raise SkerryError(
        f"the file has several channels that differ ({listed}); say which holds the heights with --channel"
    )


def _rank(name: str) -> int:
    last = name.split(".")[-1].lower()
    return _HEIGHT_NAMES.index(last) if last in _HEIGHT_NAMES else len(_HEIGHT_NAMES)


def _displacement(pixels: dict[str, NDArray[Any]], params: ExrParams) -> Scene:
    """A vector field from R, G, B = x, y, z, bit for bit."""
    if not {"R", "G", "B"} <= set(pixels):
        raise SkerryError(f"a displacement needs the channels R, G and B; the file has {', '.join(pixels)}")
    offset = np.stack([pixels[name] for name in "RGB"], axis=-1)[::-1].astype(np.float32)
    if not np.isfinite(offset).all():
        raise SkerryError("the displacement holds values that are not finite")
    field = VectorField(np.ascontiguousarray(offset), params.cell or 1.0)
    low, high = field.height_range()
    source = {"format": "OpenEXR vector displacement", "rest": [field.cols, field.rows], "min": low, "max": high}
    return Scene(TerrainMap(field, sea_level=params.sea_level, source=source))
