"""What breaks a dab's weights up: a picture laid over the dab, and noise fixed to the ground."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Dab, Picture, Vector
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.noise import fbm3
from terrain.tiles import Rect

_NO_PICTURE = np.empty((0, 0), np.float32)


def texture(
    field: VectorField,
    rect: Rect,
    offset: NDArray[np.float32],
    dab: Dab,
    params: Any,
    picture: Picture | None,
    seed: int,
    weight: NDArray[np.float32],
) -> None:
    """Multiply weights (rows, cols) of `rect`, whose offsets are given, by the dab's picture and grain, in place.

    picture: float32 (height, width, channels), top row first; its first channel, 0..1, is the alpha.
    """
    if picture is None and not params.grain:
        return
    alpha = _NO_PICTURE if picture is None else np.ascontiguousarray(picture[..., 0])
    turn = math.radians(params.turn) + _follow(dab, params.follow)
    right = math.cos(turn) * dab.right + math.sin(turn) * dab.up
    up = math.cos(turn) * dab.up - math.sin(turn) * dab.right
    x0, y0 = field.origin
    _texture(
        offset, field.cell, x0, y0, rect.row0, rect.col0, dab.centre, right / dab.radius, up / dab.radius, alpha,
        params.grain, params.grain_size, np.ascontiguousarray(dab.matrix.T), dab.axis, seed, weight,
    )  # fmt: skip


def _follow(dab: Dab, what: str) -> float:
    if what == "pen":
        return dab.tilt
    if what == "stroke" and dab.move @ dab.move > 0.0:
        return math.atan2(dab.move @ dab.up, dab.move @ dab.right)
    return 0.0


@kernel
def sample_picture(picture: NDArray[np.float32], u: float, v: float) -> float:
    """A picture (height, width) between its pixels; u, v 0..1 from the left and from the bottom; 0 outside."""
    if not (0.0 <= u <= 1.0 and 0.0 <= v <= 1.0):
        return 0.0
    height, width = picture.shape
    x, y = u * (width - 1), (1.0 - v) * (height - 1)
    col, row = min(int(x), max(width - 2, 0)), min(int(y), max(height - 2, 0))
    right, below = min(col + 1, width - 1), min(row + 1, height - 1)
    fx, fy = x - col, y - row
    top = picture[row, col] * (1.0 - fx) + picture[row, right] * fx
    bottom = picture[below, col] * (1.0 - fx) + picture[below, right] * fx
    return float(top * (1.0 - fy) + bottom * fy)


@kernel
def _texture(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    row0: int,
    col0: int,
    centre: Vector,
    right: Vector,
    up: Vector,
    alpha: NDArray[np.float32],
    grain: float,
    size: float,
    inverse: Vector,
    axis: Vector,
    seed: int,
    weight: NDArray[np.float32],
) -> None:
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            if not weight[i, j] > 0.0:
                continue
            x = x0 + (col0 + j) * cell + offset[i, j, 0]
            y = y0 + (row0 + i) * cell + offset[i, j, 1]
            z = float(offset[i, j, 2])
            w = float(weight[i, j])
            if alpha.shape[0] > 0:
                ax, ay, az = x - centre[0], y - centre[1], z - centre[2]
                u = right[0] * ax + right[1] * ay + right[2] * az
                v = up[0] * ax + up[1] * ay + up[2] * az
                w *= min(max(sample_picture(alpha, 0.5 + 0.5 * u, 0.5 + 0.5 * v), 0.0), 1.0)
            if grain > 0.0:
                ax, ay, az = x - axis[0], y - axis[1], z - axis[2]
                px = (inverse[0, 0] * ax + inverse[0, 1] * ay + inverse[0, 2] * az + axis[0]) / size
                py = (inverse[1, 0] * ax + inverse[1, 1] * ay + inverse[1, 2] * az + axis[1]) / size
                pz = (inverse[2, 0] * ax + inverse[2, 1] * ay + inverse[2, 2] * az + axis[2]) / size
                speck = min(max(0.5 + 0.9 * fbm3(px, py, pz, 2, seed), 0.0), 1.0)
                w *= 1.0 - grain + grain * speck
            weight[i, j] = w
