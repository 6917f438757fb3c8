"""The quadtree of world boxes: exact after any update, and complete for any sphere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain.bounds import PATCH, BoundsPyramid, patches_around
from terrain.field import VectorField
from terrain.tiles import Rect


def rough(rows: int, cols: int, seed: int = 0, spread: float = 3.0) -> VectorField:
    field = VectorField.flat(rows, cols, 2.0, origin=(5.0, -7.0))
    field.offset[...] = np.random.default_rng(seed).normal(0.0, spread, field.offset.shape)
    return field


@pytest.mark.parametrize("shape", [(2, 2), (17, 17), (18, 33), (101, 77), (2, 200)])
def test_boxes_hold_exactly_their_vertices(shape: tuple[int, int]) -> None:
    field = rough(*shape)
    bounds = BoundsPyramid.of(field)
    positions = field.positions()
    patch_rows, patch_cols = bounds.patches.shape[:2]
    assert (patch_rows, patch_cols) == (-(-(shape[0] - 1) // PATCH), -(-(shape[1] - 1) // PATCH))
    for row in range(patch_rows):
        for col in range(patch_cols):
            part = positions[row * PATCH : (row + 1) * PATCH + 1, col * PATCH : (col + 1) * PATCH + 1].reshape(-1, 3)
            np.testing.assert_array_equal(bounds.patches[row, col], [*part.min(axis=0), *part.max(axis=0)])
    everything = positions.reshape(-1, 3)
    np.testing.assert_array_equal(bounds.whole, [*everything.min(axis=0), *everything.max(axis=0)])


@given(st.integers(0, 99), st.integers(0, 79), st.integers(1, 40), st.integers(1, 40))
def test_update_equals_rebuild(row: int, col: int, height: int, width: int) -> None:
    field = rough(100, 80)
    bounds = BoundsPyramid.of(field)
    rect = Rect(row, row + height, col, col + width).clip(100, 80)
    field.offset[rect.slices] += 50.0
    bounds.update(field, rect)
    np.testing.assert_array_equal(bounds.boxes, BoundsPyramid.of(field).boxes)


@given(
    st.tuples(st.floats(-50, 250), st.floats(-50, 250), st.floats(-40, 40)),
    st.floats(0.1, 120),
)
def test_in_sphere_finds_every_patch_with_a_vertex_inside(centre: tuple[float, float, float], radius: float) -> None:
    field = rough(100, 80, spread=6.0)
    found = {tuple(patch) for patch in BoundsPyramid.of(field).in_sphere(np.array(centre), radius)}
    inside = np.linalg.norm(field.positions() - centre, axis=-1) <= radius
    for row, col in np.argwhere(inside):
        around = patches_around(Rect(row, row + 1, col, col + 1), 7, 5)
        assert all((r, c) in found for r in range(around.row0, around.row1) for c in range(around.col0, around.col1))


def test_in_sphere_sees_a_vertex_swept_far_from_its_rest_place() -> None:
    field = VectorField.flat(129, 129, 1.0)
    field.offset[100, 100] = (-90.0, -90.0, 5.0)
    found = BoundsPyramid.of(field).in_sphere(np.array([10.0, 10.0, 5.0]), 0.5)
    assert (6, 6) in {tuple(patch) for patch in found}


def test_patches_on_a_border_vertex_are_both_around_it() -> None:
    assert patches_around(Rect(16, 17, 0, 1), 8, 8) == Rect(0, 2, 0, 1)
    assert patches_around(Rect(0, 1, 0, 1), 8, 8) == Rect(0, 1, 0, 1)
