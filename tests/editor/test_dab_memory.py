"""The memory a dab works in follows its window, never the size of the map."""

import gc
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest

from editor.document import Document
from editor.strokes import StrokeSession
from plugins.api import Scene
from plugins.registry import brushes, find_brush
from terrain.field import VectorField
from terrain.map import TerrainMap

RADIUS = 24.0
WINDOW = (2 * RADIUS + 3) ** 2 * 12
"""Bytes of the displacements under a dab."""


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    gc.disable()  # what it frees in the middle of a dab would count as work
    tracemalloc.start()
    yield
    tracemalloc.stop()
    gc.enable()


def peak(brush: str, side: int) -> int:
    """Bytes that a dab of a stroke needs besides what it leaves, in a second stroke on a map."""
    heights = np.random.default_rng(4).normal(0.0, 0.3, (side, side)).astype(np.float32)
    document = Document(Scene(TerrainMap(VectorField.from_heights(heights, 1.0))))
    document.history.close()  # a thread that compresses would be counted too
    place = {"x": 60.0, "y": 60.0} if brush == "clone" else {}
    params = find_brush(brush).Params.of(radius=RADIUS, **place)
    for _ in range(2):  # the first makes the array to be painted and the bounds
        session, peaks = StrokeSession(document, brush, params, eye=np.array([180.0, 90.0, 99.0])), []
        for k in range(12):
            tracemalloc.reset_peak()
            session.point(np.array([192.0 + 2.0 * k, 192.0, 0.0]))
            now, most = tracemalloc.get_traced_memory()
            peaks.append(most - now)
        session.end()
    return sorted(peaks)[-2]  # one dab may meet a table of the interpreter's that grows


@pytest.mark.parametrize("brush", list(brushes()))
def test_a_dab_works_in_memory_of_its_window(brush: str) -> None:
    small, large = peak(brush, 384), peak(brush, 1152)
    assert large <= 1.1 * small + 4096
    square = 2 if brush == "stamp" else 1  # which holds the brush's circle, turned any way
    assert large <= 12 * square * WINDOW
