"""Rivers and the last hollows: drained land, the law of stream power, kept lakes, exact books."""

import numpy as np
import pytest

from terrain.erosion.drainage import outlets_of
from terrain.erosion.finish import FinishParams, finish
from terrain.erosion.fluvial import ERODIBILITY, FluvialParams, fluvial
from terrain.erosion.outcome import Eroded
from terrain.erosion.whole import ErodeParams, erode
from terrain.errors import Cancelled, SkerryError
from terrain.field import VectorField
from terrain.kernel import most_threads, use_threads
from terrain.map import TerrainMap
from tests.terrain.erosion.lands import hills, leaning, steepest_fold
from tests.terrain.erosion.rivers import descend, rivers_of

PROCESSES = {
    "fluvial": lambda field, **more: fluvial(field, FluvialParams(), 0.0, **more),
    "finish": lambda field, **more: finish(field, FinishParams(), 0.0, **more),
    "erode": lambda field, **more: erode(field, ErodeParams(), 0.0, **more),
}
each = pytest.mark.parametrize("process", sorted(PROCESSES))


def arrays(eroded: Eroded) -> list[bytes]:
    return [eroded.offset.tobytes(), *(grid.tobytes() for _, grid in sorted(eroded.grids.items()))]


@each
def test_threads_and_repeats_change_no_byte(process: str) -> None:
    field = hills(150, 200)
    made = []
    try:
        for threads in (1, most_threads(), 1):
            use_threads(threads)
            made.append(arrays(PROCESSES[process](field)))
    finally:
        use_threads(most_threads())
    assert made[0] == made[1] == made[2]


@each
@pytest.mark.parametrize("far", [0.0, 3.0])
def test_the_books_balance(process: str, far: float) -> None:
    field = hills(150, 120)
    field = leaning(field, far) if far else field
    eroded = PROCESSES[process](field)
    assert eroded.ledger.picked > 0.0
    assert eroded.ledger.error < 1e-6
    assert np.isfinite(eroded.offset).all()
    if far == 0.0:
        wear, deposit = eroded.grids["wear"], eroded.grids["deposit"]
        np.testing.assert_array_equal(wear, field.offset[..., 2] + deposit - eroded.offset[..., 2])
        assert wear.min() >= -1e-4
        gained = field.cell**2 * float((eroded.offset[..., 2] - field.offset[..., 2]).sum(dtype=np.float64))
        lost = eroded.ledger.exported + eroded.ledger.stranded
        assert gained == pytest.approx(-lost, abs=1e-5 * eroded.ledger.picked)


@each
def test_an_arch_stays_an_arch(process: str, arch: TerrainMap) -> None:
    eroded = PROCESSES[process](arch.field)
    before, after = steepest_fold(arch.field), steepest_fold(VectorField(eroded.offset, arch.field.cell))
    assert after < 0.8 * before
    under = arch.field.normals()[..., 2] < -0.3
    np.testing.assert_array_equal(eroded.offset[under], arch.field.offset[under])


@each
@pytest.mark.parametrize("shape", [(2, 2), (2, 300), (65, 3), (257, 129)])
def test_any_shape_erodes(process: str, shape: tuple[int, int]) -> None:
    eroded = PROCESSES[process](hills(*shape))
    assert eroded.offset.shape == (*shape, 3)
    assert np.isfinite(eroded.offset).all()


@each
def test_nan_is_refused_in_one_line(process: str) -> None:
    field = hills(20, 20)
    field.offset[3, 4, 2] = np.nan
    with pytest.raises(SkerryError, match="offset has values that are not finite"):
        PROCESSES[process](field)


@each
def test_it_reports_in_order_and_can_be_cancelled(process: str) -> None:
    shares: list[float] = []
    PROCESSES[process](hills(80, 80), progress=shares.append)
    assert len(shares) > 3
    assert shares == sorted(shares)

    def stop(share: float) -> None:
        if share > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        PROCESSES[process](hills(80, 80), progress=stop)


@pytest.mark.parametrize("sea", [0.0, -np.inf])
def test_after_all_the_land_drains(sea: float) -> None:
    field = hills(300, 257, relief=50.0, seed=11)
    height = erode(field, ErodeParams(), sea).offset[..., 2].copy()
    assert descend(height, outlets_of(height, sea)) == (0, 1.0)


def test_after_all_the_rivers_are_like_rivers() -> None:
    field = hills(513, 513, relief=50.0, seed=11)
    rivers = rivers_of(erode(field, ErodeParams()).offset[..., 2].copy(), field.cell)
    # A small map has few large rivers, so the bands are those of the whole-map statistics, widened.
    assert 0.45 < rivers.tau < 0.7
    assert 0.42 < rivers.hack < 0.66
    assert 0.1 < rivers.theta < 0.5


def test_finishing_leaves_no_hollow_even_on_flat_and_whole_metres() -> None:
    for height in (np.rint(hills(150, 130).offset[..., 2]), np.zeros((40, 50), np.float32)):
        field = VectorField.from_heights(height, 2.0)
        done = finish(field, FinishParams())
        height = done.offset[..., 2].copy()
        assert descend(height, outlets_of(height)) == (0, 1.0)


def test_a_lake_is_kept_if_it_is_large_and_deep() -> None:
    row, col = np.mgrid[0:120, 0:120].astype(np.float32)
    bowl = 30.0 - 12.0 * np.exp(-((row - 60) ** 2 + (col - 60) ** 2) / 200.0) - 0.05 * col
    pit = -6.0 * np.exp(-((row - 25) ** 2 + (col - 90) ** 2) / 3.0)
    field = VectorField.from_heights(bowl + pit, 2.0)
    kept = finish(field, FinishParams(keep_lakes=True, lake_area=400.0, lake_depth=2.0))
    assert kept.grids["lake"][60, 60] > 5.0
    assert kept.offset[60, 60, 2] == field.offset[60, 60, 2]
    assert kept.grids["lake"][25, 90] == 0.0
    assert kept.offset[25, 90, 2] > field.offset[25, 90, 2]
    dry = finish(field, FinishParams())
    assert not dry.grids["lake"].any()


def test_a_river_keeps_the_law_of_stream_power() -> None:
    """Where each vertex of a straight valley lowers towards its receiver alone, dz/dt = K·A^½·S: after long time the
    valley is graded from its mouth up, and early on the wave of incision has gone as far as its speed K·A^½ says.
    """
    length, cell = 200, 10.0
    height = np.full((length, 5), 400.0, np.float32)
    height[:, [1, 3]] = 300.0
    # The sides drain into the axis, whose mouth lies 50 m below.
    height[:, 2] = 50.0 + np.linspace(0.0, 2.0, length)
    height[0] = 0.0
    area = 3.0 * cell * cell * np.arange(length, 0, -1)
    speed = ERODIBILITY * area / np.sqrt(area + 300.0)
    age = float(np.cumsum(cell / speed)[100])
    params = FluvialParams(age=age, creep=0.0, steepest=89.0, fill=0.0)
    after = fluvial(VectorField.from_heights(height, cell), params, 0.0).offset[:, 2, 2]
    # Half the fall has passed where the wave is, spread by the implicit scheme.
    front = int(np.argmax(after > 25.0))
    assert front == pytest.approx(100, abs=15)


def test_older_land_has_deeper_valleys() -> None:
    field = hills(257, 257, relief=50.0)
    depth = [float(fluvial(field, FluvialParams(age=age)).grids["wear"].mean()) for age in (0.0, 10.0, 40.0, 160.0)]
    assert depth[0] == 0.0
    assert depth[1] < depth[2] < depth[3]
    np.testing.assert_array_equal(fluvial(field, FluvialParams(age=0.0)).offset, field.offset)


def test_hard_ground_stays() -> None:
    field = hills(200, 200)
    soft = np.ones((200, 200), np.float32)
    soft[:, 120:] = 0.0
    for name in ("fluvial", "erode"):
        eroded = PROCESSES[name](field, softness=soft)
        assert np.abs(eroded.offset[..., 2] - field.offset[..., 2])[:, :80].mean() > 0.1
        assert eroded.grids["wear"][:, 150:].max() < 0.01


def test_flow_is_the_area_that_drains_through() -> None:
    row, _ = np.mgrid[0:50, 0:9].astype(np.float32)
    field = VectorField.from_heights(row, 3.0)
    flow = finish(field, FinishParams()).grids["flow"]
    assert flow[0].sum() + flow[-1].sum() + flow[1:-1, [0, -1]].sum() == pytest.approx(9.0 * 50 * 9, rel=1e-6)
    assert (np.diff(flow[1:-1, 4]) <= 0.0).mean() > 0.7
