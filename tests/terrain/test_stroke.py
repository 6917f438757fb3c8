"""Strokes: what a gesture does must not depend on how it was sampled, only on where it went."""

from collections.abc import Callable

import numpy as np
import pytest

from terrain.brushes.along_normal import AlongNormal
from terrain.brushes.along_view import AlongView
from terrain.brushes.contract import Dab, Window
from terrain.brushes.raise_lower import RaiseLower
from terrain.brushes.sculpt import SculptStroke
from terrain.brushes.smooth import Smooth
from terrain.brushes.stroke import Path, Sample
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect, TileCopies
from tests.terrain.easel import Easel

EYE = np.array([100.0, -80.0, 90.0])
DOWN = np.array([0.0, 0.0, -1.0])
BRUSHES = [RaiseLower(), AlongNormal(), AlongView(), Smooth()]


def hills(rows: int = 201, cols: int = 231) -> TerrainMap:
    row, col = np.mgrid[0:rows, 0:cols]
    height = 4.0 * np.sin(row / 19.0) * np.cos(col / 23.0) + 1.0 * np.sin(row / 5.0 + col / 7.0)
    return TerrainMap(VectorField.from_heights(height.astype(np.float32), 1.0))


def from_eye(x: float, y: float, pressure: float = 1.0) -> Sample:
    away = np.array([x, y, 0.0]) - EYE
    return Sample(EYE, away / np.linalg.norm(away), pressure)


def from_above(x: float, y: float, pressure: float = 1.0) -> Sample:
    return Sample(np.array([x, y, 1e4]), DOWN, pressure)


def sculpt(terrain: TerrainMap, brush: object, samples: list[Sample], inverted: bool = False, **params: object) -> Rect:
    """Run a stroke; returns the rectangle it wrote to."""
    easel = Easel(terrain)
    stroke = SculptStroke(terrain, brush, brush.Params.of(**params), easel, inverted=inverted)
    for sample in samples:
        stroke.add(sample, easel)
    stroke.finish(easel)
    return easel.written


def curve(samples: int) -> list[Sample]:
    """One smooth pointer path of 1 s, sampled so many times."""
    return [
        from_eye(100.0 + 45.0 * np.cos(3.5 * t) * (1 - 0.3 * t), 95.0 + 40.0 * np.sin(3.5 * t))
        for t in np.linspace(0.0, 1.0, samples)
    ]


@pytest.mark.parametrize("brush", BRUSHES, ids=lambda brush: brush.id)
def test_sampling_rate_changes_a_stroke_by_less_than_one_percent(brush: object) -> None:
    changes = []
    for samples in (31, 61, 241):
        terrain = hills()
        start = terrain.field.offset.copy()
        sculpt(terrain, brush, curve(samples), radius=18.0)
        changes.append(terrain.field.offset - start)
    size = np.linalg.norm(changes[-1], axis=-1).max()
    assert size > 0.2
    for change in changes[:-1]:
        assert np.linalg.norm(change - changes[-1], axis=-1).max() < 0.01 * size


def test_one_pass_raises_the_middle_by_the_strength() -> None:
    terrain = TerrainMap(VectorField.flat(101, 301, 1.0))
    path = [from_above(x, 50.0) for x in np.linspace(40.0, 260.0, 45)]
    sculpt(terrain, RaiseLower(), path, radius=30.0, strength=2.0, spacing=0.05)
    middle = terrain.field.offset[50, 120:180, 2]
    np.testing.assert_allclose(middle, 2.0, rtol=1e-3)


def test_spacing_does_not_change_the_height_of_a_pass() -> None:
    heights = []
    for spacing in (0.05, 0.2):
        terrain = TerrainMap(VectorField.flat(101, 301, 1.0))
        path = [from_above(x, 50.0) for x in np.linspace(40.0, 260.0, 45)]
        sculpt(terrain, RaiseLower(), path, radius=30.0, strength=2.0, spacing=spacing)
        heights.append(terrain.field.offset[50, 120:180, 2].mean())
    assert heights[0] == pytest.approx(heights[1], rel=1e-3)


def dab_places(terrain: TerrainMap, samples: list[Sample], spacing: float) -> np.ndarray:
    path = Path(terrain, spacing, TileCopies(terrain.field.offset))
    due: list[Sample] = []
    for sample in samples:
        due += path.add(sample)
    due += path.finish()
    return np.array([path.meet(sample) for sample in due])


def test_dabs_are_evenly_spaced_on_the_surface_not_on_the_ground_plan() -> None:
    slope = TerrainMap(VectorField.from_heights(np.tile(np.arange(200.0) * 1.5, (50, 1)).astype(np.float32), 1.0))
    places = dab_places(slope, [from_above(x, 25.0) for x in np.linspace(20.0, 180.0, 23)], 6.0)
    gaps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    np.testing.assert_allclose(gaps, 6.0, rtol=1e-3)


def test_a_silhouette_is_leapt_without_dabs_in_the_air() -> None:
    wall = np.zeros((120, 120), np.float32)
    wall[:40] = 60.0
    terrain = TerrainMap(VectorField.from_heights(wall, 1.0))
    eye = np.array([60.0, 5.0, 200.0])
    samples = []
    for y in np.linspace(20.0, 110.0, 30):
        away = np.array([60.0, y, 0.0]) - eye
        samples.append(Sample(eye, away / np.linalg.norm(away), 1.0))
    places = dab_places(terrain, samples, 4.0)
    assert (np.minimum(np.abs(places[:, 2] - 60.0), np.abs(places[:, 2])) < 1e-6).all()
    top, foot = places[places[:, 2] > 30.0], places[places[:, 2] < 30.0]
    assert 38.0 - 4.0 < top[:, 1].max() <= 39.0
    assert 53.0 < foot[:, 1].min() < 54.0 + 4.0


def test_a_stroke_may_start_and_end_beside_the_map() -> None:
    crossing, inside = TerrainMap(VectorField.flat(61, 61, 1.0)), TerrainMap(VectorField.flat(61, 61, 1.0))
    sculpt(crossing, RaiseLower(), [from_above(x, 30.0) for x in np.linspace(-40, 100, 29)], radius=12.0)
    sculpt(inside, RaiseLower(), [from_above(x, 30.0) for x in np.linspace(0, 60, 13)], radius=12.0)
    row = crossing.field.offset[30, :, 2]
    np.testing.assert_allclose(row[[0, 60]], row[30], rtol=0.05)
    assert inside.field.offset[30, 0, 2] < 0.8 * row[0]


def test_a_pointer_that_leaves_for_the_horizon_makes_no_dabs_on_its_way() -> None:
    """A kilometre of air beside a map of 60 m would be thousands of dabs that change nothing."""
    terrain = TerrainMap(VectorField.flat(61, 61, 1.0))
    eye = np.array([30.0, -60.0, 40.0])
    ways = [np.array([30.0, y, 0.0]) - eye for y in (10.0, 50.0, 200.0, 2_000.0, 30_000.0)]
    places = dab_places(terrain, [Sample(eye, way / np.linalg.norm(way), 1.0) for way in ways], 0.5)
    assert places[:, 1].max() < 130.0
    assert len(places) < 300
    before = terrain.field.offset.copy()
    sculpt(terrain, RaiseLower(), [from_above(30.0, 30.0), from_above(900.0, 30.0), from_above(30.0, 31.0)], radius=9.0)
    assert (terrain.field.offset[28:33, 58:, 2] > before[28:33, 58:, 2]).all(), "the way out and back does its work"


def test_samples_that_stand_still_make_one_dab() -> None:
    one, many = hills(), hills()
    sculpt(one, RaiseLower(), [from_eye(100, 90)], radius=15.0)
    sculpt(many, RaiseLower(), [from_eye(100, 90)] * 20, radius=15.0)
    np.testing.assert_array_equal(one.field.offset, many.field.offset)


def test_rays_into_the_sky_do_nothing() -> None:
    terrain = hills()
    start = terrain.field.offset.copy()
    up = np.array([0.3, 0.3, 0.9]) / np.linalg.norm([0.3, 0.3, 0.9])
    sculpt(terrain, RaiseLower(), [Sample(EYE, up, 1.0)] * 3 + [Sample(EYE, -up * [1, -1, -1], 1.0)], radius=15.0)
    np.testing.assert_array_equal(terrain.field.offset, start)


def test_pressure_scales_and_inverting_lowers() -> None:
    heights = {}
    for name, pressure, inverted in (("full", 1.0, False), ("half", 0.5, False), ("down", 1.0, True)):
        terrain = TerrainMap(VectorField.flat(61, 61, 1.0))
        sculpt(terrain, RaiseLower(), [from_above(30, 30, pressure)], inverted, radius=10.0, strength=1.0)
        heights[name] = terrain.field.offset[30, 30, 2]
    assert heights["half"] == pytest.approx(0.5 * heights["full"])
    assert heights["down"] == pytest.approx(-heights["full"])


@pytest.mark.parametrize("brush", BRUSHES, ids=lambda brush: brush.id)
def test_nothing_changes_beyond_the_footprint_or_under_a_mask(brush: object) -> None:
    terrain = hills()
    terrain.field.offset[..., 0] = -0.0
    start = terrain.field.offset.copy()
    samples = [from_above(100.0, 90.0), from_above(110.0, 95.0)]
    mask = np.full(start.shape[:2], 65535, np.uint16)
    mask[:, :100] = 0
    easel = Easel(terrain)
    stroke = SculptStroke(terrain, brush, brush.Params.of(radius=12.0), easel, mask=mask)
    for sample in samples:
        stroke.add(sample, easel)
    stroke.finish(easel)
    same = (terrain.field.offset.view(np.uint32) == start.view(np.uint32)).all(axis=-1)
    assert not same.all()
    assert same[:, :100].all()
    position = hills().field.positions()
    along = np.linspace((100.0, 90.0), (110.0, 95.0), 50)
    near = np.min([np.linalg.norm(position[..., :2] - place, axis=-1) for place in along], axis=0)
    assert same[near > 12.5].all()


@pytest.mark.parametrize("brush", BRUSHES, ids=lambda brush: brush.id)
def test_a_stroke_writes_only_what_it_announced(brush: object, arch: TerrainMap) -> None:
    start = arch.field.offset.copy()
    rect = sculpt(arch, brush, [from_above(140, -26), from_above(160, -25), from_above(165, -20)], radius=7.0)
    changed = np.argwhere((arch.field.offset != start).any(axis=-1))
    assert len(changed)
    assert (changed >= [rect.row0, rect.col0]).all()
    assert (changed < [rect.row1, rect.col1]).all()


def test_brush_that_makes_nan_is_refused_and_changes_nothing() -> None:
    class Broken(RaiseLower):
        id = "broken"

        def dab(self, window: Window, dab: Dab, state: object) -> None:
            window.offset[...] = np.nan

    terrain = hills()
    start = terrain.field.offset.copy()
    with pytest.raises(SkerryError, match="broken"):
        sculpt(terrain, Broken(), [from_eye(100.0, 90.0)], radius=12.0)
    np.testing.assert_array_equal(terrain.field.offset, start)


def test_stroke_meets_the_surface_the_eye_sees_not_the_one_below(arch: TerrainMap) -> None:
    """From above, the tongue of the arch is met; the ground under it stays as it is."""
    positions = arch.field.positions()
    top = np.argmax(np.where(np.abs(positions[..., 0] - 163.0) < 3.0, positions[..., 2], -99.0))
    x, y, z = positions.reshape(-1, 3)[top]
    start = arch.field.offset.copy()
    sculpt(arch, RaiseLower(), [from_above(x, y)], radius=3.0)
    moved = positions[(arch.field.offset != start).any(axis=-1)]
    assert len(moved)
    assert (moved[:, 2] > z - 3.0).all()


def expected_move(brush: object) -> Callable[[np.ndarray], np.ndarray]:
    return {
        "raise": lambda normal: np.array([0.0, 0.0, 1.0]),
        "along-normal": lambda normal: normal,
        "along-view": lambda normal: -from_eye(100.0, 90.0).direction,
    }[brush.id]


@pytest.mark.parametrize("brush", BRUSHES[:3], ids=lambda brush: brush.id)
def test_direction_of_each_brush_on_a_plane(brush: object) -> None:
    """On a tilted plane: straight up, along the plane's normal, against the view."""
    row, col = np.mgrid[0:201, 0:201]
    terrain = TerrainMap(VectorField.from_heights((0.5 * col + 0.2 * row).astype(np.float32), 1.0))
    start = terrain.field.offset.copy()
    normal = np.array([-0.5, -0.2, 1.0]) / np.linalg.norm([-0.5, -0.2, 1.0])
    sample = Sample(EYE, (np.array([100.0, 90.0, 68.0]) - EYE) / np.linalg.norm(np.array([100.0, 90.0, 68.0]) - EYE), 1)
    sculpt(terrain, brush, [sample], radius=15.0)
    change = (terrain.field.offset - start).reshape(-1, 3).astype(np.float64)
    move = change[np.argmax(np.linalg.norm(change, axis=1))]
    toward = -sample.direction if brush.id == "along-view" else expected_move(brush)(normal)
    np.testing.assert_allclose(move / np.linalg.norm(move), toward, atol=1e-4)


def test_smooth_lowers_roughness_dab_by_dab_and_leaves_a_plane_alone() -> None:
    rng = np.random.default_rng(5)
    row, col = np.mgrid[0:101, 0:101]
    plane = (0.3 * col - 0.1 * row).astype(np.float32)
    rough = TerrainMap(VectorField.from_heights(plane + rng.normal(0, 0.5, plane.shape).astype(np.float32), 1.0))
    last = np.inf
    for _ in range(6):
        sculpt(rough, Smooth(), [from_above(50, 50)], radius=25.0)
        curvature = np.abs(np.diff(rough.field.offset[40:61, 40:61, 2], 2, axis=0)).mean()
        assert curvature < last
        last = curvature
    flat = TerrainMap(VectorField.from_heights(plane, 1.0))
    sculpt(flat, Smooth(), [from_above(50, 50)] * 2, radius=25.0)
    np.testing.assert_allclose(flat.field.offset[..., 2], plane, atol=1e-5)


def test_smooth_keeps_the_outline_of_the_map() -> None:
    rng = np.random.default_rng(5)
    terrain = TerrainMap(VectorField.flat(41, 41, 1.0))
    terrain.field.offset[1:-1, 1:-1, :2] = rng.normal(0.0, 0.2, (39, 39, 2))
    sculpt(terrain, Smooth(), [from_above(0, 0), from_above(40, 40)], radius=30.0, strength=1.0)
    for edge, axis in ((np.s_[0, :], 1), (np.s_[-1, :], 1), (np.s_[:, 0], 0), (np.s_[:, -1], 0)):
        assert (terrain.field.offset[edge][:, axis] == 0.0).all()


def test_points_that_lie_absurdly_far_apart_are_refused() -> None:
    with pytest.raises(SkerryError, match="100,000 dabs"):
        sculpt(hills(), RaiseLower(), [from_above(10, 10), from_above(1e12, 1e12)], radius=5.0)
