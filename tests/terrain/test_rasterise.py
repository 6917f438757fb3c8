"""The top of the surface from above: exact on vertices, without pinholes, highest sheet wins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.pick import pick
from terrain.rasterise import fill_uncovered, top_surface


def rough(rows: int = 33, cols: int = 41, sideways: float = 0.0) -> VectorField:
    rng = np.random.default_rng(4)
    field = VectorField.from_heights(rng.normal(0.0, 4.0, (rows, cols)).astype(np.float32), 1.0, (5.0, 9.0))
    field.offset[..., :2] = rng.normal(0.0, sideways, (rows, cols, 2)) if sideways else 0.0
    return field


def own(field: VectorField) -> tuple[np.ndarray, np.ndarray]:
    return top_surface(field, field.rows, field.cols, field.cell, field.origin)


def test_undisplaced_field_gives_its_heights_bit_for_bit() -> None:
    field = rough()
    heights, sheets = own(field)
    assert heights.tobytes() == field.offset[..., 2].tobytes()
    assert (sheets == 1).all()


def test_one_displaced_vertex_leaves_the_others_exact() -> None:
    field = rough()
    field.offset[20, 20, 0] = 0.25
    heights, _ = own(field)
    far = np.ones(heights.shape, bool)
    far[18:23, 18:23] = False
    np.testing.assert_array_equal(heights[far], field.offset[..., 2][far])


def test_points_between_vertices_lie_on_the_triangles() -> None:
    """Half way on an edge the mean of its ends; half way on the diagonal the mean of south-west and north-east."""
    field = rough()
    heights, _ = top_surface(field, 65, 81, 0.5, field.origin)
    z = field.offset[..., 2].astype(np.float64)
    np.testing.assert_allclose(heights[::2, 1::2], 0.5 * (z[:, :-1] + z[:, 1:]), atol=1e-5)
    np.testing.assert_allclose(heights[1::2, 1::2], 0.5 * (z[:-1, :-1] + z[1:, 1:]), atol=1e-5)


@given(st.integers(0, 31), st.integers(0, 39))
def test_every_height_is_what_a_ray_from_above_meets(row: int, col: int) -> None:
    field = rough(sideways=0.8)
    heights, _ = own(field)
    hit = pick(TerrainMap(field), np.array([5.0 + col, 9.0 + row, 99.0]), np.array([0.0, 0.0, -1.0]))
    if hit is None:
        assert not np.isfinite(heights[row, col])
    else:
        assert heights[row, col] == pytest.approx(hit.point[2], abs=1e-3)


def test_no_pinholes_inside_a_crumpled_sheet() -> None:
    field = rough(129, 129, sideways=0.3)
    heights, _ = own(field)
    assert np.isfinite(heights[2:-2, 2:-2]).all()


def test_sheets_are_counted_once_each(arch: TerrainMap) -> None:
    _, sheets = own(arch.field)
    counted = np.bincount(sheets[2:-2, 2:-2].ravel(), minlength=4)
    assert counted[1] > 0.9 * sheets[2:-2, 2:-2].size
    assert counted[3] > 50
    # Sheets come and go in pairs: where the surface folds it does so twice.
    assert counted[2] < 0.2 * counted[3]


def test_holes_let_the_eye_through() -> None:
    field = rough()
    holes = np.zeros((32, 40), bool)
    holes[10:13, 20:23] = True
    heights, sheets = top_surface(field, 33, 41, 1.0, field.origin, holes)
    assert np.argwhere(~np.isfinite(heights)).tolist() == [[11, 21], [11, 22], [12, 21], [12, 22]]
    assert (sheets[11:13, 21:23] == 0).all()


def test_uncovered_points_take_the_nearest_height() -> None:
    heights = np.array([[1.0, -np.inf, -np.inf, 9.0]], np.float32)
    assert fill_uncovered(heights) == 2
    np.testing.assert_array_equal(heights, [[1.0, 1.0, 9.0, 9.0]])
    nothing = np.full((2, 2), -np.inf, np.float32)
    assert fill_uncovered(nothing) == 4
    assert not np.isfinite(nothing).any()
