"""Erosion through the registry: the three modes of masks, hard ground, the active mask, cancel, the command's words."""

import numpy as np
import pytest

from plugins.api import Job, Patch, Scene
from plugins.eroding import mask_of, soft_limit
from plugins.operating import run_operation
from plugins.registry import find_operation
from terrain.errors import Cancelled, SkerryError
from terrain.map import TerrainMap
from tests.fixtures import arch_map
from tests.terrain.erosion.lands import hills

LEAVES = {
    "erode": {"wear", "deposit", "sediment", "flow", "lake", "direction", "wetness", "beach", "cliff"},
    "droplets": {"wear", "deposit", "sediment", "visits"},
    "fluvial": {"wear", "deposit"},
    "drain": {"wear", "deposit", "flow", "lake", "direction", "wetness"},
    "thermal": {"wear", "deposit", "talus"},
    "hillslope": {"wear", "deposit"},
    "coastal": {"wear", "deposit", "beach", "cliff", "platform"},
    "dunes": {"wear", "deposit", "sand"},
    "river": {"wear", "deposit", "river"},
    "fan": {"wear", "deposit", "fan"},
}
MORE = {"river": {"points": "20,20,100,120,200,200"}, "fan": {"x": "100", "y": "90"}, "hillslope": {"years": "20000"}}
each = pytest.mark.parametrize("op_id", sorted(LEAVES))


def land() -> TerrainMap:
    return TerrainMap(hills(120, 130), sea_level=-3.0)


def run(op_id: str, terrain: TerrainMap, **values: object) -> Patch:
    return run_operation(Scene(terrain), op_id, {**MORE.get(op_id, {}), **values}, Job())


@each
def test_it_erodes_and_leaves_its_masks(op_id: str) -> None:
    terrain = land()
    patch = run(op_id, terrain)
    assert (patch.arrays["offset"][1] != terrain.field.offset).any()
    fields = {key.removeprefix("field/") for key in patch.arrays if key.startswith("field/")}
    masks = {key.removeprefix("mask/") for key in patch.arrays if key.startswith("mask/")}
    assert LEAVES[op_id] <= fields
    assert masks == fields - {"direction"}
    for key, (_, array) in patch.arrays.items():
        if key != "offset":
            terrain.check(key, array)


@each
def test_the_three_modes(op_id: str) -> None:
    terrain = land()
    stored, none, only = (run(op_id, terrain, masks=mode).arrays for mode in ("store", "none", "only"))
    assert set(none) == {"offset"}
    assert set(only) == set(stored) - {"offset"}
    np.testing.assert_array_equal(none["offset"][1], stored["offset"][1])
    for key, (_, array) in only.items():
        np.testing.assert_array_equal(array, stored[key][1])


@each
def test_the_active_mask_limits_it_without_a_step(op_id: str) -> None:
    terrain = land()
    mask = np.zeros((120, 130), np.uint16)
    mask[:, :70] = 65535
    terrain.extras["mask/west"], terrain.active_mask = mask, "west"
    free = TerrainMap(terrain.field, sea_level=terrain.sea_level)
    whole = run(op_id, free).arrays["offset"][1][..., 2] - terrain.field.offset[..., 2]
    change = run(op_id, terrain).arrays["offset"][1] - terrain.field.offset
    np.testing.assert_array_equal(change[:, 70:], 0.0)
    limit = soft_limit(terrain)
    assert limit is not None
    np.testing.assert_allclose(change[..., 2], limit * whole, atol=1e-3)
    # No more than a third of the way in one vertex.
    assert np.abs(np.diff(limit, axis=1)).max() < 0.34


def test_a_soft_mask_is_never_exceeded_and_a_full_one_lets_all_through() -> None:
    terrain = land()
    terrain.active_mask = "m"
    terrain.extras["mask/m"] = np.full((120, 130), 65535, np.uint16)
    limit = soft_limit(terrain)
    assert limit is not None
    np.testing.assert_array_equal(limit, 1.0)
    rng = np.random.default_rng(1)
    terrain.extras["mask/m"] = rng.integers(0, 65536, (120, 130)).astype(np.uint16)
    limit = soft_limit(terrain)
    assert limit is not None
    assert (limit <= terrain.extras["mask/m"] / 65535.0 + 1e-6).all()


@each
def test_hard_ground_is_not_worn(op_id: str) -> None:
    terrain = land()
    hard = np.zeros((120, 130), np.uint16)
    hard[:, 60:] = 65535
    terrain.extras["mask/rock"] = hard
    after = run(op_id, terrain, hardness="rock").arrays["offset"][1]
    # What is blown or laid on it may go again.
    assert (terrain.field.offset - after)[:, 75:, 2].max() < 0.01
    with pytest.raises(SkerryError, match="there is no mask 'sand'"):
        run(op_id, terrain, hardness="sand")


@each
def test_it_can_be_cancelled(op_id: str) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        run_operation(Scene(land()), op_id, MORE.get(op_id, {}), job)


@each
def test_an_arch_keeps_its_underside(op_id: str) -> None:
    terrain = arch_map()
    terrain.sea_level = 2.0
    x, y = terrain.field.origin
    where = {"river": {"points": f"{x + 5},{y + 60},{x + 40},{y + 2}"}, "fan": {"x": x + 20, "y": y + 10, "volume": 50}}
    offset = run(op_id, terrain, **where.get(op_id, {})).arrays["offset"][1]
    assert np.isfinite(offset).all()
    under = terrain.field.normals()[..., 2] < -0.3
    np.testing.assert_array_equal(offset[under], terrain.field.offset[under])


@each
def test_every_parameter_has_a_default_and_a_line_of_doc(op_id: str) -> None:
    assert find_operation(op_id).__doc__
    assert find_operation(op_id).Params.__doc__


def test_it_rains_only_where_a_mask_says() -> None:
    terrain = land()
    terrain.extras["mask/cloud"] = np.zeros((120, 130), np.uint16)
    offset = run("droplets", terrain, rainfall="cloud").arrays["offset"][1]
    np.testing.assert_array_equal(offset, terrain.field.offset)


def test_masks_follow_their_stated_curves() -> None:
    ramp = np.linspace(0.0, 10.0, 101, dtype=np.float32).reshape(1, -1)
    wear = mask_of("wear", ramp)
    assert wear is not None
    np.testing.assert_allclose(wear, np.clip(ramp / np.percentile(ramp[ramp > 0.0], 98.0), 0.0, 1.0), rtol=1e-5)
    lake, flow = mask_of("lake", ramp), mask_of("flow", 4.0 * np.exp(ramp))
    assert lake is not None
    assert flow is not None
    np.testing.assert_array_equal(lake, np.minimum(ramp, 1.0))
    assert flow.max() == 1.0
    assert (np.diff(flow) >= 0.0).all()
    assert mask_of("direction", ramp) is None
