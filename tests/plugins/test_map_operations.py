"""Map-wide operations through the registry, with their words."""

from pathlib import Path

import numpy as np
import pytest

from plugins.api import Job, Patch, Scene
from plugins.operating import run_operation
from terrain.errors import Cancelled, SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.fixtures import arch_map


def run(op_id: str, terrain: TerrainMap | None = None, **values: object) -> Patch:
    return run_operation(Scene(terrain or arch_map()), op_id, values, Job())


def made(op_id: str, **values: object) -> TerrainMap:
    terrain = run(op_id, **values).terrain
    assert terrain is not None
    return terrain


def test_each_changes_the_grid_as_it_says() -> None:
    assert made("crop", west="4", north="-5").field.offset.shape[:2] == (60, 85)
    assert made("resample", cell="0.5").field.offset.shape[:2] == (129, 161)
    assert made("rotate", turn="270").field.offset.shape[:2] == (81, 65)
    arch = arch_map().field.offset
    np.testing.assert_array_equal(made("mirror").field.offset[..., 2], arch[:, ::-1, 2])
    half = made("mirror", how="east-to-west").field.offset[..., 2]
    np.testing.assert_array_equal(half, half[:, ::-1])


def test_scaling_leaves_the_sea_and_everything_sideways() -> None:
    terrain = arch_map()
    terrain.sea_level = 2.0
    _, offset = run("scale", terrain, scale="3", lift="1").arrays["offset"]
    np.testing.assert_array_equal(offset[..., :2], terrain.field.offset[..., :2])
    np.testing.assert_allclose(offset[..., 2], (terrain.field.offset[..., 2] - 2.0) * 3.0 + 3.0, atol=1e-4)


def test_the_active_mask_limits_scaling() -> None:
    terrain = arch_map()
    mask = np.zeros((65, 81), np.uint16)
    mask[:, 40:] = 65535
    terrain.extras["mask/a"], terrain.active_mask = mask, "a"
    _, offset = run("scale", terrain, scale="2").arrays["offset"]
    np.testing.assert_array_equal(offset[:, :40], terrain.field.offset[:, :40])
    np.testing.assert_allclose(offset[:, 40:, 2], 2.0 * terrain.field.offset[:, 40:, 2], atol=1e-4)


def test_the_sea_rises_to_a_level_or_by_so_much() -> None:
    terrain = arch_map()
    terrain.sea_level = 2.0
    assert run("sea-level", terrain, level="5").sea_level == 5.0
    assert run("sea-level", terrain, level="-1", relative="yes").sea_level == 1.0


def test_sky_light_is_baked_in_bands_and_can_be_cancelled() -> None:
    _, light = run("ao", rays="16").arrays["ao"]
    assert light.dtype == np.uint8
    assert light.shape == (65, 81)
    assert light.min() < 60 < 230 < light.max()
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        run_operation(Scene(arch_map()), "ao", {}, job)


def test_merge_reads_a_map_of_ours_and_says_where_it_would_lie(tmp_path: Path) -> None:
    import editor.store.as_importer  # noqa: F401 - registers it
    from editor.document import Document
    from editor.store import save_document

    other = TerrainMap(VectorField.flat(11, 11, 1.0, 30.0, (120.0, -40.0)))
    save_document(Document(Scene(other)), tmp_path / "other.skerry")
    rect, offset = run("merge", map=str(tmp_path / "other.skerry"), feather="0").arrays["offset"]
    assert (rect.row0, rect.col0) == (10, 20)
    assert (offset[..., 2] == 30.0).all()
    with pytest.raises(SkerryError, match="lies beside this map"):
        run("merge", map=str(tmp_path / "other.skerry"), x="5000")
    with pytest.raises(SkerryError, match="needs a map"):
        run("merge")
    with pytest.raises(SkerryError, match=r"nowhere\.skerry"):
        run("merge", map=str(tmp_path / "nowhere.skerry"))


def test_impossible_grids_are_one_line() -> None:
    for op_id, values in (("crop", {"west": -80, "east": -80}), ("resample", {"cell": 0.001})):
        with pytest.raises(SkerryError, match="2 to 8192"):
            run(op_id, **values)
