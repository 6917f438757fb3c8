"""Snapshots stay what they were, also for a thread that reads while another writes; records of dirty tiles."""

import threading

import numpy as np
import pytest

from editor.document import Document
from editor.snapshot import DirtyTiles
from plugins.api import Scene
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect
from tests.editor.model import same, state_of


def counting(rows: int = 300, cols: int = 280) -> Document:
    """A map whose every value is 0; edits of `count_up` keep all values of it equal."""
    return Document(Scene(TerrainMap(VectorField.flat(rows, cols, 1.0), {"alpha": np.zeros((rows, cols), np.uint8)})))


def count_up(document: Document, number: int) -> None:
    """One edit that sets every value, tile by tile, so that a torn read would show."""
    with document.edit("count", merge=number % 3) as edit:
        for row in range(0, 300, 50):
            edit.write("offset", Rect(row, row + 50, 0, 280))[...] = number
        edit.write("alpha", Rect(0, 300, 0, 280))[...] = number % 256


def test_readers_in_other_threads_see_one_state_each() -> None:
    document, wrong, stop = counting(), [], threading.Event()
    readers = []

    def read(snapshot, number: int) -> None:  # type: ignore[no-untyped-def]
        rng = np.random.default_rng(number)
        while not stop.is_set():
            row, col = rng.integers(0, 200, 2)
            part = snapshot.read("offset", Rect(row, row + 90, col, col + 80))
            alpha = snapshot.read("alpha", Rect(row, row + 90, col, col + 80))
            if not ((part == number).all() and (alpha == number % 256).all()):
                wrong.append((number, np.unique(part)))

    for number in range(1, 121):
        count_up(document, number)
        if number % 30 == 0:
            thread = threading.Thread(target=read, args=(document.snapshot(), number))
            thread.start()
            readers.append(thread)
        if number % 7 == 0:
            document.undo()
            document.redo()
    stop.set()
    for thread in readers:
        thread.join()
    assert wrong == []


def test_a_snapshot_keeps_arrays_that_come_and_go() -> None:
    document = counting(90, 70)
    with document.edit("add") as edit:
        edit.add("mask/a")[...] = 7
        edit.set("source", {"nested": {"list": [1, 2]}})
    before = state_of(document)
    snapshot = document.snapshot()
    with document.edit("write, remove, add again") as edit:
        edit.write("mask/a", Rect(0, 9, 0, 9))[...] = 1
        edit.remove("mask/a")
        edit.add("mask/a")[...] = 3
        edit.remove("alpha")
    document.scene.terrain.source["nested"]["list"].append(3)
    for travel in (document.undo, document.undo, document.redo, document.redo, document.undo):
        terrain = snapshot.terrain()
        assert same((dict(terrain.arrays()), terrain.sea_level, terrain.source), before)
        travel()
    with document.edit("write after undo") as edit:
        edit.write("mask/a", Rect(0, 90, 0, 70))[...] = 2
        edit.write("alpha", Rect(0, 90, 0, 70))[...] = 2
    assert same((dict(snapshot.terrain().arrays()), 0.0, snapshot.source), before)
    assert snapshot.shape("offset") == (90, 70, 3)
    assert snapshot.dtype("mask/a") == np.uint16


def test_a_closed_snapshot_is_not_read_and_costs_edits_nothing() -> None:
    document = counting()
    snapshot = document.snapshot()
    snapshot.close()
    snapshot.close()
    count_up(document, 1)
    assert snapshot._copies == {}
    assert document._snapshots == []
    with pytest.raises(SkerryError, match="closed before it was read"):
        snapshot.read("offset")


def test_dirty_tiles_are_handed_over_once_and_taken_back() -> None:
    dirty = DirtyTiles()
    assert not dirty
    dirty.add("offset", Rect(0, 0, 5, 5))
    assert not dirty, "an empty rectangle dirties nothing"
    dirty.add("offset", Rect(250, 260, 0, 600))
    dirty.add_whole("mask/a")
    dirty.settings = True
    taken = dirty.take()
    assert not dirty
    assert taken.tiles == {"offset": {(row, col) for row in (0, 1) for col in (0, 1, 2)}}
    dirty.add("offset", Rect(600, 601, 0, 1))
    dirty.give_back(taken)
    assert dirty.tiles["offset"] == taken.tiles["offset"] | {(2, 0)}
    assert dirty.whole == {"mask/a"}
    assert dirty.settings
