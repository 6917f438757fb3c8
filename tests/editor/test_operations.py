"""Operations on a document: masks, whole new maps, undo, saving; and `skerry run` and `skerry ops`."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from editor.cli import main
from editor.commands import choose_mask, new_document
from editor.document import Document
from editor.store import load, save_document
from plugins.api import Job, Operation, Params, Patch, Scene
from plugins.operating import limited, run_operation
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect


def document() -> Document:
    made = new_document(20, 16, 2.0)
    with made.edit("mask") as edit:
        edit.add("mask/half")[:, 10:] = 65535
        edit.add("hole")
    return made


def smaller(terrain: TerrainMap) -> TerrainMap:
    field = VectorField.flat(8, 9, 1.0, 5.0)
    return TerrainMap(field, {"alpha": np.full((8, 9), 7, np.uint8)}, sea_level=terrain.sea_level + 1.0)


def test_replacing_the_map_undoes_and_redoes_bit_for_bit() -> None:
    doc = document()
    before = {key: array.copy() for key, array in doc.scene.terrain.arrays().items()}
    terrain = doc.scene.terrain
    doc.apply("Shrink", Patch(terrain=smaller(terrain)))
    assert doc.scene.terrain is terrain, "views hold on to this object"
    assert terrain.field.offset.shape == (8, 9, 3)
    assert list(terrain.extras) == ["alpha"]
    assert terrain.bounds.whole[5] == 5.0
    with doc.edit("dig") as edit:
        edit.write("offset", Rect(0, 4, 0, 4))[..., 2] = 1.0
    doc.undo()
    doc.undo()
    assert {key: array.shape for key, array in terrain.arrays().items()} == {k: a.shape for k, a in before.items()}
    for key, array in before.items():
        np.testing.assert_array_equal(terrain.arrays()[key], array)
    assert terrain.bounds.whole[5] == 0.0
    doc.redo()
    doc.redo()
    assert terrain.field.offset[0, 0, 2] == 1.0
    assert terrain.sea_level == 1.0


def test_a_replaced_map_is_saved_whole_and_an_older_snapshot_still_reads(tmp_path: Path) -> None:
    doc = document()
    save_document(doc, tmp_path / "a.skerry")
    snapshot = doc.snapshot()
    doc.apply("Shrink", Patch(terrain=smaller(doc.scene.terrain)))
    assert snapshot.terrain().field.offset.shape == (16, 20, 3)
    snapshot.close()
    save_document(doc)
    assert load(tmp_path / "a.skerry").terrain.field.offset.shape == (8, 9, 3)
    doc.undo()
    save_document(doc)
    assert set(load(tmp_path / "a.skerry").terrain.extras) == {"mask/half", "hole"}


def test_a_map_that_is_not_finite_replaces_nothing() -> None:
    doc = document()
    broken = smaller(doc.scene.terrain)
    broken.field.offset[3, 3] = np.nan
    with pytest.raises(SkerryError, match="not finite"):
        doc.apply("Break", Patch(terrain=broken))
    assert doc.scene.terrain.field.offset.shape == (16, 20, 3)


def test_the_active_mask_is_kept_in_the_file_and_goes_with_its_array(tmp_path: Path) -> None:
    doc = document()
    choose_mask(doc, "half", frozen=True)
    save_document(doc, tmp_path / "a.skerry")
    terrain = load(tmp_path / "a.skerry").terrain
    assert (terrain.active_mask, terrain.frozen) == ("half", True)
    with doc.edit("delete") as edit:
        edit.remove("mask/half")
    assert doc.scene.terrain.active_mask == ""
    doc.undo()
    assert doc.scene.terrain.active_mask == "half"
    with pytest.raises(SkerryError, match="no 'mask/nope'"):
        choose_mask(doc, "nope")


class Lift(Operation):
    id = "lift"
    label = "Lift"


@pytest.mark.parametrize("frozen", [False, True])
def test_the_active_mask_limits_every_array_of_a_patch(frozen: bool) -> None:
    terrain = document().scene.terrain
    terrain.active_mask, terrain.frozen = "half", frozen
    terrain.extras["mask/half"][:, 10] = 32768
    terrain.field.offset[..., 0] = -0.0
    whole = Rect(0, 16, 0, 20)
    offset = terrain.field.offset + np.float32(3.0)
    arrays: dict[str, Any] = {
        "offset": (whole, offset),
        "hole": (Rect(0, 15, 0, 19), np.ones((15, 19), np.bool_)),
        "alpha": (whole, np.zeros((16, 20), np.uint8)),
        "passable": (whole, np.full((16, 20), 2, np.uint8)),
    }
    found = {key: values for key, (_, values) in limited(terrain, Lift(), Patch(arrays)).arrays.items()}
    on, off = (slice(0, 10), slice(11, 20)) if frozen else (slice(11, 20), slice(0, 10))
    np.testing.assert_array_equal(found["offset"][:, on], offset[:, on])
    assert (found["offset"][:, off].view(np.uint32) == terrain.field.offset[:, off].view(np.uint32)).all()
    np.testing.assert_allclose(found["offset"][:, 10], 1.5, atol=1e-4)
    assert (found["alpha"][:, on] == 0).all()
    assert (found["alpha"][:, off] == 255).all()
    assert set(np.unique(found["passable"])) == {0, 2}
    assert found["hole"].dtype == np.bool_
    assert found["hole"][:, on.start : on.stop - 1].all()
    own = type("Own", (Lift,), {"uses_mask": True})()
    assert limited(terrain, own, Patch(arrays)).arrays["offset"][1] is offset


def test_a_broken_operation_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Operation):
        id, label, Params = "broken", "Broken", Params

        def run(self, scene: Scene, params: Any, job: Job) -> Patch:
            raise ZeroDivisionError("by\nzero")

    monkeypatch.setattr("plugins.operating.find_operation", lambda op_id: Broken())
    with pytest.raises(SkerryError, match=r"^broken failed: ZeroDivisionError: by zero$"):
        run_operation(document().scene, "broken", {}, Job())


def test_run_applies_an_operation_within_a_mask_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.skerry"
    doc = document()
    save_document(doc, path)
    assert main(["run", str(path), "mask-invert", "--into", "half"]) == 0
    assert (load(path).terrain.extras["mask/half"][:, :10] == 65535).all()
    assert main(["run", str(path), "nope"]) == 1
    assert "known are" in capsys.readouterr().err
    assert main(["run", str(path), "mask-invert", "--mask", "absent"]) == 1
    assert "no 'mask/absent'" in capsys.readouterr().err
    assert main(["run", str(path), "mask-invert", "--wrong", "1"]) == 2
    assert main(["run", str(path), "mask-invert", "--threads", "0"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 2


def test_ops_lists_what_is_registered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops"]) == 0
    assert "mask-height" in capsys.readouterr().out
    assert main(["ops", "mask-height"]) == 0
    assert "--low" in capsys.readouterr().out
    assert main(["ops", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert {record["kind"] for record in records} == {"operation"}
    assert all(dataclasses.is_dataclass(Patch) and record["params"] is not None for record in records)
