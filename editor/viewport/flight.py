"""Flight: fly and walk through the map with held keys; knows no Qt."""

import numpy as np

from editor.render.camera import Camera
from editor.viewport.navigation import Surface, Vector

EYE_HEIGHT = 1.7
"""Metres from the ground to the eye of a person who walks."""
LOOK_RATE = 0.004
"""Radians a logical pixel."""
WALK_SPEED = 8.0
"""Metres a second at first: a runner, since maps are large."""
FASTER = 4.0
"""Factor while Shift is held."""
_NOTCH = 1.25
_STRIDE = 3.0
"""Metres above the eye from which the ground is looked for: steps are climbed, roofs of caves are not."""

_DOWN = np.array([0.0, 0.0, -1.0])
KEYS = frozenset("wasdqe")


class Flight:
    """Moves the camera while keys are held. speed: metres a second of flying."""

    def __init__(self, camera: Camera, surface: Surface) -> None:
        self.camera = camera
        self.surface = surface
        self.speed = 50.0
        self.walk_speed = WALK_SPEED
        self.sea_level = 0.0
        self.walking = False
        self.keys: set[str] = set()
        self.fast = False

    @property
    def moving(self) -> bool:
        """True while a key asks for movement."""
        return bool(self.keys)

    def look(self, dx: float, dy: float) -> None:
        """Turn the head by a pointer movement in logical pixels."""
        self.camera.turn(dx * LOOK_RATE, -dy * LOOK_RATE)

    def change_speed(self, notches: float) -> None:
        """Faster or slower, by wheel notches."""
        if self.walking:
            self.walk_speed = min(max(self.walk_speed * _NOTCH**notches, 0.5), 500.0)
        else:
            self.speed = min(max(self.speed * _NOTCH**notches, 0.5), 1e5)

    def start_walking(self) -> None:
        """Stand on the ground below the eye or, if there is none, where the view is aimed at."""
        eye, forward = self.camera.eye, self.camera.forward
        spot = self._ground(eye[0], eye[1], None)
        if spot is None:
            spot = self.surface(eye, forward)
        if spot is None:
            spot = self._ground(self.camera.target[0], self.camera.target[1], None)
        if spot is None:
            return
        self.walking = True
        self.camera.pitch = -0.05
        self._stand(spot)

    def stop_walking(self) -> None:
        """Leave the ground; the view stays."""
        self.walking = False
        self.keys.clear()

    def step(self, seconds: float) -> None:
        """Move for a time."""
        ahead, side, rise = self._wish()
        if self.walking:
            self._walk(ahead, side, seconds)
        else:
            reach = self.speed * seconds * (FASTER if self.fast else 1.0)
            self.camera.move(side * reach, rise * reach, ahead * reach)

    def _wish(self) -> tuple[int, int, int]:
        held = self.keys
        return ("w" in held) - ("s" in held), ("d" in held) - ("a" in held), ("e" in held) - ("q" in held)

    def _walk(self, ahead: int, side: int, seconds: float) -> None:
        reach = self.walk_speed * seconds * (FASTER if self.fast else 1.0)
        level = np.array([np.sin(self.camera.yaw), np.cos(self.camera.yaw), 0.0])
        eye = self.camera.eye + reach * (ahead * level + side * self.camera.right)
        spot = self._ground(eye[0], eye[1], eye[2] + _STRIDE + reach)
        if spot is not None:
            self._stand(spot)

    def _ground(self, x: float, y: float, below: float | None) -> Vector | None:
        """The highest ground at (x, y), if possible below a height; None off the map."""
        if below is not None:
            spot = self.surface(np.array([x, y, below]), _DOWN)
            if spot is not None:
                return spot
        return self.surface(np.array([x, y, 1e5]), _DOWN)

    def _stand(self, spot: Vector) -> None:
        floor = max(float(spot[2]), self.sea_level)
        eye = np.array([spot[0], spot[1], floor + EYE_HEIGHT])
        self.camera.distance = min(self.camera.distance, 50.0)
        self.camera.target = eye + self.camera.distance * self.camera.forward
