"""Drawing: levels of detail against every triangle, and what a dab sends to the GPU."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from editor.history import Change
from editor.render.offscreen import Offscreen, default_camera
from editor.render.style import Style
from plugins.api import Scene
from terrain.lod import LevelChooser, PatchErrors
from terrain.map import TerrainMap
from terrain.sample import sample_island
from terrain.tiles import Rect
from tests.bench.bench_sculpt import LARGE, rolling
from tests.bench.figure import Figure, best, figure

NAME = "render"

WIDTH, HEIGHT = 960, 540


def figures() -> Iterator[Figure]:
    """Frames of the sample island at twice its vertices, and the levels of a large map."""
    scene = Scene(TerrainMap(sample_island(1025, 1025, 1.0)))
    camera, style = default_camera(scene), Style()
    with Offscreen(scene, WIDTH, HEIGHT) as view:
        view.draw(camera, style)
        frame = best(lambda: view.draw(camera, style))
        triangles = view.view.triangles
        every = best(lambda: view.draw(camera, replace(style, tolerance=0.0)), 3)
        on = view.view.renderer.split("(")[0].strip()
        size = f"{WIDTH}x{HEIGHT} on {on}"
        yield figure("render.frame_1025", 1e3 * frame, "ms", 1e3 * every, f"every triangle, {size}")
        yield figure("render.triangles_1025", triangles, "", view.view.triangles, "every triangle")
        rect = Rect(500, 628, 500, 628)
        view.view.changed([Change("array", "offset", rect)])
        view.draw(camera, style)
        sent = view.view.stats.uploaded
        yield figure(
            "render.upload_dab", sent / 1024, "KiB", rect.rows * rect.cols * 12 / 1024, "the rectangle's bytes"
        )
    yield from _levels()


def _levels() -> Iterator[Figure]:
    terrain = rolling(LARGE).scene.terrain
    errors = PatchErrors.of(terrain.field)
    yield figure(f"render.errors_{LARGE}", 1e3 * best(lambda: PatchErrors.of(terrain.field), 3), "ms")
    small = best(lambda: errors.update(terrain.field, Rect(1000, 1128, 1000, 1128)))
    yield figure(f"render.errors_dab_{LARGE}", 1e3 * small, "ms")
    chooser = LevelChooser(terrain.bounds, errors)
    eye, nowhere = np.array([2048.0, -200.0, 300.0]), np.zeros((0, 4))
    chosen = best(lambda: chooser.choose(eye, 900.0, nowhere, 1.0))
    patches = terrain.bounds.patches.shape[0] * terrain.bounds.patches.shape[1]
    yield figure(f"render.choose_{LARGE}", 1e3 * chosen, "ms", None, f"{patches} patches, all in view")
