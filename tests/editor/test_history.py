"""History: the budget, the order of dropping, and what a step holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.document import Document
from editor.history import History, Step
from plugins.api import Scene
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import TILE, Rect, TileCopies

TILE_BYTES = TILE * TILE * 3 * 4


def step(label: str, tiles: int) -> Step:
    """A step of so many tiles of a surface, whose numbers do not compress much."""
    array = np.random.default_rng(tiles).standard_normal((TILE, TILE * max(tiles, 1), 3)).astype(np.float32)
    copies = TileCopies(array)
    if tiles:
        copies.touch(array, Rect.of(array))
    return Step(label, copies={"offset": copies})


def flat() -> Document:
    return Document(Scene(TerrainMap(VectorField.flat(300, 300, 1.0))), budget=1 << 30)


def rough() -> Document:
    """A surface whose tiles do not compress much."""
    offset = np.random.default_rng(2).standard_normal((300, 300, 3)).astype(np.float32)
    return Document(Scene(TerrainMap(VectorField(offset, 1.0))), budget=1 << 30)


def held(history: History) -> int:
    return sum(step.nbytes for step in (*history.done, *history.undone))


@given(
    st.integers(1, 30),
    st.lists(st.one_of(st.tuples(st.just("push"), st.integers(1, 6)), st.sampled_from(["back", "forward", "pop"]))),
    st.booleans(),
)
def test_the_budget_bounds_what_is_held_and_the_oldest_go_first(tiles: int, commands: list, settle: bool) -> None:
    history = History(tiles * TILE_BYTES + 4096)
    for number, command in enumerate(commands):
        done, undone = list(history.done), list(history.undone)
        if command == "back" and done:
            assert history.back() is done[-1]
        elif command == "forward" and undone:
            assert history.forward() is undone[-1]
        elif command == "pop" and done:
            assert history.pop() is done[-1]
        elif isinstance(command, tuple):
            history.push(step(str(number), command[1]))
            assert not history.undone
            assert history.done[:-1] == done[len(done) + 1 - len(history.done) :], "a newer step went before an older"
        history.fit()
        if settle:
            history.settle()
            assert history.nbytes == held(history)
        assert history.nbytes <= history.budget or (len(history.done) <= 1 and len(history.undone) <= 1)
    history.settle()
    assert history.nbytes == held(history)


def test_one_step_larger_than_the_budget_stays_alone() -> None:
    history = History(10 * TILE_BYTES)
    for tiles in (2, 3, 40):
        history.push(step(str(tiles), tiles))
    assert [kept.label for kept in history.done] == ["40"]


def test_a_step_costs_one_copy_of_each_touched_tile() -> None:
    document = flat()
    for _ in range(5):
        with document.edit("again", merge="stroke") as edit:
            edit.write("offset", Rect(0, 70, 0, 10))[...] += 1
    with document.edit("other") as edit:
        edit.write("offset", Rect(0, 1, 0, 1))[...] = 5
    first = document.history.done[0].copies["offset"]
    assert len(first.pool) == 2, "two tiles and no spare slot"
    assert document.history.done[0].nbytes == 2 * TILE_BYTES + first.index.nbytes


def test_a_growing_stroke_drops_older_steps_as_it_grows() -> None:
    document = rough()
    document.history.budget = 23 * TILE_BYTES
    for number in range(3):
        with document.edit(f"early {number}") as edit:
            edit.write("offset", Rect(0, 1, 0, 129))[...] = number
    for row in range(0, 300, 60):
        with document.edit("stroke", merge="stroke") as edit:
            edit.write("offset", Rect(row, row + 1, 0, 300))[...] = row
        document.history.settle()
        assert document.history.nbytes <= document.history.budget
    assert [kept.label for kept in document.history.done] == ["early 2", "stroke"], "20 and 3 tiles, hardly smaller"


def test_undoing_an_added_array_keeps_to_the_budget() -> None:
    # An addition costs nothing while done and a whole array once undone.
    document = flat()
    document.history.budget = 400_000
    for number in range(4):
        with document.edit(f"add {number}") as edit:
            edit.add(f"mask/{number}")
    assert document.history.nbytes == 0
    while document.undo() is not None:
        assert document.history.nbytes <= 400_000
    assert [step.label for step in document.history.undone] == ["add 1", "add 0"], "the last to be redone went first"
    assert document.redo() == "add 0"


def test_clear_forgets_everything() -> None:
    history = History()
    history.push(step("a", 1))
    history.push(step("b", 1))
    history.back()
    history.clear()
    assert history.nbytes == 0
    assert not history.done
    assert not history.undone


@pytest.mark.parametrize("content", ["copies", "arrays", "settings"])
def test_a_step_is_empty_only_without_any_content(content: str) -> None:
    assert Step("nothing", copies={"offset": TileCopies(np.zeros((4, 4, 3), np.float32))}).empty
    full = {"copies": step("", 1).copies, "arrays": {"alpha": None}, "settings": {"sea_level": 0.0}}
    assert not Step("something", **{content: full[content]}).empty


def test_undo_reports_the_tiles_it_writes_and_not_what_lies_between() -> None:
    document = Document(Scene(TerrainMap(VectorField.flat(1100, 1100, 1.0))))
    with document.edit("two far corners") as edit:
        edit.write("offset", Rect(0, 2, 0, 2))[...] = 1
        edit.write("offset", Rect(1090, 1100, 1090, 1100))[...] = 1
    document.unsaved.take()
    document.undo()
    assert document.unsaved.tiles == {"offset": {(0, 0), (4, 4)}}
