"""Sculpting: a dab's cost follows its footprint, never the size of the map."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from editor.document import Document
from editor.strokes import StrokeSession
from plugins.api import Scene
from plugins.registry import find_brush
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.pick import pick
from tests.bench.figure import Figure, figure, p95, seconds

NAME = "sculpt"

RADIUS = 64
DABS = 300
BRUSHES = ("raise", "along-normal", "along-view", "smooth")
SMALL, LARGE = 512, 4096


def rolling(side: int) -> Document:
    """A map of rolling hills, with its bounds built."""
    wave = np.arange(side, dtype=np.float32)
    heights = 6.0 * np.sin(wave / 40.0)[:, None] * np.cos(wave / 37.0)
    document = Document(Scene(TerrainMap(VectorField.from_heights(heights.astype(np.float32), 1.0))))
    _ = document.scene.terrain.bounds
    return document


def dab_times(document: Document, brush: str) -> list[float]:
    """Seconds of each pointer point of one stroke in circles; points lie one dab apart, so each makes one dab."""
    middle = 0.5 * document.scene.terrain.field.cols
    params = find_brush(brush).Params.of(radius=float(RADIUS), strength=0.5)
    session = StrokeSession(document, brush, params, eye=np.array([middle, middle - 400.0, 300.0]))
    turn = params.radius * params.spacing / 130.0
    places = [(middle + 130.0 * np.cos(k * turn), middle + 130.0 * np.sin(k * turn), 0.0) for k in range(DABS)]
    times = [seconds(partial(session.point, np.array(place))) for place in places]
    session.end()
    return times


def figures() -> Iterator[Figure]:
    """Dabs of each brush on a large and a small map, undo of a stroke, and picking."""
    small, large = rolling(SMALL), rolling(LARGE)
    for brush in BRUSHES:
        dab_times(small, brush)
        few, many = dab_times(small, brush), dab_times(large, brush)
        yield figure(f"sculpt.dab_p95.{brush}", 1e3 * p95(many), "ms", 1e3 * p95(few), f"the same on {SMALL}²")
        yield figure(
            f"sculpt.dab_median.{brush}", 1e3 * float(np.median(many)), "ms", 1e3 * float(np.median(few)),
            f"the same on {SMALL}²",
        )  # fmt: skip
    yield _undo(large)
    yield _pick(large)


def _undo(document: Document) -> Figure:
    step = document.history.done[-1]
    copy = np.empty(step.nbytes, np.uint8)
    plain = 2 * seconds(lambda: np.copyto(copy, 1)) + 1e-9
    times = []
    for _ in range(5):
        times += [seconds(document.undo), seconds(document.redo)]
    return figure(f"sculpt.undo_{LARGE}", 1e3 * max(times), "ms", 1e3 * plain, "writing its tiles twice")


def _pick(document: Document) -> Figure:
    terrain = document.scene.terrain
    start = np.array([2048.0, -300.0, 400.0])
    towards = [np.array([x, y, 0.0]) - start for x in range(100, 4000, 130) for y in range(100, 4000, 130)]
    pick(terrain, start, towards[0])
    total = seconds(lambda: [pick(terrain, start, direction) for direction in towards])
    return figure(f"sculpt.pick_{LARGE}", 1e6 * total / len(towards), "µs")
