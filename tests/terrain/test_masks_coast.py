"""Distance to the coast: straight and round coasts, displaced ones, and both sides."""

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.masks.coast import coast_distance, coast_mask

CELL = 2.0


def shore(angle: float, at: float, sea_level: float = 1.5) -> tuple[VectorField, NDArray[np.float64]]:
    """A slope of 30 % whose coast is a straight line, and the distance to it; land on the side of the angle."""
    row, col = np.mgrid[0:81, 0:65] * CELL
    away = (col - 64.0) * np.cos(angle) + (row - 80.0) * np.sin(angle) - at
    return VectorField.from_heights((0.3 * away + sea_level).astype(np.float32), CELL, (10.0, 7.0)), away


@pytest.mark.parametrize("angle", [0.0, 0.1, 0.5, np.pi / 4.0, 1.3, np.pi / 2.0, 2.2, 4.0])
def test_distance_to_a_straight_coast_within_a_tenth_of_a_cell(angle: float) -> None:
    field, away = shore(angle, 0.37)
    found = coast_distance(field, 1.5)
    # Beyond where a vertex's foot lies on the map, the coast's end is nearer than its line.
    row, col = np.mgrid[0:81, 0:65] * CELL
    foot = col - away * np.cos(angle), row - away * np.sin(angle)
    on = (foot[0] > 4.0) & (foot[0] < 124.0) & (foot[1] > 4.0) & (foot[1] < 156.0)
    assert on.sum() > 1500
    assert np.abs(found - away)[on].max() <= 0.1 * CELL


def test_distance_to_a_round_island() -> None:
    row, col = np.mgrid[0:81, 0:81] - 40.0
    away = 40.0 - CELL * np.hypot(row, col)
    field = VectorField.from_heights(away.astype(np.float32), CELL)
    assert np.abs(coast_distance(field, 0.0) - away).max() <= 0.1 * CELL


def test_distance_is_as_short_as_any_piece_allows_on_a_ragged_coast() -> None:
    """Against every crossing of the grid's edges by brute force: never farther than the nearest of those."""
    rng = np.random.default_rng(3)
    field = VectorField.from_heights(rng.normal(-1.5, 1.0, (41, 37)).astype(np.float32), 1.0)
    field.offset[..., :2] = rng.uniform(-0.3, 0.3, (41, 37, 2))
    place, z = field.positions()[..., :2], field.offset[..., 2].astype(np.float64)
    points = []
    for a, b in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:]), (np.s_[:-1, :-1], np.s_[1:, 1:])):
        cut = (z[a] > 0.0) != (z[b] > 0.0)
        t = (-z[a][cut] / (z[b][cut] - z[a][cut]))[:, None]
        points.append(place[a][cut] + t * (place[b][cut] - place[a][cut]))
    ends = np.concatenate(points)
    brute = np.hypot(*(place[:, :, None] - ends).transpose(3, 0, 1, 2)).min(axis=-1)
    found = np.abs(coast_distance(field, 0.0))
    assert (found - brute).max() < 0.05
    assert (brute - found).max() < 0.75


def test_displaced_cells_count_as_they_lie() -> None:
    """Columns squeezed to a quarter: the same coast, four times nearer."""
    field, _ = shore(0.0, 0.37)
    squeezed = VectorField(field.offset.copy(), field.cell, field.origin)
    squeezed.offset[..., 0] = -0.75 * CELL * np.arange(65)
    np.testing.assert_allclose(coast_distance(squeezed, 1.5), coast_distance(field, 1.5) / 4.0, atol=1e-3)


def test_sides_split_what_both_hold() -> None:
    field, away = shore(0.0, 0.37)
    land, sea = (coast_mask(field, 1.5, 0.0, 20.0, 6.0, side) for side in ("land", "sea"))
    both = coast_mask(field, 1.5, 0.0, 20.0, 6.0)
    np.testing.assert_array_equal(np.maximum(land, sea), both)
    assert not (land * sea).any()
    assert (land[away > 0.1] == both[away > 0.1]).all()
    signed = coast_mask(field, 1.5, -10.0, 30.0, 0.0, "signed")
    inner = (away > -9.9) & (away < 29.9)
    outer = (away < -10.1) | (away > 30.1)
    assert signed[inner].all()
    assert not signed[outer].any()


def test_a_map_without_coast_says_so(arch: TerrainMap) -> None:
    with pytest.raises(SkerryError, match="no coast: all of it lies above sea level -100 m"):
        coast_distance(arch.field, -100.0)
    with pytest.raises(SkerryError, match="at or below sea level 100 m"):
        coast_distance(arch.field, 100.0)
