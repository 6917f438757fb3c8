"""Each brush's law, held on surfaces whose answer is known."""

import itertools
import math

import numpy as np
import pytest

from plugins.registry import find_brush
from terrain.brushes.symmetry import Symmetry
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.terrain.strokes import from_above, from_eye, paint, rub

MIDDLE = 40.0
LEVEL = np.array([0.0, 0.0, -1.0])


def ground(height: object = 0.0, side: int = 81) -> TerrainMap:
    """A map of 1 m cells; height: a number, or a function of x and y (metres)."""
    row, col = np.mgrid[0:side, 0:side].astype(np.float64)
    heights = height(col, row) if callable(height) else np.full((side, side), float(height))
    return TerrainMap(VectorField.from_heights(heights.astype(np.float32), 1.0))


def waves(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return 2.0 * np.sin(x / 3.0) * np.cos(y / 4.0) + 0.1 * x


def curvature(terrain: TerrainMap) -> float:
    z = terrain.field.offset[25:56, 25:56, 2].astype(np.float64)
    return float(np.abs(4 * z[1:-1, 1:-1] - z[:-2, 1:-1] - z[2:, 1:-1] - z[1:-1, :-2] - z[1:-1, 2:]).mean())


def rise(terrain: TerrainMap, start: np.ndarray) -> np.ndarray:
    return terrain.field.offset.astype(np.float64) - start


def test_inflate_moves_along_the_normal() -> None:
    terrain = ground(lambda x, y: 0.75 * x)
    start = terrain.field.offset.copy()
    paint(terrain, find_brush("along-normal"), [from_above(MIDDLE, MIDDLE)], radius=12.0, strength=5.0)
    moved = rise(terrain, start)[40, 40]
    np.testing.assert_allclose(moved / np.linalg.norm(moved), (-0.6, 0.0, 0.8), atol=1e-5)


def test_push_moves_towards_the_viewer() -> None:
    terrain = ground(lambda x, y: 0.3 * y)
    start = terrain.field.offset.copy()
    eye = np.array([40.0, -60.0, 50.0])
    paint(terrain, find_brush("along-view"), [from_eye(eye, [40.0, 40.0, 12.0])], radius=9.0, strength=5.0)
    away = eye - np.array([40.0, 40.0, 12.0])
    moved = rise(terrain, start)[40, 40]
    np.testing.assert_allclose(moved / np.linalg.norm(moved), away / np.linalg.norm(away), atol=1e-5)


@pytest.mark.parametrize("place", [[40.0, 40.0, 0.0], [41.0, 39.0, 0.0]])
def test_grab_moves_the_middle_by_exactly_the_drag(place: list[float]) -> None:
    terrain = ground()
    eye = np.array([place[0], place[1] - 60.0, 45.0])
    view = np.array(place) - eye
    # A drag in the plane that faces the first ray.
    drag = np.array([6.0, 0.0, 0.0]) + 4.0 * np.cross([1.0, 0.0, 0.0], view / np.linalg.norm(view))
    goal = np.array(place) + drag
    samples = [from_eye(eye, np.array(place) + share * drag) for share in (0.0, 0.3, 2.0, 1.0)]
    paint(terrain, find_brush("grab"), samples, radius=10.0)
    at = terrain.field.positions()[int(place[1]), int(place[0])]
    np.testing.assert_allclose(at, goal, atol=2e-5)


def test_grab_depends_on_where_it_ends_alone() -> None:
    ends = []
    for middle in ([], [(50.0, 20.0), (10.0, 60.0)]):
        terrain = ground(waves)
        paint(terrain, find_brush("grab"), [from_above(*p) for p in [(40.0, 40.0), *middle, (46.0, 43.0)]], radius=12.0)
        ends.append(terrain.field.offset)
    np.testing.assert_array_equal(*ends)


def test_snake_hook_carries_the_surface_far_beyond_its_radius() -> None:
    terrain = ground()
    eye = np.array([40.0, -80.0, 10.0])
    samples = [from_eye(eye, [40.0, 40.0, 0.0]), *(from_eye(eye, [40.0, 40.0 - h / 12.0, h]) for h in range(4, 44, 4))]
    paint(terrain, find_brush("snake-hook"), samples, radius=6.0)
    top = terrain.field.offset[..., 2].max()
    assert 36.0 < top < 48.0
    assert np.abs(rise(terrain, np.zeros((81, 81, 3)))[:, :30]).max() == 0.0


def test_nudge_moves_along_the_stroke_and_smear_keeps_vertices() -> None:
    for brush_id in ("nudge", "smear"):
        terrain = ground(lambda x, y: 8.0 * np.exp(-((x - 36) ** 2 + (y - 40) ** 2) / 30.0))
        path = [from_above(x, MIDDLE) for x in np.linspace(30.0, 50.0, 11)]
        start = terrain.field.offset.copy()
        paint(terrain, find_brush(brush_id), path, radius=12.0, strength=0.5)
        moved = rise(terrain, start)
        if brush_id == "nudge":
            assert moved[38:43, 36:44, 0].min() > 0.5
        else:
            assert np.abs(moved[..., :2]).max() == 0.0
        # Either way the hill has gone east.
        weight = np.maximum(terrain.field.offset[..., 2].astype(np.float64), 0.0)
        assert (weight * terrain.field.positions()[..., 0]).sum() / weight.sum() > 36.5


def test_smooth_lowers_curvature_with_every_stroke() -> None:
    terrain = ground(waves)
    values = [curvature(terrain)]
    for _ in range(6):
        paint(terrain, find_brush("smooth"), rub(MIDDLE, MIDDLE, 30), radius=30.0, spacing=0.02)
        values.append(curvature(terrain))
    assert all(later < earlier for earlier, later in itertools.pairwise(values))
    assert values[-1] < 0.5 * values[0]


def test_flatten_ends_within_a_millimetre_of_a_plane() -> None:
    terrain = ground(lambda x, y: 0.4 * x + 0.2 * y + 0.5 * np.sin(x) * np.cos(y))
    for _ in range(8):
        paint(terrain, find_brush("flatten"), rub(MIDDLE, MIDDLE, 40), radius=12.0, spacing=0.02, falloff="constant")
    places = terrain.field.positions()
    inside = np.linalg.norm(places[..., :2] - MIDDLE, axis=-1) < 8.0
    points = places[inside]
    _, _, axes = np.linalg.svd(points - points.mean(axis=0))
    away = np.abs((points - points.mean(axis=0)) @ axes[2])
    assert away.max() < 1e-3
    np.testing.assert_allclose(axes[2] / axes[2][2], (-0.4, -0.2, 1.0), atol=0.08)


@pytest.mark.parametrize(
    ("brush_id", "inverted", "sign"), [("fill", False, 1), ("scrape", False, -1), ("fill", True, -1)]
)
def test_fill_only_lifts_and_scrape_only_takes_off(brush_id: str, inverted: bool, sign: int) -> None:
    terrain = ground(waves)
    start = terrain.field.offset.copy()
    paint(terrain, find_brush(brush_id), rub(MIDDLE, MIDDLE, 9), inverted=inverted, radius=15.0, spacing=0.02)
    moved = sign * rise(terrain, start)[..., 2]
    assert moved.min() >= 0.0
    assert moved.max() > 0.5


def test_level_reaches_the_height_and_moves_nothing_sideways() -> None:
    terrain = ground(waves)
    for _ in range(6):
        paint(
            terrain, find_brush("level"), rub(MIDDLE, MIDDLE, 30), radius=12.0, spacing=0.02, height=2.5, strength=0.9,
            falloff="constant",
        )  # fmt: skip
    np.testing.assert_allclose(terrain.field.offset[37:44, 37:44, 2], 2.5, atol=1e-3)
    assert np.abs(terrain.field.offset[..., :2]).max() == 0.0


def test_level_without_a_height_takes_that_of_the_press() -> None:
    terrain = ground(lambda x, y: 0.1 * x)
    path = [from_above(x, MIDDLE) for x in np.linspace(20.0, 60.0, 30)]
    paint(terrain, find_brush("level"), path, radius=10.0, strength=1.0, falloff="constant")
    np.testing.assert_allclose(terrain.field.offset[40, 22:58, 2], 2.0, atol=0.02)


def test_ramp_is_a_straight_slope_through_hill_and_gap() -> None:
    terrain = ground(lambda x, y: np.where(x < 25, 4.0, np.where(x > 55, 16.0, 9.0 + 9.0 * np.sin(x))))
    paint(terrain, find_brush("ramp"), [from_above(20.0, 40.0), from_above(60.0, 40.0)], radius=8.0, falloff="constant")
    line = terrain.field.offset[40, 20:61, 2]
    np.testing.assert_allclose(line, np.linspace(4.0, 16.0, 41), atol=1e-4)
    assert terrain.field.offset[40, 5, 2] == 4.0


def test_terrace_makes_treads_at_multiples_of_the_step() -> None:
    terrain = ground(lambda x, y: 0.25 * x)
    for _ in range(5):
        path = [from_above(x, MIDDLE) for x in np.linspace(10.0, 70.0, 40)]
        paint(
            terrain, find_brush("terrace"), path, radius=12.0, height=4.0, sharp=1.0, strength=0.9, falloff="constant"
        )
    line = terrain.field.offset[40, 12:68, 2].astype(np.float64)
    away = np.abs(line / 4.0 - np.round(line / 4.0)) * 4.0
    assert np.quantile(away, 0.8) < 0.05
    assert (np.diff(line) > -1e-4).all()


def test_pinch_draws_vertices_to_the_stroke_and_keeps_a_plane_plane() -> None:
    terrain = ground(lambda x, y: 0.5 * y)
    paint(terrain, find_brush("pinch"), [from_above(x, MIDDLE) for x in np.linspace(20, 60, 21)], radius=10.0)
    places = terrain.field.positions()
    np.testing.assert_allclose(places[..., 2], 0.5 * places[..., 1], atol=1e-3)
    gaps = np.diff(places[34:47, 40, 1])
    assert gaps[5:7].mean() < 0.8
    assert (gaps > 0.0).all()


def test_crease_is_deepest_on_the_stroke_and_its_walls_come_in() -> None:
    terrain = ground()
    paint(
        terrain,
        find_brush("crease"),
        [from_above(x, MIDDLE) for x in np.linspace(20, 60, 21)],
        radius=10.0,
        strength=4.0,
    )
    profile = terrain.field.offset[:, 40, 2]
    assert profile.argmin() == 40
    assert profile.min() < -2.0
    assert terrain.field.offset[36, 40, 1] > 0.1 > -0.1 > terrain.field.offset[44, 40, 1]


@pytest.mark.parametrize("drag", [6.0, -3.0])
def test_twist_turns_by_the_angle_of_the_drag(drag: float) -> None:
    terrain = ground(lambda x, y: 0.0 * x + 3.0)
    paint(
        terrain, find_brush("twist"), [from_above(40.0, 40.0), from_above(40.0 + drag, 40.0)], radius=12.0,
        strength=60.0, falloff="constant",
    )  # fmt: skip
    arm = terrain.field.positions()[40, 45] - (40.0, 40.0, 3.0)
    assert math.degrees(math.atan2(arm[1], arm[0])) == pytest.approx(60.0 * drag / 12.0, abs=1e-3)
    assert np.linalg.norm(arm) == pytest.approx(5.0, abs=1e-5)


def test_digger_carves_into_a_wall_to_a_flat_floor_and_no_deeper() -> None:
    """Seen straight from the south, a steep wall gets a cave whose floor is square to the view."""
    terrain = ground(lambda x, y: 20.0 / (1.0 + np.exp(-(y - 40.0))))
    eye = np.array([40.0, -200.0, 10.0])
    samples = [from_eye(eye, [40.0 + 0.01 * (n % 2), 40.0, 10.0]) for n in range(60)]
    paint(terrain, find_brush("digger"), samples, radius=6.0, strength=5.0, spacing=0.02, speed=0.9)
    start = ground(lambda x, y: 20.0 / (1.0 + np.exp(-(y - 40.0)))).field.positions()
    moved = terrain.field.positions() - start
    assert moved[..., 1].max() > 4.0
    deepest = terrain.field.positions()[np.abs(moved[..., 1]) > 1.0][:, 1]
    assert deepest.max() <= start[40, 40, 1] + 5.0 + 1e-4
    assert np.abs(moved[..., 2]).max() < 0.5
    assert (terrain.field.normals()[..., 2] < 0.0).any(), "the cave has a roof"


def test_cliff_steepens_keeps_heights_and_undercuts() -> None:
    terrain = ground(lambda x, y: 20.0 / (1.0 + np.exp(-(y - 40.0) / 4.0)))
    start = terrain.field.offset.copy()
    steepest = [float(terrain.field.normals()[..., 2].min())]
    path = [from_above(x, MIDDLE) for x in np.linspace(30.0, 50.0, 11)]
    for _ in range(4):
        paint(terrain, find_brush("cliff"), path, radius=14.0, strength=3.0, undercut=1.0)
        steepest.append(float(terrain.field.normals()[..., 2].min()))
    assert all(later < earlier for earlier, later in itertools.pairwise(steepest))
    assert steepest[-1] < 0.0, "it overhangs"
    np.testing.assert_array_equal(terrain.field.offset[..., 2], start[..., 2])
    moved = rise(terrain, start)[:, 40, 1]
    assert moved[44] < -1.0 < 1.0 < moved[36]


@pytest.mark.parametrize("kind", ["fbm", "ridged", "billow"])
def test_noise_stays_within_its_strength_and_is_fixed_in_space(kind: str) -> None:
    results = []
    for _ in range(2):
        terrain = ground()
        paint(
            terrain, find_brush("noise"), [from_above(x, MIDDLE) for x in np.linspace(20, 60, 41)], radius=10.0,
            strength=3.0, kind=kind, size=9.0, direction="up",
        )  # fmt: skip
        results.append(terrain.field.offset[..., 2].copy())
    np.testing.assert_array_equal(*results)
    assert 0.5 < np.abs(results[0]).max() <= 3.0 * 1.001
    assert results[0][37:44, 25:56].std() > 0.1


def test_clone_copies_the_shape_at_the_source() -> None:
    terrain = ground(lambda x, y: 5.0 * np.exp(-((x - 20) ** 2 + (y - 20) ** 2) / 20.0), 101)
    terrain.field.offset[15:26, 15:26, 0] = 0.75
    for _ in range(6):
        paint(
            terrain, find_brush("clone"), rub(70.0, 60.0, 20), radius=14.0, x=20.0, y=20.0, lift=False, strength=1.0,
            falloff="constant", spacing=0.02,
        )  # fmt: skip
    np.testing.assert_allclose(terrain.field.offset[55:66, 65:76], terrain.field.offset[15:26, 15:26], atol=1e-4)


def test_clone_without_a_source_says_what_to_do() -> None:
    with pytest.raises(SkerryError, match="Ctrl"):
        paint(ground(), find_brush("clone"), [from_above(40, 40)], radius=5.0)


@pytest.mark.parametrize("what", ["all", "sideways", "height"])
def test_erase_takes_displacement_back(what: str) -> None:
    terrain = ground(6.0)
    terrain.field.offset[..., 0], terrain.field.offset[..., 1] = 0.5, -0.5
    for _ in range(8):
        paint(
            terrain, find_brush("erase"), rub(40.5, 39.5, 40), radius=12.0, what=what, spacing=0.02, strength=0.9,
            falloff="constant", height=1.0,
        )  # fmt: skip
    x, y, z = terrain.field.offset[40, 40]
    assert (abs(x) < 1e-3) == (abs(y) < 1e-3) == (what != "height")
    assert (abs(z - 1.0) < 1e-2) == (what != "sideways")


def vdm(side: int = 33) -> np.ndarray:
    picture = np.zeros((side, side, 3), np.float32)
    picture[8:25, 8:25] = (0.25, 0.0, 0.5)
    return picture


def test_stamp_sets_a_vector_displacement_down_scaled_by_its_size() -> None:
    terrain = ground()
    paint(terrain, find_brush("stamp"), [from_above(40.0, 40.0)], pictures={"picture": vdm()}, radius=16.0)
    np.testing.assert_allclose(terrain.field.offset[40, 40], (4.0, 0.0, 8.0), atol=1e-4)
    assert np.abs(terrain.field.offset[40, 58:]).max() == 0.0


def test_stamp_drag_sizes_and_turns_it() -> None:
    terrain = ground()
    drag = [from_above(40.0, 40.0), from_above(40.0, 44.0), from_above(40.0, 52.0)]
    paint(terrain, find_brush("stamp"), drag, pictures={"picture": vdm()}, radius=16.0)
    # Dragged north: what was right is now north, and half the side is the drag's 12 m.
    np.testing.assert_allclose(terrain.field.offset[40, 40], (0.0, 3.0, 6.0), atol=1e-4)


@pytest.mark.parametrize("form", ["stack", "peak", "crater", "boulder", "arch"])
def test_ready_made_forms_fade_out_at_their_rim(form: str) -> None:
    terrain = ground()
    paint(terrain, find_brush("stamp"), [from_above(40.0, 40.0)], radius=20.0, form=form)
    moved = np.linalg.norm(terrain.field.offset, axis=-1)
    assert moved.max() > 3.0
    assert moved[:19].max(initial=0.0) == moved[:, 62:].max(initial=0.0) == 0.0
    assert moved[21].max() < 1.5
    if form in ("stack", "boulder"):
        assert (terrain.field.normals()[..., 2] < 0.0).any(), "it overhangs"


def test_stamp_highest_never_lowers() -> None:
    terrain = ground(lambda x, y: 4.0 * np.sin(x / 6.0))
    start = terrain.field.offset[..., 2].copy()
    paint(terrain, find_brush("stamp"), [from_above(40.0, 40.0)], radius=20.0, form="crater", mode="highest")
    assert (terrain.field.offset[..., 2] >= start).all()


def test_beach_gets_its_slope_above_and_deans_profile_below() -> None:
    terrain = ground(lambda x, y: 0.25 * (40.0 - y))
    for _ in range(12):
        path = [from_above(x, MIDDLE) for x in np.linspace(25.0, 55.0, 16)]
        paint(
            terrain, find_brush("beach"), path, radius=25.0, strength=0.9, slope=6.0, berm=3.0, dean=0.12,
            falloff="constant",
        )  # fmt: skip
    line = terrain.field.offset[:, 40, 2].astype(np.float64)
    np.testing.assert_allclose(np.diff(line[31:39]), -math.tan(math.radians(6.0)), atol=0.02)
    offshore = np.arange(3.0, 9.0)
    np.testing.assert_allclose(line[43:49], -0.12 * offshore ** (2 / 3), atol=0.1)


def test_channel_never_rises_downstream_even_over_a_hill() -> None:
    terrain = ground(lambda x, y: 12.0 - 0.1 * x + 5.0 * np.exp(-((x - 40.0) ** 2) / 60.0))
    start = terrain.field.offset.copy()
    path = [from_above(x, MIDDLE) for x in np.linspace(10.0, 70.0, 40)]
    paint(terrain, find_brush("channel"), path, radius=6.0, strength=1.5)
    bed = terrain.field.offset[40, 12:69, 2]
    assert (np.diff(bed) <= 1e-4).all()
    assert (terrain.field.offset[..., 2] <= start[..., 2]).all()
    assert bed[0] < start[40, 12, 2] - 1.0


def test_hole_cuts_whole_cells_and_closes_them_again() -> None:
    terrain = ground()
    hole = find_brush("hole")
    paint(terrain, hole, [from_above(40.0, 40.0)], radius=6.0)
    cut = terrain.extras["hole"]
    row, col = np.mgrid[0:80, 0:80]
    corners = [np.hypot(row + a - 40.0, col + b - 40.0) < 6.0 for a in (0, 1) for b in (0, 1)]
    np.testing.assert_array_equal(cut, np.logical_and.reduce(corners))
    # The pointer's ray meets the surface in the hole, or nobody could close it.
    paint(terrain, hole, [from_above(40.0, 40.0)], radius=6.0, inverted=True)
    assert not cut.any()


@pytest.mark.parametrize(
    ("brush_id", "key", "most"), [("mask", "mask/cliffs", 65535), ("layer", "layer/cliffs", 65535)]
)
def test_painting_reaches_its_value_and_inverted_rubs_it_out(brush_id: str, key: str, most: int) -> None:
    terrain = ground()
    options = {"radius": 8.0, "spacing": 0.02, "strength": 0.9, "name": "cliffs"}
    paint(terrain, find_brush(brush_id), rub(40.0, 40.0, 60), **options)
    assert terrain.extras[key][40, 40] == most
    assert terrain.extras[key][20, 40] == 0
    for _ in range(2):
        paint(terrain, find_brush(brush_id), rub(40.0, 40.0, 60), inverted=True, **options)
    assert terrain.extras[key][40, 40] == 0


def test_vertex_alpha_and_passability_take_their_values() -> None:
    terrain = ground()
    paint(terrain, find_brush("alpha"), rub(40.0, 40.0, 60), radius=8.0, spacing=0.02, strength=0.9)
    assert terrain.extras["alpha"][40, 40] == 0
    assert terrain.extras["alpha"][10, 10] == 255
    for mark, value in (("allow", 1), ("forbid", 2), ("auto", 0)):
        paint(terrain, find_brush("passable"), [from_above(40.0, 40.0)], radius=8.0, mark=mark)
        assert terrain.extras["passable"][40, 40] == value


def test_accumulate_lets_a_stroke_build_on_itself() -> None:
    """Inflating a bump again and again: with accumulate the normals follow it, without they stay upright."""
    sideways = {}
    for accumulate in (False, True):
        terrain = ground()
        paint(
            terrain, find_brush("along-normal"), rub(MIDDLE, MIDDLE, 40), radius=10.0, strength=20.0, spacing=0.025,
            accumulate=accumulate,
        )  # fmt: skip
        sideways[accumulate] = float(np.abs(terrain.field.offset[..., :2]).max())
    assert sideways[False] == 0.0
    assert sideways[True] > 0.5


def test_limit_holds_a_stroke_to_its_strength() -> None:
    heights = {}
    for limit in (False, True):
        terrain = ground()
        paint(terrain, find_brush("raise"), rub(40.0, 40.0, 80), radius=10.0, strength=2.0, spacing=0.025, limit=limit)
        heights[limit] = float(terrain.field.offset[..., 2].max())
    assert heights[False] > 2.5
    assert heights[True] == pytest.approx(2.0, abs=1e-5)


def test_front_leaves_what_is_turned_away_alone() -> None:
    terrain = ground(lambda x, y: 12.0 * np.exp(-((y - 40.0) ** 2) / 20.0))
    start = terrain.field.offset.copy()
    eye = np.array([40.0, -300.0, 12.0])
    paint(terrain, find_brush("along-view"), [from_eye(eye, [40.0, 38.0, 9.0])], radius=14.0, front=True)
    moved = np.abs(rise(terrain, start)).max(axis=-1)[:, 40]
    assert moved[36:39].min() > 0.0
    assert moved[43:].max() == 0.0


def test_airbrush_makes_dabs_by_the_clock_however_the_pointer_is_sampled() -> None:
    results = []
    for count in (2, 9, 61):
        terrain = ground()
        samples = [from_above(40.0, 40.0, time=t) for t in np.linspace(0.0, 1.0, count)]
        paint(terrain, find_brush("raise"), samples, radius=10.0, strength=3.0, airbrush=20.0)
        results.append(float(terrain.field.offset[40, 40, 2]))
    # The press, and twenty dabs in the second.
    np.testing.assert_allclose(results, 21 * 3.0 / 20.0, rtol=0.06)
    assert max(results) - min(results) < 0.16


def test_jitter_scatters_dabs_the_same_way_for_the_same_seed() -> None:
    def run(seed: int, jitter: float) -> np.ndarray:
        terrain = ground()
        path = [from_above(x, MIDDLE) for x in np.linspace(20.0, 60.0, 21)]
        paint(terrain, find_brush("raise"), path, radius=5.0, jitter=jitter, seed=seed)
        return terrain.field.offset

    np.testing.assert_array_equal(run(3, 1.0), run(3, 1.0))
    assert not np.array_equal(run(3, 1.0), run(4, 1.0))
    assert run(3, 1.0)[33:35].any()
    assert not run(3, 0.0)[33:35].any()


def test_alpha_picture_shapes_the_dab_and_turns() -> None:
    picture = np.zeros((2, 40, 1), np.float32)
    picture[:, 20:] = 1.0
    for turn, lit, dark in ((0.0, (40, 45), (40, 35)), (90.0, (45, 40), (35, 40))):
        terrain = ground()
        paint(
            terrain, find_brush("raise"), [from_above(40.0, 40.0)], pictures={"alpha": picture}, radius=10.0, turn=turn,
            falloff="constant",
        )  # fmt: skip
        z = terrain.field.offset[..., 2]
        assert z[lit] > 0.0 == z[dark]


def test_grain_breaks_the_weight_up_but_never_adds() -> None:
    plain, grained = ground(), ground()
    for terrain, grain in ((plain, 0.0), (grained, 1.0)):
        paint(terrain, find_brush("raise"), [from_above(40.0, 40.0)], radius=12.0, grain=grain, grain_size=2.0)
    inside = plain.field.offset[..., 2] > 0.0
    share = grained.field.offset[inside, 2] / plain.field.offset[inside, 2]
    assert share.min() >= 0.0
    assert share.max() <= 1.0 + 1e-6
    assert share.std() > 0.1


def test_pressure_may_change_the_radius_instead_of_the_strength() -> None:
    widths = {}
    for what in ("strength", "radius", "nothing"):
        terrain = ground()
        paint(terrain, find_brush("raise"), [from_above(40.0, 40.0, 0.5)], radius=12.0, strength=4.0, pressure=what)
        z = terrain.field.offset[40, :, 2]
        widths[what] = int((z > 0.0).sum()), float(z.max())
    assert widths["strength"][0] == widths["nothing"][0] == 23
    assert widths["radius"][0] == 11
    assert widths["strength"][1] == pytest.approx(0.5 * widths["nothing"][1])
    assert widths["radius"][1] == pytest.approx(widths["nothing"][1])


@pytest.mark.parametrize("turns", [3, 5, 6])
def test_rotation_gives_equal_hills_all_round(turns: int) -> None:
    terrain = ground(0.0, 121)
    paint(
        terrain, find_brush("raise"), [from_above(85.0, 60.0)], symmetry=Symmetry(turns=turns), radius=9.0, strength=6.0
    )
    angles = 2.0 * np.pi * np.arange(turns) / turns
    for angle in angles:
        x, y = 60.0 + 25.0 * math.cos(angle), 60.0 + 25.0 * math.sin(angle)
        row, col = int(y), int(x)
        fy, fx = y - row, x - col
        z = terrain.field.offset[..., 2]
        south = (1 - fx) * z[row, col] + fx * z[row, col + 1]
        north = (1 - fx) * z[row + 1, col] + fx * z[row + 1, col + 1]
        assert (1 - fy) * south + fy * north == pytest.approx(z[60, 85], rel=0.02)


def test_a_mirror_beside_the_middle_is_within_a_hundred_thousandth_of_a_cell() -> None:
    for brush_id in ("raise", "along-normal", "smooth", "noise", "twist"):
        terrain = ground(lambda x, y: 3.0 * np.cos((x - 33.5) / 7.0) * np.cos(y / 9.0))
        symmetry = Symmetry(mirror_x=True, x=33.5)
        path = [from_above(45.0, 40.0), from_above(50.0, 44.0), from_above(52.0, 50.0)]
        paint(terrain, find_brush(brush_id), path, symmetry=symmetry, radius=9.0)
        west, east = terrain.field.offset[:, :34][:, ::-1], terrain.field.offset[:, 34:68]
        np.testing.assert_allclose(west * np.float32([-1, 1, 1]), east, atol=1e-5)
