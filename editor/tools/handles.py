"""Handles: lines in the world, constant on the screen, that are hit and dragged."""

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from editor.render.style import Mark
from editor.tools.context import ToolContext
from editor.tools.events import PointerEvent

Vector = NDArray[np.float64]
Mode = Literal["move", "turn", "scale"]

LENGTH = 90.0
"""Pixels from the middle to the tip of a handle."""
NEAR = 9.0
"""Pixels within which a handle is hit."""
_POINTS = 49
_COLOURS = {"x": (0.93, 0.33, 0.31), "y": (0.45, 0.78, 0.33), "z": (0.33, 0.58, 0.95)}
_LIT, _PALE = (1.0, 0.9, 0.35), (0.92, 0.94, 0.97)

HANDLES: dict[str, tuple[Mode, str]] = {
    **{f"move-{axes}": ("move", axes) for axes in ("x", "y", "z", "xy", "yz", "xz", "xyz")},
    **{f"turn-{axis}": ("turn", axis) for axis in "xyz"},
    **{f"scale-{axes}": ("scale", axes) for axes in ("x", "y", "z", "xyz")},
}
"""What each handle does, and along or about which axes."""


class Place(NamedTuple):
    """Where the handles stand: their middle (3), metres, and axes (3, 3), one a row."""

    middle: Vector
    frame: Vector


def handle_lines(context: ToolContext, place: Place, mode: Mode) -> dict[str, Vector]:
    """World points (n, 3) of each handle of a mode."""
    size = LENGTH * context.metres_per_pixel(place.middle)
    lines: dict[str, Vector] = {}
    for handle, (kind, axes) in HANDLES.items():
        if kind == mode:
            lines[handle] = place.middle + size * _shape(kind, axes) @ place.frame
    return lines


def handle_marks(context: ToolContext, place: Place, mode: Mode, lit: str) -> tuple[Mark, ...]:
    """The handles as they are drawn; the one under the pointer in light."""
    marks = []
    for handle, points in handle_lines(context, place, mode).items():
        axes = HANDLES[handle][1]
        colour = _LIT if handle == lit else _COLOURS[axes] if len(axes) == 1 else _PALE
        width = 10.0 if len(points) == 1 else 4.0 if handle == lit else 2.5
        marks.append(Mark(points, colour, width, on_top=True))
        if mode == "scale" and len(points) > 1:
            marks.append(Mark(points[-1:], colour, 10.0))
    return tuple(marks)


def nearest_handle(context: ToolContext, place: Place, mode: Mode, x: float, y: float) -> str:
    """The handle within reach of a pixel, the middle one first; empty for none."""
    if context.project is None:
        return ""
    best, found = NEAR, ""
    for handle, points in handle_lines(context, place, mode).items():
        pixels = context.project(points)
        if (pixels[:, 2] <= 0.0).any():
            continue
        away = _distance(pixels[:, :2], x, y) - (2.0 if len(points) == 1 else 0.0)
        if away < best:
            best, found = away, handle
    return found


def drag_amount(context: ToolContext, place: Place, handle: str, start: PointerEvent, now: PointerEvent) -> Vector:
    """What a drag amounts to along each axis (3): metres moved, degrees turned, or factors of size."""
    kind, axes = HANDLES[handle]
    if kind == "turn":
        return _turned(place, "xyz".index(axes), start, now)
    if axes == "xyz" and kind == "scale":
        return np.full(3, max(0.01, 1.0 + (now.x - start.x - (now.y - start.y)) / LENGTH))
    way = _along(place, axes, now, start) - _along(place, axes, start, start)
    if kind == "move":
        return way
    return 1.0 + way / (LENGTH * context.metres_per_pixel(place.middle))


def _shape(kind: Mode, axes: str) -> Vector:
    """Points of a handle of unit length, in the axes of the widget."""
    units = {name: np.eye(3)[k] for k, name in enumerate("xyz")}
    if len(axes) == 3:
        return np.zeros((1, 3))
    if kind == "turn":
        a, b = (units[name] for name in "xyz" if name != axes)
        angle = np.linspace(0.0, 2.0 * math.pi, _POINTS)[:, None]
        return np.asarray(0.85 * (np.cos(angle) * a + np.sin(angle) * b))
    if len(axes) == 2:
        a, b = units[axes[0]], units[axes[1]]
        return np.stack(
            [0.25 * a + 0.25 * b, 0.45 * a + 0.25 * b, 0.45 * a + 0.45 * b, 0.25 * a + 0.45 * b, 0.25 * (a + b)]
        )
    unit, side = units[axes], units["z" if axes != "z" else "x"]
    if kind == "scale":
        return np.stack([0.12 * unit, unit])
    return np.stack([0.12 * unit, unit, 0.86 * unit + 0.06 * side, unit, 0.86 * unit - 0.06 * side])


def _along(place: Place, axes: str, event: PointerEvent, start: PointerEvent) -> Vector:
    """Where the pointer is along the axes of a handle, metres from the middle; other components are zero."""
    if len(axes) == 1:
        k = "xyz".index(axes)
        out = np.zeros(3)
        out[k] = _closest(event, place.middle, place.frame[k])
        return out
    normal = start.direction if len(axes) == 3 else place.frame["xyz".index(next(a for a in "xyz" if a not in axes))]
    towards = float(event.direction @ normal)
    if abs(towards) < 1e-4:
        return np.zeros(3)
    hit = event.start + event.direction * (float((place.middle - event.start) @ normal) / towards)
    within = place.frame @ (hit - place.middle)
    return np.array([within[k] if name in axes else 0.0 for k, name in enumerate("xyz")])


def _closest(event: PointerEvent, middle: Vector, axis: Vector) -> float:
    """Metres along a line where it comes nearest to the pointer's ray."""
    across = float(axis @ event.direction)
    away = event.start - middle
    slant = 1.0 - across * across
    if slant < 1e-6:
        return 0.0
    return float((away @ axis - (away @ event.direction) * across) / slant)


def _turned(place: Place, k: int, start: PointerEvent, now: PointerEvent) -> Vector:
    """Degrees about axis k; seen from its edge, a ring turns by the way of the pointer instead."""
    axis, out = place.frame[k], np.zeros(3)
    if abs(float(start.direction @ axis)) < 0.15:
        out[k] = math.degrees((now.x - start.x) / LENGTH)
        return out
    arms = []
    for event in (start, now):
        towards = float(event.direction @ axis)
        reach = float((place.middle - event.start) @ axis) / towards if abs(towards) > 1e-6 else 0.0
        arms.append(event.start + reach * event.direction - place.middle)
    out[k] = math.degrees(math.atan2(float(np.cross(arms[0], arms[1]) @ axis), float(arms[0] @ arms[1])))
    return out


def _distance(pixels: Vector, x: float, y: float) -> float:
    """Pixels from a point to a line through pixels (n, 2)."""
    spot = np.array([x, y])
    if len(pixels) == 1:
        return float(np.hypot(*(pixels[0] - spot)))
    a, b = pixels[:-1], pixels[1:]
    way = b - a
    share = np.clip(((spot - a) * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-9), 0.0, 1.0)
    return float(np.hypot(*(a + share[:, None] * way - spot).T).min())
