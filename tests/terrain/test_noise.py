"""Noise: a smooth function with the derivatives it claims, and no trace of the lattice."""

import itertools

import numpy as np
import pytest

from terrain.noise import eroded_ridges2, fbm2, hash2, noise2

PLACES = np.random.default_rng(2).uniform(-60.0, 60.0, (400, 2))


def test_hash_spreads_evenly_and_every_input_counts() -> None:
    values = np.array([hash2(col, row, seed) for col in range(-20, 20) for row in range(-20, 20) for seed in range(4)])
    assert len(np.unique(values)) == len(values)
    share = np.unpackbits(values.astype(">u4").view(np.uint8)).reshape(-1, 32).mean(axis=0)
    np.testing.assert_allclose(share, 0.5, atol=0.03)


def test_noise_is_zero_on_the_lattice_and_bounded_between() -> None:
    assert noise2(3.0, -5.0, 1)[0] == 0.0
    values = np.array([noise2(x, y, 1)[0] for x, y in PLACES])
    assert np.abs(values).max() < 1.0
    assert values.std() > 0.1


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_derivatives_match_differences(seed: int) -> None:
    h = 1e-5
    for x, y in PLACES[:60]:
        _, slope_x, slope_y = noise2(x, y, seed)
        assert slope_x == pytest.approx((noise2(x + h, y, seed)[0] - noise2(x - h, y, seed)[0]) / (2 * h), abs=1e-6)
        assert slope_y == pytest.approx((noise2(x, y + h, seed)[0] - noise2(x, y - h, seed)[0]) / (2 * h), abs=1e-6)


def test_noise_is_continuous_across_cells_and_zero() -> None:
    for x in (-1.0, 0.0, 7.0):
        assert noise2(x - 1e-9, 0.37, 4)[0] == pytest.approx(noise2(x + 1e-9, 0.37, 4)[0], abs=1e-7)


def test_seeds_are_independent() -> None:
    a, b = (np.array([noise2(x, y, seed)[0] for x, y in PLACES]) for seed in (1, 2))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.15


def test_more_octaves_add_less_each_time() -> None:
    sums = [np.array([fbm2(x / 7, y / 7, octaves, 3) for x, y in PLACES]) for octaves in range(1, 7)]
    steps = [np.abs(b - a).mean() for a, b in itertools.pairwise(sums)]
    assert all(later < 0.7 * earlier for earlier, later in itertools.pairwise(steps))


def test_ridges_are_never_negative() -> None:
    values = np.array([eroded_ridges2(x / 9, y / 9, 8, 5) for x, y in PLACES])
    assert values.min() >= 0.0
    assert 0.2 < values.mean() < 0.8
