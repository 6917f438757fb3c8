"""The sample island: the same for everyone, wholly an island, with room to sculpt above and below the sea."""

import hashlib

import numpy as np
import pytest
from scipy import ndimage

from terrain.sample import DEPTH, sample_island


@pytest.fixture(scope="module")
def heights() -> np.ndarray:
    return sample_island().offset[..., 2]


def test_same_arguments_give_the_same_bytes(heights: np.ndarray) -> None:
    digest = [hashlib.sha256(sample_island(65, 65, 16.0, seed).offset.tobytes()).digest() for seed in (7, 7, 8)]
    assert digest[0] == digest[1] != digest[2]
    assert np.isfinite(heights).all()


def test_deep_water_lies_all_round(heights: np.ndarray) -> None:
    for border in (heights[0], heights[-1], heights[:, 0], heights[:, -1]):
        np.testing.assert_allclose(border, -DEPTH, atol=0.01)


def test_it_is_one_large_island_with_mountains_beaches_and_shallows(heights: np.ndarray) -> None:
    land = heights > 0.0
    assert 0.2 < land.mean() < 0.45
    labels, count = ndimage.label(land)
    assert np.bincount(labels.ravel())[1:].max() > 0.97 * land.sum()
    assert count < 12
    assert 120.0 < heights.max() < 260.0
    assert ((heights > 0.0) & (heights < 4.0)).sum() > 0.04 * land.sum()
    assert ((heights < -1.0) & (heights > -14.0)).mean() > 0.05


def test_ground_is_walkable_somewhere_and_steep_somewhere(heights: np.ndarray) -> None:
    slope = np.hypot(*np.gradient(heights, 2.0))[heights > 0.0]
    assert (slope < 0.3).mean() > 0.15
    assert (slope > 1.0).mean() > 0.05
    assert slope.max() < 20.0


@pytest.mark.parametrize("size", [(2, 2), (33, 80), (80, 33)])
def test_any_size_and_shape(size: tuple[int, int]) -> None:
    field = sample_island(*size, cell=4.0)
    assert (field.rows, field.cols, field.cell) == (*size, 4.0)
    assert np.isfinite(field.offset).all()
    assert (field.offset[..., :2] == 0.0).all()


def test_heights_scale_with_the_ground() -> None:
    """Twice the cell is the same island twice as large, so that its slopes stay."""
    small, large = sample_island(65, 65, 8.0).offset[..., 2], sample_island(65, 65, 16.0).offset[..., 2]
    np.testing.assert_allclose(large, 2.0 * small, rtol=1e-5, atol=1e-4)
