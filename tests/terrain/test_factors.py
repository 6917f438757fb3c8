"""Falloff, masks and candidate windows."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain.brushes.factors import FALLOFF_MEAN, NO_MASK, Reach, falloff_at, settle, weigh, windows
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect

KINDS = list(FALLOFF_MEAN)


def reach(
    field: VectorField, falloff: str, scale: float = 1.0, mask: np.ndarray = NO_MASK, height: float = 0.0
) -> tuple[Rect, np.ndarray]:
    """Weights of a dab of radius 5 in the middle of a 33 × 33 field."""
    centre = np.array([16.0, 16.0, height])
    return weigh(field, Rect.of(field.offset), field.offset, Reach(centre, centre, 5.0, falloff, scale, mask))


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_mean_of_each_falloff_is_its_integral(kind: int) -> None:
    u = (np.arange(20000) + 0.5) / 20000
    mean = np.mean([falloff_at(kind, value) for value in u])
    assert mean == pytest.approx(FALLOFF_MEAN[KINDS[kind]], rel=1e-4)


@pytest.mark.parametrize("kind", range(4))
def test_falloff_falls_from_one_to_zero(kind: int) -> None:
    values = [falloff_at(kind, u) for u in np.linspace(0.0, 1.0, 50)]
    assert values[0] == 1.0
    assert values[-1] == pytest.approx(0.0)
    assert all(a >= b for a, b in itertools.pairwise(values))


def test_weight_is_by_distance_in_space() -> None:
    """A vertex displaced away sideways is out of reach though its rest place lies under the brush."""
    field = VectorField.flat(33, 33, 1.0)
    field.offset[16, 18] = (20.0, 0.0, 0.0)
    field.offset[16, 17] = (0.0, 0.0, 3.0)
    rect, weight = reach(field, "linear")
    at = {(r, c): weight[r - rect.row0, c - rect.col0] for r in (16,) for c in (16, 17, 18)}
    assert at[16, 16] == 1.0
    assert at[16, 17] == pytest.approx(1.0 - np.sqrt(10.0) / 5.0)
    assert at[16, 18] == 0.0


def test_mask_scales_and_zero_stays_exactly_zero() -> None:
    field = VectorField.flat(33, 33, 1.0)
    mask = np.full((33, 33), 65535, np.uint16)
    mask[:, :16] = 0
    mask[:, 16] = 32768
    rect, weight = reach(field, "constant", 0.5, mask)
    full = np.zeros((33, 33))
    full[rect.slices] = weight
    assert (full[:, :16] == 0.0).all()
    assert full[16, 16] == pytest.approx(0.5 * 32768 / 65535)
    assert full[16, 17] == 0.5


def test_a_dab_in_the_air_reaches_nothing() -> None:
    field = VectorField.flat(33, 33, 1.0)
    rect, weight = reach(field, "smooth", height=9.0)
    assert rect.empty
    assert weight.size == 0


@given(
    st.tuples(st.floats(-10, 210), st.floats(-10, 210), st.floats(-5, 5)),
    st.floats(1.0, 60.0),
)
def test_windows_are_disjoint_and_hold_every_vertex_in_reach(centre: tuple[float, ...], radius: float) -> None:
    field = VectorField.flat(200, 200, 1.0)
    # A far strip of the map is folded over the near one.
    field.offset[150:170, :, 1] = -120.0
    terrain = TerrainMap(field)
    rects = windows(terrain.bounds, field, np.array(centre), np.array(centre), radius, False)
    hits = np.zeros((200, 200), int)
    for rect in rects:
        hits[rect.slices] += 1
    assert hits.max(initial=0) <= 1
    inside = np.linalg.norm(field.positions() - np.array(centre), axis=-1) < radius
    assert (hits[inside] == 1).all()


def test_a_fold_gives_two_small_windows_not_one_large() -> None:
    field = VectorField.flat(400, 400, 1.0)
    field.offset[300:310, 100:110, 1] = -250.0
    place = np.array([105.0, 54.0, 0.0])
    rects = windows(TerrainMap(field).bounds, field, place, place, 6.0, False)
    assert len(rects) >= 2
    assert sum(rect.rows * rect.cols for rect in rects) < 20_000


def test_settle_puts_back_unweighted_vertices_bit_for_bit() -> None:
    kept = np.array([[[-0.0, 1.0, 2.0], [-0.0, 3.0, 4.0]]], np.float32)
    offset = kept + np.float32(0.0)
    offset[0, 1, 2] += 1.0
    assert settle(offset, kept, np.array([[0.0, 0.5]], np.float32))
    assert np.signbit(offset[0, 0, 0])
    assert offset[0, 1, 2] == 5.0


def test_settle_refuses_values_that_are_not_finite() -> None:
    kept = np.ones((1, 2, 3), np.float32)
    offset = kept.copy()
    offset[0, 0, 1], offset[0, 1, 1] = np.nan, 7.0
    assert not settle(offset, kept, np.ones((1, 2), np.float32))
    np.testing.assert_array_equal(offset, kept)
