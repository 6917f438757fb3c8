"""Strata: beds move level along the slope's facing, and ledges hang over."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.beds import Beds
from terrain.filters.strata import hardness, strata
from tests.terrain.filters.laws import land, plane

BEDS = Beds(thickness=6.0)


def test_heights_stay_and_moves_keep_within_the_reach() -> None:
    field = land(1.0)
    out = strata(field, BEDS, 1.5, 10.0)
    np.testing.assert_array_equal(out[..., 2], field.offset[..., 2])
    moves = out[..., :2] - field.offset[..., :2]
    assert 0.3 < np.hypot(moves[..., 0], moves[..., 1]).max() <= 1.5


def test_on_a_plane_each_bed_moves_by_its_hardness_down_the_slope() -> None:
    field = plane(21, 81, 0.5, 2.0)  # it faces west
    out = strata(field, BEDS, 1.0, 30.0, 0.7)[10, 30:50]
    level = 2.0 / np.sqrt(5.0)
    goal = [-level * hardness(height / 6.0, 0.7, 1) for height in field.offset[10, 30:50, 2]]
    np.testing.assert_allclose(out[:, 0], goal, atol=2e-3)
    np.testing.assert_allclose(out[:, 1], 0.0, atol=1e-5)


def test_ledges_hang_over_on_a_cliff() -> None:
    field = plane(21, 161, 0.25, 3.0)
    assert not (field.normals()[..., 2] < 0.0).any()
    out = VectorField(strata(field, BEDS, 1.5, 30.0, 0.8), 0.25)
    under = out.normals()[5:-5, 20:-20, 2] < 0.0
    assert 0.02 < under.mean() < 0.5
    # Nothing runs through itself: seen along the slope's facing, the order of heights is that of before.
    assert (np.diff(out.offset[10, :, 2]) > 0.0).all()


def test_gentle_ground_stays() -> None:
    field = plane(21, 41, 1.0, np.tan(np.radians(15.0)))
    np.testing.assert_array_equal(strata(field, BEDS, 2.0, 30.0), field.offset)
    assert (strata(plane(21, 41, 1.0, np.tan(np.radians(45.0))), BEDS, 2.0, 30.0) != 0.0).any()


@pytest.mark.parametrize("sharp", [0.0, 0.6, 1.0])
def test_hard_and_soft_beds_take_turns(sharp: float) -> None:
    middles = np.array([hardness(bed + 0.5, sharp, 9) for bed in range(-6, 6)])
    assert (np.sign(middles) == np.tile([1, -1], 6)).all()
    assert (np.abs(middles) >= 0.5).all()
    assert np.abs(middles).max() <= 1.0
    assert len(np.unique(np.abs(middles))) == 12
    steps = np.linspace(-3.0, 3.0, 6001)
    jump = np.abs(np.diff([hardness(at, sharp, 9) for at in steps])).max()
    assert jump > 1.0 if sharp == 1.0 else jump < 0.02


def test_bad_numbers_are_one_line() -> None:
    for values in ({"reach": -1.0}, {"sharp": 2.0}, {"steep": 91.0}):
        with pytest.raises(SkerryError, match="strata need a reach of 0 m or more"):
            strata(land(2.0), **values)  # type: ignore[arg-type]
