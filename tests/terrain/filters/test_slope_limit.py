"""Slope limiter: the limit holds for every pair of neighbours, no more is moved than that asks."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.slope_limit import How, limit_slope, volume
from tests.fixtures import arch_map
from tests.terrain.filters.laws import land

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def steepest_excess(field: VectorField, offset: NDArray[np.float32], slope: float) -> float:
    """Metres by which the worst pair exceeds a slope."""
    place = VectorField(offset, field.cell, field.origin).positions()
    rows, cols = offset.shape[:2]
    worst = -np.inf
    for down, right in STEPS:
        a = place[: rows - down, max(-right, 0) : cols - max(right, 0)]
        b = place[down:, max(right, 0) : cols + min(right, 0)]
        gap = np.abs(a - b)
        worst = max(worst, float((gap[..., 2] - slope * np.hypot(gap[..., 0], gap[..., 1])).max()))
    return worst


def rough(rows: int = 60, cols: int = 83) -> VectorField:
    heights = np.random.default_rng(8).normal(0.0, 4.0, (rows, cols))
    heights[20:30, 30:50] += 30.0
    return VectorField.from_heights(heights, 1.5)


@pytest.mark.parametrize("how", ["lower", "raise", "balance"])
@pytest.mark.parametrize("angle", [0.0, 10.0, 35.0, 75.0])
@pytest.mark.parametrize("which", [rough, lambda: land(1.0), lambda: arch_map().field])
def test_no_pair_is_steeper(which: object, angle: float, how: How) -> None:
    field = which()  # type: ignore[operator]
    out = limit_slope(field, angle, how)
    slope = np.tan(np.radians(angle))
    assert steepest_excess(field, out, slope) < 1e-3 * max(slope, 1.0)
    np.testing.assert_array_equal(out[..., :2], field.offset[..., :2])
    if how == "lower":
        assert (out[..., 2] <= field.offset[..., 2]).all()
    if how == "raise":
        assert (out[..., 2] >= field.offset[..., 2]).all()


@pytest.mark.parametrize("which", [rough, lambda: land(1.0)])
def test_balance_keeps_the_volume(which: object) -> None:
    field = which()  # type: ignore[operator]
    before = volume(field, field.offset[..., 2].astype(np.float64))
    out = limit_slope(field, 12.0, "balance")
    assert (out[..., 2] != field.offset[..., 2]).any()
    assert volume(field, out[..., 2].astype(np.float64)) == pytest.approx(before, abs=1e-5 * field.offset.size)


def test_volume_is_that_of_a_wedge() -> None:
    field = VectorField.flat(5, 9, 2.0)
    field.offset[:, 4, 0] = 0.7
    x = field.positions()[..., 0]
    assert volume(field, 0.5 * x) == pytest.approx(8.0 * 0.5 * 16.0 * 8.0)


def test_land_within_the_limit_stays_bit_for_bit() -> None:
    field = land(1.0)
    for how in ("lower", "raise", "balance"):
        np.testing.assert_array_equal(limit_slope(field, 80.0, how), field.offset)  # type: ignore[arg-type]


def test_a_needle_becomes_a_round_cone_and_a_pit_is_filled_likewise() -> None:
    field = VectorField.flat(81, 81, 0.5)
    field.offset[40, 40, 2] = -10.0
    row, col = np.mgrid[0:81, 0:81]
    away = 0.5 * np.hypot(row - 40, col - 40)
    cone = np.minimum(0.7 * away - 10.0, 0.0)
    out = limit_slope(field, float(np.degrees(np.arctan(0.7))), "lower")[..., 2]
    assert (out >= cone - 1e-3).all()
    # The first rings about a point are first order; farther out the rest of that fades.
    assert (out <= cone + 0.04 * 0.7 * away + 1e-3).all()
    assert (out <= cone + 0.02 * 0.7 * away + 1e-3)[away > 6.0].all()
    flipped = VectorField(-field.offset, 0.5)
    np.testing.assert_array_equal(limit_slope(flipped, 35.0, "raise"), -limit_slope(field, 35.0, "lower"))


def ways_from_neighbours(field: VectorField, offset: NDArray[np.float32], slope: float) -> NDArray[np.float64]:
    """What neighbours and 100 places on the line between any two in turn allow every inner vertex, metres."""
    place = VectorField(offset, field.cell, field.origin).positions()
    rows, cols = offset.shape[:2]
    ring = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)]
    parts = [place[1 + down : rows - 1 + down, 1 + right : cols - 1 + right] for down, right in ring]
    least = np.full((rows - 2, cols - 2), np.inf)
    for a, b in itertools.pairwise(parts):
        for t in np.linspace(0.0, 1.0, 101):
            way = (1.0 - t) * a + t * b
            gap = way - place[1:-1, 1:-1]
            np.minimum(least, way[..., 2] + slope * np.hypot(gap[..., 0], gap[..., 1]), out=least)
    return least


@pytest.mark.parametrize("slope", [0.2, 0.6])
@pytest.mark.parametrize("which", [lambda: rough(25, 30), lambda: land(2.0)])
def test_no_more_is_cut_than_the_neighbours_ask(which: object, slope: float) -> None:
    field = which()  # type: ignore[operator]
    out = limit_slope(field, float(np.degrees(np.arctan(slope))), "lower")
    before, after = field.offset[1:-1, 1:-1, 2], out[1:-1, 1:-1, 2]
    allowed = ways_from_neighbours(field, out, slope)
    assert (after < before - 1e-4).sum() > 300
    np.testing.assert_allclose(after, np.minimum(before, allowed), atol=1e-3)


def test_a_long_slope_crosses_many_blocks() -> None:
    field = VectorField.flat(5, 400, 1.0, 500.0)
    field.offset[2, 399, 2] = 0.0
    out = limit_slope(field, 45.0, "lower")[..., 2]
    np.testing.assert_allclose(out[2], np.minimum(np.arange(399, -1, -1), 500.0), atol=1e-3)


def test_bad_angles_are_one_line() -> None:
    for angle in (-1.0, 90.0, float("nan")):
        with pytest.raises(SkerryError, match="steepest slope must be 0 to less than 90 degrees"):
            limit_slope(land(2.0), angle)
