"""Navigation: pointer and wheel to camera, by Blender's or Maya's conventions; knows no Qt."""

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from editor.render.camera import Camera

Vector = NDArray[np.float64]
Action = Literal["orbit", "pan", "zoom"]
Surface = Callable[[Vector, Vector], Vector | None]
"""Gives the world point where a ray (start, direction) meets the map, or None."""

ORBIT_RATE = 0.008
"""Radians a logical pixel."""
NOTCH = 0.87
"""Factor on the distance of one wheel notch forwards."""
CLEARANCE = 1.0
"""Metres that the eye keeps above the ground unless told otherwise."""

_CHORDS: dict[str, dict[tuple[str, frozenset[str]], Action]] = {
    "blender": {
        ("middle", frozenset()): "orbit",
        ("middle", frozenset({"shift"})): "pan",
        ("middle", frozenset({"ctrl"})): "zoom",
        # As Blender's emulated middle button, for pens and trackpads.
        ("left", frozenset({"alt"})): "orbit",
        ("left", frozenset({"alt", "shift"})): "pan",
        ("left", frozenset({"alt", "ctrl"})): "zoom",
    },
    "maya": {
        ("left", frozenset({"alt"})): "orbit",
        ("middle", frozenset({"alt"})): "pan",
        ("right", frozenset({"alt"})): "zoom",
        # For two-button trackpads.
        ("left", frozenset({"alt", "shift"})): "pan",
        ("left", frozenset({"alt", "ctrl"})): "zoom",
    },
}

VIEWS: dict[str, tuple[float, float]] = {
    "top": (0.0, -90.0),
    "north": (0.0, -12.0),
    "east": (90.0, -12.0),
    "south": (180.0, -12.0),
    "west": (270.0, -12.0),
}
"""Named views: yaw and pitch in degrees of the direction looked in."""


def action_for(preset: str, button: str, modifiers: frozenset[str]) -> Action | None:
    """What a button with these modifiers does to the camera, or None if it is not for the camera."""
    return _CHORDS[preset].get((button, modifiers))


class Navigator:
    """Moves a camera. width, height: logical pixels of the viewport."""

    def __init__(self, camera: Camera, surface: Surface) -> None:
        self.camera = camera
        self.surface = surface
        self.width, self.height = 1.0, 1.0
        self.clearance = CLEARANCE
        self.sea_level = -math.inf
        """Height of the sea, metres: turning never takes the eye through it by accident."""
        self._action: Action | None = None
        self._at = (0.0, 0.0)
        self._depth = 1.0
        self._anchor: Vector | None = None

    @property
    def active(self) -> bool:
        """True during a drag."""
        return self._action is not None

    def begin(self, action: Action, x: float, y: float) -> None:
        """Start a drag at a pixel: the surface there becomes what is panned, zoomed to or turned around."""
        self._action, self._at = action, (x, y)
        self._anchor = self._under(x, y)
        self._depth = self._depth_of(self._anchor)
        if action == "orbit":
            self._pivot_on_surface()

    def drag(self, x: float, y: float) -> None:
        """The pointer moved."""
        dx, dy = x - self._at[0], y - self._at[1]
        self._at = (x, y)
        if self._action == "orbit":
            self.orbit(dx, dy)
        elif self._action == "pan":
            self.pan(dx, dy, self._depth)
        elif self._action == "zoom":
            self.camera.dolly(self._limited(math.exp(0.006 * (dy - dx)), self._anchor), self._anchor)
            self.stay_above()

    def end(self) -> None:
        """The button was released."""
        self._action = None

    def orbit(self, dx: float, dy: float) -> None:
        """Turn around the target as if the ground were dragged by (dx, dy) pixels."""
        dry = self.camera.eye[2] > self.sea_level
        self.camera.orbit(dx * ORBIT_RATE, -dy * ORBIT_RATE)
        if dry and self.camera.eye[2] < self.sea_level + self.clearance:
            # Under water everything looks strange; a person who means to dive zooms or flies there.
            self.camera.pitch = self._waterline()
        self.stay_above()

    def _waterline(self) -> float:
        """The pitch at which the eye stands just above the sea."""
        camera = self.camera
        drop = (self.sea_level + self.clearance - float(camera.target[2])) / camera.distance
        return -math.asin(min(max(drop, -1.0), 1.0))

    def pan(self, dx: float, dy: float, depth: float | None = None) -> None:
        """Move so that what lies at `depth` metres along the view follows the pointer."""
        share = 1.0 if depth is None else depth / self.camera.distance
        self.camera.pan(dx * share, dy * share, self.height)
        self.stay_above()

    def zoom(self, notches: float, x: float, y: float) -> None:
        """Zoom towards what lies under a pixel; positive comes nearer."""
        anchor = self._under(x, y)
        if anchor is None:
            start, direction = self.camera.ray(x, y, self.width, self.height)
            anchor = start + direction * self.camera.distance
        self.camera.dolly(self._limited(NOTCH**notches, anchor), anchor)
        self.stay_above()

    def view(self, name: str) -> None:
        """Look from one of the named views at what is in the middle of the picture."""
        self._pivot_on_surface()
        yaw, pitch = VIEWS[name]
        self.camera.yaw = math.radians(yaw)
        self.camera.orbit(0.0, math.radians(pitch) - self.camera.pitch)
        self.stay_above()

    def frame(self, box: Vector) -> None:
        """See all of a box (6)."""
        self.camera.frame(box, self.width / max(self.height, 1.0))

    def stay_above(self) -> None:
        """Lift the eye if it went below the ground; under an overhang there is ground below, so it may stay."""
        eye = self.camera.eye
        up = np.array([0.0, 0.0, 1.0])
        below = self.surface(eye, -up)
        if below is None:
            above = self.surface(eye, up)
            lift = 0.0 if above is None else above[2] + self.clearance - eye[2]
        else:
            lift = below[2] + self.clearance - eye[2]
        if lift > 0.0:
            self.camera.target = self.camera.target + lift * up

    def _under(self, x: float, y: float) -> Vector | None:
        return self.surface(*self.camera.ray(x, y, self.width, self.height))

    def _depth_of(self, point: Vector | None) -> float:
        if point is None:
            return self.camera.distance
        return float((point - self.camera.eye) @ self.camera.forward)

    def _pivot_on_surface(self) -> None:
        """Move the target along the view to the surface, so that turning keeps it in the middle; the eye stays."""
        point = self._under(0.5 * self.width, 0.5 * self.height)
        if point is not None:
            eye = self.camera.eye
            self.camera.distance = max(self._depth_of(point), 0.05)
            self.camera.target = eye + self.camera.distance * self.camera.forward

    def _limited(self, factor: float, anchor: Vector | None) -> float:
        """Keep the eye from closing in on the anchor beyond twice the clearance."""
        if anchor is None or factor >= 1.0:
            return factor
        away = float(np.linalg.norm(anchor - self.camera.eye))
        return min(1.0, max(factor, 2.0 * self.clearance / max(away, 1e-9)))
