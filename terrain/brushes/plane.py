"""The local plane of a surface under a dab: its middle and its normal, weighted like the dab."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Dab, Vector, Window
from terrain.kernel import kernel
from terrain.products import dots


class Plane(NamedTuple):
    """A plane near a dab."""

    point: Vector
    """A point of it (3), relative to the dab's centre, metres."""
    normal: Vector
    """Unit normal (3)."""

    def heights(self, places: NDArray[np.float32]) -> NDArray[np.float32]:
        """Signed distance (rows, cols) of places (rows, cols, 3; relative to the dab's centre), metres."""
        normal = self.normal.astype(np.float32)
        return dots(places, normal) - np.float32(self.point @ self.normal)


def plane_of(window: Window, dab: Dab) -> Plane:
    """The plane of the surface in a window, as `before` has it."""
    x, y = window.field.origin
    cell, rect, centre = window.field.cell, window.rect, dab.centre
    corner = (x + rect.col0 * cell - centre[0], y + rect.row0 * cell - centre[1], -float(centre[2]))
    point, normal = np.zeros(3), np.zeros(3)
    _plane(window.before, cell, *corner, window.weight, point, normal)
    length = math.sqrt(normal @ normal)
    return Plane(point, normal / length if length > 1e-9 else np.array([0.0, 0.0, 1.0]))


def tangents(normal: Vector, right: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors (3) in the plane of `normal`, the first as near to `right` as can be."""
    along = right - (right @ normal) * normal
    length = math.sqrt(along @ along)
    if length < 1e-6:
        along, length = np.cross([0.0, 1.0, 0.0], normal), 1.0
    along = along / length
    return along, np.cross(normal, along)


@kernel
def _plane(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    z0: float,
    weight: NDArray[np.float32],
    point: Vector,
    normal: Vector,
) -> None:
    """Weighted mean of positions relative to (-x0, -y0, -z0), and weighted sum of the surface's area vectors."""
    rows, cols = weight.shape
    total = 0.0
    for i in range(rows):
        south, north = max(i - 1, 0), min(i + 1, rows - 1)
        for j in range(cols):
            w = float(weight[i, j])
            if not w > 0.0:
                continue
            west, east = max(j - 1, 0), min(j + 1, cols - 1)
            total += w
            point[0] += w * (x0 + j * cell + offset[i, j, 0])
            point[1] += w * (y0 + i * cell + offset[i, j, 1])
            point[2] += w * (z0 + offset[i, j, 2])
            ux = (east - west) * cell + float(offset[i, east, 0] - offset[i, west, 0])
            uy, uz = float(offset[i, east, 1] - offset[i, west, 1]), float(offset[i, east, 2] - offset[i, west, 2])
            vx, vz = float(offset[north, j, 0] - offset[south, j, 0]), float(offset[north, j, 2] - offset[south, j, 2])
            vy = (north - south) * cell + float(offset[north, j, 1] - offset[south, j, 1])
            nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            length = np.sqrt(nx * nx + ny * ny + nz * nz)
            if length > 0.0:
                w /= length
                normal[0], normal[1], normal[2] = normal[0] + w * nx, normal[1] + w * ny, normal[2] + w * nz
    if total > 0.0:
        point /= total
