"""Pictures without a window: sizes, errors, and shaders that know where their lines come from."""

import re
import sys
from importlib.resources import files

import numpy as np
import pytest
from vispy.util import logs

from editor.render import offscreen
from editor.render.camera import Camera
from editor.render.glsl import load
from editor.render.ground import noise_tile
from editor.render.map_textures import merge
from editor.render.offscreen import Offscreen, default_camera, render_image
from editor.render.patch_meshes import mesh_triangles, mesh_vertices
from editor.render.style import Style
from editor.render.terrain_view import clarity, relief
from plugins.api import Scene
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect
from tests.fixtures import arch_map

SHADERS = sorted(item.name for item in files("editor.render").joinpath("shaders").iterdir() if item.name[0] != ".")


@pytest.mark.parametrize("size", [(1, 1), (37, 23), (64, 48)])
def test_a_picture_has_the_size_asked_for(size: tuple[int, int]) -> None:
    scene = Scene(arch_map())
    image = render_image(scene, default_camera(scene), *size, Style())
    assert image.shape == (size[1], size[0], 3)
    assert image.dtype == np.uint8


def test_the_top_row_comes_first() -> None:
    scene = Scene(TerrainMap(VectorField.flat(33, 33, 1.0, height=-1.0)))
    camera = Camera(target=np.array([16.0, 16.0, 2.0]), yaw=0.0, pitch=0.0, distance=5.0)
    image = render_image(scene, camera, 40, 30, Style(show_sea=False, show_sky=False, background=(1.0, 0.0, 1.0)), 1)
    assert (image[0] == (255, 0, 255)).all()
    assert not (image[-1] == (255, 0, 255)).all(axis=-1).any()


def test_supersampling_is_the_mean_of_a_larger_picture() -> None:
    scene = Scene(arch_map())
    camera = default_camera(scene)
    large = render_image(scene, camera, 80, 60, Style(), supersample=1).astype(np.float64)
    small = render_image(scene, camera, 40, 30, Style(), supersample=2)
    np.testing.assert_allclose(small, large.reshape(30, 2, 40, 2, 3).mean(axis=(1, 3)), atol=0.51)


@pytest.mark.parametrize("size", [(0, 10), (10, 0), (9000, 10), (-1, 5)])
def test_impossible_sizes_are_refused(size: tuple[int, int]) -> None:
    scene = Scene(arch_map())
    with pytest.raises(SkerryError, match="is not possible"):
        render_image(scene, Camera(), *size, Style())


def test_without_egl_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offscreen, "_canvas", None)
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    with pytest.raises(SkerryError, match="libegl1"):
        offscreen.canvas()


def test_without_a_font_library_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """vispy loads fontconfig when imported, text or not."""
    monkeypatch.setattr(offscreen, "_canvas", None)
    monkeypatch.delattr("vispy.app")
    monkeypatch.setitem(sys.modules, "vispy.app", None)
    with pytest.raises(SkerryError, match="libfontconfig1"):
        offscreen.canvas()


def test_no_shader_variable_is_left_unset() -> None:
    terrain = arch_map()
    with logs.use_log_level("warning", record=True, print_msg=False) as messages:
        for keys in ((), ("hole",), ("hole", "alpha")):
            terrain.extras = {key: terrain.new_array(key) for key in keys}
            view = Offscreen(Scene(terrain), 16, 12)
            view.draw(default_camera(Scene(terrain)), Style())
            view.release()
    assert messages == []


def test_views_can_be_made_again_and_again() -> None:
    scene = Scene(arch_map())
    first = render_image(scene, default_camera(scene), 40, 30, Style(), 1)
    for _ in range(3):
        np.testing.assert_array_equal(render_image(scene, default_camera(scene), 40, 30, Style(), 1), first)


@pytest.mark.parametrize("name", SHADERS)
def test_includes_are_resolved_and_lines_keep_their_numbers(name: str) -> None:
    source = load(name, {"HOLES": 1, "ALPHA": 0})
    assert source.startswith("#version 330\n#define HOLES 1\n")
    assert "#include" not in source
    own = files("editor.render").joinpath("shaders", name).read_text().splitlines()
    number, file = 0, -1
    for line in source.splitlines()[1:]:
        match = re.fullmatch(r"#line (\d+) (\d+)", line)
        if match:
            number, file = int(match[1]), int(match[2])
            continue
        if file == 0 and not line.startswith("// 1:") and not re.match(r"// \d+: \w+\.glsl", line):
            assert own[number - 1] == line
        number += 1


def test_each_file_is_included_once() -> None:
    assert load("terrain.frag.glsl").count("vec3 to_screen(") == 1


@pytest.mark.parametrize("level", range(5))
def test_patch_triangles_wind_anticlockwise_along_the_diagonal(level: int) -> None:
    vertices, triangles = mesh_vertices(level), mesh_triangles(level).reshape(-1, 3)
    row, col = vertices[triangles].transpose(2, 0, 1)
    area = 0.5 * ((col[:, 1] - col[:, 0]) * (row[:, 2] - row[:, 0]) - (row[:, 1] - row[:, 0]) * (col[:, 2] - col[:, 0]))
    assert (area == 0.5 * 4.0**level).all()
    assert area.sum() == 256.0
    # Each triangle holds both ends of its cell's (r, c)-(r+1, c+1) diagonal.
    low, high = np.stack([row.min(1), col.min(1)], 1), np.stack([row.max(1), col.max(1)], 1)
    corners = vertices[triangles]
    assert (corners == low[:, None]).all(axis=2).any(axis=1).all()
    assert (corners == high[:, None]).all(axis=2).any(axis=1).all()


def test_rectangles_merge_only_if_that_sends_little_more() -> None:
    rects: list[Rect] = []
    for rect in (Rect(0, 10, 0, 10), Rect(0, 10, 8, 18), Rect(50, 60, 50, 60), Rect(5, 5, 0, 9)):
        merge(rects, rect)
    assert sorted(rects) == [Rect(0, 10, 0, 18), Rect(50, 60, 50, 60)]
    merge(rects, Rect(0, 60, 0, 60))
    assert rects == [Rect(0, 60, 0, 60)]


def test_colours_reckon_with_the_relief_but_not_with_less_than_a_hill() -> None:
    flat = TerrainMap(VectorField.flat(101, 101, 10.0, height=1.0))
    assert relief(flat) == (40.0, 40.0)
    peak = VectorField.flat(101, 101, 10.0, height=-300.0)
    peak.offset[50, 50, 2] = 500.0
    assert relief(TerrainMap(peak, sea_level=100.0)) == (400.0, 400.0)
    assert clarity((10.0, 1.0)) == 6.0
    assert clarity((400.0, 1.0)) == 40.0


def test_the_noise_repeats_without_a_seam() -> None:
    tile = noise_tile().astype(int)
    inside = np.abs(np.diff(tile, axis=1)).mean()
    assert np.abs(tile[:, 0] - tile[:, -1]).mean() < 1.5 * inside
    assert 120 < tile.mean() < 135
    np.testing.assert_array_equal(tile, noise_tile())
