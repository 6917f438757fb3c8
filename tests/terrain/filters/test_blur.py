"""Blur and sharpen: the Gaussian's own shares of a wave, by metres of ground."""

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.blur import blur
from terrain.filters.sharpen import sharpen
from tests.terrain.filters.laws import land


def wave(length: float, axis: int, cell: float = 1.0) -> VectorField:
    """A cosine of 1 m, whole waves to the border, across 192 m of columns or rows."""
    line = np.cos(2.0 * np.pi / length * cell * np.arange(round(192.0 / cell) + 1))
    return VectorField.from_heights(np.broadcast_to(line, (9, line.size)).copy() if axis else _stood(line), cell)


def _stood(line: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.broadcast_to(line[:, None], (line.size, 9)).copy()


def share_left(before: VectorField, after: NDArray[np.float32]) -> float:
    """The part of a wave that is left; fails unless the rest of it is gone evenly."""
    old, new = before.offset[..., 2].astype(np.float64), after[..., 2].astype(np.float64)
    share = (old * new).sum() / (old * old).sum()
    np.testing.assert_allclose(new, share * old, atol=1e-5)
    return float(share)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("radius", [1.0, 3.0, 6.0, 12.0, 30.0])
@pytest.mark.parametrize("length", [96.0, 48.0, 24.0, 16.0])
def test_a_wave_keeps_the_gaussians_share(length: float, radius: float, axis: int) -> None:
    field = wave(length, axis)
    k = 2.0 * np.pi / length
    assert share_left(field, blur(field, radius)) == pytest.approx(np.exp(-0.5 * (k * radius) ** 2), abs=0.01)


@pytest.mark.parametrize("cell", [0.5, 2.0])
def test_the_radius_is_in_metres(cell: float) -> None:
    field = wave(48.0, 1, cell)
    k = 2.0 * np.pi / 48.0
    assert share_left(field, blur(field, 8.0)) == pytest.approx(np.exp(-0.5 * (k * 8.0) ** 2), abs=0.01)


def test_ground_counts_where_the_vertices_lie() -> None:
    # Cells of 1 m, drawn out to 2 m by displacement.
    stretched = VectorField(wave(48.0, 1, 2.0).offset, 1.0)
    stretched.offset[..., 0] = np.arange(97)
    stretched.offset[..., 1] = np.arange(9)[:, None]
    before = stretched.offset.copy()
    np.testing.assert_allclose(
        blur(stretched, 8.0, "heights")[..., 2], blur(wave(48.0, 1, 2.0), 8.0)[..., 2], atol=1e-6
    )
    np.testing.assert_array_equal(blur(stretched, 8.0, "heights")[..., :2], before[..., :2])


def test_a_point_spreads_round() -> None:
    heights = np.zeros((101, 101))
    heights[50, 50] = 1.0
    out = blur(VectorField.from_heights(heights, 1.0), 8.0)[..., 2]
    ring = 8.0 * np.linspace(0.5, 2.0, 4)
    for r in ring:
        turns = np.radians(np.arange(0.0, 360.0, 15.0))
        row, col = np.rint(50 + r * np.sin(turns)).astype(int), np.rint(50 + r * np.cos(turns)).astype(int)
        away = np.hypot(row - 50, col - 50)
        gauss = np.exp(-0.5 * (away / 8.0) ** 2) / (2.0 * np.pi * 64.0)
        np.testing.assert_allclose(out[row, col], gauss, atol=0.03 / (2.0 * np.pi * 64.0))


def test_volume_stays_and_level_land_too() -> None:
    field = VectorField.from_heights(np.random.default_rng(3).normal(20.0, 5.0, (40, 60)), 1.0)
    after = blur(field, 4.0)[..., 2].astype(np.float64)
    for_each = np.ones((40, 60))
    for_each[[0, -1]] *= 0.5
    for_each[:, [0, -1]] *= 0.5
    assert (for_each * after).sum() == pytest.approx((for_each * field.offset[..., 2]).sum(), rel=1e-6)
    assert after.std() < 0.08 * 5.0
    level = VectorField.flat(20, 30, 2.0, 7.0)
    np.testing.assert_allclose(blur(level, 50.0), level.offset, atol=1e-5)


def test_sideways_displacement_is_smoothed_or_left() -> None:
    field = land(1.0)
    smooth, heights = blur(field, 4.0), blur(field, 4.0, "heights")
    np.testing.assert_array_equal(heights[..., :2], field.offset[..., :2])
    np.testing.assert_array_equal(heights[..., 2], smooth[..., 2])
    assert 0.8 < smooth[..., 0].std() / field.offset[..., 0].std() < 0.99


@pytest.mark.parametrize("radius", [2.0, 10.0])
@pytest.mark.parametrize("amount", [0.5, 3.0])
def test_sharpening_adds_what_the_blur_takes(radius: float, amount: float) -> None:
    field = wave(48.0, 1)
    k = 2.0 * np.pi / 48.0
    goal = 1.0 + amount * (1.0 - np.exp(-0.5 * (k * radius) ** 2))
    assert share_left(field, sharpen(field, radius, amount)) == pytest.approx(goal, abs=0.01 * amount)


def test_sharpening_can_take_the_sideways_displacement_along() -> None:
    field = land(1.0)
    np.testing.assert_array_equal(sharpen(field)[..., :2], field.offset[..., :2])
    np.testing.assert_allclose(sharpen(field, 4.0, 1.0, "all"), 2.0 * field.offset - blur(field, 4.0), atol=1e-4)


def test_bad_numbers_are_one_line() -> None:
    for radius in (-1.0, float("nan"), float("inf")):
        with pytest.raises(SkerryError, match="radius of a blur must be 0 or more"):
            blur(land(2.0), radius)
    with pytest.raises(SkerryError, match="radius of a sharpening"):
        sharpen(land(2.0), -1.0)
    with pytest.raises(SkerryError, match="amount of sharpening must be 0 or more, not -1; use a blur"):
        sharpen(land(2.0), 1.0, -1.0)
