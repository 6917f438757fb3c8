"""Falloff: the border lies on the seabed, the middle stays, and distances are metres."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.falloff import Outline, falloff, inside_outline
from tests.terrain.filters.laws import land

BORDERS = (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1])


@pytest.mark.parametrize("outline", ["round", "superellipse", "square"])
@pytest.mark.parametrize("coast", [0.0, 12.0])
def test_the_border_is_level_seabed_and_the_middle_stays(outline: Outline, coast: float) -> None:
    field = land(1.0)
    out = falloff(field, outline, 8.0, -25.0, coast, 20.0)
    for border in BORDERS:
        np.testing.assert_array_equal(out[border][..., 2], -25.0)
        np.testing.assert_array_equal(out[border][..., :2], 0.0)
    np.testing.assert_array_equal(out[30:35, 46:51], field.offset[30:35, 46:51])
    assert out[..., 2].min() >= -25.0
    assert out[..., 2].max() <= field.offset[..., 2].max()


def test_a_round_island_fades_by_metres_from_its_outline() -> None:
    out = falloff(VectorField.flat(101, 101, 2.0, 10.0), "round", 40.0, -30.0)[..., 2]
    row, col = np.mgrid[0:101, 0:101]
    share = np.clip((100.0 - 2.0 * np.hypot(row - 50, col - 50)) / 40.0, 0.0, 1.0)
    np.testing.assert_allclose(out, -30.0 + 40.0 * share * share * (3.0 - 2.0 * share), atol=1e-4)


def test_a_square_one_by_metres_from_the_border() -> None:
    out = falloff(VectorField.flat(61, 101, 1.0, 10.0), "square", 20.0, 0.0)[..., 2]
    row, col = np.mgrid[0:61, 0:101]
    share = np.clip(np.minimum(np.minimum(row, 60 - row), np.minimum(col, 100 - col)) / 20.0, 0.0, 1.0)
    np.testing.assert_allclose(out, 10.0 * share * share * (3.0 - 2.0 * share), atol=1e-5)


def test_superellipses_lie_between_round_and_square() -> None:
    for x, y in np.random.default_rng(4).uniform(-50.0, 50.0, (100, 2)):
        signs = [inside_outline(x, y, 50.0, 40.0, power) > 0.0 for power in (2.0, 4.0, 30.0, 0.0)]
        assert signs == sorted(signs)
    assert inside_outline(0.0, 0.0, 50.0, 40.0, 2.0) == 40.0
    assert inside_outline(30.0, 40.0, 50.0, 50.0, 2.0) == pytest.approx(0.0, abs=1e-12)
    edge = 0.5 ** (1.0 / 4.0)
    assert inside_outline(50.0 * edge, 40.0 * edge, 50.0, 40.0, 4.0) == pytest.approx(0.0, abs=1e-12)


def test_a_noisy_coast_only_draws_in_and_by_no_more_than_asked() -> None:
    field = VectorField.flat(121, 121, 1.0, 10.0)
    plain, noisy = (falloff(field, "square", 10.0, -10.0, coast, 25.0)[..., 2] for coast in (0.0, 15.0))
    assert (noisy <= plain).all()
    assert (noisy[25:-25, 25:-25] == 10.0).all()
    shore = [int(np.argmax(line > 0.0)) for line in noisy[30:-30]]
    assert min(shore) >= 5
    assert max(shore) <= 20
    assert np.std(shore) > 1.5


def test_strength_is_the_share_of_the_way() -> None:
    field = land(1.0)
    whole, half = falloff(field, width=20.0), falloff(field, width=20.0, strength=0.5)
    np.testing.assert_allclose(half, 0.5 * (whole + field.offset), atol=1e-5)


def test_bad_numbers_are_one_line() -> None:
    for values in ({"width": 0.0}, {"coast": -1.0}, {"coast_size": 0.0}):
        with pytest.raises(SkerryError, match="a falloff needs a width above 0 m"):
            falloff(land(2.0), **values)  # type: ignore[arg-type]
    for values in ({"power": 1.0}, {"strength": 2.0}):
        with pytest.raises(SkerryError, match="a falloff needs a power of 2 or more"):
            falloff(land(2.0), **values)  # type: ignore[arg-type]
