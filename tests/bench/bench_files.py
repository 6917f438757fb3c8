"""Foreign files: importing a large GeoTIFF and exporting each target."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from plugins.api import Job, Scene
from plugins.exporting import export_scene
from plugins.importing import import_file
from terrain.map import TerrainMap
from terrain.sample import sample_island
from tests.bench.figure import Figure, best, figure, seconds

NAME = "files"

SIDE = 2049


def figures() -> Iterator[Figure]:
    """Each against reading or writing the raw numbers."""
    import tifffile

    terrain = TerrainMap(sample_island(SIDE, SIDE, 0.5))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        heights = np.ascontiguousarray(terrain.field.offset[..., 2])
        tifffile.imwrite(folder / "h.tif", heights)
        plain = best(lambda: heights.tofile(folder / "h.raw"))
        read = best(lambda: tifffile.imread(folder / "h.tif"))
        whole = best(lambda: import_file(folder / "h.tif", None, {}, Job()), 2)
        yield figure(f"files.import_tiff_{SIDE}", whole, "s", read, "tifffile reading it")
        for target in ("height", "vdm", "gltf"):
            export_scene(Scene(terrain), target, folder / target, {}, Job())
            taken = seconds(lambda target=target: export_scene(Scene(terrain), target, folder / target, {}, Job()))
            yield figure(f"files.export_{target}_{SIDE}", taken, "s", plain, "writing the heights raw")
