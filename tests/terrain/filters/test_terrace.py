"""Terrace: whole steps, tilted and bent as asked, by the brush's curve."""

import numpy as np
import pytest

from terrain.brushes.terrace import Terrace
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.beds import Beds
from terrain.filters.terrace import step_curve, terrace
from tests.terrain.filters.laws import land, plane


def test_sharp_terraces_stand_at_whole_steps() -> None:
    field = land(1.0)
    out = terrace(field, Beds(thickness=2.5, start=0.7), sharp=1.0)
    steps = (out[..., 2].astype(np.float64) - 0.7) / 2.5
    np.testing.assert_allclose(steps, np.rint(steps), atol=1e-5)
    assert np.abs(out[..., 2] - field.offset[..., 2]).max() <= 1.25 + 1e-5
    np.testing.assert_array_equal(out[..., :2], field.offset[..., :2])


def test_tilted_beds_dip_towards_their_bearing() -> None:
    field = land(1.0)
    out = terrace(field, Beds(thickness=4.0, dip=10.0, bearing=90.0), sharp=1.0)
    x = field.positions()[..., 0]
    steps = (out[..., 2] + np.tan(np.radians(10.0)) * x) / 4.0
    np.testing.assert_allclose(steps, np.rint(steps), atol=1e-4)


def test_bent_beds_stay_within_their_bend() -> None:
    field = plane(60, 60, 1.0, 0.5)
    flat, bent = (terrace(field, Beds(thickness=4.0, bend=bend, bend_size=20.0), sharp=1.0)[..., 2] for bend in (0, 1))
    shift = bent - flat
    assert shift.any()
    assert np.abs(bent - field.offset[..., 2]).max() <= 2.0 + 1e-4
    steps = bent / 4.0
    lifted = steps - np.rint(steps)
    assert 0.05 < np.abs(lifted).max() < 0.3


@pytest.mark.parametrize("sharp", [0.1, 0.5, 0.8, 1.0])
def test_the_curve_rises_and_is_fixed_on_steps_and_halfway(sharp: float) -> None:
    at = np.linspace(-3.0, 3.0, 601)
    curve = np.array([step_curve(steps, sharp) for steps in at])
    assert (np.diff(curve) >= -1e-12).all()
    for step in (-3.0, -1.0, 0.0, 2.0):
        assert step_curve(step, sharp) == step
        if sharp < 1.0:
            assert step_curve(step + 0.5, sharp) == pytest.approx(step + 0.5)


def test_the_curve_is_the_brushs() -> None:
    # The brush's own lines, with the numbers of its default Params.
    sharp = Terrace.Params.of().sharp
    for steps in np.linspace(-2.0, 2.0, 41):
        tread = np.floor(steps)
        rising, falling = (steps - tread) ** (1.0 + 15.0 * sharp), (1.0 + tread - steps) ** (1.0 + 15.0 * sharp)
        assert step_curve(steps, sharp) == pytest.approx(tread + rising / (rising + falling))


def test_strength_is_the_share_of_the_way() -> None:
    field = land(1.0)
    whole, half = terrace(field), terrace(field, strength=0.5)
    np.testing.assert_allclose(half[..., 2], 0.5 * (whole[..., 2] + field.offset[..., 2]), atol=1e-5)


def test_bad_numbers_are_one_line() -> None:
    with pytest.raises(SkerryError, match="beds need a thickness above zero, not 0 m"):
        Beds(thickness=0.0)
    with pytest.raises(SkerryError, match="dip of beds must be 0 to less than 90"):
        Beds(dip=90.0)
    with pytest.raises(SkerryError, match="bends of beds need a size"):
        Beds(bend_size=0.0)
    with pytest.raises(SkerryError, match="sharpness and a strength of 0 to 1"):
        terrace(VectorField.flat(3, 3, 1.0), sharp=1.2)
