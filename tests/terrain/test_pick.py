"""Rays against the displaced surface, held against a plain scan over every triangle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.pick import pick
from terrain.tiles import Rect, TileCopies


def rough_map(seed: int = 3) -> TerrainMap:
    rng = np.random.default_rng(seed)
    field = VectorField.from_heights(rng.normal(0.0, 2.0, (50, 37)).astype(np.float32), 2.0, (10.0, -20.0))
    field.offset[..., :2] = rng.normal(0.0, 0.4, (50, 37, 2))
    return TerrainMap(field)


def brute_force(terrain: TerrainMap, start: np.ndarray, unit: np.ndarray) -> float:
    """Nearest distance by solving start + t·unit = a + u·(b-a) + v·(c-a) for every triangle."""
    p = terrain.field.positions()
    sw, se, ne, nw = p[:-1, :-1], p[:-1, 1:], p[1:, 1:], p[1:, :-1]
    best = np.inf
    for a, b, c in ((sw, se, ne), (sw, ne, nw)):
        a, b, c = a.reshape(-1, 3), b.reshape(-1, 3), c.reshape(-1, 3)
        matrix = np.stack([np.broadcast_to(-unit, a.shape), b - a, c - a], axis=-1)
        t, u, v = np.linalg.solve(matrix, (start - a)[..., None])[..., 0].T
        hits = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
        best = min(best, t[hits].min(initial=np.inf))
    return best


@given(
    st.tuples(st.floats(0, 100), st.floats(-40, 90), st.floats(15, 60)),
    st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, -0.05)),
)
def test_hit_is_the_nearest_triangle(start: tuple[float, ...], direction: tuple[float, ...]) -> None:
    terrain = rough_map()
    origin, unit = np.array(start), np.array(direction) / np.linalg.norm(direction)
    expected = brute_force(terrain, origin, unit)
    hit = pick(terrain, origin, unit)
    if hit is None:
        assert expected == np.inf
        return
    assert hit.distance == pytest.approx(expected, abs=1e-6)
    np.testing.assert_allclose(hit.point, origin + hit.distance * unit, atol=1e-9)


def test_row_and_col_name_the_place_on_the_rest_grid() -> None:
    terrain = TerrainMap(VectorField.flat(20, 30, 2.0, 4.0, (100.0, 200.0)))
    hit = pick(terrain, np.array([100.0 + 2 * 11.25, 200.0 + 2 * 7.5, 50.0]), np.array([0.0, 0.0, -3.0]))
    assert hit is not None
    assert (hit.row, hit.col, hit.distance) == (pytest.approx(7.5), pytest.approx(11.25), pytest.approx(46.0))


def test_every_vertex_and_every_edge_is_hit_from_above() -> None:
    terrain = TerrainMap(VectorField.flat(33, 35, 1.0))
    down = np.array([0.0, 0.0, -1.0])
    for y in np.arange(0.0, 32.01, 0.5):
        for x in np.arange(0.0, 34.01, 0.5):
            assert pick(terrain, np.array([x, y, 1.0]), down) is not None


def test_from_below_the_underside_of_an_overhang_is_hit(arch: TerrainMap) -> None:
    """A ray upwards from under the overhang meets its underside before its top."""
    positions = arch.field.positions()
    up = np.array([0.0, 0.0, 1.0])
    low, high = arch.bounds.whole[:3], arch.bounds.whole[3:]
    hits = 0
    for row, col in np.argwhere(positions[..., 2] > 0.6 * high[2]):
        x, y = positions[row, col, :2] + 0.01
        first = pick(arch, np.array([x, y, low[2] - 1.0]), up)
        last = pick(arch, np.array([x, y, high[2] + 1.0]), -up)
        if first and last and last.point[2] - first.point[2] > 1.0:
            inside = np.array([x, y, 0.5 * (first.point[2] + last.point[2])])
            above, below = pick(arch, inside, up), pick(arch, inside, -up)
            assert above is not None
            assert below is not None
            hits += 1
    assert hits > 0, "the fixture has no overhang"


def test_holes_let_the_ray_through() -> None:
    terrain = TerrainMap(VectorField.flat(20, 20, 1.0))
    terrain.extras["hole"] = terrain.new_array("hole")
    terrain.extras["hole"][7, 9] = True
    down = np.array([0.0, 0.0, -1.0])
    assert pick(terrain, np.array([9.5, 7.5, 5.0]), down) is None
    assert pick(terrain, np.array([10.5, 7.5, 5.0]), down) is not None


def test_earlier_state_is_hit_where_copies_hold_it() -> None:
    terrain = TerrainMap(VectorField.flat(100, 100, 1.0))
    boxes, before = terrain.bounds.boxes.copy(), TileCopies(terrain.field.offset)
    rect = Rect(30, 50, 30, 50)
    before.touch(terrain.field.offset, rect)
    terrain.field.offset[rect.slices][..., 2] = 10.0
    terrain.moved(rect)
    start, down = np.array([40.0, 40.0, 50.0]), np.array([0.0, 0.0, -1.0])
    now, then = pick(terrain, start, down), pick(terrain, start, down, boxes=boxes, before=before)
    assert now is not None
    assert then is not None
    assert (now.point[2], then.point[2]) == (10.0, 0.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_rays_that_are_no_rays_hit_nothing(bad: float) -> None:
    terrain = TerrainMap(VectorField.flat(20, 20, 1.0))
    assert pick(terrain, np.array([bad, 5.0, 5.0]), np.array([0.0, 0.0, -1.0])) is None
    assert pick(terrain, np.array([5.0, 5.0, 5.0]), np.array([0.0, bad, -1.0])) is None
    assert pick(terrain, np.array([5.0, 5.0, 5.0]), np.zeros(3)) is None
