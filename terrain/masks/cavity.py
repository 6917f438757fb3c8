"""Mask of hollows: how deep each vertex lies below its smoothed surroundings."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.masks.combine import Mask
from terrain.masks.smooth import gaussian

Hollow = Literal["hollows", "bumps"]


def hollowness(field: VectorField, radius: float, scales: int = 3) -> Mask:
    """Depth below the smoothed surface along the normal, as a share of the radius; positive in hollows (rows, cols).

    The mean over `scales` radii, each half of the one before. A cheap stand-in for ambient occlusion: local, so that
    a far wall casts no shade. Smoothing weighs neighbours on the rest grid (a Gaussian of half the radius), depths are
    those of the displaced surface.
    """
    if radius <= 0.0 or scales < 1:
        raise SkerryError(f"a cavity needs a radius above zero and at least one scale, not {radius:g} m and {scales}")
    normals = field.normals()
    total = np.zeros((field.rows, field.cols), np.float32)
    for scale in range(scales):
        sigma = 0.5 * radius / 2**scale
        for k in range(3):
            depth = _smoothed(field.offset[..., k], sigma / field.cell)
            depth -= field.offset[..., k]
            depth *= normals[..., k]
            depth *= np.float32(1.0 / (2.0 * sigma * scales))
            total += depth
    return total


def cavity_mask(
    field: VectorField, radius: float, scales: int = 3, full: float = 0.1, kind: Hollow = "hollows"
) -> Mask:
    """0 (rows, cols) on even ground, 1 where a hollow (or bump) is `full` of the radius deep (or high) or more."""
    if full <= 0.0:
        raise SkerryError(f"the full depth of a cavity must be above zero, not {full:g}")
    depth = hollowness(field, radius, scales)
    depth *= np.float32((-1.0 if kind == "bumps" else 1.0) / full)
    return np.clip(depth, 0.0, 1.0, out=depth)


def _smoothed(values: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    """Gaussian of `sigma` cells; beyond the border the ground goes on as its own image, turned upside down.

    So a slope that meets the border is neither hollow nor bump there.
    """
    margin = int(4.0 * sigma + 0.5)
    padded = np.pad(values, margin, "reflect", reflect_type="odd")
    inner = slice(margin, -margin or None)
    return gaussian(padded, sigma, "nearest")[inner, inner]
