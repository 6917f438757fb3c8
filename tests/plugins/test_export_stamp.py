"""A stamp taken of a map and set down again is the same land."""

from pathlib import Path

import numpy as np
import pytest

from plugins.api import Job, Scene
from plugins.exporting import check_folder, export_scene
from plugins.pictures import load_picture
from plugins.registry import find_brush
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.terrain.strokes import from_above, paint


def with_stack() -> TerrainMap:
    terrain = TerrainMap(VectorField.flat(101, 121, 1.0, 3.0))
    paint(terrain, find_brush("stamp"), [from_above(60.0, 50.0)], radius=24.0, form="boulder")
    mask = np.zeros((101, 121), np.uint16)
    mask[20:81, 30:91] = 65535
    terrain.extras["mask/rock"], terrain.active_mask = mask, "rock"
    return terrain


def test_a_stamp_taken_and_set_down_again_is_the_same_rock(tmp_path: Path) -> None:
    terrain = with_stack()
    export_scene(Scene(terrain), "stamp", tmp_path / "out", {}, Job())
    assert check_folder(tmp_path / "out") == []
    picture = load_picture(tmp_path / "out" / "stamp.exr")
    assert picture.shape == (61, 61, 3)
    other = TerrainMap(VectorField.flat(101, 121, 1.0, 3.0))
    paint(other, find_brush("stamp"), [from_above(60.0, 50.0)], pictures={"picture": picture}, radius=30.0)
    np.testing.assert_allclose(other.field.offset, terrain.field.offset, atol=2e-4)
    assert (other.field.normals()[..., 2] < 0.0).any(), "overhangs and all"


def test_heights_count_from_the_edge_and_the_mask_fades_it(tmp_path: Path) -> None:
    terrain = with_stack()
    terrain.extras["mask/rock"][:, :60] //= 4
    terrain.extras["mask/rock"][20:81, 58:91] = 65535
    export_scene(Scene(terrain), "stamp", tmp_path / "out", {"name": "half"}, Job())
    picture = load_picture(tmp_path / "out" / "half.exr")
    assert np.abs(picture[0]).max() < 1e-6
    assert picture[..., 2].max() > 0.2


def test_without_a_selection_it_says_what_to_do(tmp_path: Path) -> None:
    terrain = with_stack()
    terrain.active_mask = ""
    with pytest.raises(SkerryError, match="no active mask"):
        export_scene(Scene(terrain), "stamp", tmp_path / "a", {}, Job())
    terrain.extras["mask/rock"][...] = 0
    with pytest.raises(SkerryError, match="selects nothing"):
        export_scene(Scene(terrain), "stamp", tmp_path / "b", {"mask": "rock"}, Job())
    with pytest.raises(SkerryError, match="no name for a file"):
        export_scene(Scene(with_stack()), "stamp", tmp_path / "c", {"name": "../x"}, Job())
    assert not (tmp_path / "c").exists() or not list((tmp_path / "c").iterdir())
