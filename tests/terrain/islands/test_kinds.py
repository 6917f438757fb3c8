"""What makes each kind what it is, and the parts they are made of."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, label

from terrain.islands.frame import plan_of, smoothstep
from terrain.islands.generate import generate
from terrain.islands.params import IslandParams, Kind
from terrain.islands.tidy import tidy
from terrain.islands.troughs import carve
from tests.terrain.islands.coast import coast_dimension

SIZE, CELL = 257, 8.0
RADIUS = 0.4 * 256 * CELL


@cache
def made(kind: Kind, seed: int = 1) -> NDArray[np.float32]:
    return np.ascontiguousarray(generate(SIZE, SIZE, CELL, IslandParams(kind=kind, seed=seed))[..., 2])


def areas(land: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Cells of every island, the largest first."""
    parts, _ = label(land, np.ones((3, 3)))
    return np.sort(np.bincount(parts.reshape(-1))[1:])[::-1]


def slopes(height: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.degrees(np.arctan(np.hypot(*np.gradient(height.astype(np.float64), CELL))))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_high_island_is_one_massif_on_a_shelf(seed: int) -> None:
    height = made("high", seed)
    size = areas(height > 0.0)
    assert size[0] > 0.85 * size.sum()
    assert 0.3 < size.sum() * CELL**2 / (np.pi * RADIUS**2) < 0.9
    near = (height < 0.0) & (distance_transform_edt(height <= 0.0) * CELL < 0.1 * RADIUS)
    assert np.median(height[near]) > 0.5 * height.min()
    # The summit is not in the middle of the land.
    land = np.argwhere(height > 0.0)
    top = np.unravel_index(np.argmax(height), height.shape)
    assert np.hypot(*(land.mean(axis=0) - top)) * CELL > 0.03 * RADIUS


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_archipelago_has_many_small_islands_to_few_large_ones(seed: int) -> None:
    size = areas(made("archipelago", seed) > 0.0)
    assert len(size) >= 12
    assert size[0] < 0.75 * size.sum()
    assert np.median(size) < 0.15 * size[0]
    # Rank against size falls as a power, Korčak's law.
    rank = np.arange(1, len(size) + 1)
    fit = np.polyfit(np.log(size), np.log(rank), 1)
    assert -1.2 < fit[0] < -0.3


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_atoll_is_low_and_rings_a_lagoon_that_the_sea_reaches(seed: int) -> None:
    height = made("atoll", seed)
    assert 1.0 < height.max() < 5.0
    reef = height > -3.0
    inner, count = label(~reef)
    outside = inner[0, 0]
    # Where passes are closed to the eye of -3 m, what is cut off is the lagoon; over the deepest passes it is not.
    deep, _ = label(height < 0.0)
    assert count >= 1
    assert outside > 0
    assert (deep[height < 0.0] == deep[0, 0]).all()
    row, col = np.argwhere(reef).mean(axis=0).astype(int)
    around = height[row - 12 : row + 13, col - 12 : col + 13]
    assert -45.0 < np.median(around) < -12.0
    slope = slopes(height)[(height < -30.0) & (height > 0.7 * height.min())]
    assert np.percentile(slope, 75) > 28.0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_volcano_is_steepest_near_its_top(seed: int) -> None:
    height, slope = made("volcanic", seed), slopes(made("volcanic", seed))
    top = height.max()
    low, high = (height > 0.05 * top) & (height < 0.25 * top), (height > 0.55 * top) & (height < 0.85 * top)
    assert np.median(slope[high]) > 1.3 * np.median(slope[low])
    assert 25.0 < np.median(slope[high]) < 45.0
    assert areas(height > 0.0)[0] > 0.99 * (height > 0.0).sum()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_fjords_reach_deep_into_the_land_and_are_deeper_than_their_mouths(seed: int) -> None:
    height = made("fjord", seed)
    land = height > 0.0
    from scipy.ndimage import binary_closing

    body = binary_closing(np.pad(land, 30), np.ones((3, 3)), iterations=14)[30:-30, 30:-30]
    drowned = body & ~land
    assert drowned.sum() > 0.05 * land.sum()
    assert np.percentile(height[drowned], 10) < 1.5 * np.percentile(height[drowned], 50)
    # Long: water that lies further inside that body than a bay of that width would.
    inside = distance_transform_edt(body) * CELL
    assert inside[drowned].max() > 0.2 * RADIUS
    # Skerries: many islets beside the body.
    assert len(areas(land)) > 8


def test_coasts_of_fjords_are_the_most_ragged_and_those_of_volcanoes_the_least() -> None:
    kinds: tuple[Kind, ...] = ("volcanic", "high", "archipelago", "fjord")
    mean = {kind: np.mean([coast_dimension(made(kind, seed)) for seed in (1, 2, 3)]) for kind in kinds}
    assert mean["volcanic"] < mean["high"] < mean["fjord"]


def test_the_dimension_of_known_lines() -> None:
    row, col = np.mgrid[0:240, 0:240].astype(np.float32)
    assert coast_dimension(row - 0.7 * col - 31.0) == pytest.approx(1.0, abs=0.06)
    assert coast_dimension(np.hypot(row - 120.0, col - 120.0) - 90.0) == pytest.approx(1.0, abs=0.06)
    assert coast_dimension(np.where((row + col) % 2 > 0, 1.0, -1.0).astype(np.float32)) == pytest.approx(2.0, abs=0.1)


def test_tidying_sinks_crumbs_and_raises_puddles() -> None:
    height = np.full((40, 40), -5.0, np.float32)
    height[10:30, 10:30] = 5.0
    height[20, 20] = -2.0
    height[3, 3] = 1.0
    height[2, 35:38] = 1.0
    tidy(height, 2.0, 10.0)
    assert height[20, 20] > 0.0
    assert height[3, 3] < 0.0
    assert (height[2, 35:38] == 1.0).all()
    lake = np.full((30, 30), 5.0, np.float32)
    lake[12:15, 12:15], lake[3, 3] = -3.0, -1.0
    tidy(lake, 1.0, 4.0)
    assert (lake[12:15, 12:15] == -3.0).all()
    assert lake[3, 3] > 0.0


def test_a_trough_is_a_u_that_never_raises() -> None:
    height = np.full((41, 41), 100.0, np.float32)
    height[20, 20] = -80.0
    at = np.arange(41.0)
    carve(np.full(41, 20.0), at, np.full(41, -50.0), np.full(41, 150.0), np.full(41, 8.0), height)
    assert height[20, 20] == -80.0
    across = height[:, 10]
    assert across[20] == pytest.approx(-50.0)
    assert across[28] == pytest.approx(100.0)
    # Half way up in distance it is still near its floor.
    assert across[24] == pytest.approx(-50.0 + 150.0 * 0.5**2.5, abs=0.04)
    assert (across[:12] == 100.0).all()


def test_a_plan_covers_the_map_and_knows_no_cells() -> None:
    one, other = plan_of(101, 201, 4.0, IslandParams()), plan_of(401, 801, 1.0, IslandParams())
    assert one == other
    assert one.x[0, 0] == -400.0
    assert one.x[0, -1] >= 400.0
    assert one.y[-1, 0] >= 200.0
    assert one.radius == 160.0
    np.testing.assert_array_equal(one.swell(0.5, 3, 7), other.swell(0.5, 3, 7))
    assert (one.swell(0.5, 3, 7) != one.swell(0.5, 3, 8)).any()
    assert one.swell(0.1, 4, 7).std() == pytest.approx(1.0, abs=0.15)


def test_a_smooth_step_is_one() -> None:
    step = smoothstep(1.0, 3.0, np.array([0.0, 1.0, 2.0, 3.0, 9.0], np.float32))
    np.testing.assert_allclose(step, [0.0, 0.0, 0.5, 1.0, 1.0])
