"""Edits of masks and how they combine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from terrain.errors import SkerryError
from terrain.masks.combine import Combine, combine, from_mask, to_mask
from terrain.masks.edit import blur, fill, grow, invert, levels
from terrain.masks.smooth import gaussian

stored = arrays(np.uint16, (3, 4), elements=st.integers(0, 65535))


def disc(radius: float, size: int = 61) -> np.ndarray:
    row, col = np.mgrid[0:size, 0:size] - size // 2
    return (np.hypot(row, col) <= radius).astype(np.float32)


def test_every_stored_value_comes_back() -> None:
    every = np.arange(65536, dtype=np.uint16).reshape(256, 256)
    np.testing.assert_array_equal(to_mask(from_mask(every)), every)
    np.testing.assert_array_equal(to_mask(invert(from_mask(every))), 65535 - every)
    assert from_mask(every).dtype == np.float32
    assert from_mask(every).max() == 1.0
    np.testing.assert_array_equal(to_mask(np.array([[-1.0, 2.0, 0.5]])), [[0, 65535, 32768]])


@given(a=stored, b=stored)
def test_masks_combine_as_selections_do(a: np.ndarray, b: np.ndarray) -> None:
    one, two = from_mask(a), from_mask(b)
    how: tuple[Combine, ...] = ("replace", "add", "subtract", "intersect")
    found = [to_mask(combine(one, two, name)) for name in how]
    np.testing.assert_array_equal(found[0], b)
    np.testing.assert_array_equal(found[1], np.maximum(a, b))
    np.testing.assert_array_equal(found[2], np.minimum(a, 65535 - b))
    np.testing.assert_array_equal(found[3], np.minimum(a, b))
    np.testing.assert_array_equal(one, from_mask(a))


def test_combining_with_all_and_nothing() -> None:
    mask = from_mask(np.array([[0, 1, 30000, 65535]], np.uint16))
    all_, nothing = fill(mask, 1.0), fill(mask, 0.0)
    np.testing.assert_array_equal(combine(mask, nothing, "add"), mask)
    np.testing.assert_array_equal(combine(mask, nothing, "subtract"), mask)
    np.testing.assert_array_equal(combine(mask, all_, "intersect"), mask)
    np.testing.assert_array_equal(combine(mask, all_, "subtract"), nothing)
    np.testing.assert_array_equal(combine(mask, mask, "add"), mask)
    with pytest.raises(SkerryError, match="cannot be combined"):
        combine(mask, np.zeros((2, 2), np.float32), "add")
    with pytest.raises(SkerryError, match="0 to 1"):
        fill(mask, 1.5)


def test_levels_stretch_and_clip() -> None:
    mask = np.array([[0.0, 0.25, 0.5, 0.75, 1.0]], np.float32)
    np.testing.assert_array_equal(levels(mask), mask)
    np.testing.assert_allclose(levels(mask, 0.25, 0.75), [[0.0, 0.0, 0.5, 1.0, 1.0]])
    np.testing.assert_allclose(levels(mask, out_black=1.0, out_white=0.0), 1.0 - mask)
    np.testing.assert_allclose(levels(mask, out_black=0.2, out_white=0.6), 0.2 + 0.4 * mask, atol=1e-7)
    with pytest.raises(SkerryError, match="below white"):
        levels(mask, 0.5, 0.5)


def test_gamma_bends_the_middle_and_its_inverse_takes_it_back() -> None:
    mask = np.linspace(0.0, 1.0, 33, dtype=np.float32)[None]
    np.testing.assert_allclose(levels(mask, gamma=2.0), np.sqrt(mask), atol=1e-6)
    np.testing.assert_allclose(levels(levels(mask, gamma=2.2), gamma=1 / 2.2), mask, atol=1e-6)


def test_blur_keeps_the_mean_even_at_the_border_and_spreads_by_its_radius() -> None:
    mask = np.zeros((61, 61), np.float32)
    mask[30, 30] = 1.0
    soft = blur(mask, 6.0, 2.0).astype(np.float64)
    row, col = np.mgrid[0:61, 0:61] - 30
    assert soft.sum() == pytest.approx(1.0, abs=1e-5)
    assert (soft * col**2).sum() == pytest.approx(3.0**2, rel=0.01)
    assert (soft * row**2).sum() == pytest.approx(3.0**2, rel=0.01)
    edge = np.zeros((20, 30), np.float32)
    edge[:7, :11] = 1.0
    assert blur(edge, 8.0, 2.0).mean(dtype=np.float64) == pytest.approx(edge.mean(dtype=np.float64), abs=1e-6)
    np.testing.assert_array_equal(blur(edge, 0.0, 2.0), edge)
    np.testing.assert_allclose(blur(fill(edge, 1.0), 8.0, 2.0), 1.0, atol=1e-6)


@pytest.mark.parametrize("sigma", [8.0, 11.3, 30.0])
def test_a_wide_blur_is_a_gaussian_too(sigma: float) -> None:
    spike = np.zeros((3, 401), np.float32)
    spike[:, 200] = 1.0
    found = gaussian(spike, sigma)[1].astype(np.float64)
    away = np.arange(401) - 200.0
    exact = np.exp(-0.5 * (away / sigma) ** 2)
    assert found.sum() == pytest.approx(1.0, abs=1e-4)
    assert np.sqrt((found * away**2).sum()) == pytest.approx(sigma, rel=0.03)
    # Four means have an excess kurtosis of -0.3, which costs the peak an eighth of that.
    assert np.abs(found - exact / exact.sum()).max() < 0.06 * found.max()


def test_a_wide_blur_keeps_the_mean_at_the_border() -> None:
    edge = np.zeros((40, 60), np.float32)
    edge[:7, :11] = 1.0
    assert blur(edge, 12.0, 1.0).mean(dtype=np.float64) == pytest.approx(edge.mean(dtype=np.float64), abs=1e-6)


@pytest.mark.parametrize("by", [1.0, 3.0, 4.5, 10.0])
def test_a_disc_grows_and_shrinks_by_the_distance(by: float) -> None:
    row, col = np.mgrid[0:61, 0:61] - 30
    far = np.hypot(row, col)
    for sign in (1.0, -1.0):
        rim = 14.0 + sign * by
        moved = grow(disc(14.0), sign * by * 2.0, 2.0)
        assert (moved[far <= rim - 1.0] == 1.0).all()
        assert not moved[far >= rim + 1.0].any()


def test_a_single_vertex_grows_to_the_disc_itself() -> None:
    np.testing.assert_array_equal(grow(disc(0.0), 9.0, 1.0), disc(9.0))
    np.testing.assert_array_equal(grow(disc(0.0), 200.0, 1.0), np.ones((61, 61), np.float32))


def test_growing_moves_a_soft_rim_as_it_is() -> None:
    ramp = np.tile(np.clip((40.0 - np.arange(61)) / 20.0, 0.0, 1.0), (41, 1)).astype(np.float32)
    np.testing.assert_allclose(grow(ramp, 5.0, 1.0)[20, 5:], ramp[20, :-5], atol=1e-6)
    np.testing.assert_allclose(grow(ramp, -5.0, 1.0)[20, :-5], ramp[20, 5:], atol=1e-6)
    np.testing.assert_allclose(grow(ramp, 2.5, 1.0)[20, 30:], 0.5 * (ramp[20, 27:-3] + ramp[20, 28:-2]), atol=1e-6)


def test_growing_never_darkens_and_shrinking_is_growing_of_the_rest() -> None:
    mask = np.random.default_rng(1).random((25, 31), np.float32)
    grown = grow(mask, 3.0, 1.0)
    assert (grown >= mask).all()
    np.testing.assert_allclose(grow(mask, -3.0, 1.0), 1.0 - grow(1.0 - mask, 3.0, 1.0), atol=1e-6)
    np.testing.assert_array_equal(grow(mask, 0.0, 1.0), mask)
    np.testing.assert_array_equal(grow(mask[:, ::-1], 3.0, 1.0), grown[:, ::-1])
