"""Sculpting: a dab's cost follows its footprint, never the size of the map."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from editor.document import Document
from editor.strokes import StrokeSession
from plugins.api import Scene
from plugins.registry import brushes, find_brush
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.pick import pick
from terrain.tiles import TILE
from tests.bench.figure import Figure, figure, p95, seconds

NAME = "sculpt"

DABS = 200
SMALL, LARGE = 512, 8192
RADII = (64, 256)
"""Metres, which are cells here. The larger brush has no room on the small map: it has no ratio."""


def rolling(side: int) -> Document:
    """A map of rolling hills, with its bounds built."""
    wave = np.arange(side, dtype=np.float32)
    heights = 6.0 * np.sin(wave / 40.0)[:, None] * np.cos(wave / 37.0)
    document = Document(Scene(TerrainMap(VectorField.from_heights(heights.astype(np.float32), 1.0))))
    _ = document.scene.terrain.bounds
    return document


def dab_times(brush_id: str, radius: int, dabs: int, *documents: Document) -> list[list[float]]:
    """Seconds of each pointer point of one stroke on each map; points lie one dab apart, so each makes one.

    The maps take turns point by point, so that a machine that changes its speed does so for all.
    """
    brush = find_brush(brush_id)
    place = {"x": 0.3 * SMALL, "y": 0.3 * SMALL} if brush_id == "clone" else {}
    params = brush.Params.of(radius=float(radius), strength=0.5, **place)
    strokes = []
    for document in documents:
        middle = 0.5 * document.scene.terrain.field.cols
        eye = np.array([middle, middle - 400.0, 300.0])
        strokes.append((middle, StrokeSession(document, brush_id, params, eye=eye)))
    # An anchored gesture stays near its start: its one dab is made anew for every point.
    reach = 0.1 * radius if brush.gesture == "anchor" else 130.0
    turn = params.radius * params.spacing / 130.0
    times: list[list[float]] = [[] for _ in documents]
    for k in range(dabs):
        for (middle, session), taken in zip(strokes, times, strict=True):
            at = np.array([middle + reach * np.cos(k * turn), middle + reach * np.sin(k * turn), 0.0])
            taken.append(seconds(partial(session.point, at)))
    for _, session in strokes:
        session.end()
    return times


def figures() -> Iterator[Figure]:
    """Dabs of each brush on a large and a small map, undo of a stroke, and picking."""
    small, large = rolling(SMALL), rolling(LARGE)
    for brush in brushes():
        dab_times(brush, RADII[0], 12, small)
        few, many = dab_times(brush, RADII[0], DABS, small, large)
        ratio = float(np.median(many) / np.median(few))
        yield figure(
            f"sculpt.dab_p95.{brush}.{RADII[0]}", 1e3 * p95(many), "ms", 1e3 * p95(many) / ratio,
            f"medians on {LARGE}² and {SMALL}²",
        )  # fmt: skip
        (wide,) = dab_times(brush, RADII[1], DABS // 4, large)
        yield figure(f"sculpt.dab_p95.{brush}.{RADII[1]}", 1e3 * p95(wide), "ms")
        _forget(small)
        _forget(large)
    dab_times("raise", RADII[0], DABS, large)
    yield _undo(large)
    yield from _undo_memory(large)
    yield _pick(large)


def _forget(document: Document) -> None:
    """Back to the hills, so that each brush meets the same surface."""
    while document.undo() is not None:
        pass
    document.history.clear()


def _undo(document: Document) -> Figure:
    step = document.history.done[-1]
    copy = np.empty(step.nbytes, np.uint8)
    plain = 2 * seconds(lambda: np.copyto(copy, 1)) + 1e-9
    times = []
    for _ in range(5):
        times += [seconds(document.undo), seconds(document.redo)]
    return figure(f"sculpt.undo_{LARGE}", 1e3 * max(times), "ms", 1e3 * plain, "writing its tiles twice")


def _undo_memory(document: Document) -> Iterator[Figure]:
    """What that stroke's step holds at once, and what it holds, and takes to undo, compressed."""
    step = document.history.done[-1]
    tiles = len(step.copies["offset"].tiles) * TILE * TILE * 12
    yield figure("sculpt.undo_bytes", step.nbytes / 2**20, "MiB", tiles / 2**20, "the touched tiles")
    dab_times("raise", RADII[0], 1, document)
    document.history.settle()
    yield figure("sculpt.undo_bytes_packed", step.nbytes / 2**20, "MiB", tiles / 2**20, "the touched tiles")
    seconds(document.undo)
    yield figure("sculpt.undo_packed", 1e3 * seconds(document.undo), "ms")


def _pick(document: Document) -> Figure:
    terrain = document.scene.terrain
    start = np.array([2048.0, -300.0, 400.0])
    towards = [np.array([x, y, 0.0]) - start for x in range(100, 4000, 130) for y in range(100, 4000, 130)]
    pick(terrain, start, towards[0])
    total = seconds(lambda: [pick(terrain, start, direction) for direction in towards])
    return figure(f"sculpt.pick_{LARGE}", 1e6 * total / len(towards), "µs")
