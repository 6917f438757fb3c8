"""Rivers and fans: beds that fall, banks as wide as asked, cones of a given slope and volume."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.erosion.course import RiverParams
from terrain.erosion.fan import FanParams, fan
from terrain.erosion.outcome import Eroded
from terrain.erosion.river import river
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import most_threads, use_threads
from tests.fixtures import arch_map

SHARP = RiverParams(width_start=12.0, width_end=12.0, depth_start=2.0, depth_end=2.0, shoulder=0.0, laid=0.0)


def plane(rows: int = 161, cols: int = 121, cell: float = 1.0, slope: float = 0.02, top: float = 20.0) -> VectorField:
    """Ground that falls to the south."""
    height = top - slope * cell * np.repeat(np.arange(rows)[::-1, None], cols, axis=1)
    return VectorField.from_heights(height.astype(np.float32), cell, (50.0, -30.0))


def hills(rows: int = 161, cols: int = 161, cell: float = 2.0, seed: int = 3) -> VectorField:
    """Rough ground that falls from 45 m in the north to 15 m below the sea in the south."""
    rng = np.random.default_rng(seed)
    row, col = np.mgrid[0:rows, 0:cols]
    height = 60.0 * row / rows - 15.0 + 4.0 * np.sin(row / 9.0) * np.cos(col / 13.0) + rng.normal(0.0, 0.3, row.shape)
    return VectorField.from_heights(height.astype(np.float32), cell)


LINE = [(170.0, 310.0), (120.0, 240.0), (200.0, 170.0), (150.0, 90.0), (160.0, 10.0)]


def at(
    field: VectorField, heights: NDArray[np.float32], x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Heights between vertices, as a heightmap's cells have them."""
    col, row = (x - field.origin[0]) / field.cell, (y - field.origin[1]) / field.cell
    c, r = col.astype(int), row.astype(int)
    u, v = col - c, row - r
    south = (1 - u) * heights[r, c] + u * heights[r, c + 1]
    north = (1 - u) * heights[r + 1, c] + u * heights[r + 1, c + 1]
    return np.asarray((1 - v) * south + v * north, np.float64)


def check_books(field: VectorField, out: Eroded) -> None:
    before, after = field.offset[..., 2], out.offset[..., 2]
    wear, deposit = out.grids["wear"], out.grids["deposit"]
    assert ((before + deposit) - after).tobytes() == wear.tobytes()
    assert wear.min() >= 0.0
    assert deposit.min() >= 0.0
    gained = float((after.astype(np.float64) - before).sum()) * field.cell**2
    scale = max(out.ledger.picked, out.ledger.dropped, 1e-6)
    assert abs(gained + out.ledger.exported) < 1e-6 * scale
    assert out.ledger.error < 1e-6


def test_the_bed_falls_all_the_way_through_hills() -> None:
    field = VectorField.from_heights(hills().offset[..., 2], 2.0)
    row = np.mgrid[0:161, 0:161][0]
    field.offset[..., 2] += 12.0 * np.exp(-(((row - 80) / 6.0) ** 2)).astype(np.float32)
    points = [(160.0, 310.0), (160.0, 20.0)]
    params = RiverParams(width_start=14.0, width_end=20.0, depth_start=1.5, depth_end=3.0)
    out = river(field, params, points, 0.0)
    y = np.arange(300.0, 20.0, -1.0)
    laid = at(field, out.grids["deposit"], np.full(len(y), 160.0), y)
    y = y[: np.flatnonzero(laid > 0.5)[-1]]
    assert y[-1] < 75.0
    bed = at(field, out.offset[..., 2], np.full(len(y), 160.0), y)
    ground = at(field, field.offset[..., 2], np.full(len(y), 160.0), y)
    # A winding or noisy bank is read between vertices, hence not to the last millimetre.
    assert np.diff(bed).max() < 1e-3
    assert out.grids["deposit"].max() > 0.5
    assert np.diff(ground).max() > 0.3
    check_books(field, out)


def test_the_bed_of_a_winding_river_falls_too() -> None:
    field = hills()
    out = river(field, RiverParams(width_start=16.0, width_end=24.0, depth_start=2.0, fall=0.3), LINE, 0.0)
    deepest = [out.offset[r, :, 2][out.grids["river"][r] > 0.0] for r in range(155, 60, -1)]
    lowest = np.array([row.min() for row in deepest])
    assert np.diff(lowest).max() < 0.05
    assert lowest[0] > lowest[-1] + 20.0


def test_banks_are_as_wide_and_deep_as_asked_on_a_plane() -> None:
    field = plane(slope=0.0)
    out = river(field, SHARP, [(110.0, 120.0), (110.0, -30.0)])
    cut = out.grids["wear"][80].astype(np.float64)
    inside = np.flatnonzero(cut > 0.0)
    left = inside[0] - 1 + (1.0 - cut[inside[0]] / (cut[inside[0] + 1] - cut[inside[0]]))
    right = inside[-1] + 1 - (1.0 - cut[inside[-1]] / (cut[inside[-1] - 1] - cut[inside[-1]]))
    assert abs((right - left) - 12.0) < 0.25
    assert abs(cut.max() - 2.0) < 0.1
    assert np.abs(np.diff(cut)).max() <= np.tan(np.radians(32.0)) + 1e-5
    assert abs(out.grids["river"][80].max() - 2.0) < 1e-5


def test_rivers_grow_and_flow_to_the_lower_end_whichever_way_they_are_drawn() -> None:
    field = plane()
    params = RiverParams(width_start=6.0, width_end=20.0, depth_start=1.0, depth_end=3.0, laid=0.0)
    points = [(110.0, 120.0), (110.0, -20.0)]
    down, up = river(field, params, points), river(field, params, points[::-1])
    assert (down.grids["river"][140] > 0.0).sum() < (down.grids["river"][20] > 0.0).sum()
    assert down.grids["wear"][20].max() > 2.0 * down.grids["wear"][145].max()
    assert np.abs(down.offset - up.offset).max() < 1e-3


def test_heights_given_with_the_points_stand_for_the_ground() -> None:
    field = plane(slope=0.0)
    out = river(field, SHARP, [(110.0, 110.0, 19.0), (110.0, 50.0, 12.0), (110.0, -20.0, 10.0)])
    assert abs(out.offset[80, 60, 2] - 10.0) < 0.3
    assert abs(out.offset[20, 60, 2] - 8.2) < 0.5


def test_what_is_carved_is_laid_at_the_mouth() -> None:
    field = hills()
    out = river(field, RiverParams(), LINE, 0.0)
    assert abs(out.ledger.exported) < 1e-6 * out.ledger.picked
    assert out.ledger.picked > 500.0
    row, col = (np.average(a, weights=out.grids["deposit"]) for a in np.mgrid[0:161, 0:161])
    assert 10 < row < 60
    assert 55 < col < 100
    check_books(field, out)
    half = river(field, RiverParams(laid=0.5), LINE, 0.0)
    assert abs(half.ledger.exported - 0.5 * half.ledger.picked) < 1e-5 * half.ledger.picked


def test_a_delta_leaves_the_river_open() -> None:
    field = hills()
    out = river(field, RiverParams(width_end=24.0, depth_end=3.0), LINE, 0.0)
    open_part = (out.grids["river"] > 1.0) & (field.offset[..., 2] > 1.0)
    assert open_part.any()
    assert (out.grids["deposit"][open_part] < 1e-3).all()


def test_a_river_over_the_border_takes_its_sediment_along() -> None:
    field = plane()
    out = river(field, RiverParams(), [(110.0, 100.0), (110.0, -30.0)])
    assert not out.grids["deposit"].any()
    assert abs(out.ledger.exported - out.ledger.picked) < 1e-6 * out.ledger.picked


def test_meanders_swing_as_far_as_asked() -> None:
    field = plane(slope=0.002)
    params = RiverParams(meander=15.0, meander_length=60.0, width_start=4.0, width_end=4.0, laid=0.0)
    out = river(field, params, [(110.0, 125.0), (110.0, -25.0)])
    middle = np.array([np.average(np.arange(121), weights=w) for w in out.grids["river"][30:130]])
    assert 12.0 < middle.max() - 60.0 < 17.0
    assert -17.0 < middle.min() - 60.0 < -12.0


@pytest.mark.parametrize("volume", [50.0, 3000.0])
def test_a_fan_on_a_plane_is_a_cone_of_its_slope_and_volume(volume: float) -> None:
    field = plane(slope=0.0, top=5.0)
    params = FanParams(slope=6.0, spread=70.0)
    apex = (110.3, 50.2)
    out = fan(field, params, apex, (0.0, -2.0), volume)
    place = field.positions()
    away = np.hypot(place[..., 0] - apex[0], place[..., 1] - apex[1])
    ahead = (out.grids["fan"] > 0.0) & (apex[1] - place[..., 1] > away * np.cos(np.radians(70.0)))
    top = out.offset[..., 2].astype(np.float64) + math.tan(math.radians(6.0)) * away
    assert ahead.sum() > 50
    assert np.ptp(top[ahead]) < 1e-5
    assert abs(out.ledger.dropped - volume) < 1e-6 * volume
    assert abs(out.ledger.exported + volume) < 1e-6 * volume
    behind = place[..., 1] > apex[1] + 1.0
    assert out.grids["fan"][behind].sum() < 0.3 * out.grids["fan"].sum()


def test_a_delta_is_flat_above_the_sea_and_steep_below() -> None:
    field = plane(slope=0.1, top=8.0, cell=2.0)
    sea = 0.0
    out = fan(field, FanParams(slope=2.0, foreset=20.0), (170.0, 214.0), (0.0, -1.0), 20000.0, sea)
    line = out.offset[:, 60, 2].astype(np.float64)
    laid = out.grids["fan"][:, 60] > 0.05
    drop = np.diff(line) / 2.0
    above = laid[1:] & laid[:-1] & (line[:-1] > 0.1) & (np.arange(160) < 120)
    below = laid[1:] & laid[:-1] & (line[1:] < -0.1)
    assert above.sum() > 3
    assert below.sum() > 3
    assert np.abs(drop[above] - math.tan(math.radians(2.0))).max() < 1e-4
    assert np.abs(drop[below] - math.tan(math.radians(20.0))).max() < 1e-4


def test_only_the_surroundings_change() -> None:
    field = hills()
    out = river(field, RiverParams(), LINE, 0.0)
    changed = out.offset != field.offset
    assert not changed[..., :2].any()
    assert 0.0 < changed[..., 2].mean() < 0.4
    assert not changed[:, :20].any()


@pytest.mark.parametrize("shape", [(2, 2), (2, 300), (65, 3), (257, 129)])
def test_every_shape(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    field = VectorField.from_heights(rng.normal(3.0, 3.0, shape).astype(np.float32), 2.0)
    width, height = field.rest_size
    for points in ([(0.0, 0.0), (width, height)], [(0.2 * width, 0.3 * height), (0.5 * width, 0.6 * height)]):
        for sea in (-math.inf, 0.0, 100.0):
            check_books(field, river(field, RiverParams(), points, sea))
    assert abs(fan(field, FanParams(), (width / 2, 0.0), (0.0, 1.0), 40.0).ledger.dropped - 40.0) < 4e-4


def test_points_beyond_the_map_are_allowed() -> None:
    check_books(hills(), river(hills(), RiverParams(), [(160.0, 500.0), (160.0, -300.0)], 0.0))


def test_no_strength_no_volume_or_only_sea_change_nothing() -> None:
    field = hills()
    for out in (
        river(field, RiverParams(strength=0.0), LINE, 0.0),
        river(field, RiverParams(), LINE, 1e4),
        fan(field, FanParams(), (100.0, 100.0), (1.0, 0.0), 0.0),
    ):
        assert out.offset.tobytes() == field.offset.tobytes()
        assert not out.grids["wear"].any()
        assert not out.grids["deposit"].any()
        assert out.ledger.error == 0.0


def test_softness_scales_the_cut() -> None:
    field = hills()
    soft = np.ones((161, 161), np.float32)
    soft[:, :70] = 0.0
    out = river(field, RiverParams(laid=0.0), LINE, 0.0, softness=soft)
    assert not out.grids["wear"][:, :70].any()
    assert out.grids["wear"].any()


def test_same_bytes_at_any_number_of_threads() -> None:
    field = hills()
    once = river(field, RiverParams(meander=8.0), LINE, 0.0)
    for threads in (1, most_threads()):
        use_threads(threads)
        again = river(field, RiverParams(meander=8.0), LINE, 0.0)
        assert again.offset.tobytes() == once.offset.tobytes()
        assert all(again.grids[name].tobytes() == grid.tobytes() for name, grid in once.grids.items())
        assert again.ledger == once.ledger


def test_an_arch_stays_an_arch() -> None:
    field = arch_map().field
    params = RiverParams(width_start=4.0, width_end=6.0)
    out = river(field, params, [(140.0, 10.0), (150.0, -30.0), (165.0, -48.0)], -2.0)
    assert out.ledger.picked > 10.0
    assert out.ledger.error < 1e-6
    down = field.normals()[..., 2] <= 0.0
    assert out.offset[down].tobytes() == field.offset[down].tobytes()
    after = VectorField(out.offset, field.cell, field.origin).normals()[..., 2]
    assert (after[down] <= 0.0).all()
    assert (after[~down] > -1e-3).all()


def test_refuses_in_one_line() -> None:
    field, nan = plane(), float("nan")
    for refused, words in (
        (lambda: river(field, SHARP, [(1.0, nan), (2.0, 3.0)]), "points has values that are not finite"),
        (lambda: river(field, SHARP, [(1.0, 2.0)]), "two points"),
        (lambda: river(field, SHARP, [(1.0, 2.0), (1.0, 2.0)]), "apart"),
        (lambda: river(field, SHARP, [(1.0, 2.0), (3.0, 2.0)], nan), "sea"),
        (lambda: fan(field, FanParams(), (1.0, 2.0), (1.0, 0.0), nan), "volume"),
        (lambda: fan(field, FanParams(), (1.0, 2.0), (0.0, 0.0), 1.0), "direction"),
        (lambda: fan(field, FanParams(), (1.0, 2.0), (1.0, 0.0), -1.0), "volume"),
    ):
        with pytest.raises(SkerryError, match=words) as error:
            refused()
        assert "\n" not in str(error.value)
    bad = plane()
    bad.offset[3, 3, 2] = nan
    with pytest.raises(SkerryError, match="offset"):
        river(bad, SHARP, [(60.0, 0.0), (60.0, 50.0)])


def test_progress_grows_and_may_cancel() -> None:
    seen: list[float] = []
    river(hills(), RiverParams(), LINE, 0.0, progress=seen.append)
    assert len(seen) > 5
    assert seen == sorted(seen)

    def cancel(share: float) -> None:
        if share > 0.3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        river(hills(), RiverParams(), LINE, 0.0, progress=cancel)
