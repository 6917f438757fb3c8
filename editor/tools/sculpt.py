"""Sculpt: press, draw, release; Ctrl inverts, Shift smooths while held."""

from editor.tools.brushes import SMOOTHER
from editor.tools.context import ToolContext
from editor.tools.events import PointerEvent
from editor.tools.gesture import GestureCancelled, Steps


def sculpt(context: ToolContext, event: PointerEvent) -> Steps:
    """One stroke with the brush in hand, one undo step; cancelled or failed, it leaves nothing behind."""
    smoothing = "shift" in event.modifiers and SMOOTHER in context.brush.ids
    brush_id = SMOOTHER if smoothing else context.brush.current
    session = context.begin_stroke(brush_id, "ctrl" in event.modifiers and not smoothing, event)
    try:
        while event.phase != "release":
            session.point(event.along, event.pressure)
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
    context.show_ring(event)
