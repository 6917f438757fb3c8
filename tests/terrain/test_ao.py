"""Sky light against what geometry says."""

import math

import numpy as np
import pytest

from terrain.ao import baked, directions, sky_light
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.pick import pick
from terrain.tiles import Rect


def light(terrain: TerrainMap, row: int, col: int, rays: int = 512, reach: float = 1e4) -> float:
    return float(sky_light(terrain, Rect(row, row + 1, col, col + 1), rays, reach)[0, 0])


def test_directions_are_even_with_the_cosines_density() -> None:
    rays = directions(1000)
    np.testing.assert_allclose(np.linalg.norm(rays, axis=1), 1.0)
    assert rays[:, 2].mean() == pytest.approx(2.0 / 3.0, abs=2e-3)
    assert np.abs(rays[:, :2].mean(axis=0)).max() < 0.01


def test_a_plain_sees_the_whole_sky() -> None:
    assert (sky_light(TerrainMap(VectorField.flat(20, 20, 1.0)), Rect(0, 20, 0, 20), 64, 100.0) == 1.0).all()


def test_a_slope_sees_what_its_tilt_leaves_it() -> None:
    for slope in (0.5, 1.0, 2.0):
        row = np.arange(40.0)[:, None] * np.ones(40)
        terrain = TerrainMap(VectorField.from_heights((slope * row).astype(np.float32), 1.0))
        # Half the sphere around the normal, less the part below the horizon: (1 + cos tilt) / 2.
        expected = 0.5 * (1.0 + math.cos(math.atan(slope)))
        assert light(terrain, 20, 20) == pytest.approx(expected, abs=0.01)


def test_the_foot_of_a_wall_sees_half() -> None:
    heights = np.zeros((120, 200), np.float32)
    heights[60:] = 5000.0
    terrain = TerrainMap(VectorField.from_heights(heights, 1.0))
    # A cell and more away from so high a wall: half the sky, whatever the distance.
    assert light(terrain, 56, 100) == pytest.approx(0.5, abs=0.02)


def test_the_bottom_of_a_valley_sees_the_cosine_of_its_walls() -> None:
    for slope in (0.5, 1.0, 2.0):
        col = np.abs(np.arange(-150, 151.0))
        heights = np.tile(slope * np.maximum(col - 1.0, 0.0), (301, 1)).astype(np.float32)
        terrain = TerrainMap(VectorField.from_heights(heights, 1.0))
        # Level ground between endless walls at elevation a on either side: half the sine from -(90° - a) to 90° - a.
        expected = math.cos(math.atan(slope))
        assert light(terrain, 150, 150) == pytest.approx(expected, abs=0.03)


def test_under_the_tongue_it_is_dark_and_its_underside_darker(arch: TerrainMap) -> None:
    whole = Rect.of(arch.field.offset)
    share = sky_light(arch, whole, 64, 60.0)
    normals = arch.field.normals()
    under = normals[..., 2] < -0.5
    assert share[under].max() < 0.3
    places, up = arch.field.positions(), np.array([0.0, 0.0, 1.0])
    covered = [
        share[row, col]
        for row, col in np.argwhere(normals[..., 2] > 0.7)
        if (hit := pick(arch, places[row, col] + 0.05 * up, up)) is not None and hit.distance > 1.0
    ]
    assert len(covered) > 20
    assert np.mean(covered) < share[2, 20:60].mean() - 0.05
    assert share.min() >= 0.0


def test_near_ground_alone_hides_the_sky_with_a_short_reach_and_holes_hide_nothing() -> None:
    heights = np.zeros((60, 60), np.float32)
    heights[40:] = 100.0
    terrain = TerrainMap(VectorField.from_heights(heights, 1.0))
    assert light(terrain, 20, 30, reach=5.0) == 1.0
    assert light(terrain, 20, 30) < 0.8
    terrain.extras["hole"] = np.ones((59, 59), np.bool_)
    assert light(terrain, 20, 30) == 1.0


def test_what_is_seen_agrees_with_rays_picked_one_by_one(arch: TerrainMap) -> None:
    """At vertices whose normal points straight up the turned directions need no frame."""
    share = sky_light(arch, Rect(30, 31, 70, 74), 256, 1e4)[0]
    normals, places = arch.field.normals(), arch.field.positions()
    rng = np.random.default_rng(2)
    for k, col in enumerate(range(70, 74)):
        normal = normals[30, col].astype(np.float64)
        away = rng.normal(size=(600, 3))
        away /= np.linalg.norm(away, axis=1)[:, None]
        towards = away + normal
        towards /= np.linalg.norm(towards, axis=1)[:, None]
        start = places[30, col] + 1e-3 * normal
        seen = [ray[2] > 0 and pick(arch, start + 1e-3 * ray, ray) is None for ray in towards]
        assert share[k] == pytest.approx(np.mean(seen), abs=0.06)


def test_bands_give_the_same_bytes_as_the_whole(arch: TerrainMap) -> None:
    whole = sky_light(arch, Rect(0, 65, 0, 81), 32, 40.0)
    parts = [sky_light(arch, Rect(row, min(row + 16, 65), 0, 81), 32, 40.0) for row in range(0, 65, 16)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))


def test_what_is_stored_keeps_a_share_of_the_darkness() -> None:
    share = np.float32([[0.0, 0.5, 1.0]])
    assert baked(share, 1.0).tolist() == [[0, 128, 255]]
    assert baked(share, 0.5).tolist() == [[128, 191, 255]]
    assert baked(share, 0.0).tolist() == [[255, 255, 255]]
