"""VectorField: positions, normals and the sizes it allows."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.field import MAX_SIDE, VectorField, check_size, normals_of
from terrain.map import TerrainMap
from terrain.tiles import Rect


def test_world_position_is_rest_place_plus_displacement() -> None:
    field = VectorField.flat(3, 4, 2.5, 7.0, (100.0, -50.0))
    field.offset[2, 1] = (0.5, -0.25, 9.0)
    positions = field.positions()
    assert positions.shape == (3, 4, 3)
    np.testing.assert_array_equal(positions[0, 0], [100.0, -50.0, 7.0])
    np.testing.assert_array_equal(positions[0, 3], [107.5, -50.0, 7.0])
    np.testing.assert_array_equal(positions[2, 1], [103.0, -45.25, 9.0])
    np.testing.assert_array_equal(field.positions(Rect(2, 3, 1, 4)), positions[2:3, 1:4])


def test_positions_keep_centimetres_far_from_the_origin() -> None:
    field = VectorField.flat(2, 2, 0.01, origin=(5_000_000.0, 5_000_000.0))
    assert np.diff(field.positions()[0, :, 0])[0] == pytest.approx(0.01, abs=1e-8)


def test_normals_of_a_tilted_plane_everywhere_even_at_the_border() -> None:
    row, col = np.mgrid[0:9, 0:7]
    field = VectorField.from_heights((0.5 * col * 2.0 - 0.25 * row * 2.0).astype(np.float32), 2.0)
    expected = np.array([-0.5, 0.25, 1.0]) / np.linalg.norm([-0.5, 0.25, 1.0])
    np.testing.assert_allclose(field.normals(), np.broadcast_to(expected, (9, 7, 3)), atol=1e-6)
    np.testing.assert_allclose(normals_of(field.offset, 2.0), field.normals())
    np.testing.assert_array_equal(field.normals(Rect(2, 5, 1, 4)), field.normals()[2:5, 1:4])


def test_normals_of_a_sphere_point_outwards_below_the_overhang_too() -> None:
    """A rest grid wrapped onto most of a sphere: normals are the radius, also where they point down."""
    n = 129
    v, u = np.meshgrid(np.linspace(0.15, 0.85, n) * np.pi, np.linspace(-1.2, 1.2, n), indexing="ij")
    sphere = np.stack([np.sin(v) * np.sin(u), -np.cos(v), np.sin(v) * np.cos(u)], axis=-1) * 50.0
    field = VectorField.flat(n, n, 1.0)
    field.offset[...] = sphere - field.positions()
    inner = np.s_[4:-4, 4:-4]
    cosine = (field.normals()[inner] * (sphere[inner] / 50.0)).sum(axis=-1)
    assert cosine.min() > 0.999


def test_normal_of_a_collapsed_cell_is_finite() -> None:
    field = VectorField.flat(3, 3, 1.0)
    field.offset[...] = -field.positions()
    np.testing.assert_array_equal(field.normals(), np.broadcast_to([0.0, 0.0, 1.0], (3, 3, 3)))


@pytest.mark.parametrize("size", [(1, 5), (5, 1), (0, 0), (-3, 4), (MAX_SIDE + 1, 4)])
def test_impossible_sizes_are_refused_before_allocation(size: tuple[int, int]) -> None:
    with pytest.raises(SkerryError, match=f"2 to {MAX_SIDE} a side"):
        VectorField.flat(*size, 1.0)


@pytest.mark.parametrize("size", [(2, 2), (2, MAX_SIDE), (3, 5), (64, 65)])
def test_odd_and_thin_sizes_are_allowed(size: tuple[int, int]) -> None:
    check_size(*size)
    field = VectorField.flat(*size, 1.0)
    assert (field.rows, field.cols) == size


@pytest.mark.parametrize("cell", [0.0, -1.0, np.nan, np.inf])
def test_cell_must_be_a_length(cell: float) -> None:
    with pytest.raises(SkerryError, match="cell"):
        VectorField.flat(3, 3, cell)


def test_wrong_arrays_are_refused() -> None:
    with pytest.raises(SkerryError, match="float32"):
        VectorField(np.zeros((3, 3, 3)), 1.0)
    with pytest.raises(SkerryError, match="contiguous"):
        VectorField(np.zeros((3, 6, 3), np.float32)[:, ::2], 1.0)
    with pytest.raises(SkerryError, match="origin"):
        VectorField.flat(3, 3, 1.0, origin=(np.nan, 0.0))


def test_from_heights_and_ranges() -> None:
    heights = np.array([[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]])
    field = VectorField.from_heights(heights, 10.0)
    assert field.height_range() == (-4.0, 6.0)
    assert field.rest_size == (20.0, 10.0)
    np.testing.assert_array_equal(field.offset[..., :2], 0.0)


def test_the_shared_fixture_really_overhangs(arch: TerrainMap) -> None:
    """Somewhere the surface faces down, and somewhere three sheets lie over one another."""
    normals = arch.field.normals()
    assert (normals[..., 2] < -0.2).sum() > 20
    y = arch.field.positions()[..., 1]
    assert (np.diff(y, axis=0) < -0.5).any()
