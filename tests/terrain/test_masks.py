"""Masks from the shape of the land, held against surfaces whose answers are known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.masks.aspect import aspect_degrees, aspect_mask
from terrain.masks.cavity import cavity_mask, hollowness
from terrain.masks.curvature import curvature_mask, mean_curvature
from terrain.masks.height import height_mask
from terrain.masks.layer import layer_mask
from terrain.masks.noise import noise_mask
from terrain.masks.slope import slope_degrees, slope_mask

ORIGIN = (100.0, -50.0)


def surface(heights: NDArray[np.floating], cell: float = 2.0) -> VectorField:
    return VectorField.from_heights(heights.astype(np.float32), cell, ORIGIN)


def plane(degrees: float, cell: float = 2.0) -> VectorField:
    """Rises to the east."""
    return surface(np.tile(np.arange(33) * cell * np.tan(np.radians(degrees)), (17, 1)), cell)


def cone(steep: float = 1.0, size: int = 65) -> VectorField:
    row, col = np.mgrid[0:size, 0:size] - size // 2
    return surface(-steep * 2.0 * np.hypot(row, col))


def ball(radius: float, size: int = 65, cell: float = 1.0, stretch: float = 1.0) -> VectorField:
    """A cap of a ball, bulging up; stretch: the spacing of its columns against that of its rows."""
    row, col = (np.mgrid[0:size, 0:size] - size // 2) * cell
    x = col * stretch
    field = surface(np.sqrt(radius**2 - row**2 - x**2), cell)
    field.offset[..., 0] = x - col
    return field


def test_height_is_full_within_the_limits_and_half_in_the_middle_of_the_rim() -> None:
    field = surface(np.tile(np.arange(0.0, 41.0), (3, 1)))
    mask = height_mask(field, 10.0, 20.0, 8.0)[1]
    assert (mask[10:21] == 1.0).all()
    assert mask[6] == mask[24] == 0.5
    assert mask[2] == mask[28] == 0.0
    assert (np.diff(mask[2:11]) > 0.0).all()
    hard = height_mask(field, 10.0, 20.0)[1]
    np.testing.assert_array_equal(np.flatnonzero(hard), np.arange(10, 21))
    with pytest.raises(SkerryError, match="lower limit first"):
        height_mask(field, 2.0, 1.0)


@pytest.mark.parametrize("degrees", [0.0, 0.01, 12.5, 45.0, 80.0])
def test_slope_of_a_tilted_plane_is_its_tilt(degrees: float) -> None:
    np.testing.assert_allclose(slope_degrees(plane(degrees)), degrees, atol=2e-4)


def test_slope_of_a_plane_stood_up_by_displacement_is_that_of_the_surface() -> None:
    """A strip bent over: 90 degrees and beyond, whatever the rest grid says."""
    for degrees in (60.0, 90.0, 120.0, 170.0):
        field = VectorField.flat(9, 9, 1.0)
        along = np.arange(9.0)[:, None]
        field.offset[..., 1] = along * (np.cos(np.radians(degrees)) - 1.0)
        field.offset[..., 2] = along * np.sin(np.radians(degrees))
        np.testing.assert_allclose(slope_degrees(field), degrees, atol=1e-3)


def test_slope_of_the_arch_knows_the_wall_and_the_overhang(arch: TerrainMap) -> None:
    slope = slope_degrees(arch.field)
    np.testing.assert_allclose(slope[22:25, 2:20], 90.0, atol=4.0)
    assert slope[18:30, 58:66].max() > 120.0
    over = slope_mask(arch.field, 95.0, 180.0)
    assert over[18:30, 58:66].any()
    assert not over[40:].any()
    assert not over[:, :20].any()


def test_aspect_on_a_cone_is_the_bearing_from_its_top() -> None:
    row, col = np.mgrid[0:65, 0:65] - 32
    far = np.hypot(row, col) > 6
    expected = np.degrees(np.arctan2(col, row)) % 360.0
    turned = (aspect_degrees(cone()) - expected + 180.0) % 360.0 - 180.0
    assert np.abs(turned[far]).max() < 1.0
    assert np.isnan(aspect_degrees(cone())[32, 32])


def test_aspect_mask_reaches_across_north_and_fades_at_the_rim() -> None:
    mask = aspect_mask(cone(), 0.0, 45.0, 20.0)
    centre = 32
    assert mask[60, centre] == mask[60, centre + 10] == mask[60, centre - 10] == 1.0
    assert mask[centre, 60] == mask[4, centre] == 0.0
    angle = np.radians(55.0)
    at = round(centre + 30 * np.cos(angle)), round(centre + 30 * np.sin(angle))
    assert 0.2 < mask[at] < 0.8
    np.testing.assert_array_equal(aspect_mask(cone(), 360.0, 45.0, 20.0), mask)
    np.testing.assert_array_equal(mask[:, ::-1], mask)


def test_level_ground_faces_nowhere() -> None:
    assert not aspect_mask(VectorField.flat(5, 5, 1.0), 0.0, 180.0).any()


def test_an_overhang_faces_the_way_it_looks(arch: TerrainMap) -> None:
    over = slope_degrees(arch.field) > 95.0
    south = aspect_mask(arch.field, 180.0, 89.0)
    front = np.zeros_like(over)
    front[16:28, 36:45] = True
    assert (over & front).sum() > 5
    assert south[over & front].all()


@pytest.mark.parametrize("reach", [0.5, 3.0, 8.0, 20.0])
def test_mean_curvature_of_a_ball_is_one_over_its_radius(reach: float) -> None:
    found = mean_curvature(ball(80.0), reach)
    np.testing.assert_allclose(found[12:-12, 12:-12], 1.0 / 80.0, rtol=0.01)


def test_mean_curvature_does_not_depend_on_how_the_grid_is_stretched() -> None:
    found = mean_curvature(ball(80.0, stretch=0.4), 6.0)
    np.testing.assert_allclose(found[12:-12, 12:-12], 1.0 / 80.0, rtol=0.01)


def test_mean_curvature_of_a_cylinder_in_any_direction_is_half_of_one_over_its_radius() -> None:
    row, col = np.mgrid[0:65, 0:65] - 32
    for angle in (0.0, 0.3, np.pi / 4.0, 1.2):
        across = col * np.cos(angle) + row * np.sin(angle)
        found = mean_curvature(surface(np.sqrt(200.0**2 - across**2), 1.0), 5.0)
        np.testing.assert_allclose(found[12:-12, 12:-12], 0.5 / 200.0, rtol=0.02)


def test_a_saddle_and_a_plane_have_no_mean_curvature() -> None:
    row, col = np.mgrid[0:33, 0:33] - 16
    saddle = mean_curvature(surface(0.01 * (row**2 - col**2), 1.0), 3.0)
    assert abs(saddle[16, 16]) < 1e-6
    np.testing.assert_allclose(mean_curvature(plane(50.0), 6.0), 0.0, atol=1e-6)


def test_ridges_are_above_zero_and_valleys_below() -> None:
    across = np.abs(np.arange(33) - 16.0)
    roof = surface(np.tile(-across, (17, 1)), 1.0)
    assert curvature_mask(roof, 3.0, "ridges")[8, 16] == 1.0
    assert curvature_mask(roof, 3.0, "ridges")[8, 4] == 0.0
    assert curvature_mask(roof, 3.0, "valleys").max() < 1e-4
    trough = surface(np.tile(across, (17, 1)), 1.0)
    assert curvature_mask(trough, 3.0, "valleys")[8, 16] == 1.0
    assert curvature_mask(trough, 3.0, "ridges").max() < 1e-4
    np.testing.assert_array_equal(curvature_mask(trough, 3.0, "both"), curvature_mask(roof, 3.0, "both"))


def test_full_curvature_is_the_turn_over_the_radius() -> None:
    """On a ball of radius 80 m the surface turns by 6/80 over 6 m."""
    full = 2.0 * np.degrees(6.0 / 80.0)
    assert curvature_mask(ball(80.0), 6.0, "ridges", full)[32, 32] == pytest.approx(0.5, rel=0.01)


def test_cavity_tells_pits_from_bumps_and_leaves_planes_alone() -> None:
    row, col = np.mgrid[0:65, 0:65] - 32
    dent = 3.0 * np.exp(-(row**2 + col**2) / 32.0)
    slope = 0.7 * col - 0.2 * row
    pit, bump = surface(slope - dent, 1.0), surface(slope + dent, 1.0)
    assert cavity_mask(pit, 12.0)[32, 32] > 0.9
    assert cavity_mask(pit, 12.0, kind="bumps")[32, 32] == 0.0
    assert cavity_mask(bump, 12.0, kind="bumps")[32, 32] > 0.9
    assert cavity_mask(bump, 12.0)[32, 32] == 0.0
    np.testing.assert_allclose(hollowness(surface(slope, 1.0), 12.0), 0.0, atol=1e-5)


def test_hollowness_of_a_paraboloid_is_the_blur_s_variance_times_its_bend() -> None:
    """A Gaussian lifts a(x² + y²) by 2aσ²; σ is half the radius."""
    row, col = np.mgrid[0:97, 0:97] - 48
    found = hollowness(surface(0.002 * (row**2 + col**2), 1.0), 8.0, scales=1)
    assert found[48, 48] == pytest.approx(2 * 0.002 * 4.0**2 / 8.0, rel=0.02)


def test_noise_is_the_same_for_a_seed_and_half_is_above_half() -> None:
    field = VectorField.flat(129, 97, 2.0, origin=ORIGIN)
    mask = noise_mask(field, 20.0, 7)
    np.testing.assert_array_equal(noise_mask(field, 20.0, 7), mask)
    assert np.abs(noise_mask(field, 20.0, 8) - mask).max() > 0.5
    assert 0.4 < (mask > 0.5).mean() < 0.6
    assert noise_mask(field, 20.0, 7, threshold=0.7).mean() < mask.mean() - 0.1
    part = VectorField.flat(40, 30, 2.0, origin=(ORIGIN[0] + 20.0, ORIGIN[1] + 60.0))
    np.testing.assert_allclose(noise_mask(part, 20.0, 7), mask[30:70, 10:40], atol=1e-5)


def test_bigger_noise_is_smoother() -> None:
    field = VectorField.flat(65, 65, 2.0)
    steps = [np.abs(np.diff(noise_mask(field, size, 3, 1, contrast=1.0))).mean() for size in (10.0, 20.0, 80.0)]
    assert steps[0] > 1.6 * steps[1] > 1.6 * 3.0 * steps[2]


def test_layer_gives_its_weights_and_names_the_layers_there_are(arch: TerrainMap) -> None:
    weights = np.arange(65 * 81, dtype=np.uint16).reshape(65, 81)
    arch.extras["layer/sand"] = weights
    np.testing.assert_array_equal(np.rint(layer_mask(arch, "sand") * 65535.0), weights)
    with pytest.raises(SkerryError, match="no layer 'snow'; the map has: sand"):
        layer_mask(arch, "snow")
