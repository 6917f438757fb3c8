"""Commands: verbs on a document, without a window."""

from pathlib import Path

import numpy as np
import pytest

from editor import commands
from editor.document import Document
from terrain.errors import SkerryError
from terrain.tiles import Rect


def edited(labels: int) -> Document:
    """A document with some steps, each of which adds one metre."""
    document = commands.new_document(9, 7, 2.0, height=-3.0, sea_level=1.5)
    for number in range(labels):
        with document.edit(f"step {number}") as edit:
            edit.write("offset", Rect(0, 7, 0, 9))[..., 2] += 1.0
    return document


def test_new_document_counts_columns_east_and_rows_north() -> None:
    terrain = edited(0).scene.terrain
    assert (terrain.field.cols, terrain.field.rows) == (9, 7)
    assert terrain.field.rest_size == (16.0, 12.0)
    assert terrain.field.height_range() == (-3.0, -3.0)
    assert terrain.sea_level == 1.5


def test_travel_goes_to_any_state_both_ways() -> None:
    document = edited(5)
    for done in (2, 0, 4, 5, 1, 5):
        commands.travel(document, done)
        assert len(document.history.done) == done
        assert document.scene.terrain.field.offset[0, 0, 2] == -3.0 + done


def test_travel_beyond_either_end_stops_there() -> None:
    document = edited(2)
    commands.travel(document, 99)
    assert len(document.history.done) == 2
    commands.travel(document, -5)
    assert not document.history.done


def test_sea_level_is_one_undoable_step_however_often_it_slides() -> None:
    document = edited(0)
    for level in (2.0, 3.0, 4.0, 4.0):
        commands.set_sea_level(document, level)
    assert document.scene.terrain.sea_level == 4.0
    assert len(document.history.done) == 1
    document.undo()
    assert document.scene.terrain.sea_level == 1.5


def test_the_same_sea_level_changes_nothing() -> None:
    document = edited(0)
    commands.set_sea_level(document, 1.5)
    assert not document.history.done
    with pytest.raises(SkerryError, match="finite"):
        commands.set_sea_level(document, float("nan"))


@pytest.mark.parametrize(
    ("given", "made"),
    [("a", "a.skerry"), ("a.skerry", "a.skerry"), ("a.SKERRY", "a.SKERRY"), ("v1.2", "v1.2.skerry"), ("ø", "ø.skerry")],
)
def test_names_get_the_ending_once(given: str, made: str) -> None:
    assert commands.with_suffix(Path("x") / given) == Path("x") / made
    assert commands.is_map(Path(made))


def test_facts_name_size_extent_and_heights() -> None:
    facts = dict(commands.map_facts(edited(0)))
    assert facts["Vertices"] == "9 × 7"
    assert facts["Extent"] == "16 m × 12 m"
    assert facts["Heights"] == "-3.0 … -3.0 m"
    assert facts["Arrays"] == "offset"
    assert facts["In memory"] == "756 B"


def test_facts_follow_an_edit() -> None:
    document = edited(0)
    with document.edit("peak") as edit:
        edit.write("offset", Rect(3, 4, 3, 4))[..., 2] = 77.0
    assert dict(commands.map_facts(document))["Heights"] == "-3.0 … 77.0 m"


@pytest.mark.parametrize(
    ("metres", "text"), [(850.0, "850 m"), (2550.0, "2.55 km"), (0.5, "0.5 m"), (999.9, "999.9 m")]
)
def test_lengths_for_a_person(metres: float, text: str) -> None:
    assert commands.length_text(metres) == text


@pytest.mark.parametrize(
    ("count", "text"), [(5, "5 B"), (12_000, "12 kB"), (3_400_000, "3.4 MB"), (1 << 30, "1.07 GB")]
)
def test_amounts_for_a_person(count: int, text: str) -> None:
    assert commands.bytes_text(count) == text


def test_a_map_made_here_has_no_source_lines() -> None:
    assert commands.source_lines(edited(0)) == []


def test_warming_touches_no_document_of_the_person() -> None:
    document = edited(0)
    before = document.scene.terrain.field.offset.copy()
    commands.warm_kernels()
    np.testing.assert_array_equal(document.scene.terrain.field.offset, before)
