"""BMP and TGA: what Windows tools and older games write as heightmaps."""

import struct
from pathlib import Path

from plugins.api import Guess, Job, Scene, SkerryError
from plugins.decode import tga
from plugins.raster import ImportParams, refuse_beyond, to_scene
from plugins.raster.picture import picture_raster
from plugins.registry import importer


@importer
class ImportBmp:
    """Reads 8, 24 and 32 bit BMP, bottom-up or top-down."""

    id = "bmp"
    label = "BMP heightmap"
    suffixes = (".bmp",)
    Params = ImportParams

    def probe(self, path: Path) -> list[Guess]:
        """By its signature and a header of a known size."""
        with path.open("rb") as file:
            start = file.read(30)
        if not start.startswith(b"BM") or len(start) < 30 or struct.unpack_from("<I", start, 14)[0] not in _BMP_HEADERS:
            return []
        width, height, _, bits = struct.unpack_from("<iiHH", start, 18)
        return [Guess(self.id, f"BMP {bits}-bit, {width}x{abs(height)}", 0.95)]

    def read(self, path: Path, params: ImportParams, job: Job) -> Scene:
        """Decode and hand over."""
        from imagecodecs import bmp_decode

        data = path.read_bytes()
        width, height, _, bits = struct.unpack_from("<iiHH", data, 18)
        if width <= 0 or height == 0:
            raise SkerryError(f"damaged BMP header: {width}x{height}")
        refuse_beyond(params.memory_limit, abs(height), width, max(bits // 8, 1), path)
        if len(data) < 54 + (width * bits + 31) // 32 * 4 * abs(height) and _uncompressed(data):
            raise SkerryError("the BMP ends early: rows are missing")
        return to_scene(picture_raster(bmp_decode(data), f"BMP {bits}-bit", 8, "grey"), params, job)


@importer
class ImportTga:
    """Reads grey 8 and 16 bit and colour 24 and 32 bit TGA, plain and run-length, from any corner."""

    id = "tga"
    label = "TGA heightmap"
    suffixes = (".tga",)
    Params = ImportParams

    def probe(self, path: Path) -> list[Guess]:
        """By its header alone, since the format has no signature: surer if the name says so."""
        with path.open("rb") as file:
            header = tga.read_header(file.read(18))
        if header is None:
            return []
        named = path.suffix.lower() == ".tga"
        summary = f"TGA {header.bits}-bit, {header.width}x{header.height}"
        return [Guess(self.id, summary, 0.9)] if named else []

    def read(self, path: Path, params: ImportParams, job: Job) -> Scene:
        """Decode and hand over."""
        data = path.read_bytes()
        header = tga.read_header(data)
        if header is not None:
            refuse_beyond(params.memory_limit, header.height, header.width, header.bits // 8, path)
        samples = tga.decode(data)
        bits = 16 if samples.dtype.itemsize == 2 else 8
        label = f"TGA {header.bits if header else bits}-bit"
        return to_scene(picture_raster(samples, label, bits, "grey"), params, job)


_BMP_HEADERS = (12, 40, 52, 56, 64, 108, 124)


def _uncompressed(data: bytes) -> bool:
    return len(data) >= 34 and struct.unpack_from("<I", data, 30)[0] == 0
