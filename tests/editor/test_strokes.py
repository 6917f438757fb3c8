"""Strokes on a document: one undo step each, the same bytes for any batching, recorded and replayed."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.document import Document
from editor.strokes import RecordedStroke, StrokeSession, read_strokes, replay, write_strokes
from plugins.api import Scene
from plugins.registry import brushes, find_brush
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap

EYE = np.array([60.0, -70.0, 80.0])


def document() -> Document:
    row, col = np.mgrid[0:130, 0:150]
    height = 3.0 * np.sin(row / 11.0) * np.cos(col / 13.0)
    return Document(Scene(TerrainMap(VectorField.from_heights(height.astype(np.float32), 1.0))))


def gesture(points: int = 48) -> np.ndarray:
    t = np.linspace(0.0, 1.0, points)
    return np.stack([40 + 60 * t, 60 + 30 * np.sin(4 * t), np.zeros(points)], axis=1)


def radius(brush_id: str) -> object:
    return find_brush(brush_id).Params.of(radius=14.0)


def state(doc: Document) -> bytes:
    return doc.scene.terrain.field.offset.tobytes()


@pytest.mark.parametrize("brush_id", ["raise", "along-normal", "along-view", "smooth"])
@pytest.mark.parametrize("rate", [30, 60, 240])
def test_one_list_of_points_in_any_batches_gives_the_same_bytes(brush_id: str, rate: int) -> None:
    """240 points a second arrive 8, 4 or 1 to an event; between events the editor redraws and reads."""
    one_by_one, batched = document(), document()
    session = StrokeSession(one_by_one, brush_id, radius(brush_id), eye=EYE)
    for point in gesture():
        session.point(point)
    session.end()

    session, points = StrokeSession(batched, brush_id, radius(brush_id), eye=EYE), gesture()
    for start in range(0, len(points), 240 // rate):
        for point in points[start : start + 240 // rate]:
            session.point(point)
        batched.snapshot().close()
    session.end()
    assert state(batched) == state(one_by_one)


@pytest.mark.parametrize("brush_id", ["raise", "along-normal", "along-view", "smooth"])
def test_a_stroke_is_one_step_that_undoes_and_redoes_bit_for_bit(brush_id: str) -> None:
    doc = document()
    start = state(doc)
    session = StrokeSession(doc, brush_id, radius(brush_id), eye=EYE)
    for point in gesture(12):
        session.point(point)
    session.end()
    end = state(doc)
    assert end != start
    assert doc.undo() == find_brush(brush_id).label
    assert state(doc) == start
    assert doc.undo() is None
    doc.redo()
    assert state(doc) == end
    np.testing.assert_array_equal(doc.scene.terrain.bounds.boxes, TerrainMap(doc.scene.terrain.field).bounds.boxes)


def test_a_stroke_that_hits_nothing_is_no_step_and_keeps_redo() -> None:
    doc = document()
    session = StrokeSession(doc, "raise", radius("raise"), eye=EYE)
    session.point(gesture()[0])
    session.end()
    doc.undo()
    miss = StrokeSession(doc, "raise", radius("raise"), eye=EYE)
    miss.point(np.array([0.0, 0.0, 500.0]))
    miss.end()
    assert doc.history.done == []
    assert doc.redo() is not None


def test_two_strokes_are_two_steps() -> None:
    doc = document()
    for _ in range(2):
        session = StrokeSession(doc, "raise", radius("raise"))
        session.point(np.array([70.0, 60.0, 0.0]))
        session.end()
    assert len(doc.history.done) == 2


def test_cancel_takes_the_whole_stroke_back_for_good() -> None:
    doc = document()
    start = state(doc)
    session = StrokeSession(doc, "raise", radius("raise"), eye=EYE)
    for point in gesture(9):
        session.point(point)
    session.cancel()
    assert state(doc) == start
    assert doc.undo() is None
    assert doc.redo() is None


@given(st.sampled_from(["raise", "along-view", "smooth"]), st.booleans(), st.booleans(), st.integers(1, 9))
def test_recording_replays_to_the_same_bytes(brush_id: str, inverted: bool, from_above: bool, points: int) -> None:
    live, again = document(), document()
    eye = None if from_above else EYE
    session = StrokeSession(live, brush_id, radius(brush_id), inverted, eye)
    for number, point in enumerate(gesture(points)):
        session.point(point, 1.0 - 0.05 * number)
    replay(again, session.end())
    assert state(again) == state(live)


def test_file_round_trip(tmp_path: Path) -> None:
    strokes = [
        RecordedStroke("raise", [(1.5, 2.0, 3.25, 1.0)], {"radius": 9.0}),
        RecordedStroke("smooth", [(0.1, 0.2, 0.3, 0.5)], {}, True, (1.0, 2.0, 3.0)),
    ]
    path = tmp_path / "Ström 🌊.json"
    write_strokes(path, strokes)
    assert read_strokes(path) == strokes


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not a stroke file"),
        ("[]", "not a stroke file"),
        ('{"format": "other", "strokes": []}', "not a stroke file"),
        ('{"format": "skerry-strokes", "strokes": [], "version": 9}', "version 9"),
        ('{"format": "skerry-strokes", "strokes": [{"brush": "nope", "points": []}]}', "stroke 1: there is no brush"),
        (
            '{"format": "skerry-strokes", "strokes": [{"brush": "raise", "points": [], "params": {"radius": -1}}]}',
            "stroke 1: parameter radius",
        ),
        ('{"format": "skerry-strokes", "strokes": [{"brush": "raise", "points": [[1, 2, 3]]}]}', "length 4"),
        ('{"format": "skerry-strokes", "strokes": [{"brush": "raise", "points": [[1e99, 2, 3, 1]]}]}', "1000000000000"),
        ('{"format": "skerry-strokes", "strokes": [{"brush": "raise", "points": [[1, 2, 3, 7]]}]}', "<= 1"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "strokes.json"
    path.write_text(text)
    with pytest.raises(SkerryError, match=complaint) as caught:
        read_strokes(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SkerryError, match="cannot be read"):
        read_strokes(tmp_path / "absent.json")


def test_every_bundled_brush_is_registered() -> None:
    assert {"raise", "along-normal", "along-view", "smooth"} <= set(brushes())
