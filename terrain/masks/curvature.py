"""Mask by mean curvature of the displaced surface: ridges and valleys of a given size."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.masks.combine import Mask

Bend = Literal["ridges", "valleys", "both"]

_LINES = np.array([(0, 1), (1, 0), (1, 1), (1, -1)], np.int64)
"""Row and column steps of the four lines along which the bend is measured."""

_LEAST_WEIGHT = 0.01
"""Of the nearest neighbours, so that a radius below the spacing of vertices still finds some."""


_SAMPLES = 8
"""Vertices to either side on a line, where the grid is not squeezed; of a wider radius only every so many count."""


def mean_curvature(field: VectorField, radius: float) -> Mask:
    """Mean curvature (rows, cols), 1/m, over `radius` metres of the surface: positive on ridges, 1/R on a ball.

    Along four lines of the grid, the circle that best fits the vertices within the radius; then the mean over all
    directions of the curve a + b·cos 2θ + c·sin 2θ (Euler) through these four, at whatever angles they meet there.
    """
    if radius <= 0.0:
        raise SkerryError(f"the radius of a curvature must be above zero, not {radius:g} m")
    out = np.empty((field.rows, field.cols), np.float32)
    stride = max(1, int(radius / (_SAMPLES * field.cell)))
    _mean_curvature(field.offset, field.cell, field.normals(), radius * radius, _LINES * stride, out)
    return out


def curvature_mask(field: VectorField, radius: float, bend: Bend = "ridges", full: float = 20.0) -> Mask:
    """0 (rows, cols) where the surface is flat, 1 where it turns by `full` degrees or more over `radius` metres."""
    if full <= 0.0:
        raise SkerryError(f"the full turn of a curvature mask must be above zero, not {full:g} degrees")
    turn = mean_curvature(field, radius)
    turn *= np.float32(np.degrees(radius) / full)
    if bend == "valleys":
        np.negative(turn, out=turn)
    elif bend == "both":
        np.abs(turn, out=turn)
    return np.clip(turn, 0.0, 1.0, out=turn)


@kernel
def _mean_curvature(
    offset: NDArray[np.float32],
    cell: float,
    normals: NDArray[np.float32],
    reach: float,
    lines: NDArray[np.int64],
    out: Mask,
) -> None:
    """reach: the square of the radius. lines: steps along rows and columns from sample to sample."""
    for row in range(offset.shape[0]):
        for col in range(offset.shape[1]):
            nx, ny, nz = normals[row, col, 0], normals[row, col, 1], normals[row, col, 2]
            # Two directions along the surface.
            if abs(nz) < 0.9:
                length = np.sqrt(nx * nx + ny * ny)
                ax, ay, az = -ny / length, nx / length, 0.0
            else:
                length = np.sqrt(nx * nx + nz * nz)
                ax, ay, az = nz / length, 0.0, -nx / length
            bx, by, bz = ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax
            count, plain = 0, 0.0
            c1, s1, cc, ss, cs, bc, bs = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for line in range(len(lines)):
                bend, u, v = _along(
                    offset, cell, row, col, lines[line], normals[row, col], reach, ax, ay, az, bx, by, bz
                )
                length2 = u * u + v * v
                if length2 <= 0.0:
                    continue
                c, s = (u * u - v * v) / length2, 2.0 * u * v / length2
                count += 1
                plain += bend
                c1, s1, cc, ss, cs = c1 + c, s1 + s, cc + c * c, ss + s * s, cs + c * s
                bc, bs = bc + c * bend, bs + s * bend
            minor = cc * ss - cs * cs
            whole = count * minor - c1 * (c1 * ss - cs * s1) + s1 * (c1 * cs - cc * s1)
            if count == 0:
                out[row, col] = 0.0
            elif abs(whole) > 1e-3:
                out[row, col] = (plain * minor - c1 * (bc * ss - cs * bs) + s1 * (bc * cs - cc * bs)) / whole
            else:
                out[row, col] = plain / count


@kernel
def _along(
    offset: NDArray[np.float32],
    cell: float,
    row: int,
    col: int,
    line: NDArray[np.int64],
    normal: NDArray[np.float32],
    reach: float,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
) -> tuple[float, float, float]:
    """Curvature along one line of the grid, and the line's direction in the plane of a and b (no unit length).

    A circle of curvature k that touches the surface at the vertex has, at the distance d, the depth k·d²/2.
    """
    depth, square, u, v = 0.0, 0.0, 0.0, 0.0
    for sign in (1, -1):
        for step in range(1, offset.shape[0] + offset.shape[1]):
            i, j = row + sign * step * line[0], col + sign * step * line[1]
            if not (0 <= i < offset.shape[0] and 0 <= j < offset.shape[1]):
                break
            x = (j - col) * cell + offset[i, j, 0] - offset[row, col, 0]
            y = (i - row) * cell + offset[i, j, 1] - offset[row, col, 1]
            z = float(offset[i, j, 2] - offset[row, col, 2])
            far = x * x + y * y + z * z
            if step > 1 and far >= reach:
                break
            weight = max(1.0 - far / reach, _LEAST_WEIGHT)
            depth -= weight * (x * normal[0] + y * normal[1] + z * normal[2])
            square += weight * far
            u += sign * (x * ax + y * ay + z * az)
            v += sign * (x * bx + y * by + z * bz)
    return (2.0 * depth / square if square > 0.0 else 0.0), u, v
