"""What all importers share: no-data, ranges, square cells, places; held against theory."""

import numpy as np
import pytest

from plugins.api import Job, Scene
from plugins.raster import ImportParams, Raster, to_scene
from plugins.raster.cleaning import fill_smooth
from plugins.raster.crs import looks_like_degrees
from plugins.raster.geodesy import metres_per_degree, web_mercator_latitude
from terrain.errors import SkerryError


def land(rows: int = 40, cols: int = 50) -> np.ndarray:
    row, col = np.mgrid[0:rows, 0:cols]
    return (100.0 * np.sin(row / 9.0) * np.cos(col / 11.0) + col).astype(np.float32)


def scene(values: np.ndarray, declared: float | None = None, **params: object) -> Scene:
    raster = Raster(values, "test", pixel=(1.0, 1.0), unit="m", nodata_value=declared)
    return to_scene(raster, ImportParams(**params), Job())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "declared"),
    [
        (-3.4028234663852886e38, -3.4028235e38),
        (-3.4028234663852886e38, None),
        (9.9692099683868690e36, None),
        (1e30, None),
        (-9999.9, -9999.9),
        (np.nan, -9999.0),
        (np.inf, None),
        (-32768.0, None),
        (-9999.0, None),
        (-9999.0, -32768.0),
    ],
)
def test_no_data_in_every_guise_is_counted_and_kept_out(written: float, declared: float | None) -> None:
    values = land()
    values[3:5, 7:17] = written
    terrain = scene(values, declared).terrain
    assert terrain.source["nodata"] == 20
    assert terrain.field.height_range() == pytest.approx((land().min(), land().max()), abs=3.0)


def test_two_undeclared_values_are_both_found_and_named() -> None:
    values = land()
    values[0, :4], values[9, 9] = -32768.0, -9999.0
    source = scene(values).terrain.source
    assert source["nodata"] == 5
    assert sum("taken as 'no data'" in note for note in source["notes"]) == 2


def test_void_under_a_deep_sea_is_told_from_the_sea_bed() -> None:
    """-9999 is 4 km below the rest: a void. Where the sea bed comes down to it in steps it is a depth."""
    sea = np.linspace(-6000.0, 4000.0, 2500).reshape(50, 50)
    sea[0] = -9999.0
    assert scene(sea).terrain.source["nodata"] == 50
    trench = np.linspace(-9999.0, 4000.0, 2500).reshape(50, 50)
    assert scene(trench).terrain.source["nodata"] == 0


def test_a_person_who_names_the_value_is_believed() -> None:
    values = land()
    values[0, 0], values[1, 1] = -9999.0, 7777.0
    terrain = scene(values, nodata=7777.0).terrain
    assert (terrain.source["nodata"], terrain.field.height_range()[0]) == (1, -9999.0)


def test_nothing_but_no_data_is_no_map() -> None:
    for value in (np.nan, np.inf, -9999.0, 9.97e36):
        with pytest.raises(SkerryError, match="no height at all"):
            scene(np.full((9, 9), value))


def test_smooth_fill_of_a_large_hole_is_near_the_harmonic_function() -> None:
    """x² − y² solves Laplace's equation (of differences too); 90,000 missing cells take the multigrid way."""
    row, col = np.mgrid[0:340, 0:320].astype(np.float64)
    exact = (col - 150.0) ** 2 - (row - 170.0) ** 2
    missing = np.zeros(exact.shape, bool)
    missing[20:320, 10:310] = True
    values = np.where(missing, 0.0, exact)
    fill_smooth(values, missing)
    assert np.abs(values - exact).max() < 0.015 * np.ptp(exact)
    np.testing.assert_array_equal(values[~missing], exact[~missing])


@pytest.mark.parametrize(("rows", "cols", "x", "y"), [(1000, 10, 1.04, 1.0), (10, 1000, 1.0, 1.04), (37, 53, 3.0, 7.7)])
def test_ground_is_kept_to_half_a_cell_however_long_the_grid(rows: int, cols: int, x: float, y: float) -> None:
    raster = Raster(land(rows, cols), "test", pixel=(x, y), unit="m")
    field = to_scene(raster, ImportParams(), Job()).terrain.field
    assert field.cell == min(x, y)
    assert field.rest_size == pytest.approx(((cols - 1) * x, (rows - 1) * y), abs=0.5 * field.cell + 1e-9)


def test_nearly_square_pixels_are_never_resampled() -> None:
    values = land(3, 4000)
    raster = Raster(values, "test", pixel=(1.0, 1.0008), unit="m")
    field = to_scene(raster, ImportParams(), Job()).terrain.field
    np.testing.assert_array_equal(field.offset[..., 2], values)


def test_both_sides_given_against_the_proportions_are_pointed_out() -> None:
    notes = scene(land(), columns=50, rows=79).terrain.source["notes"]
    assert any("give only one side" in note for note in notes)
    assert not any("give only one side" in note for note in scene(land(), columns=99, rows=79).terrain.source["notes"])


def test_range_given_for_heights_leaves_the_no_data_out() -> None:
    values = land()
    values[2, 2] = -9999.0
    field = scene(values, -9999.0, min_height=0.0, max_height=10.0).terrain.field
    assert field.height_range() == (0.0, 10.0)


def test_range_given_for_unsigned_codes_means_the_ends_of_the_type() -> None:
    codes = np.array([[0, 13107], [26214, 52428]], np.uint16)
    heights = scene(codes, min_height=-5.0, max_height=5.0).terrain.field.offset[..., 2]
    np.testing.assert_allclose(heights, [[-5.0, -3.0], [-1.0, 3.0]], atol=1e-6)


def test_picture_codes_are_metres_where_scale_one_is_asked_for() -> None:
    codes = np.array([[0, 100], [200, 1909]], np.uint16)
    raster = Raster(codes, "picture", full_range=(0.0, 65535.0))
    field = to_scene(raster, ImportParams(height_scale=1.0), Job()).terrain.field
    np.testing.assert_array_equal(field.offset[..., 2], codes)
    relief = to_scene(Raster(codes, "picture", full_range=(0.0, 65535.0)), ImportParams(), Job()).terrain
    assert relief.field.height_range()[1] == pytest.approx(0.125 * 1909 / 65535)


def test_cropped_degrees_are_measured_where_the_part_lies() -> None:
    """The northern 11 rows of 40°..60°: the middle is 59.5° N."""
    raster = Raster(land(201, 30), "test", pixel=(0.1, 0.1), unit="deg", latitude=50.0)
    source = to_scene(raster, ImportParams(crop=(0, 0, 29, 10)), Job()).terrain.source
    east, north = metres_per_degree(59.5)
    assert source["ground"] == pytest.approx([2.9 * east, 1.0 * north])


def test_degrees_are_guessed_from_extents_but_not_at_the_origin() -> None:
    assert looks_like_degrees(-10.0, 48.0, -3.0, 56.0, 1 / 60)
    assert not looks_like_degrees(0.0, 0.0, 50.0, 50.0, 0.5)
    assert not looks_like_degrees(500_000.0, 4e6, 500_100.0, 4.0001e6, 0.5)


def test_metres_of_a_degree_and_web_mercator() -> None:
    """WGS 84: 111,319.49 m of longitude at the equator, 110,574.3 of latitude; at 60°: 55,800.0 and 111,412.2."""
    assert metres_per_degree(0.0) == pytest.approx((111_319.49, 110_574.28), abs=0.1)
    assert metres_per_degree(60.0) == pytest.approx((55_800.0, 111_412.2), abs=1.0)
    assert web_mercator_latitude(20037508.342789244) == pytest.approx(85.05112878, abs=1e-8)
