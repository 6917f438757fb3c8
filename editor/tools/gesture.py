"""Gesture: runs a tool's generator from press to release."""

from collections.abc import Callable, Generator

from editor.tools.context import ToolContext
from editor.tools.events import PointerEvent

Steps = Generator[None, PointerEvent, None]
Tool = Callable[[ToolContext, PointerEvent], Steps]


class GestureCancelled(Exception):
    """Thrown into a tool when the person presses Escape: take everything back."""


class Gesture:
    """One gesture under way: the tool runs up to each `yield` and is then sent the next event."""

    def __init__(self, tool: Tool, context: ToolContext, event: PointerEvent) -> None:
        self._steps = tool(context, event)
        self._last = event
        self.running = True
        self._advance(lambda: next(self._steps))

    def send(self, event: PointerEvent) -> None:
        """Pass an event on."""
        self._last = event
        self._advance(lambda: self._steps.send(event))

    def cancel(self) -> None:
        """Take everything back."""
        self._advance(lambda: self._steps.throw(GestureCancelled()))
        self._steps.close()
        self.running = False

    def finish(self) -> None:
        """End where the pointer was last seen, as if it had been released there."""
        last = self._last
        self.send(PointerEvent("release", last.x, last.y, last.start, last.direction, last.pressure, time=last.time))

    def _advance(self, step: Callable[[], None]) -> None:
        if not self.running:
            return
        try:
            step()
        except (StopIteration, GestureCancelled):
            self.running = False
        except BaseException:
            self.running = False
            raise
