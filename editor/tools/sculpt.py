"""Sculpt: press, draw, release; Ctrl inverts, Shift smooths while held, Shift+click draws on from the last stroke."""

from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from editor.strokes import StrokeSession
from editor.tools.brushes import SMOOTHER
from editor.tools.context import ToolContext
from editor.tools.events import PointerEvent
from editor.tools.gesture import GestureCancelled, Steps
from editor.tools.pen import LazyPointer

Vector = NDArray[np.float64]

CLICK = 4.0
"""Logical pixels within which a press and its release are a click."""


def sculpt(context: ToolContext, event: PointerEvent) -> Steps:
    """One stroke with the brush in hand, one undo step; cancelled or failed, it leaves nothing behind."""
    if context.brush.current == "clone" and "ctrl" in event.modifiers:
        _take_source(context, event)
        return
    press = event
    if "shift" in event.modifiers:
        while event.phase != "release" and _near(event, press):
            event = yield
        if _near(event, press):
            draw_on(context, press)
            context.show_ring(event)
            return
    yield from _stroke(context, press, event)


def draw_on(context: ToolContext, press: PointerEvent) -> None:
    """A line from where the last stroke ended to the pointer; without a last stroke, a single dab."""
    hit = context.pick(press)
    if hit is None:
        return
    curved = context.brush.pen.line == "curved"
    if curved and context.chain_key is not None:
        context.document.abandon(context.chain_key)
    points = [*(context.chain if curved else context.chain[-1:]), hit.point]
    session = context.begin_stroke(context.brush.current, "ctrl" in press.modifiers, press)
    try:
        for point in points:
            session.point(point)
        session.end()
    except BaseException:
        session.cancel()
        raise
    context.chain, context.chain_key = points, session.key


def _stroke(context: ToolContext, press: PointerEvent, event: PointerEvent) -> Steps:
    smoothing = "shift" in press.modifiers and SMOOTHER in context.brush.ids
    brush_id = SMOOTHER if smoothing else context.brush.current
    session = context.begin_stroke(brush_id, "ctrl" in press.modifiers and not smoothing, press)
    hand = _Hand(context, press)
    try:
        if event is not press:
            hand.draw(session, press)
        while event.phase != "release":
            hand.draw(session, event)
            context.show_ring(event)
            event = yield
    except GestureCancelled:
        session.cancel()
        context.show_ring(event)
        return
    except BaseException:
        session.cancel()
        raise
    session.end()
    hit = context.pick(hand.last)
    context.chain, context.chain_key = [] if hit is None else [hit.point], None
    context.show_ring(event)


class _Hand:
    """Passes the pointer on as the pen's settings would have it."""

    def __init__(self, context: ToolContext, press: PointerEvent) -> None:
        self._context = context
        self._began = press.time
        self._time = 0.0
        self._lazy = LazyPointer(context.brush.pen.lazy, press.x, press.y)
        self.last = press

    def draw(self, session: StrokeSession, event: PointerEvent) -> None:
        """One more place of the stroke."""
        pen = self._context.brush.pen
        if pen.lazy and self._context.ray is not None:
            x, y = self._lazy.follow(event.x, event.y)
            start, direction = self._context.ray(x, y)
            event = replace(event, x=x, y=y, start=start, direction=direction)
        self.last = event
        self._time = max(self._time, event.time - self._began)
        session.point(event.along, pen.pressed(event.pressure), self._time, event.tilt)


def _take_source(context: ToolContext, event: PointerEvent) -> None:
    hit = context.pick(event)
    if hit is not None:
        source = {"x": float(hit.point[0]), "y": float(hit.point[1])}
        context.brush.set(msgspec.structs.replace(context.brush.params, **source))
        context.show_ring(event)


def _near(event: PointerEvent, press: PointerEvent) -> bool:
    return abs(event.x - press.x) <= CLICK and abs(event.y - press.y) <= CLICK
