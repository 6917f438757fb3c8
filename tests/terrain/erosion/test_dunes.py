"""Dunes: crests across the wind, lees at rest, smaller ones faster, and sand that is kept."""

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.erosion.dunes import DuneParams, blow
from terrain.erosion.outcome import Eroded
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import most_threads, use_threads
from terrain.map import TerrainMap


def check_ledger(field: VectorField, result: Eroded) -> None:
    before, after = field.offset[..., 2], result.offset[..., 2]
    wear, deposit = result.grids["wear"], result.grids["deposit"]
    assert np.array_equal(wear, before + deposit - after)
    assert wear.min() >= 0.0
    assert deposit.min() >= 0.0
    assert result.grids["sand"].min() >= 0.0
    assert result.ledger.error < 1e-6
    gained = (after.sum(dtype=np.float64) - before.sum(dtype=np.float64)) * field.cell**2
    assert abs(gained + result.ledger.exported) <= 1e-6 * result.ledger.picked


def mound(shape: tuple[int, int], row: int, col: int, height: float, radius: float) -> NDArray[np.float32]:
    rows, cols = np.mgrid[: shape[0], : shape[1]]
    away = np.hypot(rows - row, cols - col) / radius
    return np.where(away < 1.0, height * np.cos(0.5 * np.pi * np.minimum(away, 1.0)) ** 2, 0.0).astype(np.float32)


def slopes(heights: NDArray[np.floating], toward: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slopes along the wind and across it."""
    north, east = np.gradient(heights.astype(np.float64))
    x, y = np.sin(np.radians(toward)), np.cos(np.radians(toward))
    return x * east + y * north, y * east - x * north


@pytest.mark.parametrize("toward", [90.0, 0.0, -90.0, 180.0, 60.0, 215.0])
def test_crests_lie_across_the_wind_and_lees_rest(toward: float) -> None:
    field = VectorField.flat(200, 220, 1.0, 10.0)
    result = blow(field, DuneParams(toward=toward))
    heights = result.offset[..., 2]
    assert np.ptp(heights) > 2.0
    along, across = slopes(heights, toward)
    assert along.std() > 1.15 * across.std()
    # The lee is steeper than what faces the wind.
    assert (along**3).mean() < 0.0
    east, north = np.diff(heights, axis=1)[:-1], np.diff(heights, axis=0)[:, :-1]
    steepest = np.degrees(np.arctan(np.percentile(np.hypot(east, north), 99.8)))
    assert steepest == pytest.approx(34.0, abs=2.0)
    check_ledger(field, result)


def wander(height: float, toward: float = 90.0) -> float:
    """How far a lone mound of sand goes in some years, metres downwind."""
    sand = mound((90, 160), 45, 45, height, 4.5 * height)
    field = VectorField.from_heights(sand, 1.0)
    params = DuneParams(toward=toward, years=1.5, inflow=0.0, gusts=0.0)
    result = blow(field, params, sand=sand)
    check_ledger(field, result)
    col = np.arange(160.0)
    middle = [float((grid.sum(axis=0, dtype=np.float64) * col).sum() / grid.sum(dtype=np.float64))
              for grid in (sand, result.grids["sand"])]  # fmt: skip
    return middle[1] - middle[0]


def test_dunes_wander_downwind_and_smaller_ones_faster() -> None:
    """A dune's speed is what the wind carries over its height (Bagnold 1941)."""
    high, low = wander(6.0), wander(3.0)
    assert high > 2.0
    assert low / high == pytest.approx(2.0, rel=0.35)


@pytest.mark.parametrize("shape", [(2, 2), (2, 300), (65, 3), (257, 129)])
@pytest.mark.parametrize("toward", [90.0, 20.0, 200.0])
def test_odd_shapes(shape: tuple[int, int], toward: float) -> None:
    rng = np.random.default_rng(5)
    field = VectorField.from_heights(100.0 + rng.standard_normal(shape), 1.0)
    result = blow(field, DuneParams(toward=toward, years=0.3, inflow=0.5))
    assert np.isfinite(result.offset).all()
    check_ledger(field, result)


def test_turning_the_wind_turns_the_dunes() -> None:
    sand = mound((80, 100), 30, 50, 4.0, 20.0)
    east = VectorField.from_heights(sand, 1.0)
    south = VectorField.from_heights(np.rot90(sand), 1.0)
    params = {"years": 0.5, "gusts": 0.0}
    one = blow(east, DuneParams(toward=90.0, **params), sand=sand)
    two = blow(south, DuneParams(toward=180.0, **params), sand=np.ascontiguousarray(np.rot90(sand)))
    assert np.abs(np.rot90(one.offset[..., 2], 1) - two.offset[..., 2]).max() < 1e-3


def test_what_leaves_the_map_is_exported() -> None:
    sand = mound((60, 60), 30, 45, 4.0, 12.0)
    field = VectorField.from_heights(sand, 2.0)
    result = blow(field, DuneParams(years=40.0, inflow=0.0), sand=sand)
    assert result.ledger.exported > 0.2 * 4.0 * float(sand.sum(dtype=np.float64))
    check_ledger(field, result)


def test_bedrock_stays_under_its_sand() -> None:
    rng = np.random.default_rng(2)
    rock = 3.0 * rng.random((80, 90))
    sand = (2.0 * rng.random((80, 90))).astype(np.float32)
    field = VectorField.from_heights(rock + sand, 1.0)
    result = blow(field, DuneParams(years=1.0), sand=sand)
    assert np.abs(result.offset[..., 2] - result.grids["sand"] - (field.offset[..., 2] - sand)).max() < 1e-5
    bare = blow(field, DuneParams(sand=0.0, inflow=0.0))
    assert np.array_equal(bare.offset, field.offset)


def test_no_wind_blows_under_the_sea() -> None:
    field = VectorField.flat(60, 60, 1.0, -5.0)
    assert np.array_equal(blow(field, DuneParams(inflow=0.0), sea=0.0).offset, field.offset)


def test_sand_that_is_held_stays() -> None:
    field = VectorField.flat(60, 60, 1.0, 5.0)
    soft = np.zeros((60, 60), np.float32)
    result = blow(field, DuneParams(inflow=0.0), softness=soft)
    assert np.array_equal(result.offset, field.offset)


@pytest.mark.parametrize("params", [DuneParams(years=0.0), DuneParams(flux=0.0), DuneParams(gusts=0.0)])
def test_a_flat_map_stays_without_wind_or_gusts(params: DuneParams) -> None:
    field = VectorField.flat(40, 31, 2.0, 7.3)
    result = blow(field, params)
    assert np.array_equal(result.offset, field.offset)
    assert not result.grids["wear"].any()


def test_no_wind_changes_nothing(arch: TerrainMap) -> None:
    assert np.array_equal(blow(arch.field, DuneParams(years=0.0)).offset, arch.field.offset)


@pytest.mark.parametrize("toward", [0.0, 70.0, 200.0])
def test_an_overhang_stays(arch: TerrainMap, toward: float) -> None:
    field = arch.field
    down = field.normals()[..., 2] <= 0.0
    result = blow(field, DuneParams(toward=toward, years=1.0))
    assert np.isfinite(result.offset).all()
    assert np.array_equal(result.offset[down], field.offset[down])
    after = VectorField(result.offset, field.cell, field.origin)
    assert (after.normals()[..., 2] <= 0.0).sum() >= 0.9 * down.sum()
    assert result.ledger.picked > 1.0
    assert result.ledger.error < 1e-6


def test_the_same_bytes_at_any_number_of_threads(arch: TerrainMap) -> None:
    field = VectorField.flat(130, 170, 1.0, 3.0)
    runs = []
    for threads in (1, min(2, most_threads()), 1):
        use_threads(threads)
        results = [blow(field, DuneParams(toward=t, years=0.5)) for t in (90.0, 33.0)]
        results.append(blow(arch.field, DuneParams(toward=33.0, years=0.3)))
        runs.append([r.offset.tobytes() + r.grids["sand"].tobytes() for r in results])
    use_threads(most_threads())
    assert runs[0] == runs[1] == runs[2]
    assert runs[0][0] != blow(field, DuneParams(years=0.5, seed=2)).offset.tobytes()


def test_numbers_that_are_not_finite_are_refused() -> None:
    field = VectorField.flat(20, 20, 1.0)
    with pytest.raises(SkerryError, match="sand"):
        blow(field, DuneParams(), sand=np.full((20, 20), np.nan, np.float32))
    field.offset[3, 4, 2] = np.nan
    with pytest.raises(SkerryError, match="not finite"):
        blow(field, DuneParams())


def test_progress_may_cancel() -> None:
    heard: list[float] = []

    def stop(share: float) -> None:
        heard.append(share)
        if share > 0.1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        blow(VectorField.flat(64, 64, 1.0), DuneParams(), progress=stop)
    assert heard == sorted(heard)
    assert len(heard) > 5
