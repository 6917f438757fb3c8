"""Hillslope creep: the law of decay, kept volume, and what must stay as it is."""

import numpy as np
import pytest

from terrain.erosion.hillslope import HillslopeParams, creep
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import most_threads, use_threads
from terrain.map import TerrainMap

ODD = [(2, 2), (2, 300), (65, 3), (257, 129)]


def rough(rows: int, cols: int, cell: float = 1.0, seed: int = 1) -> VectorField:
    rng = np.random.default_rng(seed)
    return VectorField.from_heights(100.0 + 8.0 * rng.standard_normal((rows, cols)), cell)


@pytest.mark.parametrize("cell", [0.5, 2.0])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("decay", [0.2, 1.0, 2.0])
def test_a_wave_decays_by_its_law(cell: float, turned: bool, decay: float) -> None:
    # Pixels are vertices and the border lies half a cell outside them, so 64 vertices see 64 cells of half a wave.
    length = 32.0 * cell
    k = np.pi / length
    at = np.cos(k * (np.arange(64) + 0.5) * cell)
    heights = np.broadcast_to(at[:, None] if turned else at, (64, 64))
    field = VectorField.from_heights(50.0 + 2.0 * heights, cell)
    years = decay / (0.02 * k * k)
    after = creep(field, HillslopeParams(diffusivity=0.02, years=years)).offset[..., 2].astype(np.float64) - 50.0
    amplitude = float((after * heights).sum() / (heights * heights).sum())
    assert amplitude == pytest.approx(2.0 * np.exp(-decay), rel=0.01)


def test_a_bump_spreads_alike_in_all_directions() -> None:
    row, col = np.mgrid[-40:41, -40:41]
    sigma, time = 5.0, 40.0
    field = VectorField.from_heights(10.0 * np.exp(-(row**2 + col**2) / (2 * sigma**2)), 1.0)
    after = creep(field, HillslopeParams(diffusivity=0.04, years=time / 0.04)).offset[..., 2]
    wide = sigma**2 + 2 * time
    exact = 10.0 * sigma**2 / wide * np.exp(-(row**2 + col**2) / (2 * wide))
    assert np.abs(after - exact).max() < 0.01 * exact.max()


@pytest.mark.parametrize("shape", ODD)
@pytest.mark.parametrize("years", [1.0, 1e3, 1e5])
def test_volume_is_kept_and_the_ledger_adds_up(shape: tuple[int, int], years: float) -> None:
    field = rough(*shape)
    result = creep(field, HillslopeParams(years=years))
    before, after = field.offset[..., 2], result.offset[..., 2]
    wear, deposit = result.grids["wear"], result.grids["deposit"]
    moved = result.ledger.picked
    assert moved > 0.0
    assert abs(after.sum(dtype=np.float64) - before.sum(dtype=np.float64)) < 1e-6 * moved
    assert result.ledger.error < 1e-6
    assert np.array_equal(wear, before + deposit - after)
    assert wear.min() >= 0.0
    assert deposit.min() >= 0.0
    assert before.min() <= after.min()
    assert after.max() <= before.max()


def test_long_years_end_level() -> None:
    field = rough(17, 23)
    after = creep(field, HillslopeParams(years=1e7)).offset[..., 2]
    assert np.ptp(after) < 1e-3
    assert after.mean() == pytest.approx(field.offset[..., 2].mean(), abs=1e-4)


@pytest.mark.parametrize("params", [HillslopeParams(years=0.0), HillslopeParams(diffusivity=0.0)])
def test_no_time_or_no_creep_changes_nothing(params: HillslopeParams) -> None:
    field = rough(33, 20)
    result = creep(field, params)
    assert np.array_equal(result.offset, field.offset)
    assert not result.grids["wear"].any()


def test_a_flat_map_stays() -> None:
    field = VectorField.flat(40, 31, 2.0, 7.3)
    assert np.array_equal(creep(field, HillslopeParams(years=1e5)).offset, field.offset)


def test_rock_of_no_softness_never_moves() -> None:
    field = rough(40, 40)
    soft = np.ones((40, 40), np.float32)
    soft[10:20, 12:30] = 0.0
    result = creep(field, HillslopeParams(years=1e4), softness=soft)
    assert np.array_equal(result.offset[10:20, 12:30], field.offset[10:20, 12:30])
    assert not np.array_equal(result.offset[:10], field.offset[:10])
    assert result.ledger.error < 1e-6


def test_softness_of_one_is_no_softness() -> None:
    field, params = rough(40, 40), HillslopeParams(years=500.0)
    soft = creep(field, params, softness=np.ones((40, 40), np.float32)).offset
    assert np.abs(soft - creep(field, params).offset).max() < 1e-4


def test_near_the_critical_slope_creep_is_faster() -> None:
    across = np.abs(np.arange(101) - 50.0)
    field = VectorField.from_heights(np.broadcast_to(40.0 - 0.5 * across, (30, 101)), 1.0)
    plain = creep(field, HillslopeParams(years=300.0))
    steep = creep(field, HillslopeParams(years=300.0, critical=33.0))
    gentle = creep(field, HillslopeParams(years=300.0, critical=89.0))
    assert steep.ledger.picked > 1.15 * plain.ledger.picked
    assert gentle.ledger.picked == pytest.approx(plain.ledger.picked, rel=0.02)
    assert steep.ledger.error < 1e-6


def test_on_a_stretched_field_real_distances_count() -> None:
    field = VectorField.from_heights(np.broadcast_to(np.cos(np.pi * (np.arange(64) + 0.5) / 32.0), (16, 64)), 1.0)
    field.offset[..., 0] = 0.5 * np.arange(64)
    k = np.pi / (32.0 * 1.5)
    after = creep(field, HillslopeParams(years=1.0 / (0.01 * k * k))).offset[..., 2]
    ratio = float((after * field.offset[..., 2]).sum() / (field.offset[..., 2] ** 2).sum())
    assert ratio == pytest.approx(np.exp(-1.0), rel=0.02)


def test_an_overhang_stays(arch: TerrainMap) -> None:
    field = arch.field
    down = field.normals()[..., 2] <= 0.0
    result = creep(field, HillslopeParams(years=3000.0))
    assert np.isfinite(result.offset).all()
    assert np.array_equal(result.offset[down], field.offset[down])
    after = VectorField(result.offset, field.cell, field.origin)
    assert (after.normals()[..., 2] <= 0.0).sum() >= 0.9 * down.sum()
    assert result.ledger.picked > 1.0
    assert result.ledger.error < 1e-6


def test_the_same_bytes_at_any_number_of_threads(arch: TerrainMap) -> None:
    soft = np.random.default_rng(3).random((130, 140)).astype(np.float32)
    runs = []
    for threads in (1, min(2, most_threads()), 1):
        use_threads(threads)
        plain = creep(rough(130, 140), HillslopeParams(years=2000.0))
        uneven = creep(rough(130, 140), HillslopeParams(years=2000.0, critical=50.0), softness=soft)
        displaced = creep(arch.field, HillslopeParams(years=2000.0))
        runs.append([r.offset.tobytes() + r.grids["wear"].tobytes() for r in (plain, uneven, displaced)])
    use_threads(most_threads())
    assert runs[0] == runs[1] == runs[2]


def test_numbers_that_are_not_finite_are_refused() -> None:
    field = rough(20, 20)
    field.offset[3, 4, 2] = np.nan
    with pytest.raises(SkerryError, match="not finite"):
        creep(field, HillslopeParams())
    with pytest.raises(SkerryError, match="softness"):
        creep(rough(20, 20), HillslopeParams(), softness=np.full((20, 20), np.nan, np.float32))
    with pytest.raises(SkerryError, match="shape"):
        creep(rough(20, 20), HillslopeParams(), softness=np.ones((3, 3), np.float32))


def test_progress_may_cancel() -> None:
    heard: list[float] = []

    def stop(share: float) -> None:
        heard.append(share)
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        creep(rough(64, 64), HillslopeParams(years=1e4), progress=stop)
    assert heard == sorted(heard)
    assert len(heard) > 5
