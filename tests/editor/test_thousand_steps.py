"""A thousand random edits, strokes, undos and redos in a row leave every array as a reference has it, to the bit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.document import Document
from editor.strokes import StrokeSession
from plugins.api import Scene
from plugins.registry import find_brush
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect
from tests.editor.model import Reference, same, state_of

STEPS = 1000
ROWS, COLS = 90, 140
KEYS = ("mask/a", "hole", "alpha", "field/flow")


def document() -> Document:
    rng = np.random.default_rng(1)
    terrain = TerrainMap(VectorField.from_heights(rng.normal(0.0, 3.0, (ROWS, COLS)).astype(np.float32), 1.0))
    return Document(Scene(terrain), budget=1 << 40)


def write(doc: Document, rng: np.random.Generator) -> None:
    """New values somewhere in an array that the map has."""
    key = str(rng.choice(list(doc.scene.terrain.arrays())))
    row, col = int(rng.integers(ROWS - 1)), int(rng.integers(COLS - 1))
    rect = Rect(row, row + int(rng.integers(1, 40)), col, col + int(rng.integers(1, 70)))
    with doc.edit("write") as edit:
        part = edit.write(key, rect)
        part[...] = rng.integers(0, 2, part.shape) if part.dtype == bool else rng.integers(0, 200, part.shape)
        if part.dtype == np.float32:
            part[rng.random(part.shape) < 0.2] = -0.0


def add_or_remove(doc: Document, rng: np.random.Generator) -> None:
    key = str(rng.choice(KEYS))
    with doc.edit("arrays") as edit:
        if key in doc.scene.terrain.extras:
            edit.remove(key)
        else:
            edit.add(key)


def stroke(doc: Document, rng: np.random.Generator) -> None:
    brush = str(rng.choice(["raise", "along-view", "smooth"]))
    params = find_brush(brush).Params.of(radius=8.0)
    session = StrokeSession(doc, brush, params, bool(rng.integers(2)), np.array([70.0, -30.0, 60.0]))
    for _ in range(2):
        session.point(np.array([rng.uniform(0, COLS), rng.uniform(0, ROWS), 0.0]))
    session.end()


def set_sea(doc: Document, rng: np.random.Generator) -> None:
    with doc.edit("sea") as edit:
        edit.set("sea_level", float(rng.normal()))


EDITS = (write, write, write, stroke, add_or_remove, set_sea)


@settings(max_examples=3)
@given(st.integers(0, 2**32 - 1))
def test_a_thousand_steps_match_the_reference(seed: int) -> None:
    rng, doc = np.random.default_rng(seed), document()
    reference = Reference(state_of(doc))
    for _ in range(STEPS):
        choice = rng.random()
        if choice < 0.3:
            assert doc.undo() == reference.undo()
        elif choice < 0.5:
            assert doc.redo() == reference.redo()
        else:
            steps = len(doc.history.done)
            EDITS[int(rng.integers(len(EDITS)))](doc, rng)
            if len(doc.history.done) > steps:
                reference.edited(doc.history.done[-1].label, None, state_of(doc))
            continue
        assert same(state_of(doc), reference.now)
    while reference.done:
        assert doc.undo() == reference.undo()
        assert same(state_of(doc), reference.now)
    np.testing.assert_array_equal(doc.scene.terrain.bounds.boxes, TerrainMap(doc.scene.terrain.field).bounds.boxes)
