"""Rectangle, lasso and flood."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.masks.flood import flood_mask
from terrain.masks.shapes import lasso_mask, rectangle_mask

FIELD = VectorField.flat(81, 101, 0.5, origin=(10.0, 20.0))
X, Y = FIELD.positions()[..., 0], FIELD.positions()[..., 1]


def test_rectangle_is_exact_away_from_its_rim_and_its_area_is_right() -> None:
    mask = rectangle_mask(FIELD, 20.13, 26.27, 47.41, 52.6, 0.0)
    inside = np.minimum(np.minimum(X - 20.13, 47.41 - X), np.minimum(Y - 26.27, 52.6 - Y))
    assert (mask[inside >= 0.25] == 1.0).all()
    assert not mask[inside <= -0.25].any()
    assert mask.sum() * 0.25 == pytest.approx((47.41 - 20.13) * (52.6 - 26.27), rel=0.01)
    np.testing.assert_array_equal(rectangle_mask(FIELD, 47.41, 52.6, 20.13, 26.27, 0.0), mask)
    with pytest.raises(SkerryError, match="no area"):
        rectangle_mask(FIELD, 20.0, 20.0, 20.0, 30.0, 0.0)


def test_feather_is_half_on_the_rim_and_reaches_as_far_either_way() -> None:
    mask = rectangle_mask(FIELD, 20.0, 0.0, 200.0, 200.0, 4.0)[40]
    assert mask[20] == 0.5
    assert mask[12] == 0.0
    assert mask[28] == 1.0
    np.testing.assert_allclose(mask[12:29] + mask[12:29][::-1], 1.0, atol=1e-6)


def test_lasso_of_a_circle_has_its_area_and_its_rim() -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 400, endpoint=False)
    points = np.stack([35.3 + 14.0 * np.cos(angle), 40.1 + 14.0 * np.sin(angle)], axis=1)
    mask = lasso_mask(FIELD, points)
    far = np.hypot(X - 35.3, Y - 40.1)
    assert (mask[far < 13.7] == 1.0).all()
    assert not mask[far > 14.3].any()
    assert mask.sum() * 0.25 == pytest.approx(np.pi * 14.0**2, rel=0.002)
    np.testing.assert_array_equal(lasso_mask(FIELD, points[::-1]), mask)


def test_lasso_of_half_planes_and_where_it_overlaps_itself_is_outside() -> None:
    """A pentagram drawn in one go: its points are inside, its heart is outside."""
    angle = np.radians(90.0 + 144.0 * np.arange(5))
    star = np.stack([35.0 + 18.0 * np.cos(angle), 40.0 + 18.0 * np.sin(angle)], axis=1)
    mask = lasso_mask(FIELD, star)
    sides = np.stack(
        [
            ((b[0] - a[0]) * (Y - a[1]) - (b[1] - a[1]) * (X - a[0])) / np.hypot(*(b - a))
            for a, b in zip(star, np.roll(star, -1, axis=0), strict=True)
        ]
    )
    clear = np.abs(sides).min(axis=0) > 0.3
    left = (sides > 0.0).sum(axis=0)
    assert (mask[clear & (left == 4)] == 1.0).all()
    assert not mask[clear & (left != 4)].any()


def test_lasso_sees_vertices_where_they_are_displaced(arch: TerrainMap) -> None:
    field = VectorField.flat(21, 21, 1.0)
    field.offset[5:9, 5:9, 0] = 100.0
    mask = rectangle_mask(field, 104.0, 4.0, 109.0, 9.0, 0.0)
    assert mask[5:9, 5:9].all()
    assert mask.sum() == 16.0
    # The tongue of the arch hangs over the ground south of row 16; from above both are selected.
    found = rectangle_mask(arch.field, 155.0, -45.0, 170.0, -36.0, 0.0)
    assert found[18:32, 55:70].any()
    assert found[6:13, 56:69].all()


def test_lasso_needs_three_points() -> None:
    with pytest.raises(SkerryError, match="three points"):
        lasso_mask(FIELD, np.zeros((2, 2)))


def test_flood_stays_on_the_plateau_it_starts_from() -> None:
    heights = np.zeros((21, 41), np.float32)
    heights[5:15, 5:15] = heights[5:15, 25:35] = 10.0
    field = VectorField.from_heights(heights, 1.0)
    mask = flood_mask(field, 8, 8, "height", 1.0)
    expected = np.zeros_like(mask)
    expected[5:15, 5:15] = 1.0
    np.testing.assert_array_equal(mask, expected)
    np.testing.assert_array_equal(flood_mask(field, 8, 8, "height", 1.0, contiguous=False), heights / 10.0)


def test_flood_does_not_jump_a_corner_and_fades_beyond_its_tolerance() -> None:
    heights = np.full((4, 4), 9.0, np.float32)
    heights[:2, :2] = heights[2:, 2:] = 0.0
    corners = flood_mask(VectorField.from_heights(heights, 1.0), 0, 0, "height", 1.0)
    assert corners.sum() == 4.0
    ramp = VectorField.from_heights(np.tile(np.arange(12.0), (3, 1)).astype(np.float32), 1.0)
    mask = flood_mask(ramp, 1, 2, "height", 2.0, 4.0)[1]
    np.testing.assert_array_equal(mask[:5], 1.0)
    assert mask[6] == 0.5
    assert not mask[8:].any()


def test_flood_by_slope_and_normal() -> None:
    """A roof: both sides are equally steep, only one faces west."""
    roof = VectorField.from_heights(np.tile(-np.abs(np.arange(21) - 10.0), (9, 1)).astype(np.float32), 1.0)
    assert flood_mask(roof, 4, 3, "slope", 1.0, contiguous=False)[:, 12:].all()
    west = flood_mask(roof, 4, 3, "normal", 1.0, contiguous=False)
    assert west[:, :10].all()
    assert not west[:, 10:].any()
    assert flood_mask(roof, 4, 3, "normal", 44.0, contiguous=False)[4, 10] == 0.0
    assert flood_mask(roof, 4, 3, "normal", 46.0, contiguous=False)[4, 10] == 1.0


def test_flood_from_outside_says_so() -> None:
    with pytest.raises(SkerryError, match="no vertex in row 81, column 0"):
        flood_mask(FIELD, 81, 0, "height", 1.0)
