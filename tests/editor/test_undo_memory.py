"""Undo memory: steps that are compressed behind the editor's back, to the bit, whatever comes in between."""

import threading
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor import packing
from editor.document import Document
from editor.history import History, Step
from editor.packing import PackedArray
from editor.strokes import StrokeSession
from plugins.api import Scene
from plugins.registry import find_brush
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.sample import sample_island
from terrain.tiles import TILE, Rect, TileCopies
from tests.editor.model import Reference, same, state_of

ROWS, COLS = 90, 140
KEYS = ("mask/a", "hole", "alpha", "field/flow")
SPECIAL = np.array([0x80000000, 0x7FC00001, 0xFFC12345, 0x7F800000, 0x00000001], np.uint32).view(np.float32)
"""-0.0, two NaNs with payloads, infinity and the smallest number."""


def document(rows: int = ROWS, cols: int = COLS) -> Document:
    heights = np.random.default_rng(1).normal(0.0, 3.0, (rows, cols)).astype(np.float32)
    return Document(Scene(TerrainMap(VectorField.from_heights(heights, 1.0))), budget=1 << 40)


def stroke(doc: Document, brush: str, radius: float, dabs: int, start: tuple[float, float]) -> None:
    """A winding stroke of so many dabs, which start one spacing apart."""
    params = find_brush(brush).Params.of(radius=radius, spacing=0.25)
    session, step = StrokeSession(doc, brush, params), radius * params.spacing
    for dab in range(dabs):
        along = dab * step
        session.point(np.array([start[0] + 0.8 * along, start[1] + 4.0 * radius * np.sin(along / (8 * radius)), 0.0]))
    session.end()


def write(doc: Document, rng: np.random.Generator) -> None:
    key = str(rng.choice(list(doc.scene.terrain.arrays())))
    row, col = int(rng.integers(ROWS - 1)), int(rng.integers(COLS - 1))
    with doc.edit("write", merge=rng.choice([None, "join"])) as edit:
        part = edit.write(key, Rect(row, row + int(rng.integers(1, 80)), col, col + int(rng.integers(1, 130))))
        part[...] = rng.integers(0, 2 if part.dtype == bool else 200, part.shape)
        if part.dtype == np.float32:
            odd = rng.random(part.shape) < 0.2
            part[odd] = rng.choice(SPECIAL if key != "offset" else SPECIAL[:1], int(odd.sum()))


def add_or_remove(doc: Document, rng: np.random.Generator) -> None:
    key = str(rng.choice(KEYS))
    with doc.edit("arrays") as edit:
        if key in doc.scene.terrain.extras:
            edit.remove(key)
        else:
            edit.add(key)


def replace(doc: Document, rng: np.random.Generator) -> None:
    offset = rng.normal(0.0, 1.0, (ROWS, COLS, 3)).astype(np.float32)
    mask = rng.integers(0, 9, (ROWS, COLS)).astype(np.uint16)
    with doc.edit("replace") as edit:
        edit.replace(TerrainMap(VectorField(offset, 2.0, (3.0, 4.0)), {"mask/a": mask}, float(rng.normal())))


EDITS = (write, write, write, add_or_remove, replace)


@settings(max_examples=5)
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 1.0))
def test_steps_come_back_to_the_bit_through_compression(seed: int, patience: float) -> None:
    """patience: how often everything is compressed before the next step, between never and always."""
    rng, doc = np.random.default_rng(seed), document()
    reference = Reference(state_of(doc))
    for _ in range(60):
        choice = rng.random()
        if choice < 0.25:
            assert doc.undo() == reference.undo()
        elif choice < 0.4:
            assert doc.redo() == reference.redo()
        else:
            steps, joins = len(doc.history.done), doc.history.done[-1:]
            merge = joins[0].merge if joins else None
            EDITS[int(rng.integers(len(EDITS)))](doc, rng)
            newest = doc.history.done[-1]
            if joins and newest is joins[0]:
                assert merge is not None
                reference.now = state_of(doc)
                continue
            assert len(doc.history.done) == steps + 1
            reference.edited(newest.label, newest.merge, state_of(doc))
        if rng.random() < patience:
            doc.history.settle()
        assert same(state_of(doc), reference.now)
    doc.history.settle()
    while reference.done:
        assert doc.undo() == reference.undo()
        assert same(state_of(doc), reference.now)
    doc.history.settle()
    while reference.undone:
        assert doc.redo() == reference.redo()
        assert same(state_of(doc), reference.now)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("shape", [(0, 4, 4, 3), (1, 1, 3), (70, 33, 3), (5, 64, 64, 3), (130, 7)])
def test_packed_arrays_come_back_in_batches_of_any_size(
    shape: tuple[int, ...], dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    array = rng.integers(0, 2, shape).astype(dtype)
    if dtype == np.float32:
        array = rng.integers(0, 2**32, shape, np.uint32).view(np.float32)
    for batch in (1, 5000, 1 << 20):
        monkeypatch.setattr(packing, "BATCH", batch)
        packed = PackedArray.of(array, planes=shape[-1] == 3)
        again = packed.unpack()
        assert (again.shape, again.dtype, again.tobytes()) == (array.shape, array.dtype, array.tobytes())
        assert again.flags.c_contiguous
        assert packed.unpacked_nbytes == array.nbytes


def test_all_but_the_newest_step_and_the_next_to_redo_are_compressed() -> None:
    doc = document()
    for number in range(6):
        with doc.edit(f"step {number}") as edit:
            edit.write("offset", Rect(0, 30, 0, 30))[...] = number
    doc.history.settle()
    assert [step.packed for step in doc.history.done] == [True] * 5 + [False]
    for _ in range(3):
        doc.undo()
    doc.history.settle()
    assert [step.packed for step in doc.history.done] == [True, True, False], "the next to undo is made ready"
    assert [step.packed for step in doc.history.undone] == [True, True, False]
    doc.abandon(None)
    doc.redo()
    doc.history.settle()
    assert [step.packed for step in doc.history.undone] == [True, False]


@pytest.mark.filterwarnings("error")
def test_undo_right_after_a_push_a_hundred_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "BATCH", 1 << 12)
    doc, rng = document(150, 140), np.random.default_rng(5)
    surface = doc.scene.terrain.field.offset
    states = [surface.tobytes()]
    for _ in range(3):
        with doc.edit("first") as edit:
            edit.write("offset", Rect.of(surface))[...] = rng.normal(size=surface.shape)
        states.append(surface.tobytes())
    for _ in range(100):
        with doc.edit("push") as edit:
            edit.write("offset", Rect.of(surface))[...] = rng.normal()
        states.append(surface.tobytes())
        # The second undo meets the step that the other thread has just been given, the third one its neighbour.
        back = int(rng.integers(1, 4))
        for count in range(1, back + 1):
            doc.undo()
            assert surface.tobytes() == states[-1 - count]
        for count in range(back - 1, 0, -1):
            doc.redo()
            assert surface.tobytes() == states[-1 - count]
        del states[-1]
    doc.history.settle()
    while doc.undo() is not None:
        del states[-1]
        assert surface.tobytes() == states[-1]
    assert len(states) == 1


Encoder = tuple[threading.Event, threading.Event, list[np.ndarray]]


@pytest.fixture
def held_encoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Encoder]:
    """Compression that stops at its second batch: events `reached` and `go_on`, and the batches so far."""
    for background in list(packing._running):
        background.settle()  # documents of other tests must not add their batches
    reached, go_on, calls, encode = threading.Event(), threading.Event(), [], packing._encode

    def slow(part: np.ndarray) -> bytes:
        calls.append(part)
        if len(calls) == 2:
            reached.set()
            assert go_on.wait(20.0)
        return encode(part)

    monkeypatch.setattr(packing, "BATCH", TILE * TILE * 12)
    monkeypatch.setattr(packing, "_encode", slow)
    yield reached, go_on, calls
    go_on.set()


def two_steps() -> tuple[Document, list[bytes]]:
    doc = document()
    surface = doc.scene.terrain.field.offset
    states = [surface.tobytes()]
    for number in range(2):
        with doc.edit(f"step {number}") as edit:
            edit.write("offset", Rect.of(surface))[...] = number
        states.append(surface.tobytes())
    return doc, states


def test_an_undo_does_not_wait_for_the_step_being_compressed(held_encoder: Encoder) -> None:
    reached, go_on, batches = held_encoder
    doc, states = two_steps()
    surface, first = doc.scene.terrain.field.offset, doc.history.done[0]
    assert reached.wait(20.0), "the first step is being compressed"
    doc.undo()
    doc.undo()  # would wait for ever here if the step stayed locked
    assert surface.tobytes() == states[0]
    go_on.set()
    doc.history.settle()
    assert len(batches) == 2 + 6, "its other four tiles are not read any more; the newer step has six"
    assert not first.packed, "what was compressed of the earlier contents is thrown away"
    doc.redo()
    assert surface.tobytes() == states[1]


def test_a_step_that_becomes_the_next_to_undo_is_not_compressed_any_further(held_encoder: Encoder) -> None:
    reached, go_on, batches = held_encoder
    doc, _ = two_steps()
    assert reached.wait(20.0)
    doc.undo()
    go_on.set()
    doc.history.settle()
    assert not doc.history.done[-1].packed
    assert len(batches) == 2


def test_a_step_dropped_while_it_is_compressed_or_waits_is_let_go(held_encoder: Encoder) -> None:
    reached, go_on, batches = held_encoder
    doc, _ = two_steps()
    with doc.edit("third") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 3
    assert reached.wait(20.0)
    steps = [weakref.ref(step) for step in doc.history.done]
    doc.history.clear()
    assert steps[1]() is None, "the one that waited is gone at once"
    go_on.set()
    doc.history.settle()
    assert len(batches) == 2
    assert steps[0]() is None, "the one being compressed is gone with its batch"
    assert doc.history.nbytes == 0


def test_close_ends_the_thread_at_the_next_batch_and_undo_goes_on(held_encoder: Encoder) -> None:
    reached, go_on, batches = held_encoder
    doc, states = two_steps()
    assert reached.wait(20.0)
    closing = threading.Thread(target=doc.history.close)
    closing.start()
    go_on.set()
    closing.join(20.0)
    assert len(batches) <= 3, "one more may have begun before it was closed"
    assert not closing.is_alive()
    assert not doc.history.done[0].packed
    with doc.edit("later") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 3
    doc.history.settle()
    assert not any(step.packed for step in doc.history.done), "nothing is started any more"
    for _ in range(3):
        doc.undo()
    assert doc.scene.terrain.field.offset.tobytes() == states[0]


def test_no_thread_stays_once_all_is_compressed_and_none_starts_for_nothing() -> None:
    doc = document()
    for number in range(3):
        with doc.edit("sea") as edit:
            edit.set("sea_level", float(number))
    assert doc.history._background._thread is None, "settings hold no arrays"
    for number in range(3):
        with doc.edit("write") as edit:
            edit.write("offset", Rect(0, 9, 0, 9))[...] = number
    doc.history.settle()
    thread = doc.history._background._thread
    assert thread is not None
    assert thread.daemon
    assert not thread.is_alive()


@pytest.mark.parametrize("broken", ["_encode", "_decode"])
def test_a_step_that_cannot_be_converted_stays_as_it_is(
    broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    doc, states = two_steps()
    surface = doc.scene.terrain.field.offset
    with doc.edit("third") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 3
    doc.history.settle()
    states.append(surface.tobytes())

    def fail(*_: object) -> bytes:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(packing, broken, fail)
        doc.undo()  # its neighbour is to be made ready
        if broken == "_decode":
            doc.history.settle()
            with pytest.raises(MemoryError):
                doc.undo()
            assert (len(doc.history.done), len(doc.history.undone)) == (2, 1), "nothing has moved"
        else:
            doc.undo()
            doc.undo()
        doc.history.settle()
    assert "undo step" in caplog.text
    while doc.undo() is not None:
        pass
    assert surface.tobytes() == states[0]
    for state in states[1:]:
        doc.redo()
        assert surface.tobytes() == state


def test_the_budget_counts_compressed_bytes_and_so_keeps_more_steps() -> None:
    array = np.zeros((TILE, TILE * 8, 3), np.float32)
    array[..., 2] = np.random.default_rng(3).standard_normal(array.shape[:2])

    def step(number: int) -> Step:
        copies = TileCopies(array)
        copies.touch(array, Rect.of(array))
        return Step(str(number), copies={"offset": copies})

    size = step(0).nbytes
    history = History(4 * size)
    for number in range(8):
        history.push(step(number))
        history.settle()
        assert history.nbytes == sum(kept.nbytes for kept in history.done) <= history.budget
    assert len(history.done) == 8, "two of three planes are zero"
    assert 0.25 * size < history.done[0].nbytes < 0.4 * size
    assert history.done[0].unpacked_nbytes == size
    assert history.nbytes < size + 7 * 0.4 * size


def test_nothing_is_made_ready_beyond_the_budget() -> None:
    doc, states = two_steps()
    with doc.edit("third") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 3
    doc.history.settle()
    doc.history.budget = doc.history.nbytes
    doc.undo()
    doc.history.settle()
    assert doc.history.done[-1].packed
    assert doc.history.nbytes <= doc.history.budget
    doc.undo()
    assert doc.scene.terrain.field.offset.tobytes() == states[1]


def test_two_hundred_dabs_hold_little_more_than_the_touched_tiles_and_less_once_compressed() -> None:
    field = sample_island(1025, 1025, 1.0)
    first = field.offset.tobytes()
    doc = Document(Scene(TerrainMap(field)))
    stroke(doc, "raise", 20.0, 200, (100.0, 400.0))
    after = field.offset.tobytes()
    changed = np.abs(field.offset - np.frombuffer(first, np.float32).reshape(field.offset.shape)).max(axis=2) > 0
    touched = {(int(row) // TILE, int(col) // TILE) for row, col in np.argwhere(changed)}
    step = doc.history.done[-1]
    assert set(step.copies["offset"].tiles) >= touched
    tiles = len(step.copies["offset"].tiles) * TILE * TILE * 12
    assert len(touched) > 20
    assert step.nbytes <= 1.3 * tiles

    with doc.edit("next") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 0
    doc.history.settle()
    assert step.packed
    assert step.nbytes < 0.5 * tiles
    doc.undo()
    doc.undo()
    assert field.offset.tobytes() == first
    assert len(step.copies["offset"].pool) == len(step.copies["offset"].tiles), "no slot to spare any more"
    doc.redo()
    assert field.offset.tobytes() == after


def test_a_snapshot_reads_an_array_whose_removal_was_compressed_and_undone() -> None:
    doc = document()
    with doc.edit("add") as edit:
        edit.add("mask/a")[...] = np.arange(ROWS * COLS, dtype=np.uint16).reshape(ROWS, COLS)
    snapshot = doc.snapshot()
    kept = doc.scene.terrain.array("mask/a").copy()
    with doc.edit("paint") as edit:
        edit.write("mask/a", Rect(0, 70, 0, 70))[...] = 1
    with doc.edit("remove") as edit:
        edit.remove("mask/a")
    for level in (1.0, 2.0):
        with doc.edit("sea") as edit:
            edit.set("sea_level", level)
    doc.history.settle()
    assert doc.history.done[-3].packed
    for _ in range(3):
        doc.undo()
    with doc.edit("paint") as edit:
        edit.write("mask/a", Rect(0, 90, 0, 140))[...] = 2
    np.testing.assert_array_equal(snapshot.read("mask/a"), kept)
    snapshot.close()


def test_a_stroke_goes_on_with_its_own_copies_after_they_were_compressed() -> None:
    doc = document()
    with doc.edit("stroke", merge="stroke") as edit:
        copies = edit.copies("offset")
        edit.write("offset", Rect(0, 9, 0, 9))[...] = 1
    with doc.edit("other", merge="other") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 2
    doc.history.settle()
    assert doc.history.done[0].packed
    doc.abandon("other")
    with doc.edit("stroke", merge="stroke") as edit:
        edit.write("offset", Rect(80, 90, 80, 90))[...] = 1
        assert edit.copies("offset") is copies
    assert len(copies.tiles) == 2
