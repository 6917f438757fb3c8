"""Curves, clamp and plateau: through their points, within their bounds, without corners."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.clamp import clamp
from terrain.filters.curves import curve_at, curves, monotone_cubic
from terrain.filters.plateau import plateau
from tests.terrain.filters.laws import land

POINTS = (-20.0, -8.0, 0.0, 0.0, 12.0, 3.0, 40.0, 30.0, 60.0, 30.0)


@given(
    st.lists(st.integers(-500, 500), min_size=2, max_size=7, unique=True).map(sorted),
    st.lists(st.integers(-300, 300), min_size=7, max_size=7),
)
def test_the_curve_meets_its_points_and_never_swings_between(heights: list[int], goals: list[int]) -> None:
    line = monotone_cubic([value for pair in zip(heights, goals, strict=False) for value in pair])
    for i in range(len(heights) - 1):
        assert curve_at(heights[i], *line) == goals[i]
        at = np.linspace(heights[i], heights[i + 1], 50)
        steps = np.diff([curve_at(height, *line) for height in at])
        assert (steps * np.sign(goals[i + 1] - goals[i]) >= -1e-9).all()
    assert curve_at(heights[-1], *line) == goals[len(heights) - 1]


def test_there_is_no_corner_at_the_points_or_ends() -> None:
    line = monotone_cubic(POINTS)
    for height in POINTS[::2]:
        before = (curve_at(height, *line) - curve_at(height - 1e-6, *line)) / 1e-6
        behind = (curve_at(height + 1e-6, *line) - curve_at(height, *line)) / 1e-6
        assert before == pytest.approx(behind, abs=1e-4)


def test_beyond_the_ends_land_is_lifted_as_a_whole() -> None:
    line = monotone_cubic((0, 10, 20, 40))
    assert curve_at(-30.0, *line) == -20.0
    assert curve_at(100.0, *line) == 120.0
    falling = monotone_cubic((0, 0, 20, -20))
    assert curve_at(50.0, *falling) == -50.0
    flat = monotone_cubic((0, 5, 20, 5))
    assert curve_at(80.0, *flat) == 5.0


def test_curves_change_heights_alone_and_by_their_strength() -> None:
    field = land(1.0)
    whole, half = curves(field, POINTS), curves(field, POINTS, 0.5)
    goal = [curve_at(height, *monotone_cubic(POINTS)) for height in field.offset[20, :, 2].astype(float)]
    np.testing.assert_allclose(whole[20, :, 2], goal, rtol=1e-6)
    np.testing.assert_allclose(half[..., 2], 0.5 * (whole[..., 2] + field.offset[..., 2]), atol=1e-5)
    np.testing.assert_array_equal(whole[..., :2], field.offset[..., :2])


def test_bad_points_are_one_line() -> None:
    for points in ((), (1.0, 2.0), (0.0, 1.0, 5.0), (0.0, 0.0, np.nan, 1.0)):
        with pytest.raises(SkerryError, match="curves need two points or more"):
            curves(land(2.0), points)
    with pytest.raises(SkerryError, match="must rise, but 3 m comes after 3 m"):
        curves(land(2.0), (0, 0, 3, 1, 3, 2))
    with pytest.raises(SkerryError, match="strength of curves"):
        curves(land(2.0), POINTS, 1.5)


def test_clamp_bounds_heights_and_leaves_the_rest() -> None:
    field = land(1.0)
    out = clamp(field, -3.0, 8.0)
    assert (out[..., 2].min(), out[..., 2].max()) == (-3.0, 8.0)
    between = (field.offset[..., 2] >= -3.0) & (field.offset[..., 2] <= 8.0)
    np.testing.assert_array_equal(out[between], field.offset[between])
    assert clamp(field, low=5.0)[..., 2].min() == 5.0
    assert clamp(field, high=5.0)[..., 2].max() == 5.0
    with pytest.raises(SkerryError, match=r"lower limit of a clamp, 4 m, lies above the upper one, 1 m; swap them"):
        clamp(field, 4.0, 1.0)


@pytest.mark.parametrize("shoulder", [0.0, 3.0])
def test_a_plateau_is_flat_above_and_untouched_below(shoulder: float) -> None:
    field = land(1.0)
    heights, out = field.offset[..., 2], plateau(field, 6.0, shoulder)[..., 2]
    assert out.max() == 6.0
    np.testing.assert_array_equal(out[heights >= 6.0 + shoulder], 6.0)
    below = heights <= 6.0 - shoulder
    np.testing.assert_array_equal(out[below], heights[below])


def test_the_shoulder_turns_evenly() -> None:
    line = np.linspace(0.0, 12.0, 241)
    field = VectorField.from_heights(np.broadcast_to(line, (2, 241)).copy(), 0.05)
    for keep in (0.0, 0.4):
        slope = np.diff(plateau(field, 6.0, 2.0, keep)[0, :, 2].astype(np.float64)) / 0.05
        np.testing.assert_allclose(slope[:75], 1.0, atol=1e-4)
        np.testing.assert_allclose(slope[165:], keep, atol=1e-4)
        np.testing.assert_allclose(np.diff(slope[85:155]), (keep - 1.0) * 0.05 / 4.0, atol=1e-4)


def test_bad_plateaus_are_one_line() -> None:
    for values in ({"shoulder": -1.0}, {"keep": 1.1}):
        with pytest.raises(SkerryError, match="a plateau needs a shoulder of 0 m or more"):
            plateau(land(2.0), **values)  # type: ignore[arg-type]
