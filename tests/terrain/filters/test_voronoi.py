"""Voronoi: the nearest points for sure, level cells, and craters of the stated shape."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.voronoi import Shape, _point, crater_profile, nearest2, voronoi

PLACES = np.random.default_rng(5).uniform(-9.0, 9.0, (200, 2))


def heights(shape: Shape, **values: float) -> np.ndarray:
    """A pattern of 10 m in sizes of 20 m on 161 × 161 level vertices, 1 m apart."""
    return voronoi(VectorField.flat(161, 161, 1.0), shape, 10.0, 20.0, **values)[..., 2]  # type: ignore[arg-type]


def test_the_two_nearest_of_all_points() -> None:
    points = np.array([_point(col, row, 6) for row in range(-14, 15) for col in range(-14, 15)])
    for x, y in PLACES:
        away = np.hypot(points[:, 0] - x, points[:, 1] - y)
        order = np.argsort(away)
        first, second, number = nearest2(x, y, 6)
        assert (first, second) == pytest.approx(tuple(away[order[:2]]))
        assert number == points[order[0], 2]


def test_there_is_no_break_where_squares_meet() -> None:
    for along in np.linspace(-4.0, 4.0, 33):
        for line in (-2.0, 0.0, 3.0):
            below, above = nearest2(line - 1e-9, along, 3), nearest2(line + 1e-9, along, 3)
            assert below[:2] == pytest.approx(above[:2], abs=1e-7)


def test_cells_are_level_and_all_heights_occur() -> None:
    made = heights("cells")
    flat = (made[1:-1, 1:-1] == made[2:, 1:-1]) & (made[1:-1, 1:-1] == made[1:-1, 2:])
    assert flat.mean() > 0.8
    assert 0.0 <= made.min() < 1.5
    assert 8.5 < made.max() <= 10.0
    assert 40 < len(np.unique(made)) < 130  # about one a square of 20 m, 64 in all, and those that look in


@pytest.mark.parametrize("shape", ["domes", "cracks"])
@pytest.mark.parametrize("octaves", [1, 3])
def test_domes_and_cracks_fill_zero_to_the_amplitude(shape: Shape, octaves: int) -> None:
    made = heights(shape, octaves=octaves)
    assert 0.0 <= made.min() < 1.0
    assert 8.5 < made.max() <= 10.0
    assert np.abs(np.diff(made, axis=0)).max() < 6.0


def test_cracks_run_where_two_points_are_as_near() -> None:
    made = heights("cracks")
    row, col = np.unravel_index(np.argsort(made, axis=None)[:50], made.shape)
    for y, x in zip(row / 20.0, col / 20.0, strict=True):
        first, second, _ = nearest2(x, y, 128)
        assert second - first < 0.1


def test_a_crater_has_its_depth_its_rim_and_an_end() -> None:
    assert crater_profile(0.0) == -1.0
    assert crater_profile(1.0) == pytest.approx(0.25)
    assert crater_profile(1.0 - 1e-9) == pytest.approx(0.25)
    assert crater_profile(2.0) == 0.0
    inside = [crater_profile(t) for t in np.linspace(0.0, 1.0, 20)]
    outside = [crater_profile(t) for t in np.linspace(1.0, 2.0, 20)]
    assert (np.diff(inside) > 0.0).all()
    assert (np.diff(outside) < 0.0).all()
    # The cube of the distance, before it is faded out.
    assert crater_profile(1.1) == pytest.approx(0.25 / 1.1**3, rel=0.05)


def test_craters_of_every_size_and_none_without_density() -> None:
    made = heights("craters", density=0.3)
    assert -20.0 < made.min() < -6.0
    assert 0.3 < made.max() < 5.0
    assert (made == 0.0).mean() > 0.2
    assert not heights("craters", density=0.0).any()


def test_more_octaves_of_craters_leave_the_large_ones() -> None:
    few, many = heights("craters", density=0.3), heights("craters", density=0.3, octaves=3)
    assert np.abs(many - few).max() < 12.0
    assert np.corrcoef(few.ravel(), many.ravel())[0, 1] > 0.6


def test_bad_numbers_are_one_line() -> None:
    with pytest.raises(SkerryError, match="voronoi needs a size above zero"):
        heights("cells", octaves=0)
    with pytest.raises(SkerryError, match="density of craters must be 0 to 1"):
        heights("craters", density=1.5)
