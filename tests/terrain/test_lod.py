"""Errors known from theory, and levels that are continuous, agreed on by neighbours and coarse where land is flat."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from terrain.bounds import PATCH, BoundsPyramid
from terrain.field import VectorField
from terrain.lod import COARSEST, Instances, LevelChooser, PatchErrors
from terrain.map import TerrainMap
from terrain.tiles import Rect

EVERYWHERE = np.array([[0.0, 0.0, 0.0, 1.0]])


def plane(rows: int, cols: int) -> VectorField:
    row, col = np.mgrid[0:rows, 0:cols]
    return VectorField.from_heights((0.25 * row - 0.5 * col).astype(np.float32), 2.0)


def rough(rows: int, cols: int, seed: int = 1) -> VectorField:
    field = VectorField.flat(rows, cols, 2.0, origin=(30.0, -20.0))
    field.offset[...] = np.random.default_rng(seed).normal(0.0, 0.7, field.offset.shape)
    return field


def chooser(field: VectorField) -> LevelChooser:
    return LevelChooser(BoundsPyramid.of(field), PatchErrors.of(field))


def levels(instances: Instances) -> dict[tuple[int, int], NDArray[np.float32]]:
    """Own, south, west, north and east level by patch row and column."""
    out = {}
    for patch, edges in zip(instances.patches, instances.edges, strict=True):
        out[int(patch[0]) // PATCH, int(patch[1]) // PATCH] = np.array([patch[2], *edges])
    return out


@pytest.mark.parametrize("shape", [(33, 49), (40, 30), (2, 2), (18, 17)])
def test_a_plane_has_no_error(shape: tuple[int, int]) -> None:
    assert PatchErrors.of(plane(*shape)).values.max() < 1e-5


def test_a_uniform_shift_has_no_error() -> None:
    field = plane(40, 30)
    field.offset[...] += (3.0, -2.0, 100.0)
    assert PatchErrors.of(field).values.max() < 2e-5


@pytest.mark.parametrize(("row", "first_level"), [(1, 0), (2, 1), (4, 2), (8, 3)])
def test_a_bump_counts_from_the_level_that_drops_it(row: int, first_level: int) -> None:
    """A spike on a vertex that level L keeps costs nothing there, but raises the neighbours' triangles."""
    field = VectorField.flat(17, 17, 1.0)
    field.offset[row, row] = (0.0, 3.0, 4.0)
    errors = PatchErrors.of(field).values[0, 0]
    np.testing.assert_allclose(errors[first_level], 5.0, rtol=1e-6)
    # At a level that keeps the spike, half way along a doubled edge the surface is half the spike too high.
    for level in range(first_level):
        side = 2 << level
        np.testing.assert_allclose(errors[level], 5.0 * (side - 1) / side, rtol=1e-6)


def test_a_parabola_has_the_chord_error() -> None:
    """z = a·x²: a chord over a span s strays a·s²/4 at its middle."""
    x = np.arange(17.0) * 2.0
    field = VectorField.from_heights(np.tile(0.01 * x**2, (17, 1)).astype(np.float32), 2.0)
    spans = 2.0 * np.array([2, 4, 8, 16])
    np.testing.assert_allclose(PatchErrors.of(field).values[0, 0], 0.01 * spans**2 / 4, rtol=1e-4)


def test_the_last_row_and_column_are_kept() -> None:
    """A border patch 5 cells wide keeps its 6th column at every level, so a wall there costs nothing."""
    field = VectorField.flat(22, 22, 1.0)
    field.offset[:, 21, 2] = 9.0
    errors = PatchErrors.of(field).values
    assert errors[0, 0].max() == 0.0
    # Level 2 spans columns 20..21 with its last cell, exactly; level 4 spans 16..21, and 4/5 of the wall is wrong.
    np.testing.assert_allclose(errors[0, 1], [0.0, 0.0, 9.0 * 4 / 5, 9.0 * 4 / 5], rtol=1e-6)


def test_errors_never_fall_with_the_level() -> None:
    values = PatchErrors.of(rough(70, 90)).values
    assert (np.diff(values, axis=-1) >= 0).all()
    assert values.min() > 0.5


@settings(max_examples=25)
@given(st.integers(0, 99), st.integers(0, 79), st.integers(1, 40), st.integers(1, 40))
def test_update_equals_rebuild(row: int, col: int, height: int, width: int) -> None:
    field = rough(100, 80)
    errors = PatchErrors.of(field)
    rect = Rect(row, row + height, col, col + width).clip(100, 80)
    field.offset[rect.slices] *= 3.0
    errors.update(field, rect)
    fresh = PatchErrors.of(field)
    np.testing.assert_array_equal(errors.values, fresh.values)
    np.testing.assert_array_equal(errors.worst, fresh.worst)


def test_many_threads_measure_the_same() -> None:
    """1100² has enough patches for two bands."""
    field = rough(1100, 1100)
    whole = PatchErrors.of(field).values
    part = VectorField(np.ascontiguousarray(field.offset[800:, 800:]), field.cell)
    np.testing.assert_array_equal(whole[50:, 50:], PatchErrors.of(part).values)


def test_flat_land_is_coarsest_even_under_the_feet() -> None:
    instances = chooser(VectorField.flat(257, 300, 1.0)).choose(np.array([120.0, 130.0, 0.0]), 1000.0, EVERYWHERE, 1.0)
    assert len(instances.patches) == 16 * 19
    assert (instances.patches[:, 2] == COARSEST).all()
    assert (instances.edges == COARSEST).all()
    assert list(instances.starts) == [0, 0, 0, 0, 0, 16 * 19]


def test_every_patch_once_and_in_its_group(arch: TerrainMap) -> None:
    instances = chooser(arch.field).choose(np.array([140.0, -20.0, 40.0]), 300.0, EVERYWHERE, 1.0)
    assert len(levels(instances)) == len(instances.patches) == 4 * 5
    finest = np.floor(np.minimum(instances.patches[:, 2], instances.edges.min(axis=1)))
    for mesh in range(COARSEST + 1):
        group = finest[instances.starts[mesh] : instances.starts[mesh + 1]]
        assert (group == mesh).all()


@pytest.mark.parametrize("tolerance", [0.5, 2.0, 8.0])
def test_neighbours_agree_on_the_edge_they_share(tolerance: float) -> None:
    field = rough(200, 170)
    field.offset[:, 80:] *= 0.05
    by_patch = levels(chooser(field).choose(np.array([50.0, 40.0, 60.0]), 500.0, EVERYWHERE, tolerance))
    met = set()
    for (row, col), (own, south, west, north, east) in by_patch.items():
        assert max(south, west, north, east) <= own
        if (row + 1, col) in by_patch:
            other = by_patch[row + 1, col]
            assert north == other[1] == min(own, other[0])
        else:
            assert north == own
        if (row, col + 1) in by_patch:
            other = by_patch[row, col + 1]
            assert east == other[2] == min(own, other[0])
            met.add(own == other[0])
        else:
            assert east == own
        assert south == own or row > 0
        assert west == own or col > 0
    assert met == {True, False}


def test_the_drawn_error_is_the_tolerance() -> None:
    """Between two levels the morphing surface strays by the mean of their errors, weighted by the fraction."""
    field = rough(17, 17)
    errors = [0.0, *PatchErrors.of(field).values[0, 0]]
    one = chooser(field)
    top = one.bounds.whole[5]
    for distance in np.geomspace(5.0, 5e4, 60):
        eye = np.array([40.0, 0.0, top + distance])
        level = float(one.choose(eye, 800.0, EVERYWHERE, 1.0).patches[0, 2])
        low = int(level)
        if low == COARSEST:
            assert 800.0 / distance * errors[4] <= 1.0
            continue
        drawn = errors[low] + (level - low) * (errors[low + 1] - errors[low])
        assert 800.0 / distance * drawn <= 1.0 + 1e-5


@pytest.mark.parametrize("equal_errors", [False, True])
def test_levels_are_continuous_in_distance(equal_errors: bool) -> None:
    field = rough(17, 17)
    if equal_errors:  # a single spike: all coarser levels are equally wrong
        field.offset[...] = 0.0
        field.offset[1, 1, 2] = 1.0
    one = chooser(field)
    distances = np.geomspace(1.0, 1e5, 6000)
    found = [
        float(one.choose(np.array([30.0, -20.0 - d, 0.0]), 800.0, EVERYWHERE, 1.0).patches[0, 2]) for d in distances
    ]
    steps = np.diff(found)
    assert steps.min() >= 0.0
    assert steps.max() < 0.05
    assert found[0] < 0.5
    assert found[-1] == COARSEST


def test_what_is_outside_the_view_is_not_drawn_and_changes_no_edge() -> None:
    field = rough(300, 300)
    one = chooser(field)
    eye = np.array([330.0, 280.0, 80.0])
    everything = levels(one.choose(eye, 400.0, EVERYWHERE, 2.0))
    east_of = np.array([[1.0, 0.0, 0.0, -320.0]])
    seen = levels(one.choose(eye, 400.0, east_of, 2.0))
    inside = {key for key in everything if one.bounds.patches[key][3] >= 320.0}
    assert set(seen) == inside
    assert 0 < len(seen) < len(everything)
    for key in seen:
        np.testing.assert_array_equal(seen[key], everything[key])


def test_near_patches_come_first() -> None:
    one = chooser(rough(257, 257))
    eye = np.array([30.0 + 500.0, -20.0, 30.0])
    patches = one.choose(eye, 10_000.0, EVERYWHERE, 0.01).patches
    away = np.hypot(2.0 * patches[:, 1] - 500.0, 2.0 * patches[:, 0])
    assert away[0] == away.min()
    assert away[:64].mean() < 0.5 * away[-64:].mean()
