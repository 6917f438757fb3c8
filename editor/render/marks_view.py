"""MarksView: lines through points of the world, drawn as strips so many pixels wide over the finished picture."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from vispy import gloo

from editor.render.frame import Frame
from editor.render.glsl import load
from editor.render.style import Mark

Vector = NDArray[np.float64]

_HIDDEN = 0.35
"""Opacity of what the surface hides of a line that is on top."""
_TOWARDS_EYE = 0.004
"""Share of its distance by which a line is drawn nearer, so that one that lies on the surface is not hidden by it."""
_GUARD = 1.5
"""How far beyond the picture lines go on, in halves of its size."""
_WIDTHS = {"a_ends": 4, "a_beyond": 4, "a_shape": 4, "a_colour": 3}
"""Numbers of each of a segment's attributes."""


class Segments(NamedTuple):
    """The seen parts of a line's segments, clipped to the view; pixels count from the bottom left."""

    ends: Vector
    """(n, 4): x, y of the start and of the end."""
    beyond: Vector
    """(n, 4): start of the segment before and end of the one after; the segment's own ends where there is none."""
    depths: Vector
    """(n, 2): metres along the view at both ends."""


def seen_segments(frame: Frame, mark: Mark) -> Segments:
    """Project a line in double precision; what lies behind the eye or far beside the picture is cut off."""
    points = np.asarray(mark.points, np.float64).reshape(-1, 3)
    if len(points) == 1:
        points = np.repeat(points, 2, axis=0)
    elif mark.closed and len(points) > 2:
        points = np.concatenate([points, points[:1]])
    camera = frame.camera
    axes = np.stack([camera.right, camera.up, camera.forward], axis=-1)
    seen = (points - camera.eye) @ axes
    starts, ends, kept = _clipped(seen[:-1], seen[1:], frame)
    pixels = np.concatenate([_pixels(starts, frame), _pixels(ends, frame)], axis=-1)
    beyond = _neighbours(pixels, kept, mark.closed and len(points) > 3)
    depths = np.stack([starts[:, 2], ends[:, 2]], axis=-1)
    return Segments(pixels[kept], beyond[kept], depths[kept])


def _clipped(starts: Vector, ends: Vector, frame: Frame) -> tuple[Vector, Vector, NDArray[np.bool_]]:
    """Clip segments in camera axes (n, 3: right, up, forward) to the view; also which of them are left."""
    near = 1e-2 * frame.near
    right, up = (_GUARD * 0.5 * size / frame.focal for size in (frame.width, frame.height))
    sides = np.array([[0, 0, 1], [1, 0, right], [-1, 0, right], [0, 1, up], [0, -1, up]], np.float64)
    shift = np.array([-near, 0.0, 0.0, 0.0, 0.0])
    first, last = np.zeros(len(starts)), np.ones(len(starts))
    at_start, at_end = starts @ sides.T + shift, ends @ sides.T + shift
    for a, b in zip(at_start.T, at_end.T, strict=True):
        cut = a / np.where(a == b, 1.0, a - b)
        first = np.where((a < 0) & (b >= 0), np.maximum(first, cut), first)
        last = np.where((a >= 0) & (b < 0), np.minimum(last, cut), last)
        last = np.where((a >= 0) | (b >= 0), last, -1.0)  # false for what is not a number, too
    kept = first <= last
    way = ends - starts
    # An end that is not cut stays exactly where it is, for the next segment starts there.
    starts, ends = starts + first[:, None] * way, np.where(last[:, None] < 1.0, starts + last[:, None] * way, ends)
    unseen = np.array([0.0, 0.0, 1.0])
    return np.where(kept[:, None], starts, unseen), np.where(kept[:, None], ends, unseen), kept


def _pixels(seen: Vector, frame: Frame) -> Vector:
    return np.array([0.5 * frame.width, 0.5 * frame.height]) + frame.focal * seen[:, :2] / seen[:, 2:]


def _neighbours(pixels: Vector, kept: NDArray[np.bool_], ring: bool) -> Vector:
    """Where the segment before starts and the one after ends (n, 4); own ends where it is missing or not seen."""
    beyond = pixels.copy()
    before, after = np.roll(kept, 1), np.roll(kept, -1)
    if not ring and len(kept):
        before[0] = after[-1] = False
    beyond[before, :2] = np.roll(pixels[:, :2], 1, axis=0)[before]
    beyond[after, 2:] = np.roll(pixels[:, 2:], -1, axis=0)[after]
    return beyond


class MarksView:
    """Draws the marks of a style, whose segments are sent with each picture that has any."""

    def __init__(self) -> None:
        self._program: Any = None
        self._corners: Any = None
        self._buffers: dict[str, Any] = {}

    def draw(self, frame: Frame) -> None:
        """Draw over what is bound, whose depth tells what is hidden."""
        table = instances(frame)
        if len(table["a_ends"]) == 0:
            return
        if self._program is None:
            self._start()
        for name, values in table.items():
            self._buffers[name].set_data(values)
        self._program["u_size"] = (frame.width, frame.height)
        # The alpha of a window's picture must stay whole.
        blend = ("src_alpha", "one_minus_src_alpha", "zero", "one")
        gloo.set_state(blend=True, blend_func=blend, depth_mask=False, depth_test=True)
        if table["a_shape"][:, 3].any():
            gloo.set_depth_func("greater")
            self._draw(1, _HIDDEN)
        gloo.set_depth_func("lequal")
        self._draw(0, 1.0)
        gloo.set_state(blend=False, depth_mask=True)

    def release(self) -> None:
        """Delete everything GL holds for this."""
        if self._program is not None:
            for thing in (self._program, self._corners, *self._buffers.values()):
                thing.delete()
            self._program = None

    def _start(self) -> None:
        corners = np.array([[0.0, -1.0], [0.0, 1.0], [1.0, -1.0], [1.0, 1.0]], np.float32)
        self._corners = gloo.VertexBuffer(corners)
        self._buffers = {name: gloo.VertexBuffer(divisor=1) for name in _WIDTHS}
        self._program = gloo.Program(load("marks.vert.glsl"), load("marks.frag.glsl"))
        self._program["a_corner"] = self._corners
        for name, buffer in self._buffers.items():
            self._program[name] = buffer

    def _draw(self, hidden: int, opacity: float) -> None:
        self._program["u_hidden"] = hidden
        self._program["u_opacity"] = opacity
        self._program.draw("triangle_strip")


def instances(frame: Frame) -> dict[str, NDArray[np.float32]]:
    """Attributes of every seen segment of the style's marks, in the order in which they are drawn.

    a_shape: depth at the start and at the end in clip coordinates, width in pixels, 1 if on top.
    """
    parts: dict[str, list[NDArray[np.float32]]] = {name: [np.empty((0, n), np.float32)] for name, n in _WIDTHS.items()}
    for mark in frame.style.marks:
        if len(mark.points) == 0:
            continue
        segments = seen_segments(frame, mark)
        count = len(segments.ends)
        depths = _clip_depths(segments.depths * (1.0 - _TOWARDS_EYE), frame)
        shape = np.column_stack([depths, np.full(count, mark.width), np.full(count, float(mark.on_top))])
        values = segments.ends, segments.beyond, shape, np.tile(mark.colour, (count, 1))
        for name, part in zip(_WIDTHS, values, strict=True):
            parts[name].append(part.astype(np.float32))
    return {name: np.concatenate(part) for name, part in parts.items()}


def _clip_depths(depths: Vector, frame: Frame) -> Vector:
    """Depth in clip coordinates, which is linear across the picture; may leave -1..1, for marks leave the map."""
    _, _, scale, shift = frame.projection
    return -scale + shift / depths
