"""The kept pictures. `python -m tests.images.pictures` draws them anew: look at them before committing."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from editor.render.camera import Camera
from editor.render.offscreen import default_camera, render_image
from editor.render.style import BrushRing, Mark, Style
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


def studio() -> NDArray[np.uint8]:
    """The crater wall as clay under a wire, a mask with its outline, a ring with its image and an axis of symmetry."""
    terrain = TerrainMap(sample_island(257, 257, 4.0))
    row, col = np.mgrid[0:257, 0:257]
    mask = terrain.extras["mask/wall"] = terrain.new_array("mask/wall")
    mask[...] = 65535 * np.clip(1.4 - np.hypot(row - 165, col - 100) / 45.0, 0.0, 1.0)
    camera = Camera()
    camera.look(np.array([420.0, 250.0, 230.0]), np.array([400.0, 640.0, 40.0]))
    rings = [BrushRing(terrain.field.positions()[130, col], 60.0, primary=col == 80) for col in (80, 135)]
    axis = Mark(np.array([[430.0, 0.0, 0.0], [430.0, 1024.0, 0.0]]), (0.35, 0.9, 0.45))
    style = Style(tint="matcap", wire=True, mask="wall", outline=True, tolerance=0.5)
    style = replace(style, brush=rings[0], images=(rings[1],), marks=(axis,))
    return render_image(Scene(terrain), camera, *SIZE, style)


PICTURES = {"island": island, "shore": shore, "overhang": overhang, "studio": studio}


if __name__ == "__main__":
    from imagecodecs import png_encode

    for name, draw in PICTURES.items():
        (HERE / f"{name}.png").write_bytes(png_encode(draw()))
