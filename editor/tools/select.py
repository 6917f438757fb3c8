"""Select: rectangles, lassos and floods drawn in the view become the active mask."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from editor.commands import run_operation
from editor.render.style import Mark
from editor.tools.context import ToolContext
from editor.tools.events import PointerEvent
from editor.tools.gesture import GestureCancelled, Steps
from plugins.api import Job

Vector = NDArray[np.float64]

_COLOUR = (1.0, 0.95, 0.55)
_LEAST = 3.0
"""Logical pixels between two points of a lasso."""


def lasso(context: ToolContext, event: PointerEvent) -> Steps:
    """Draw around what is to be selected; Shift adds to the mask, Ctrl takes away, both keep what is in both."""
    first, points, last = event, [], None
    try:
        while event.phase != "release":
            hit = context.pick(event)
            if hit is not None and (last is None or math.dist(last, (event.x, event.y)) >= _LEAST):
                points.append(hit.point)
                last = (event.x, event.y)
            _show(context, points)
            event = yield
    except GestureCancelled:
        context.show(None)
        return
    context.show(None)
    if len(points) >= 3:
        flat = tuple(float(value) for point in points for value in point[:2])
        _select(context, "mask-lasso", {"points": flat}, first)


def rectangle(context: ToolContext, event: PointerEvent) -> Steps:
    """Drag from corner to corner, east-west and north-south."""
    first, start, end = event, context.pick(event), None
    try:
        while event.phase != "release":
            end = context.pick(event) or end
            if start is not None and end is not None:
                _show(context, _corners(start.point, end.point))
            event = yield
    except GestureCancelled:
        context.show(None)
        return
    context.show(None)
    if start is not None and end is not None and not np.array_equal(start.point, end.point):
        (west, east), (south, north) = (sorted((start.point[k], end.point[k])) for k in (0, 1))
        sides = {"west": float(west), "east": float(east), "south": float(south), "north": float(north)}
        _select(context, "mask-rectangle", sides, first)


def flood(context: ToolContext, event: PointerEvent) -> Steps:
    """Click: everything joined to the place that is like it is selected."""
    hit = context.pick(event)
    if hit is not None:
        _select(context, "mask-flood", {"row": round(hit.row), "col": round(hit.col)}, event)
    while event.phase != "release":
        event = yield


def _select(context: ToolContext, op_id: str, values: Mapping[str, object], event: PointerEvent) -> None:
    shift, ctrl = "shift" in event.modifiers, "ctrl" in event.modifiers
    how = "intersect" if shift and ctrl else "add" if shift else "subtract" if ctrl else "replace"
    run_operation(context.document, op_id, {**values, "combine": how}, Job())


def _show(context: ToolContext, points: list[Vector]) -> None:
    marks = (Mark(np.array(points), _COLOUR, 2.0, closed=True),) if len(points) >= 2 else ()
    context.show(None, marks=marks)


def _corners(a: Vector, b: Vector) -> list[Vector]:
    top = max(a[2], b[2])
    return [np.array([x, y, top]) for x, y in ((a[0], a[1]), (b[0], a[1]), (b[0], b[1]), (a[0], b[1]))]
