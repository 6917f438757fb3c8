"""Document: thousands of random edits against a reference, snapshots and files that follow along."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from editor.document import Document, Edit
from editor.history import Change
from editor.snapshot import DirtyTiles, Snapshot
from plugins.api import Job, Patch, Scene
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect
from tests.editor.model import Reference, State, same, state_of

KEYS = ("offset", "mask/a", "mask/b", "alpha", "hole", "field/wear")
BUDGET = 700_000

corner = st.integers(-20, 180)
rects = st.builds(Rect, corner, corner, corner, corner)
actions = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(KEYS), rects, st.integers(0, 999)),
    st.tuples(st.just("add"), st.sampled_from(KEYS[1:])),
    st.tuples(st.just("remove"), st.sampled_from(KEYS[1:])),
    st.tuples(st.just("sea"), st.sampled_from([0.0, -0.0, 3.5])),
    st.tuples(st.just("source"), st.integers(0, 3)),
)


def new_document(rows: int = 150, cols: int = 130, budget: int | None = None) -> Document:
    rng = np.random.default_rng(1)
    heights = rng.standard_normal((rows, cols)).astype(np.float32)
    return Document(Scene(TerrainMap(VectorField.from_heights(heights, 1.0))), budget=budget)


def noise(part: np.ndarray, seed: int) -> np.ndarray:
    """Values of the part's dtype, with both zeros among the floats."""
    rng = np.random.default_rng(seed)
    if part.dtype.kind == "f":
        return np.where(rng.random(part.shape) < 0.3, -0.0, rng.standard_normal(part.shape)).astype(part.dtype)
    return rng.integers(0, 2 if part.dtype == bool else 200, part.shape).astype(part.dtype)


def act(edit: Edit, document: Document, action: tuple) -> bool:
    """Make one random change; False if it does not apply to the map as it is."""
    kind, *what = action
    extras = document.scene.terrain.extras
    if kind == "write" and (what[0] == "offset" or what[0] in extras):
        part = edit.write(what[0], what[1])
        part[...] = noise(part, what[2])
        return part.size > 0
    if kind == "add" and what[0] not in extras:
        array = edit.add(what[0])
        array[::3] = noise(array[::3], 5)
        return True
    if kind == "remove" and what[0] in extras:
        edit.remove(what[0])
        return True
    if kind == "sea":
        edit.set("sea_level", what[0])
        return True
    if kind == "source":
        edit.set("source", {"found": [what[0]]})
        return True
    return False


class Editing(RuleBasedStateMachine):
    """Random edits, merges, failures, undos and redos; after each, every array is what the reference says."""

    @initialize()
    def begin(self) -> None:
        self.document = new_document(budget=BUDGET)
        self.reference = Reference(state_of(self.document))
        self.snapshots: list[tuple[Snapshot, State]] = []
        self.tracker = self.document.track()
        self.file = state_of(self.document)

    @rule(changes=st.lists(actions, min_size=1, max_size=4), merge=st.sampled_from([None, None, "a", "b"]))
    def edit(self, changes: list[tuple], merge: object) -> None:
        label = f"edit {len(self.reference.done)}"
        with self.document.edit(label, merge) as edit:
            changed = [act(edit, self.document, change) for change in changes]
        if any(changed):
            came_and_went = not edit.step.empty
            if came_and_went:
                self.reference.edited(label, merge, state_of(self.document))

    @rule(changes=st.lists(actions, min_size=1, max_size=3), merge=st.sampled_from([None, "a"]))
    def failing_edit(self, changes: list[tuple], merge: object) -> None:
        def fail() -> Edit:
            with self.document.edit("fails", merge) as edit:
                tried.append(edit)
                for change in changes:
                    act(edit, self.document, change)
                raise ZeroDivisionError

        tried: list[Edit] = []
        with pytest.raises(ZeroDivisionError):
            fail()
        if not tried[0].step.empty:
            self.reference.failed(merge)

    @rule()
    def undo(self) -> None:
        self.forget_dropped()
        assert self.document.undo() == self.reference.undo()

    @rule()
    def redo(self) -> None:
        self.forget_dropped()
        assert self.document.redo() == self.reference.redo()

    @rule(merge=st.sampled_from(["a", "b", None]))
    def abandon(self, merge: object) -> None:
        joins = self.reference.joins(merge)
        self.document.abandon(merge)
        if joins:
            _, self.reference.now, _ = self.reference.done.pop()

    @rule()
    def snapshot(self) -> None:
        if len(self.snapshots) == 2:
            self.snapshots.pop(0)[0].close()
        self.snapshots.append((self.document.snapshot(), self.reference.now))

    @rule()
    def save(self) -> None:
        """Copy what the tracker noted; the copy must then equal the map."""
        self.file = updated(self.file, self.document, self.tracker.take())
        assert same(self.file, self.reference.now)

    def forget_dropped(self) -> None:
        """The budget may have dropped the reference's oldest steps, and the last to be redone."""
        history = self.document.history
        assert len(history.done) <= len(self.reference.done)
        assert len(history.undone) <= len(self.reference.undone)
        del self.reference.done[: len(self.reference.done) - len(history.done)]
        del self.reference.undone[: len(self.reference.undone) - len(history.undone)]

    @invariant()
    def equal(self) -> None:
        if not hasattr(self, "document"):
            return
        self.forget_dropped()
        history = self.document.history
        assert same(state_of(self.document), self.reference.now)
        assert [step.label for step in history.done] == [label for label, *_ in self.reference.done]
        assert [step.label for step in history.undone] == [label for label, _ in self.reference.undone]
        assert history.nbytes <= BUDGET or (len(history.done) <= 1 and len(history.undone) <= 1)
        for snapshot, state in self.snapshots:
            assert same(read_all(snapshot), state)


def read_all(snapshot: Snapshot) -> State:
    return {key: snapshot.read(key) for key in snapshot.keys}, snapshot.sea_level, snapshot.source


def updated(file: State, document: Document, dirty: DirtyTiles) -> State:
    """What a save makes of a file, here arrays in memory."""
    arrays, terrain = dict(file[0]), document.scene.terrain
    for key in dirty.whole:
        arrays.pop(key, None)
        if key in terrain.extras:
            arrays[key] = terrain.array(key).copy()
    for key, tiles in dirty.tiles.items():
        for row, col in tiles if key in arrays else ():
            part = Rect(row * 256, row * 256 + 256, col * 256, col * 256 + 256).slices
            arrays[key][part] = terrain.array(key)[part]
    return (arrays, terrain.sea_level, dict(terrain.source)) if dirty.settings else (arrays, *file[1:])


Editing.TestCase.settings = settings(
    max_examples=40, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
TestEditing = Editing.TestCase


def test_undo_and_redo_past_the_ends_return_none() -> None:
    document = new_document()
    assert document.undo() is None
    with document.edit("only") as edit:
        edit.set("sea_level", 2.0)
    assert (document.undo(), document.undo()) == ("only", None)
    assert (document.redo(), document.redo()) == ("only", None)


def test_a_new_edit_clears_redo_and_an_empty_one_does_not() -> None:
    document = new_document()
    with document.edit("first") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 1
    document.undo()
    with document.edit("nothing"):
        pass
    assert document.history.undone
    with document.edit("second") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 2
    assert document.redo() is None
    assert [step.label for step in document.history.done] == ["second"]


def test_an_undone_step_is_never_joined() -> None:
    document = new_document()
    for level in (1.0, 2.0):
        with document.edit("sea", merge="sea") as edit:
            edit.set("sea_level", level)
    assert len(document.history.done) == 1
    document.undo()
    document.redo()
    with document.edit("sea", merge="sea") as edit:
        edit.set("sea_level", 3.0)
    assert len(document.history.done) == 2
    assert (document.undo(), document.scene.terrain.sea_level) == ("sea", 2.0)


def test_writing_outside_the_map_writes_nothing() -> None:
    document = new_document()
    before = state_of(document)
    with document.edit("off the edge") as edit:
        edit.write("offset", Rect(-9, -5, 0, 50))[...] = 7
        edit.write("offset", Rect(900, 950, 0, 50))[...] = 7
    assert same(state_of(document), before)
    assert not document.history.done
    assert not document.unsaved


def test_an_added_array_is_the_maps_own() -> None:
    document, mine = new_document(), np.zeros((150, 130), np.uint16)
    with document.edit("add") as edit:
        edit.add("mask/a", mine)
        edit.add("mask/b", mine)
        edit.write("mask/a", Rect(0, 1, 0, 1))[...] = 9
    assert mine[0, 0] == 0
    assert document.scene.terrain.array("mask/b")[0, 0] == 0


@pytest.mark.parametrize(
    ("act", "line"),
    [
        (lambda edit: edit.set("sea_level", float("nan")), "finite number of metres"),
        (lambda edit: edit.set("cell", 2.0), "'cell' is not a setting of a map"),
        (lambda edit: edit.remove("offset"), "cannot be without its surface"),
        (lambda edit: edit.remove("alpha"), "has no 'alpha'"),
        (lambda edit: edit.add("offset"), "already has 'offset'"),
        (lambda edit: edit.add("mask/a", np.zeros((3, 3), np.uint16)), "must be uint16 of shape"),
        (lambda edit: edit.add("soup"), "not the name of a map array"),
    ],
)
def test_a_wrong_edit_says_why_and_changes_nothing(act: Any, line: str) -> None:
    document = new_document()
    before = state_of(document)

    def wrong() -> None:
        with document.edit("wrong") as edit:
            edit.write("offset", Rect(0, 9, 0, 9))[...] = 4
            act(edit)

    with pytest.raises(SkerryError, match=line):
        wrong()
    assert same(state_of(document), before)
    assert not document.history.done


def test_nothing_happens_in_the_middle_of_an_edit() -> None:
    document = new_document()
    with document.edit("one") as edit:
        edit.set("sea_level", 1.0)
    with document.edit("two", merge="two") as edit:
        edit.set("sea_level", 2.0)
        assert document.editing
        for forbidden in (document.undo, document.snapshot, lambda: document.abandon("two")):
            with pytest.raises(SkerryError, match="in the middle of an edit"):
                forbidden()
        with pytest.raises(SkerryError, match="inside another edit"), document.edit("three"):
            pass
    assert not document.editing
    assert document.undo() == "two"


def test_listeners_hear_what_changed_and_bounds_follow() -> None:
    document = new_document()
    top = document.scene.terrain.bounds.whole[5]
    heard: list[list[Change]] = []
    document.changed.connect(heard.append)
    with document.edit("raise") as edit:
        edit.write("offset", Rect(5, 8, 5, 9))[..., 2] = top + 50
        edit.add("alpha")
    assert document.scene.terrain.bounds.whole[5] == pytest.approx(top + 50)
    document.undo()
    assert document.scene.terrain.bounds.whole[5] == top
    assert [{(change.kind, change.key) for change in changes} for changes in heard] == 2 * [
        {("array", "offset"), ("arrays", "alpha")}
    ]
    assert heard[0][0].rect == Rect(5, 8, 5, 9)


def test_a_patch_is_one_step_and_makes_missing_arrays() -> None:
    document = new_document()
    before = state_of(document)
    wear = np.full((2, 3), 1.5, np.float32)
    document.apply("Erode", Patch({"field/wear": (Rect(4, 6, 1, 4), wear)}, sea_level=4.0))
    assert document.scene.terrain.array("field/wear").sum() == 9.0
    assert document.scene.terrain.sea_level == 4.0
    assert document.undo() == "Erode"
    assert same(state_of(document), before)


def test_saved_and_modified_follow_the_file(tmp_path: Any) -> None:
    document, stored = new_document(), []
    document.stored.connect(stored.append)
    with document.edit("sea") as edit:
        edit.set("sea_level", 1.0)
    assert document.modified
    document.unsaved.take()
    with document.edit("while saving") as edit:
        edit.set("sea_level", 2.0)
    document.saved(tmp_path / "a.skerry", "stamp")
    assert document.modified, "an edit came while the file was written"
    document.unsaved.take()
    document.saved(tmp_path / "a.skerry", "stamp")
    assert not document.modified
    assert stored == 2 * [tmp_path / "a.skerry"]


@pytest.mark.parametrize(
    ("keys", "cancelled"), [(None, True), ({"offset"}, True), ({"alpha"}, False), ({"offset", "sea_level"}, True)]
)
def test_an_edit_cancels_a_job_that_reads_what_it_touches(keys: Any, cancelled: bool) -> None:
    document, job, answered = new_document(), Job(), Job()
    document.watch(job, keys)
    document.watch(answered)
    document.unwatch(answered)
    with document.edit("raise") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 1
    assert job.cancelled is cancelled
    assert not answered.cancelled


def test_an_untracked_record_is_left_alone() -> None:
    document = new_document()
    tracker = document.track()
    document.untrack(tracker)
    with document.edit("raise") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 1
    assert not tracker
    assert document.unsaved.tiles == {"offset": {(0, 0)}}


@pytest.mark.parametrize(
    "values",
    [np.full((2, 3, 3), np.nan, np.float32), np.zeros((2, 3, 3)), np.zeros((1, 3), np.float32)],
    ids=["not finite", "float64", "shape"],
)
def test_a_patch_that_does_not_fit_changes_nothing(values: np.ndarray) -> None:
    document = new_document(5, 5, 1.0)
    before = state_of(document)
    with pytest.raises(SkerryError, match="'Broken' gave"):
        document.apply("Broken", Patch({"offset": (Rect(0, 2, 0, 3), values)}))
    assert same(before, state_of(document))
    assert document.history.done == []


def test_undoing_back_to_what_was_saved_leaves_nothing_to_save() -> None:
    document = new_document(5, 5, 1.0)

    def change() -> None:
        with document.edit("Sea") as edit:
            edit.set("sea_level", document.scene.terrain.sea_level + 1.0)

    change()
    assert document.modified
    document.undo()
    assert not document.modified
    document.redo()
    document.modified = False
    change()
    document.undo()
    assert not document.modified
    document.undo()
    assert document.modified
    change()
    document.undo()
    assert document.modified


def test_a_stroke_that_grows_after_it_was_saved_is_unsaved_again() -> None:
    document = new_document(5, 5, 1.0)
    for _ in range(2):
        with document.edit("Sea", merge="drag") as edit:
            edit.set("sea_level", document.scene.terrain.sea_level + 1.0)
        assert document.modified
        document.modified = False
    with document.edit("Sea", merge="drag") as edit:
        edit.set("sea_level", 9.0)
    assert document.modified


def test_what_was_imported_stays_unsaved_however_much_is_undone() -> None:
    document = new_document(5, 5, 1.0)
    document.modified = True
    with document.edit("Sea") as edit:
        edit.set("sea_level", 3.0)
    document.undo()
    assert document.modified
