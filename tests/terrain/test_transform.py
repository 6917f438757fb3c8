"""Transforms of selected vertices against rigid geometry."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.transform import TransformParams, select, transformed
from tests.fixtures import arch_map


def masked(value: int = 65535) -> TerrainMap:
    terrain = arch_map()
    mask = np.zeros((65, 81), np.uint16)
    mask[20:31, 30:51] = value
    terrain.extras["mask/a"], terrain.active_mask = mask, "a"
    return terrain


def moved(terrain: TerrainMap, frame: np.ndarray | None = None, **values: object) -> np.ndarray:
    """Positions (rows, cols, 3) of the whole map after a transform."""
    params = TransformParams.of(**values)
    selection = select(terrain, params.soft, params.falloff)
    field = terrain.field
    made = field.offset.copy()
    made[selection.rect.slices] = transformed(
        selection, field.cell, field.origin, params, np.eye(3) if frame is None else frame
    )
    return VectorField(made, field.cell, field.origin).positions()


BLOCK = (slice(20, 31), slice(30, 51))


def test_a_move_is_exact_and_everything_else_stays() -> None:
    terrain = masked()
    there = moved(terrain, x=3.5, y=-2.0, z=10.25)
    here = terrain.field.positions()
    np.testing.assert_allclose(there[BLOCK] - here[BLOCK], np.broadcast_to([3.5, -2.0, 10.25], (11, 21, 3)), atol=1e-5)
    outside = np.ones((65, 81), bool)
    outside[BLOCK] = False
    np.testing.assert_array_equal(there[outside], here[outside])


def test_half_the_weight_goes_half_the_way_and_turns_by_half_the_angle() -> None:
    terrain = masked(32768)
    half = 32768 / 65535
    here = terrain.field.positions()[BLOCK]
    pivot = here.mean(axis=(0, 1))
    np.testing.assert_allclose(
        moved(terrain, z=8.0)[BLOCK] - here, np.broadcast_to([0, 0, 8 * half], here.shape), atol=1e-5
    )
    turned = moved(terrain, turn_z=90.0)[BLOCK] - pivot
    angle = np.radians(90.0 * half)
    away = here - pivot
    expected = np.stack(
        [
            np.cos(angle) * away[..., 0] - np.sin(angle) * away[..., 1],
            np.sin(angle) * away[..., 0] + np.cos(angle) * away[..., 1],
            away[..., 2],
        ],
        axis=-1,
    )
    np.testing.assert_allclose(turned, expected, atol=1e-4)


def test_turning_keeps_distances_and_a_full_turn_comes_home() -> None:
    terrain = masked()
    here = terrain.field.positions()[BLOCK].reshape(-1, 3)
    there = moved(terrain, turn_x=30.0, turn_y=-50.0, turn_z=70.0)[BLOCK].reshape(-1, 3)
    for k in (0, 50, 200):
        np.testing.assert_allclose(
            np.linalg.norm(there - there[k], axis=1), np.linalg.norm(here - here[k], axis=1), atol=1e-4
        )
    assert np.abs(there - here).max() > 3.0
    np.testing.assert_allclose(moved(terrain, turn_y=360.0)[BLOCK].reshape(-1, 3), here, atol=1e-4)


def test_scaling_is_about_the_pivot_along_the_axes_given() -> None:
    terrain = masked()
    here = terrain.field.positions()[BLOCK]
    pivot = here.mean(axis=(0, 1))
    there = moved(terrain, scale_x=2.0, scale_z=0.5)[BLOCK]
    np.testing.assert_allclose(there - pivot, (here - pivot) * [2.0, 1.0, 0.5], atol=1e-4)
    frame = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    there = moved(terrain, frame, scale_x=3.0)[BLOCK]
    np.testing.assert_allclose(there - pivot, (here - pivot) * [1.0, 3.0, 1.0], atol=1e-4)


def test_beyond_the_selection_vertices_follow_less_and_less() -> None:
    terrain = masked()
    rise = (moved(terrain, z=10.0, soft=8.0)[..., 2] - terrain.field.positions()[..., 2])[25]
    assert rise[40] == pytest.approx(10.0, abs=1e-5)
    tail = rise[50:60]
    assert (np.diff(tail) <= 1e-6).all()
    assert 0.0 < tail[4] < 10.0
    assert rise[59] == 0.0 == rise[70]


def test_the_selection_is_as_tight_as_its_weights() -> None:
    terrain = masked()
    assert select(terrain, 0.0, "smooth").rect == (20, 31, 30, 51)
    assert select(terrain, 4.0, "smooth").rect == (16, 35, 26, 55)
    terrain.frozen = True
    assert select(terrain, 0.0, "smooth").rect == (0, 65, 0, 81)


def test_its_own_axes_follow_the_ground() -> None:
    row, col = np.mgrid[0:40, 0:40].astype(np.float64)
    terrain = TerrainMap(VectorField.from_heights((0.75 * row).astype(np.float32), 1.0))
    terrain.extras["mask/a"], terrain.active_mask = np.full((40, 40), 65535, np.uint16), "a"
    local = select(terrain, 0.0, "smooth").local
    np.testing.assert_allclose(local, [[1, 0, 0], [0, 0.8, 0.6], [0, -0.6, 0.8]], atol=1e-6)
    assert col.any()


def test_without_a_selection_it_says_what_to_do() -> None:
    terrain = arch_map()
    with pytest.raises(SkerryError, match="paint a mask"):
        select(terrain, 0.0, "smooth")
    terrain = masked(0)
    with pytest.raises(SkerryError, match="selects nothing"):
        select(terrain, 0.0, "smooth")
