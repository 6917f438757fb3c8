"""Warp: the land of the place that the push names, whole offsets, and a border that stays."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.filters.warp import push2, warp
from tests.terrain.filters.laws import land, plane

NUMBERS = (6.0, 40.0, 3, 0.5, 2.0, 7)


def test_a_plane_is_read_where_the_push_points() -> None:
    field = plane(81, 101, 1.0, 0.7, -0.4)
    out = warp(field, *NUMBERS)
    inner = slice(12, -12)
    pushes = np.array([[push2(col, row, *NUMBERS) for col in range(12, 89)] for row in range(12, 69)])
    goal = field.offset[inner, inner, 2] + 0.7 * pushes[..., 0] - 0.4 * pushes[..., 1]
    np.testing.assert_allclose(out[inner, inner, 2], goal, atol=1e-4)


def test_pushes_keep_within_the_distance_and_use_it() -> None:
    places = np.random.default_rng(1).uniform(-1e4, 1e4, (2000, 2))
    pushes = np.array([push2(x, y, *NUMBERS) for x, y in places])
    length = np.hypot(pushes[:, 0], pushes[:, 1])
    assert length.max() <= 6.0
    assert length.max() > 5.0
    np.testing.assert_allclose(np.sqrt((pushes**2).mean(axis=0)), 2.0, rtol=0.1)
    assert abs(np.corrcoef(pushes.T)[0, 1]) < 0.1


def test_the_border_stays_and_nothing_comes_from_outside() -> None:
    field = land(1.0)
    out = warp(field, 30.0, 40.0)
    for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        np.testing.assert_array_equal(out[edge], field.offset[edge])
    low, high = field.height_range()
    assert out[..., 2].min() > low - 0.5
    assert out[..., 2].max() < high + 0.5


def test_sideways_displacement_moves_as_one_piece_with_the_height() -> None:
    field = plane(81, 101, 1.0, 0.7)
    field.offset[..., 0] = 0.3 * field.offset[..., 2]
    out = warp(field, *NUMBERS)
    np.testing.assert_allclose(out[..., 0], 0.3 * out[..., 2], atol=1e-4)
    assert not np.array_equal(out, field.offset)


def test_bad_numbers_are_one_line() -> None:
    with pytest.raises(SkerryError, match="distance of a warp must be 0 or more, not -1 m"):
        warp(land(2.0), -1.0)
    with pytest.raises(SkerryError, match="warp needs a size"):
        warp(land(2.0), 5.0, 0.0)
