"""Map-wide edits: what stays stays exactly, what is painted comes along, the old map is left as it was."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.reshape.crop import crop
from terrain.reshape.merge import merge
from terrain.reshape.mirror import copy_half, flip, rotate
from terrain.reshape.resample import resample
from tests.fixtures import arch_map


def painted(terrain: TerrainMap) -> TerrainMap:
    rows, cols = terrain.field.rows, terrain.field.cols
    rng = np.random.default_rng(5)
    terrain.extras |= {
        "alpha": rng.integers(0, 256, (rows, cols), np.uint8),
        "passable": rng.integers(0, 3, (rows, cols)).astype(np.uint8),
        "mask/a": rng.integers(0, 65536, (rows, cols)).astype(np.uint16),
        "field/flow": rng.normal(size=(rows, cols)).astype(np.float32),
        "hole": rng.random((rows - 1, cols - 1)) < 0.1,
    }
    terrain.sea_level, terrain.active_mask, terrain.frozen = 2.5, "a", True
    return terrain


def small(rows: int, cols: int) -> TerrainMap:
    rng = np.random.default_rng(rows * 100 + cols)
    offset = rng.normal(size=(rows, cols, 3)).astype(np.float32)
    return painted(TerrainMap(VectorField(offset, 2.0, (10.0, -4.0))))


MAPS = [lambda: painted(arch_map()), lambda: small(2, 2), lambda: small(7, 4)]
each = pytest.mark.parametrize("make", MAPS, ids=["arch", "2x2", "7x4"])
EDITS = {
    "crop": lambda t: crop(t, 2, 1, 3, 0),
    "resample": lambda t: resample(t, t.field.cell / 2.0),
    "flip": lambda t: flip(t, "east-west"),
    "half": lambda t: copy_half(t, "south-to-north"),
    "rotate": lambda t: rotate(t, 1),
}


@each
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_everything_comes_along_and_the_old_map_stays(make: object, edit: object) -> None:
    terrain = make()
    before = {key: array.copy() for key, array in terrain.arrays().items()}
    made = edit(terrain)
    assert set(made.extras) == set(terrain.extras)
    for key, array in made.extras.items():
        made.check(key, array)
    assert (made.sea_level, made.active_mask, made.frozen) == (2.5, "a", True)
    assert np.isfinite(made.field.offset).all()
    for key, array in terrain.arrays().items():
        np.testing.assert_array_equal(array, before[key])
        assert not np.shares_memory(array, made.arrays()[key])


def test_what_a_crop_keeps_stays_in_its_place() -> None:
    terrain = painted(arch_map())
    made = crop(terrain, -5, 3, 7, -10)
    assert made.field.offset.shape[:2] == (65 + 3 - 10, 81 - 5 + 7)
    np.testing.assert_allclose(made.field.positions()[3:, :76], terrain.field.positions()[:55, 5:], atol=1e-9)
    for key in ("mask/a", "alpha", "field/flow"):
        np.testing.assert_array_equal(made.extras[key][3:, :76], terrain.extras[key][:55, 5:])
    np.testing.assert_array_equal(made.extras["hole"][3:, :75], terrain.extras["hole"][:54, 5:])
    assert not made.extras["hole"][:3].any()
    np.testing.assert_array_equal(made.field.offset[:3, 0], np.repeat(made.field.offset[3:4, 0], 3, axis=0))


def test_expanding_with_level_ground() -> None:
    made = crop(painted(arch_map()), 0, 0, 4, 4, "level", -7.0)
    assert (made.field.offset[:, -4:] == np.float32([0.0, 0.0, -7.0])).all()
    assert (made.extras["mask/a"][-4:] == 0).all()
    assert (made.extras["alpha"][-4:] == 255).all()


def test_no_crop_leaves_less_than_a_map() -> None:
    with pytest.raises(SkerryError, match="2 to 8192"):
        crop(small(7, 4), -2, 0, -1, 0)


@pytest.mark.parametrize("factor", [2, 3])
def test_vertices_that_stay_keep_their_exact_place(factor: int) -> None:
    terrain = painted(arch_map())
    fine = resample(terrain, terrain.field.cell / factor)
    np.testing.assert_array_equal(fine.field.offset[::factor, ::factor], terrain.field.offset)
    np.testing.assert_array_equal(fine.extras["mask/a"][::factor, ::factor], terrain.extras["mask/a"])
    back = resample(fine, terrain.field.cell, average=False)
    np.testing.assert_array_equal(back.field.offset, terrain.field.offset)
    np.testing.assert_array_equal(back.extras["passable"], terrain.extras["passable"])
    np.testing.assert_array_equal(back.extras["hole"], terrain.extras["hole"])


def test_a_plane_and_a_wave_stay_what_they_are() -> None:
    row, col = np.mgrid[0:60, 0:70].astype(np.float64)
    plane = TerrainMap(VectorField.from_heights((0.3 * col - 0.2 * row).astype(np.float32), 2.0))
    made = resample(plane, 0.7).field.positions()[6:-6, 6:-6]
    np.testing.assert_allclose(made[..., 2], 0.15 * made[..., 0] - 0.1 * made[..., 1], atol=1e-4)
    wave = TerrainMap(VectorField.from_heights(np.sin(col / 6.0).astype(np.float32), 2.0))
    made = resample(wave, 0.9).field.positions()[6:-6, 6:-6]
    np.testing.assert_allclose(made[..., 2], np.sin(made[..., 0] / 12.0), atol=2e-3)


def test_noise_finer_than_the_new_cells_is_averaged_away() -> None:
    row, col = np.mgrid[0:120, 0:120]
    terrain = TerrainMap(VectorField.from_heights(((row + col) % 2).astype(np.float32), 1.0))
    assert np.ptp(resample(terrain, 5.0).field.offset[2:-2, 2:-2, 2]) < 0.01
    assert np.ptp(resample(terrain, 5.0, average=False).field.offset[..., 2]) == 1.0


def test_a_flip_mirrors_every_vertex_and_normals_stay_upward() -> None:
    terrain = painted(arch_map())
    made = flip(terrain, "east-west")
    middle = terrain.field.origin[0] + 0.5 * terrain.field.rest_size[0]
    there, here = terrain.field.positions()[:, ::-1], made.field.positions()
    np.testing.assert_allclose(here[..., 0] - middle, middle - there[..., 0], atol=1e-5)
    np.testing.assert_allclose(here[..., 1:], there[..., 1:], atol=1e-9)
    assert (made.field.normals()[..., 2] > 0.0).mean() == (terrain.field.normals()[..., 2] > 0.0).mean()
    np.testing.assert_array_equal(flip(made, "east-west").field.offset, terrain.field.offset)


def test_a_half_turn_keeps_the_surface_and_four_quarters_give_the_map_back() -> None:
    terrain = painted(arch_map())
    half = rotate(terrain, 2)
    middle = np.array(terrain.field.origin) + 0.5 * np.array(terrain.field.rest_size)
    turned = half.field.positions()[::-1, ::-1]
    np.testing.assert_allclose(turned[..., :2] - middle, middle - terrain.field.positions()[..., :2], atol=1e-5)
    # The diagonal of a cell maps onto itself, so triangles are the same triangles.
    np.testing.assert_array_equal(turned[..., 2], terrain.field.positions()[..., 2])
    four = rotate(rotate(terrain, 3), 1)
    for key, array in terrain.arrays().items():
        np.testing.assert_array_equal(four.arrays()[key], array)
    assert four.field.origin == pytest.approx(terrain.field.origin)


def test_a_quarter_turn_takes_east_to_north() -> None:
    terrain = small(7, 4)
    made = rotate(terrain, 1)
    assert made.field.offset.shape[:2] == (4, 7)
    middle = np.array(terrain.field.origin) + 0.5 * np.array(terrain.field.rest_size)
    away = terrain.field.positions()[2, 3, :2] - middle
    turned = made.field.positions()[3, 4, :2] - middle
    np.testing.assert_allclose(turned, [-away[1], away[0]], atol=1e-6)
    assert made.extras["mask/a"][3, 4] == terrain.extras["mask/a"][2, 3]


def test_inside_a_cell_a_mirror_differs_by_at_most_half_the_twist() -> None:
    terrain = small(7, 4)
    terrain.field.offset[..., :2] = 0.0
    z = terrain.field.offset[..., 2].astype(np.float64)
    m = flip(terrain, "east-west").field.offset[..., 2].astype(np.float64)[:, ::-1]
    # The middle of a cell lies on the diagonal that folds it: of corners (0, 0) and (1, 1) before, the others after.
    before = 0.5 * (z[:-1, :-1] + z[1:, 1:])
    after = 0.5 * (m[:-1, 1:] + m[1:, :-1])
    twist = np.abs(z[:-1, :-1] - z[:-1, 1:] + z[1:, 1:] - z[1:, :-1])
    np.testing.assert_allclose(np.abs(before - after), 0.5 * twist, atol=1e-6)


@pytest.mark.parametrize("half", ["west-to-east", "east-to-west", "south-to-north", "north-to-south"])
def test_half_a_map_becomes_the_image_of_the_other(half: str) -> None:
    for terrain in (painted(arch_map()), small(7, 4)):
        made = copy_half(terrain, half)
        side = 1 if "west" in half else 0
        sign = np.float32([-1, 1, 1] if side == 1 else [1, -1, 1])
        np.testing.assert_array_equal(made.field.offset, np.flip(made.field.offset, side) * sign)
        count = made.field.offset.shape[side] // 2
        kept = slice(0, count) if half.startswith(("west", "south")) else slice(-count, None)
        part = (slice(None), kept) if side == 1 else (kept, slice(None))
        np.testing.assert_array_equal(made.field.offset[part], terrain.field.offset[part])
        np.testing.assert_array_equal(made.extras["mask/a"], np.flip(made.extras["mask/a"], side))


def test_merge_lays_another_map_in_where_it_lies_and_fades_its_border() -> None:
    field = VectorField.flat(41, 51, 2.0, 1.0)
    other = VectorField.flat(21, 21, 1.5, 10.0)
    other.offset[..., 0] = 0.5
    rect, made = merge(field, other, 30.0, 20.0, 5.0, "replace", 6.0)
    assert (rect.row0, rect.col0) == (10, 15)
    whole = field.offset.copy()
    whole[rect.slices] = made
    np.testing.assert_allclose(whole[17, 22], (0.5, 0.0, 15.0), atol=1e-5)
    assert whole[10, 20, 2] == 1.0
    assert 1.0 < whole[11, 20, 2] < 15.0
    assert merge(field, other, 900.0, 0.0, 0.0, "replace", 0.0)[0].empty


@pytest.mark.parametrize(("mode", "low", "high"), [("highest", 3.0, 9.0), ("lowest", 1.0, 3.0), ("add", 4.0, 12.0)])
def test_merge_modes(mode: str, low: float, high: float) -> None:
    field = VectorField.flat(20, 20, 1.0, 3.0)
    other = VectorField.flat(10, 10, 1.0, 1.0)
    other.offset[:, 5:, 2] = 9.0
    _, made = merge(field, other, 4.0, 4.0, 0.0, mode, 0.0)
    assert made[5, 2, 2] == low
    assert made[5, 8, 2] == high
