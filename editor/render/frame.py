"""Frame: what every pass of one picture shares; worked out in double precision around the eye."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from editor.render.camera import Camera
from editor.render.style import Style
from terrain.bounds import PATCH
from terrain.map import TerrainMap
from terrain.tiles import Rect

Vector = NDArray[np.float64]

_NEAREST = 0.1
"""Metres nearer than which nothing needs to be drawn, on maps of 1 m cells and coarser."""


@dataclass(frozen=True)
class Frame:
    """One picture of a map: camera, size in physical pixels, style and the depth range that holds the map."""

    terrain: TerrainMap
    camera: Camera
    width: int
    height: int
    style: Style
    near: float
    far: float

    @classmethod
    def of(cls, terrain: TerrainMap, camera: Camera, width: int, height: int, style: Style) -> "Frame":
        """Fit the depth range to the map as seen from the camera."""
        near, far = depth_range(terrain, camera.eye)
        return cls(terrain, camera, width, height, style, near, far)

    @property
    def focal(self) -> float:
        """Pixels that a metre covers at a distance of one metre."""
        return self.camera.focal(self.height)

    @property
    def planes(self) -> Vector:
        """The four sides of the view, float64 (4, 4): inside where planes[:, :3] @ p + planes[:, 3] ≥ 0."""
        camera, focal = self.camera, self.focal
        sides = [sign * camera.right * focal + camera.forward * 0.5 * self.width for sign in (1.0, -1.0)]
        sides += [sign * camera.up * focal + camera.forward * 0.5 * self.height for sign in (1.0, -1.0)]
        normals = np.stack(sides)
        return np.ascontiguousarray(np.column_stack([normals, -(normals @ camera.eye)]))

    @property
    def projection(self) -> tuple[float, float, float, float]:
        """x scale, y scale, z scale and z shift of the clip coordinates; w is the depth."""
        reach = self.far - self.near
        z_scale, z_shift = -(self.far + self.near) / reach, -2.0 * self.far * self.near / reach
        return 2.0 * self.focal / self.width, 2.0 * self.focal / self.height, z_scale, z_shift

    @property
    def extent(self) -> float:
        """Diagonal of the map's rest grid, metres: the scale of haze and horizon."""
        return math.hypot(*self.terrain.field.rest_size)

    def light(self) -> dict[str, object]:
        """Uniforms of light.glsl and water.glsl."""
        sun = self.style.sun
        warm = math.exp(-5.0 * max(float(sun[2]), 0.0))
        colour = np.array([1.0, 0.93 - 0.35 * warm, 0.82 - 0.62 * warm])
        period = 0.25 * self.extent
        strength = 2.9 * min(1.0, max(0.0, 4.0 * float(sun[2]) + 0.25))
        return {
            "u_sun": sun,
            "u_sun_colour": colour * strength,
            "u_haze": (0.07 / self.extent, (0.09 / self.extent) ** 2),
            "u_sky": (2 if self.style.studio else 1) if self.style.show_sky else 0,
            "u_sea": self.terrain.sea_level - float(self.camera.eye[2]),
            "u_show_sea": int(self.style.show_sea),
            "u_noise_scale": 1.0 / period,
            "u_noise_place": np.mod(self.camera.eye[:2] / period, 1.0),
        }


def depth_range(terrain: TerrainMap, eye: Vector) -> tuple[float, float]:
    """Near and far distance, metres, between which all of the map lies as seen from `eye`.

    The near one is half a lower bound of the distance to the surface, so that a walker's own ground is never
    clipped and yet a distant view spends its depth bits where the map is.
    """
    box = terrain.bounds.whole
    away = np.maximum(np.maximum(box[:3] - eye, eye - box[3:]), 0.0)
    farthest = np.maximum(np.abs(box[:3] - eye), np.abs(box[3:] - eye))
    far = 1.01 * float(np.linalg.norm(farthest)) + 1e-3
    least = min(_NEAREST, 0.25 * terrain.field.cell)
    distance = float(np.linalg.norm(away))
    if distance < 2 * PATCH * terrain.field.cell:
        distance = max(distance, _clearance(terrain, eye, 2 * PATCH * terrain.field.cell))
    near = max(least, 0.5 * distance)
    return near, max(far, 2.0 * near)


def _clearance(terrain: TerrainMap, eye: Vector, reach: float) -> float:
    """A lower bound, at most `reach`, of the distance from a point to the surface: to the boxes around its cells."""
    nearest = reach
    rows, cols = terrain.field.rows, terrain.field.cols
    for patch_row, patch_col in terrain.bounds.in_sphere(eye, reach):
        row, col = int(patch_row) * PATCH, int(patch_col) * PATCH
        points = terrain.field.positions(Rect(row, row + PATCH + 1, col, col + PATCH + 1).clip(rows, cols))
        corners = np.stack([points[:-1, :-1], points[1:, :-1], points[:-1, 1:], points[1:, 1:]])
        low, high = corners.min(axis=0), corners.max(axis=0)
        away = np.maximum(np.maximum(low - eye, eye - high), 0.0)
        nearest = min(nearest, float(np.sqrt((away**2).sum(axis=-1).min())))
    return nearest
