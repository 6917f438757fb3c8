"""The kept pictures. `python -m tests.images.pictures` draws them anew: look at them before committing."""

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from editor.render.camera import Camera
from editor.render.offscreen import default_camera, render_image
from editor.render.style import BrushRing, Style
from plugins.api import Scene
from terrain.map import TerrainMap
from terrain.sample import sample_island
from tests.fixtures import arch_map

HERE = Path(__file__).parent
SIZE = (192, 120)


def island() -> NDArray[np.uint8]:
    """The sample island as a person first sees it."""
    scene = Scene(TerrainMap(sample_island(257, 257, 4.0)))
    return render_image(scene, default_camera(scene), *SIZE, Style(tolerance=0.5))


def shore() -> NDArray[np.uint8]:
    """Low over the lagoon in evening light, with contours."""
    scene = Scene(TerrainMap(sample_island(257, 257, 4.0)))
    camera = Camera()
    camera.look(np.array([900.0, 300.0, 45.0]), np.array([480.0, 560.0, 30.0]))
    style = Style(sun_elevation=math.radians(15.0), sun_azimuth=math.radians(200.0), contours=20.0, tolerance=0.5)
    return render_image(scene, camera, *SIZE, style)


def overhang() -> NDArray[np.uint8]:
    """Under the arch's tongue, with a brush ring on its underside."""
    scene = Scene(arch_map())
    camera = Camera()
    camera.look(np.array([163.0, -52.0, 1.5]), np.array([161.0, -34.0, 7.0]))
    ring = BrushRing(np.array([161.0, -34.1, 8.4]), 3.0)
    return render_image(scene, camera, *SIZE, Style(tint="slope", brush=ring, tolerance=0.5))


PICTURES = {"island": island, "shore": shore, "overhang": overhang}


if __name__ == "__main__":
    from imagecodecs import png_encode

    for name, draw in PICTURES.items():
        (HERE / f"{name}.png").write_bytes(png_encode(draw()))
