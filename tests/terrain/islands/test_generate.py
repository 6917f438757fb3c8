"""What holds for every kind of island: it drains, it is the seed's, it knows no cells, it can be stopped."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.errors import Cancelled, ParamError, SkerryError
from terrain.islands.generate import KINDS, generate
from terrain.islands.params import IslandParams, Kind
from terrain.kernel import most_threads, use_threads
from tests.terrain.islands.coast import undrained

SIZE, CELL = 129, 8.0


@cache
def made(kind: Kind, seed: int = 1, size: int = SIZE, cell: float = CELL) -> NDArray[np.float32]:
    offset = generate(size, size, cell, IslandParams(kind=kind, seed=seed))
    assert offset.dtype == np.float32
    assert offset.shape == (size, size, 3)
    assert not offset[..., :2].any()
    return np.ascontiguousarray(offset[..., 2])


def check_drained(height: NDArray[np.float32], sea: float = 0.0) -> None:
    assert undrained(height, sea) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_all_land_drains_to_a_sea_all_round(kind: Kind) -> None:
    height = made(kind)
    assert np.isfinite(height).all()
    check_drained(height)
    for side in (height[0], height[-1], height[:, 0], height[:, -1]):
        assert (side < 0.0).all()


@pytest.mark.parametrize("kind", ["high", "archipelago", "volcanic", "fjord"])
def test_the_summit_has_the_height_and_the_seabed_the_depth_asked_for(kind: Kind) -> None:
    offset = generate(97, 97, 10.0, IslandParams(kind=kind, height=150.0, depth=90.0))
    assert offset[..., 2].max() == pytest.approx(150.0, rel=0.05)
    assert -135.0 < offset[..., 2].min() < -70.0


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bytes_at_any_number_of_threads_and_another_island_for_another_seed(kind: Kind) -> None:
    one = made(kind)
    use_threads(1)
    try:
        again = generate(SIZE, SIZE, CELL, IslandParams(kind=kind, seed=1))
    finally:
        use_threads(most_threads())
    np.testing.assert_array_equal(one, again[..., 2])
    land, other = one > 0.0, made(kind, 2) > 0.0
    assert (land & other).sum() < 0.9 * (land | other).sum()


@pytest.mark.parametrize("kind", ["high", "volcanic", "fjord"])
def test_finer_cells_show_the_same_island(kind: Kind) -> None:
    coarse, fine = made(kind), made(kind, 1, 2 * SIZE - 1, 0.5 * CELL)[::2, ::2]
    land, other = coarse > 0.0, fine > 0.0
    assert (land & other).sum() > 0.9 * (land | other).sum()
    assert np.corrcoef(coarse.reshape(-1), fine.reshape(-1))[0, 1] > 0.97


@pytest.mark.parametrize("kind", ["high", "atoll"])
def test_another_sea_level_lifts_all_and_leaves_no_pit(kind: Kind) -> None:
    lifted = generate(SIZE, SIZE, CELL, IslandParams(kind=kind), sea=517.3)
    height = np.ascontiguousarray(lifted[..., 2])
    check_drained(height, 517.3)
    assert np.median(abs(height - 517.3 - made(kind))) < 1e-3


def test_maps_of_any_shape_are_taken() -> None:
    for rows, cols, cell in ((16, 40, 30.0), (101, 64, 3.0), (64, 150, 11.0)):
        height = np.ascontiguousarray(generate(rows, cols, cell, IslandParams(age=20.0))[..., 2])
        assert (height > 0.0).any()
        check_drained(height)
    with pytest.raises(SkerryError, match="16 vertices"):
        generate(15, 100, 1.0, IslandParams())


def test_size_age_and_detail_do_something() -> None:
    plain = made("high")
    small = generate(SIZE, SIZE, CELL, IslandParams(size=0.4))[..., 2]
    assert 0.1 < (small > 0.0).sum() / (plain > 0.0).sum() < 0.5
    for other in (IslandParams(age=0.0), IslandParams(detail=False), IslandParams(roughness=1.0)):
        height = np.ascontiguousarray(generate(SIZE, SIZE, CELL, other)[..., 2])
        assert (height != plain).any()
        check_drained(height)


@pytest.mark.parametrize("kind", KINDS)
def test_land_follows_a_drawn_coast(kind: Kind) -> None:
    """The outline is a square of world metres with a corner at the origin; an atoll's islets lie along its rim."""
    outline = (250.0, 250.0, 750.0, 250.0, 750.0, 750.0, 250.0, 750.0)
    at = (1000.0, -400.0)
    moved = tuple(value + at[i % 2] for i, value in enumerate(outline))
    params = IslandParams(kind=kind, outline=moved, roughness=0.2)
    height = np.ascontiguousarray(generate(126, 126, 8.0, params, origin=at)[..., 2])
    check_drained(height)
    place = 8.0 * np.arange(126)
    inside = (abs(place - 500.0) < 250.0)[:, None] & (abs(place - 500.0) < 250.0)
    if kind in ("high", "volcanic"):
        assert (inside & (height > 0.0)).sum() > 0.85 * (inside | (height > 0.0)).sum()
    well_outside = (abs(place - 500.0) > 300.0)[:, None] | (abs(place - 500.0) > 300.0)
    assert (height > 0.0).any()
    assert (height[well_outside] > 0.0).sum() < 0.05 * inside.sum()


@pytest.mark.parametrize("outline", [(), (1.0, 2.0, 3.0, 4.0), (0.0, 0.0, 9.0, 0.0, 9.0, 9.0, 0.0)])
def test_numbers_that_draw_no_coast_are_refused(outline: tuple[float, ...]) -> None:
    with pytest.raises(ParamError, match="outline"):
        generate(64, 64, 8.0, IslandParams(outline=outline))


@pytest.mark.parametrize("kind", KINDS)
def test_progress_grows_and_may_cancel(kind: Kind) -> None:
    shares: list[float] = []
    generate(64, 64, 8.0, IslandParams(kind=kind), progress=shares.append)
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] < 0.1
    assert shares[-1] <= 1.0 < shares[-1] + 0.2

    def stop(share: float) -> None:
        if share > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        generate(64, 64, 8.0, IslandParams(kind=kind), progress=stop)
