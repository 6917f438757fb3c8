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


def reference(field: VectorField, rows: int, cols: int, step: tuple[float, float]) -> np.ndarray:
    """Highest of all triangles over every point of a grid on the field's corner, one point at a time."""
    p = field.positions() - (*field.origin, 0.0)
    a, b, c, d = (p[s].reshape(-1, 3) for s in (np.s_[:-1, :-1], np.s_[:-1, 1:], np.s_[1:, 1:], np.s_[1:, :-1]))
    corners = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    edge1, edge2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = edge1[:, 0] * edge2[:, 1] - edge1[:, 1] * edge2[:, 0]
    corners, edge1, edge2, area = (part[np.abs(area) > 1e-9] for part in (corners, edge1, edge2, area))
    out = np.full((rows, cols), -np.inf)
    for row in range(rows):
        for col in range(cols):
            away = np.array([col * step[0], row * step[1]]) - corners[:, 0, :2]
            u = (away[:, 0] * edge2[:, 1] - away[:, 1] * edge2[:, 0]) / area
            v = (edge1[:, 0] * away[:, 1] - edge1[:, 1] * away[:, 0]) / area
            inside = (u >= -1e-7) & (v >= -1e-7) & (u + v <= 1 + 1e-7)
            z = corners[:, 0, 2] + u * edge1[:, 2] + v * edge2[:, 2]
            out[row, col] = z[inside].max(initial=-np.inf)
    return out


@pytest.mark.parametrize(("rows", "cols"), [(65, 81), (33, 41), (29, 57)])
def test_the_arch_agrees_with_every_triangle_looked_at(arch: TerrainMap, rows: int, cols: int) -> None:
    step = (80.0 / (cols - 1), 64.0 / (rows - 1))
    heights, sheets = top_surface(arch.field, rows, cols, step, arch.field.origin)
    np.testing.assert_allclose(heights, reference(arch.field, rows, cols, step), atol=1e-4)
    assert ((sheets > 0) == np.isfinite(heights)).all()


@given(rows=st.integers(2, 6), cols=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_small_crumpled_fields_agree_with_every_triangle_looked_at(rows: int, cols: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    field = VectorField(rng.normal(0.0, 1.5, (rows, cols, 3)).astype(np.float32), 1.0, (7.0, -3.0))
    heights, _ = top_surface(field, rows, cols, 1.0, field.origin)
    np.testing.assert_allclose(heights, reference(field, rows, cols, (1.0, 1.0)), atol=1e-3)


@pytest.mark.parametrize("cell", [0.1, 0.7, 1.0 / 3.0, 29.9])
def test_vertices_stay_exact_for_any_cell_and_origin(cell: float) -> None:
    """c * cell / cell is not always c, and a zero beside a summit must not become 1e-13."""
    field = VectorField.from_heights(np.zeros((40, 50), np.float32), cell, (500000.3, 6.1e6))
    field.offset[5::7, 3::5, 2] = 1234.567
    field.offset[20, 20, 0] = 0.3 * cell
    heights, sheets = own(field)
    far = np.ones(heights.shape, bool)
    far[18:23, 18:23] = False
    np.testing.assert_array_equal(heights[far], field.offset[..., 2][far])
    assert (sheets[far] == 1).all()


def test_holes_leave_an_undisplaced_field_exact() -> None:
    field = rough()
    holes = np.zeros((32, 40), bool)
    holes[0, 0] = holes[31, 39] = holes[4:6, 4:6] = True
    heights, sheets = top_surface(field, 33, 41, 1.0, field.origin, holes)
    assert np.argwhere(~np.isfinite(heights)).tolist() == [[0, 0], [5, 5], [32, 40]]
    assert (heights[sheets > 0] == field.offset[..., 2][sheets > 0]).all()


def test_upright_triangles_reach_as_high_as_their_edges() -> None:
    """A blade without thickness, made by pulling both neighbouring rows to its foot; half of it lies between points."""
    field = VectorField.flat(9, 9, 1.0)
    field.offset[4, 2:7, 2] = 5.0
    field.offset[3, :, 1], field.offset[5, :, 1] = 1.0, -1.0
    heights, _ = top_surface(field, 9, 17, (0.5, 1.0), field.origin)
    np.testing.assert_allclose(heights[4], [0, 0, 0, 2.5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 2.5, 0, 0, 0], atol=1e-6)


def test_a_nearly_upright_wall_never_leaves_its_own_range() -> None:
    field = VectorField.flat(17, 17, 1.0)
    field.offset[8:, :, 2] = 100.0
    field.offset[8, :, 1] = np.float32(-1.0) + np.linspace(-1e-7, 1e-7, 17, dtype=np.float32)
    heights, _ = own(field)
    assert heights.min() == 0.0
    assert heights.max() == 100.0


def test_overhangs_count_on_the_far_rims_too() -> None:
    """A fold that runs to all four edges has three sheets from rim to rim."""
    field = VectorField.flat(12, 12, 1.0)
    field.offset[:, 5, 0], field.offset[:, 6, 0] = 3.5, -2.5
    field.offset[:, 6, 2] = 2.0
    _, sheets = own(field)
    assert (sheets[:, 5:8] == 3).all()
    assert (sheets[:, :3] == 1).all()
    assert (sheets[:, 10:] == 1).all()


def test_vertices_flung_far_away_do_no_harm() -> None:
    field = rough(9, 9)
    field.offset[4, 4] = (1e30, -1e30, 3.0)
    heights, _ = own(field)
    assert (heights[:3, :3] == field.offset[:3, :3, 2]).all()


def test_progress_is_told_and_may_stop_the_work() -> None:
    field = rough(300, 5, sideways=0.1)
    told: list[float] = []
    top_surface(field, 300, 5, 1.0, field.origin, progress=told.append)
    assert told == sorted(told)
    assert len(told) > 2
    assert told[-1] == 1.0

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        top_surface(field, 300, 5, 1.0, field.origin, progress=stop)
