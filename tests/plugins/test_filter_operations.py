"""The filters through the registry: their words, their defaults, the mask, and one line for what is wrong."""

from pathlib import Path

import numpy as np
import pytest

from plugins.api import Job, Scene
from plugins.operating import run_operation
from plugins.registry import find_operation, operations
from terrain.errors import Cancelled, ParamError, SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.params import describe
from tests.fixtures import arch_map

CHANGING: dict[str, dict[str, object]] = {
    "blur": {},
    "clamp": {"low": "0", "high": "10"},
    "curves": {"points": "0,0,5,8,20,12"},
    "falloff": {"width": "10"},
    "noise": {},
    "plateau": {"level": "8"},
    "sharpen": {},
    "slope-limit": {},
    "strata": {"height": "3"},
    "terrace": {"height": "3"},
    "voronoi": {},
    "warp": {},
}
"""Every filter that needs no file, with values that change the arch."""

RESTING: dict[str, dict[str, object]] = {
    "blur": {"radius": "0"},
    "clamp": {},
    "curves": {"strength": "0"},
    "falloff": {"strength": "0"},
    "noise": {"amplitude": "0"},
    "plateau": {"keep": "1"},
    "sharpen": {"amount": "0"},
    "strata": {"reach": "0"},
    "terrace": {"strength": "0"},
    "voronoi": {"amplitude": "0"},
    "warp": {"distance": "0"},
}


def run(op_id: str, terrain: TerrainMap | None = None, **values: object) -> np.ndarray:
    terrain = terrain or arch_map()
    rect, offset = run_operation(Scene(terrain), op_id, values, Job()).arrays["offset"]
    assert rect == (0, terrain.field.rows, 0, terrain.field.cols)
    return offset


def test_all_filters_are_known_and_say_what_they_do() -> None:
    found = {op_id for op_id, operation in operations().items() if operation.menu == "Filter"}
    assert {*CHANGING, "stitch"} <= found
    for op_id in {*CHANGING, "stitch"}:
        operation = find_operation(op_id)
        assert operation.__doc__
        for info in describe(operation.Params):
            assert info.doc, f"{op_id} {info.name}"
            assert info.kind not in ("float", "int") or info.low is not None, f"{op_id} {info.name}"


@pytest.mark.parametrize("op_id", CHANGING)
def test_each_changes_the_arch_and_no_input(op_id: str) -> None:
    terrain = arch_map()
    offset = run(op_id, terrain, **CHANGING[op_id])
    assert np.isfinite(offset).all()
    assert (offset != terrain.field.offset).mean() > 0.02
    np.testing.assert_array_equal(terrain.field.offset, arch_map().field.offset)
    np.testing.assert_array_equal(run(op_id, **CHANGING[op_id]), offset)


@pytest.mark.parametrize("op_id", RESTING)
def test_zero_strength_changes_nothing(op_id: str) -> None:
    assert run(op_id, **RESTING[op_id]).tobytes() == arch_map().field.offset.tobytes()


@pytest.mark.parametrize("op_id", CHANGING)
def test_the_active_mask_limits_each(op_id: str) -> None:
    terrain = arch_map()
    mask = np.zeros((65, 81), np.uint16)
    mask[:, 40:] = 65535
    terrain.extras["mask/east"], terrain.active_mask = mask, "east"
    offset, whole = run(op_id, terrain, **CHANGING[op_id]), run(op_id, **CHANGING[op_id])
    np.testing.assert_array_equal(offset[:, :40], terrain.field.offset[:, :40])
    np.testing.assert_array_equal(offset[:, 40:], whole[:, 40:])


@pytest.mark.parametrize("op_id", CHANGING)
def test_each_can_be_cancelled(op_id: str) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        run_operation(Scene(arch_map()), op_id, CHANGING[op_id], job)


def test_seeds_are_read_and_matter() -> None:
    for op_id in ("noise", "voronoi", "warp"):
        assert (run(op_id, seed="3") != run(op_id, seed="4")).any()
        np.testing.assert_array_equal(run(op_id, seed="1"), run(op_id))
    assert (run("terrace", bend="2", seed="3") != run("terrace", bend="2", seed="4")).any()
    assert (run("strata", seed="3") != run("strata", seed="4")).any()
    assert (run("falloff", width="5", coast="9", seed="3") != run("falloff", width="5", coast="9", seed="4")).any()


def test_what_is_measured_from_the_sea_follows_it() -> None:
    low, high = arch_map(), arch_map()
    high.sea_level = 2.5
    for op_id, values in (("noise", {"mode": "replace"}), ("terrace", {}), ("falloff", {"width": "10"})):
        assert (run(op_id, low, **values) != run(op_id, high, **values)).any()
    assert run("falloff", high, width="10", depth="20")[0, 0, 2] == -17.5
    np.testing.assert_array_equal(run("noise", low, mode="replace", base="2.5"), run("noise", high, mode="replace"))
    steps = run("terrace", high, sharp="1", height="4")[..., 2] - 2.5
    np.testing.assert_allclose(steps / 4.0, np.rint(steps / 4.0), atol=1e-5)


def test_dipping_beds_turn_about_the_middle_of_the_map() -> None:
    level, dipping = (run("terrace", sharp="1", height="4", dip=dip)[..., 2] for dip in (0, 3))
    assert level[32, 40] == pytest.approx(dipping[32, 40], abs=1e-4)
    assert np.abs(level - dipping).max() > 1.0


def test_stitch_reads_a_map_of_ours(tmp_path: Path) -> None:
    import editor.store.as_importer  # noqa: F401 - registers it
    from editor.document import Document
    from editor.store import save_document

    arch = arch_map().field
    other = VectorField(np.ascontiguousarray(arch.offset[::-1]), 1.0, (180.0, -50.0))
    save_document(Document(Scene(TerrainMap(other))), tmp_path / "east.skerry")
    offset = run("stitch", map=str(tmp_path / "east.skerry"), edge="east", width="12")
    np.testing.assert_array_equal(offset[:, -1], other.offset[:, 0])
    np.testing.assert_array_equal(offset[:, :68], arch.offset[:, :68])
    with pytest.raises(SkerryError, match="lies 436 m beyond the east edge; give another shift"):
        run("stitch", map=str(tmp_path / "east.skerry"), shift="500")
    with pytest.raises(SkerryError, match="stitch needs a map"):
        run("stitch")
    with pytest.raises(SkerryError, match=r"nowhere\.skerry"):
        run("stitch", map=str(tmp_path / "nowhere.skerry"))


def test_bad_values_are_one_line() -> None:
    for op_id, values in (
        ("noise", {"size": 0}),
        ("noise", {"kind": "loud"}),
        ("voronoi", {"density": 2}),
        ("warp", {"distance": -1}),
        ("terrace", {"height": 0}),
        ("strata", {"steep": 100}),
        ("blur", {"radius": "wide"}),
        ("sharpen", {"amount": -1}),
        ("slope-limit", {"angle": 90}),
        ("falloff", {"width": 0}),
        ("stitch", {"edge": "top"}),
    ):
        with pytest.raises(ParamError, match=f"parameter {next(iter(values))}: [^\n]*$"):
            run(op_id, **values)
    with pytest.raises(SkerryError, match="curves need two points or more"):
        run("curves", points="1,2")
    with pytest.raises(SkerryError, match="swap them"):
        run("clamp", low="5", high="1")
