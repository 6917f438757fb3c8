"""Rain: the same bytes always, no sediment lost, no border, no seams, and every place at its own height."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.erosion.droplets import DropletParams, brush_of, droplets
from terrain.erosion.outcome import Eroded
from terrain.errors import Cancelled, SkerryError
from terrain.field import VectorField
from terrain.kernel import most_threads, use_threads
from terrain.map import TerrainMap
from tests.terrain.erosion.lands import hills, leaning, steepest_fold

RAIN = DropletParams()


def arrays(eroded: Eroded) -> list[bytes]:
    return [eroded.offset.tobytes(), *(grid.tobytes() for _, grid in sorted(eroded.grids.items()))]


def change(field: VectorField, eroded: Eroded) -> NDArray[np.float32]:
    return eroded.offset[..., 2] - field.offset[..., 2]


@pytest.mark.parametrize("displaced", [False, True])
def test_threads_and_repeats_change_no_byte_but_the_seed_does(displaced: bool) -> None:
    field = hills(300, 420)
    field = leaning(field, 3.0) if displaced else field
    made = []
    try:
        for threads in (1, 2, most_threads(), 1):
            use_threads(min(threads, most_threads()))
            made.append(arrays(droplets(field, RAIN)))
    finally:
        use_threads(most_threads())
    assert all(one == made[0] for one in made)
    other = arrays(droplets(field, DropletParams(seed=2)))
    assert all(a != b for a, b in zip(made[0], other, strict=True))


@pytest.mark.parametrize("relief", [4.0, 60.0, 4000.0])
def test_no_sediment_is_lost(relief: float) -> None:
    field = hills(257, 129, relief=relief)
    eroded = droplets(field, RAIN)
    ledger, grids = eroded.ledger, eroded.grids
    assert ledger.picked > 0.0
    assert ledger.error < 1e-6
    np.testing.assert_array_equal(grids["wear"], field.offset[..., 2] + grids["deposit"] - eroded.offset[..., 2])
    assert grids["wear"].min() >= -1e-6 * max(1.0, relief)
    area = field.cell**2
    assert ledger.dropped == pytest.approx(area * grids["deposit"].sum(dtype=np.float64), rel=1e-9)
    gained = area * change(field, eroded).sum(dtype=np.float64)
    assert gained == pytest.approx(ledger.dropped - ledger.picked, abs=1e-6 * ledger.picked)
    assert gained == pytest.approx(-ledger.exported - ledger.stranded, abs=1e-6 * ledger.picked)


def test_on_a_displaced_field_the_volume_between_the_surfaces_is_the_ledgers() -> None:
    field = leaning(hills(257, 257), 6.0)
    eroded = droplets(field, RAIN)
    assert eroded.ledger.error < 1e-6
    gained = _volume(VectorField(eroded.offset, field.cell)) - _volume(field)
    assert gained == pytest.approx(eroded.ledger.dropped - eroded.ledger.picked, abs=0.01 * eroded.ledger.picked)


def _volume(field: VectorField) -> float:
    """Volume under the surface, by the divergence theorem over its triangles."""
    p = field.positions()
    a, b, c, d = p[:-1, :-1], p[:-1, 1:], p[1:, 1:], p[1:, :-1]
    total = 0.0
    for one, two, three in ((a, b, c), (a, c, d)):
        u, v = two - one, three - one
        total += float(
            (0.5 * (u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]) * (one + two + three)[..., 2] / 3.0).sum()
        )
    return total


def test_the_edge_is_worn_like_the_middle() -> None:
    edge, middle = 0.0, 0.0
    for seed in range(6):
        field = hills(257, 257, seed=10 + seed)
        moved = np.abs(change(field, droplets(field, RAIN)))
        rim = np.ones_like(moved, bool)
        rim[8:-8, 8:-8] = False
        edge, middle = edge + moved[rim].mean(), middle + moved[40:-40, 40:-40].mean()
    assert abs(edge / middle - 1.0) < 0.25


def test_tiles_leave_no_seams() -> None:
    """Along the borders of the tiles of every round the ground is no rougher than elsewhere."""
    from terrain.noise import hash2

    field = hills(600, 600)
    moved = change(field, droplets(field, RAIN))
    rough = np.abs(np.diff(moved, axis=1)).mean(axis=0)
    pad = math.ceil(RAIN.reach / field.cell) + brush_of(RAIN.radius / field.cell).reach + 5
    columns = set()
    for number in range(8):
        shift = int(hash2(number, 1, RAIN.seed)) % 128
        columns |= {c for c in (k * 128 - shift - pad for k in range(8)) if 0 < c < 600}
    seams = [rough[c - 1] for c in columns]
    assert len(seams) > 20
    # Neighbouring columns are alike, so each seam is compared with its own surroundings.
    around = [np.delete(rough[max(0, c - 12) : c + 12], min(c - 1, 11)).mean() for c in columns]
    assert abs(np.mean(seams) / np.mean(around) - 1.0) < 0.03


def test_a_map_looks_the_same_at_any_cell_size() -> None:
    coarse, fine = hills(129, 129, 4.0), hills(257, 257, 2.0)
    params = DropletParams(radius=8.0, reach=120.0)
    dry = [change(field, droplets(field, params)) for field in (coarse, fine)]
    rms = [float(np.sqrt((d**2).mean())) for d in dry]
    assert rms[1] == pytest.approx(rms[0], rel=0.25)


def test_an_arch_stays_an_arch(arch: TerrainMap) -> None:
    before = steepest_fold(arch.field)
    eroded = droplets(arch.field, DropletParams(reach=20.0, radius=1.5, density=2.0))
    after = VectorField(eroded.offset, arch.field.cell)
    assert np.isfinite(eroded.offset).all()
    assert eroded.ledger.error < 1e-6
    assert before < -0.5
    assert steepest_fold(after) < 0.8 * before
    under = arch.field.normals()[..., 2] < -1e-3
    np.testing.assert_array_equal(eroded.offset[under], arch.field.offset[under])


def test_droplets_stop_in_the_sea_and_leave_their_load_at_the_shore() -> None:
    field = hills(257, 257)
    eroded = droplets(field, RAIN, sea=0.0)
    deep = field.offset[..., 2] < -15.0
    assert deep.any()
    np.testing.assert_array_equal(change(field, eroded)[deep], 0.0)
    shallow = np.abs(field.offset[..., 2]) < 1.0
    assert change(field, eroded)[shallow].mean() > 0.0


def test_hard_ground_and_dry_ground_stay() -> None:
    field = hills(257, 257)
    west = np.zeros((257, 257), np.float32)
    west[:, :128] = 1.0
    hard = droplets(field, RAIN, softness=west)
    assert not hard.grids["wear"][:, 128:].max() > 1e-5
    assert hard.grids["wear"][:, :100].mean() > 0.05
    dry = droplets(field, RAIN, rainfall=west)
    np.testing.assert_array_equal(change(field, dry)[:, 180:], 0.0)
    assert np.abs(change(field, dry)[:, :100]).mean() > 0.05


def test_water_runs_down_a_plane_and_digs_deeper_where_it_is_steep() -> None:
    slope = np.arange(200, dtype=np.float32)
    wear = []
    for steep in (0.2, 0.4, 0.8):
        field = VectorField.from_heights(np.tile(slope * np.float32(steep * 2.0), (160, 1)), 2.0)
        wear.append(float(droplets(field, RAIN).grids["wear"][40:-40, 40:-40].mean()))
    assert wear[0] < wear[1] < wear[2]


def test_no_rain_and_no_strength_change_nothing() -> None:
    field = hills(100, 90)
    for params in (DropletParams(density=0.0), DropletParams(strength=0.0)):
        np.testing.assert_array_equal(droplets(field, params).offset, field.offset)


@pytest.mark.parametrize("shape", [(2, 2), (2, 300), (65, 3), (257, 129)])
def test_any_shape_erodes(shape: tuple[int, int]) -> None:
    eroded = droplets(hills(*shape), RAIN)
    assert eroded.offset.shape == (*shape, 3)
    assert np.isfinite(eroded.offset).all()
    assert eroded.ledger.error < 1e-6


def test_nan_is_refused_in_one_line() -> None:
    field = hills(20, 20)
    field.offset[3, 4, 2] = np.nan
    with pytest.raises(SkerryError, match="offset has values that are not finite"):
        droplets(field, RAIN)
    with pytest.raises(SkerryError, match="softness"):
        droplets(hills(20, 20), RAIN, softness=np.full((20, 20), np.inf, np.float32))


def test_it_can_be_cancelled_at_every_report() -> None:
    shares: list[float] = []

    def listen(share: float) -> None:
        shares.append(share)
        if len(shares) == 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        droplets(hills(200, 200), RAIN, progress=listen)
    assert shares == sorted(shares)
    assert len(shares) == 5
