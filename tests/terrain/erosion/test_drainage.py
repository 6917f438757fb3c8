"""Ways of water: every vertex reaches an outlet, hollows are crossed along their floor, areas add up."""

import numpy as np
import pytest

from terrain.erosion.drainage import directions, gather_down, outlets_of, routes_of
from terrain.erosion.outcome import Grid
from tests.terrain.erosion.lands import hills


def heights(rows: int = 120, cols: int = 90) -> Grid:
    return np.ascontiguousarray(hills(rows, cols).offset[..., 2])


def test_every_vertex_comes_after_its_receiver_and_only_outlets_keep_their_water() -> None:
    height = heights()
    outlet = outlets_of(height, sea=-20.0)
    routes = routes_of(height, outlet)
    rank = np.empty(height.size, int)
    rank[routes.order] = np.arange(height.size)
    own = routes.receiver == np.arange(height.size)
    np.testing.assert_array_equal(own, outlet.reshape(-1))
    assert (rank[routes.receiver] <= rank).all()
    area = gather_down(routes, np.full(height.shape, 4.0))
    assert area[outlet].sum() == pytest.approx(4.0 * height.size, rel=1e-12)


def test_water_stands_as_high_as_the_lowest_way_out() -> None:
    """Against the plain definition: raise each level to the lowest neighbour's until nothing changes."""
    height = heights(40, 33)
    outlet = outlets_of(height)
    level = np.where(outlet, height, np.float32(np.inf))
    while True:
        around = np.full_like(level, np.inf)
        padded = np.pad(level, 1, constant_values=np.inf)
        for r in range(3):
            for c in range(3):
                np.minimum(around, padded[r : r + 40, c : c + 33], out=around)
        new = np.where(outlet, height, np.maximum(height, around))
        if (new == level).all():
            break
        level = new
    np.testing.assert_array_equal(routes_of(height, outlet).level, level)


def test_a_hollow_is_crossed_along_its_valley_floor() -> None:
    row, col = np.mgrid[0:60, 0:60].astype(np.float32)
    winding = 30.0 + 12.0 * np.sin(col / 9.0)
    height = 20.0 + np.abs(row - winding) - 0.02 * col
    # A dam across the far end drowns the whole valley.
    height[:, 55:] += 30.0
    routes = routes_of(height.astype(np.float32), outlets_of(height.astype(np.float32)))
    i = int(np.rint(winding[0, 52])) * 60 + 52
    away = []
    while routes.receiver[i] != i:
        if 8 < i % 60 < 50:
            away.append(abs(i // 60 - winding[0, i % 60]))
        i = int(routes.receiver[i])
    assert len(away) > 10
    assert np.mean(away) < 1.5


def test_water_runs_straight_down_a_plane_on_average() -> None:
    row, col = np.mgrid[0:200, 0:200].astype(np.float32)
    for aspect in (0.0, 10.0, 22.5, 33.0):
        east, north = np.cos(np.radians(aspect)), np.sin(np.radians(aspect))
        plane = (-(east * col + north * row)).astype(np.float32)
        way = directions(routes_of(plane, outlets_of(plane)), plane.shape)[1:-1, 1:-1]
        # Whole steps, diagonals longer, add up to the way.
        x, y = np.rint(np.cos(np.radians(way))).mean(), np.rint(np.sin(np.radians(way))).mean()
        assert np.degrees(np.arctan2(y, x)) == pytest.approx(aspect, abs=3.0)


def test_displaced_vertices_drain_by_their_real_distances() -> None:
    """A plane whose vertices were moved within it has the same drainage to one side."""
    row, col = np.mgrid[0:50, 0:50].astype(np.float32)
    sideways = np.stack([0.3 * np.sin(row), 0.3 * np.cos(1.7 * col)], axis=2).astype(np.float32)
    height = (-(col + sideways[..., 0])).astype(np.float32)
    way = directions(routes_of(height, outlets_of(height), sideways), height.shape)[1:-1, 1:-1]
    assert np.cos(np.radians(way)).mean() > 0.8


def test_flat_land_drains_too() -> None:
    height = np.zeros((30, 40), np.float32)
    outlet = outlets_of(height)
    assert gather_down(routes_of(height, outlet), np.ones(height.shape))[outlet].sum() == height.size
