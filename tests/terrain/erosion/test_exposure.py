"""Wave exposure against what geometry says, and its promises to callers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.erosion.exposure import ExposureParams, exposure, ocean_of
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import most_threads, use_threads
from tests.fixtures import arch_map

PARAMS = ExposureParams(fetch=300.0)


def land(inside: NDArray[np.bool_], cell: float = 2.0) -> VectorField:
    return VectorField.from_heights(np.where(inside, 5.0, -5.0).astype(np.float32), cell)


def grid(rows: int, cols: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    row, col = np.mgrid[0:rows, 0:cols]
    return row, col


def test_half_of_all_directions_reach_a_straight_coast_however_it_lies() -> None:
    row, col = grid(161, 161)
    for angle in (0.0, 0.3, np.pi / 4.0, 1.2, 2.0):
        away = (col - 80) * np.cos(angle) + (row - 80) * np.sin(angle)
        found = exposure(land(away > 0), PARAMS, 0.0)
        assert abs(found[80, 80] - 0.5) < 0.08, angle


def test_head_of_a_narrow_bay_is_sheltered_and_the_tip_of_a_headland_is_exposed() -> None:
    row, col = grid(161, 161)
    bay = exposure(land((row > 60) & ~((abs(col - 80) < 5) & (row < 130))), PARAMS, 0.0)
    cape = exposure(land(2 * abs(col - 80) < row - 50), PARAMS, 0.0)
    assert bay[130, 80] < 0.1
    assert 0.35 < bay[60, 30] < 0.6
    assert cape[50, 80] > 0.62
    assert cape[50, 80] > 1.15 * exposure(land(row > 50), PARAMS, 0.0)[50, 80]


def test_a_lake_has_none_and_a_large_inner_sea_has_some() -> None:
    row, col = grid(201, 201)
    lake = land(np.hypot(row - 100, col - 100) > 30)
    assert not exposure(lake, PARAMS, 0.0).any()
    assert not ocean_of(lake, 0.0, 1e5).any()
    sea = ExposureParams(fetch=300.0, least_area=5e3)
    assert 0.05 < exposure(lake, sea, 0.0)[100, 130] < 0.4


def test_a_lake_by_the_coast_stays_calm() -> None:
    row, col = grid(161, 161)
    found = exposure(land((row > 40) & (np.hypot(row - 90, col - 80) > 12)), PARAMS, 0.0)
    assert found[40, 80] > 0.3
    assert not found[84:97, 74:87].any()


def test_wind_reaches_the_coast_that_faces_it() -> None:
    row, col = grid(161, 161)
    island = land(np.hypot(row - 80, col - 80) < 40)
    found = exposure(island, ExposureParams(fetch=200.0, wind_deg=270.0, spread_deg=30.0), 0.0)
    assert found[80, 40] > 0.85
    assert found[80, 120] < 0.05
    assert abs(found[40, 80] - found[120, 80]) < 0.02


def test_an_island_is_as_exposed_at_a_finer_cell() -> None:
    def island(cells: int, cell: float) -> float:
        row, col = grid(cells, cells)
        away = np.hypot(row - cells // 2, col - cells // 2) * cell
        return float(exposure(land(away < 100.0, cell), PARAMS, 0.0)[cells // 2, round(cells // 2 + 100.0 / cell)])

    assert abs(island(129, 4.0) - island(257, 2.0)) < 0.03


def test_smooth_along_a_round_coast() -> None:
    row, col = grid(257, 257)
    found = exposure(land(np.hypot(row - 128, col - 128) < 60), PARAMS, 0.0)
    angle = np.linspace(0.0, 2.0 * np.pi, 720)
    around = found[np.round(128 + 60 * np.sin(angle)).astype(int), np.round(128 + 60 * np.cos(angle)).astype(int)]
    assert around.std() < 0.03


def test_every_field_gives_shares() -> None:
    rng = np.random.default_rng(1)
    for rows, cols in ((2, 2), (2, 300), (65, 3), (129, 57)):
        field = VectorField.from_heights(rng.normal(0.0, 1.0, (rows, cols)).astype(np.float32), 3.0)
        for params in (PARAMS, ExposureParams(fetch=1e5), ExposureParams(fetch=1.0)):
            found = exposure(field, params, 0.0)
            assert found.dtype == np.float32
            assert found.shape == (rows, cols)
            assert found.min() >= 0.0
            assert found.max() <= 1.0 + 1e-6


def test_no_coast_no_exposure() -> None:
    for height in (5.0, -5.0):
        assert not exposure(VectorField.flat(40, 30, 1.0, height), PARAMS, 0.0).any()


def test_displaced_coasts_count_where_they_lie() -> None:
    """A coast moved by whole cells reads as one that was there from the start."""
    row, _ = grid(121, 121)
    field = land(row > 60)
    moved = VectorField(field.offset.copy(), field.cell)
    moved.offset[..., 1] -= 40.0 * np.exp(-(((row - 60.5) / 12.0) ** 2)).astype(np.float32)
    assert np.abs(exposure(moved, PARAMS, 0.0)[60, 60] - exposure(field, PARAMS, 0.0)[60, 60]) < 0.1
    found = exposure(arch_map().field, PARAMS, 1.0)
    assert 0.0 < found.max() <= 1.0


def test_same_bytes_at_any_number_of_threads() -> None:
    row, col = grid(97, 141)
    field = land(np.hypot(row - 48, col - 60) < 30)
    once = exposure(field, PARAMS, 0.0)
    for threads in (1, most_threads()):
        use_threads(threads)
        assert exposure(field, PARAMS, 0.0).tobytes() == once.tobytes()


def test_refuses_what_is_not_finite_in_one_line() -> None:
    field = land(np.ones((9, 9), bool))
    field.offset[3, 3, 2] = np.nan
    with pytest.raises(SkerryError, match="offset has values that are not finite") as error:
        exposure(field, PARAMS, 0.0)
    assert "\n" not in str(error.value)


def test_progress_may_cancel() -> None:
    def cancel(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        exposure(land(grid(30, 30)[0] > 10), PARAMS, 0.0, progress=cancel)
