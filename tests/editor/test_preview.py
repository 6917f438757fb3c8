"""Previews: an operation on a smaller copy of the map, by the rules of the map itself."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from editor.commands import new_document
from editor.document import Document
from editor.preview import MOST_CELLS, SmallMap, reduction
from plugins import registry
from plugins.api import Job, Operation, Patch, Rect, Scene
from plugins.operating import run_operation
from terrain.errors import Cancelled, SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap

Register = Callable[[Callable[[Scene], Patch]], str]


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Register:
    """Registers an operation without parameters for one test; gives its id."""

    def add(work: Callable[[Scene], Patch]) -> str:
        class Probe(Operation):
            """Does what the test says."""

            id = "probe"
            label = "Probe"

            def run(self, scene: Scene, params: Any, job: Job) -> Patch:
                return work(scene)

        registry.operations()
        monkeypatch.setitem(registry._registry._found["operation"], "probe", Probe())
        return "probe"

    return add


def lifted(scene: Scene, by: float = 3.0) -> Patch:
    offset = scene.terrain.field.offset.copy()
    offset[..., 2] += by
    return Patch({"offset": (Rect.of(offset), offset)})


def wide(factor: int) -> Document:
    """Few rows, and as many columns as are reduced `factor` times; the eastern half masked."""
    document = new_document(MOST_CELLS * factor + 1, 8 * factor + 1, 2.0)
    with document.edit("mask") as edit:
        mask = edit.add("mask/half")
        mask[:, mask.shape[1] // 2 :] = 65535
        edit.add("field/wear")[...] = 2.5
        edit.set("active_mask", "half")
    return document


@pytest.mark.parametrize(
    ("rows", "cols", "factor"),
    [(2, 2, 1), (513, 513, 1), (513, 514, 2), (1025, 9, 2), (9, 2049, 4), (4097, 4097, 8)],
)
def test_a_map_is_reduced_by_whole_numbers_and_no_more_than_needed(rows: int, cols: int, factor: int) -> None:
    assert reduction(rows, cols) == factor


def test_the_copy_covers_the_same_ground_with_everything_on_it(register: Register) -> None:
    seen: list[TerrainMap] = []

    def work(scene: Scene) -> Patch:
        seen.append(scene.terrain)
        return Patch()

    document = wide(4)
    small = SmallMap(document)
    assert (small.factor, small.read) == (4, False)
    small.preview(register(work), {}, Job())
    small.close()
    terrain, full = seen[0], document.scene.terrain
    assert terrain.field.offset.shape[:2] == (9, 513)
    assert terrain.field.cell == 8.0
    assert terrain.field.rest_size == full.field.rest_size
    assert set(terrain.extras) == set(full.extras)
    assert (terrain.active_mask, terrain.frozen) == ("half", False)


def test_the_mask_limits_the_preview_as_it_will_the_result(register: Register) -> None:
    document = wide(2)
    small = SmallMap(document)
    result = small.preview(register(lifted), {}, Job())
    small.close()
    heights = result.field.offset[..., 2]
    assert (heights[:, :250] == 0.0).all()
    assert (heights[:, 260:] == 3.0).all()


def test_a_map_that_is_small_enough_is_shown_exactly() -> None:
    document = new_document(65, 33, 2.0)
    before = document.scene.terrain.field.offset.copy()
    small = SmallMap(document)
    result = small.preview("noise", {"amplitude": 9.0, "seed": 4}, Job())
    patch = run_operation(document.scene, "noise", {"amplitude": 9.0, "seed": 4}, Job())
    np.testing.assert_array_equal(result.field.offset, patch.arrays["offset"][1])
    np.testing.assert_array_equal(document.scene.terrain.field.offset, before)
    assert document.history.done == []
    assert not document.modified
    small.close()


def test_an_operation_that_writes_where_it_reads_spoils_nothing(register: Register) -> None:
    def work(scene: Scene) -> Patch:
        offset = scene.terrain.field.offset
        offset[..., 2] += 1.0
        return Patch({"offset": (Rect.of(offset), offset)})

    document = wide(1)
    document.apply("no mask", Patch(active_mask=""))
    small, op_id = SmallMap(document), register(work)
    for _ in range(2):
        assert (small.preview(op_id, {}, Job()).field.offset[..., 2] == 1.0).all()
    assert (document.scene.terrain.field.offset == 0.0).all()
    small.close()


def test_the_copy_is_of_the_map_as_it_was(register: Register) -> None:
    document, op_id = new_document(65, 33, 2.0), register(lambda scene: lifted(scene, 0.0))
    small = SmallMap(document)
    with document.edit("dig") as edit:
        edit.write("offset", Rect(0, 33, 0, 65))[..., 2] = -7.0
    assert (small.preview(op_id, {}, Job()).field.offset == 0.0).all()
    assert small.read
    small.close()
    assert (small.preview(op_id, {}, Job()).field.offset == 0.0).all(), "a copy that is made stays usable"


def test_values_that_the_map_would_refuse_are_refused(register: Register) -> None:
    small = SmallMap(new_document(9, 9, 1.0))
    with pytest.raises(SkerryError, match="not finite"):
        small.preview(register(lambda scene: lifted(scene, np.nan)), {}, Job())
    small.close()


@pytest.mark.parametrize("factor", [1, 2])
def test_another_grid_is_shown_only_where_nothing_is_reduced(register: Register, factor: int) -> None:
    small = SmallMap(wide(factor))
    op_id = register(lambda scene: Patch(terrain=TerrainMap(VectorField.flat(4, 5, 1.0, 2.0))))
    if factor == 1:
        assert small.preview(op_id, {}, Job()).field.offset.shape == (4, 5, 3)
    else:
        with pytest.raises(SkerryError, match="another grid"):
            small.preview(op_id, {}, Job())
    small.close()


def test_a_mirrored_map_is_shown_reduced() -> None:
    document = wide(2)
    with document.edit("hill") as edit:
        edit.write("offset", Rect(0, 17, 0, 100))[..., 2] = 5.0
    small = SmallMap(document)
    heights = small.preview("mirror", {}, Job()).field.offset[..., 2]
    small.close()
    assert (heights[:, :400] == 0.0).all()
    assert heights[:, -30:] == pytest.approx(5.0)


def test_a_cancelled_preview_copies_nothing(register: Register) -> None:
    small, job = SmallMap(new_document(9, 9, 1.0)), Job()
    job.cancel()
    with pytest.raises(Cancelled):
        small.preview(register(lifted), {}, job)
    assert not small.read
    small.close()
