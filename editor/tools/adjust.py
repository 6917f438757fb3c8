"""Adjust: drag the brush's radius or strength with the ring and the number shown."""

import math

from editor.tools.context import Ring, ToolContext
from editor.tools.events import PointerEvent
from editor.tools.gesture import GestureCancelled, Steps
from terrain.params import describe

PIXELS_PER_E = 150.0
"""Logical pixels of drag that multiply the strength by e."""

STEP = 1.15
"""Factor of one key press on size or strength."""


def adjust_radius(context: ToolContext, event: PointerEvent) -> Steps:
    """Drag until a button is pressed or released: the ring's rim follows the pointer."""
    hit = context.pick(event)
    start, centre = event.x, event.along if hit is None else hit.point
    before, scale = context.brush.params, context.metres_per_pixel(centre)
    try:
        while True:
            context.brush.adjust(radius=max(before.radius + (event.x - start) * scale, 0.02 * before.radius))
            context.show(Ring(centre, context.brush.params.radius), radius_text(context))
            event = yield
            if event.phase != "move":
                break
    except GestureCancelled:
        context.brush.set(before)
    context.show_ring(event)


def adjust_strength(context: ToolContext, event: PointerEvent) -> Steps:
    """Drag until a button is pressed or released: right is stronger, left is weaker."""
    hit = context.pick(event)
    start, before = event.x, context.brush.params
    try:
        while True:
            base = before.strength or 0.01
            context.brush.adjust(strength=base * math.exp((event.x - start) / PIXELS_PER_E))
            ring = None if hit is None else Ring(hit.point, before.radius)
            context.show(ring, strength_text(context))
            event = yield
            if event.phase != "move":
                break
    except GestureCancelled:
        context.brush.set(before)
    context.show_ring(event)


def radius_text(context: ToolContext) -> str:
    """The radius in words."""
    return f"Radius {number_text(context.brush.params.radius)} m"


def strength_text(context: ToolContext) -> str:
    """The strength in words, with its unit."""
    params = context.brush.params
    unit = next(info.unit for info in describe(type(params)) if info.name == "strength")
    return f"Strength {number_text(params.strength)} {unit}".rstrip()


def number_text(value: float) -> str:
    """A number with three significant digits, never in powers of ten."""
    if value == 0.0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(digits, 6)}f}"
