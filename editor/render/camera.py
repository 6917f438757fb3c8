"""Camera: where the scene is seen from, and the way between pixels and rays."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_STEEPEST = math.radians(89.5)
_FRAMED = 0.94
"""Share of the picture that a framed box may fill."""


def _vector(*values: float) -> Vector:
    return np.array(values, np.float64)


@dataclass
class Camera:
    """A perspective camera that orbits a target; z is up and pixels count from the top left.

    target: world point (3), metres. yaw: radians, 0 looks north, grows clockwise seen from above.
    pitch: radians, 0 is level, negative looks down. distance: metres from eye to target. fov: vertical, radians.
    """

    target: Vector = field(default_factory=lambda: _vector(0.0, 0.0, 0.0))
    yaw: float = math.radians(30.0)
    pitch: float = math.radians(-35.0)
    distance: float = 1000.0
    fov: float = math.radians(45.0)

    @property
    def forward(self) -> Vector:
        """Unit direction of view."""
        level = math.cos(self.pitch)
        return _vector(math.sin(self.yaw) * level, math.cos(self.yaw) * level, math.sin(self.pitch))

    @property
    def right(self) -> Vector:
        """Unit direction to the right of the picture."""
        return _vector(math.cos(self.yaw), -math.sin(self.yaw), 0.0)

    @property
    def up(self) -> Vector:
        """Unit direction to the top of the picture."""
        return np.cross(self.right, self.forward)

    @property
    def eye(self) -> Vector:
        """World position of the viewer."""
        return self.target - self.distance * self.forward

    def rotation(self) -> NDArray[np.float32]:
        """World to camera axes (3, 3): rows are right, up and backward; positions are taken relative to the eye."""
        return np.stack([self.right, self.up, -self.forward]).astype(np.float32)

    def focal(self, height: float) -> float:
        """Pixels that one metre at a distance of one metre covers in a picture `height` pixels high."""
        return 0.5 * height / math.tan(0.5 * self.fov)

    def ray(self, x: float, y: float, width: float, height: float) -> tuple[Vector, Vector]:
        """Start and unit direction of the ray through pixel position (x, y) of a `width × height` picture."""
        focal = self.focal(height)
        direction = self.forward + self.right * ((x - 0.5 * width) / focal) - self.up * ((y - 0.5 * height) / focal)
        return self.eye, direction / np.linalg.norm(direction)

    def project(self, points: Vector, width: float, height: float) -> Vector:
        """Pixel x, y and depth (metres along the view) of world points (n, 3); behind the eye the depth is ≤ 0."""
        relative = np.atleast_2d(points) - self.eye
        depth = relative @ self.forward
        with np.errstate(divide="ignore", invalid="ignore"):
            x = 0.5 * width + self.focal(height) * (relative @ self.right) / depth
            y = 0.5 * height - self.focal(height) * (relative @ self.up) / depth
        return np.stack([x, y, depth], axis=-1)

    def look(self, eye: Vector, at: Vector) -> None:
        """Stand at `eye` and look at the point `at`."""
        away = np.asarray(at, np.float64) - np.asarray(eye, np.float64)
        self.distance = max(float(np.linalg.norm(away)), 1e-6)
        if math.hypot(away[0], away[1]) > 1e-9 * self.distance:
            self.yaw = math.atan2(away[0], away[1])
        self.pitch = _clamp_pitch(math.asin(away[2] / self.distance))
        self.target = np.asarray(eye, np.float64) + self.distance * self.forward

    def orbit(self, yaw: float, pitch: float) -> None:
        """Turn around the target by angles in radians."""
        self.yaw = (self.yaw + yaw) % (2.0 * math.pi)
        self.pitch = _clamp_pitch(self.pitch + pitch)

    def turn(self, yaw: float, pitch: float) -> None:
        """Turn the head: the eye stays, the target moves."""
        eye = self.eye
        self.orbit(yaw, pitch)
        self.target = eye + self.distance * self.forward

    def pan(self, dx: float, dy: float, height: float) -> None:
        """Move so that the target follows the pointer by (dx, dy) pixels in a picture `height` pixels high."""
        scale = self.distance / self.focal(height)
        self.target = self.target - scale * (dx * self.right - dy * self.up)

    def dolly(self, factor: float, towards: Vector | None = None) -> None:
        """Multiply the distance; with `towards` (3) that point keeps its place in the picture."""
        if towards is not None:
            self.target = towards + factor * (self.target - towards)
        self.distance = min(max(self.distance * factor, 0.05), 1e8)

    def move(self, right: float, up: float, forward: float) -> None:
        """Fly: move eye and target along the camera's axes, metres."""
        self.target = self.target + right * self.right + up * _vector(0.0, 0.0, 1.0) + forward * self.forward

    def frame(self, box: Vector, aspect: float = 1.5) -> None:
        """See all of a box (6: low x y z, high x y z) from the present direction, as near as a small margin allows."""
        low, high = np.asarray(box[:3], np.float64), np.asarray(box[3:], np.float64)
        corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
        self.frame_points(low + corners * (high - low), aspect)

    def frame_points(self, points: Vector, aspect: float = 1.5) -> None:
        """See all of some points (n, 3) from the present direction, in the middle and as large as a margin allows.

        Each side of the view is a plane that touches the points: two opposite ones leave one place for the eye across,
        and the farther back of the two pairs decides how near it comes.
        """
        tall = math.tan(0.5 * self.fov) * _FRAMED
        depth = points @ self.forward
        place, back = [], []
        for axis, slope in ((self.right, tall * aspect), (self.up, tall)):
            side = points @ axis
            low, high = (side + slope * depth).min(), (side - slope * depth).max()
            place.append(0.5 * (low + high))
            back.append(0.5 * (low - high) / slope)
        self.distance = max(0.5 * float(depth.min() + depth.max()) - min(back), 0.05)
        eye = place[0] * self.right + place[1] * self.up + min(back) * self.forward
        self.target = eye + self.distance * self.forward


def _clamp_pitch(pitch: float) -> float:
    return min(max(pitch, -_STEEPEST), _STEEPEST)
