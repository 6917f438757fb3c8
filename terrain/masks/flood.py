"""Mask of what is like one vertex: the magic wand of picture editors."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.masks.combine import Mask
from terrain.masks.ranges import within
from terrain.masks.slope import slope_degrees

Likeness = Literal["height", "slope", "normal"]


def flood_mask(
    field: VectorField,
    row: int,
    col: int,
    like: Likeness,
    tolerance: float,
    soft: float = 0.0,
    contiguous: bool = True,
) -> Mask:
    """1 (rows, cols) where height (metres), slope or normal (degrees) differ from the vertex's by up to `tolerance`.

    Fades to 0 at `soft` beyond the tolerance. contiguous: only what is joined to the vertex along rows and columns.
    """
    if not (0 <= row < field.rows and 0 <= col < field.cols):
        raise SkerryError(f"there is no vertex in row {row}, column {col}; the map has {field.rows} by {field.cols}")
    if tolerance < 0.0:
        raise SkerryError(f"a tolerance cannot be below zero, as {tolerance:g} is")
    mask = within(_difference(field, row, col, like), 0.0, tolerance, soft)
    if contiguous:
        _keep_joined(mask, row, col)
    return mask


def _difference(field: VectorField, row: int, col: int, like: Likeness) -> Mask:
    """How far each vertex (rows, cols) is from being like the one."""
    if like == "normal":
        return _angles(field.normals(), row, col)
    values = field.offset[..., 2] if like == "height" else slope_degrees(field)
    difference: Mask = values - values[row, col]
    return np.abs(difference, out=difference)


def _angles(normals: NDArray[np.float32], row: int, col: int) -> Mask:
    """Angle of every normal (rows, cols) to that of one vertex, degrees.

    From the chord between both, for the arc cosine has no digits left at small angles.
    """
    between = normals - normals[row, col]
    half = np.minimum(0.5 * np.sqrt((between * between).sum(axis=-1)), np.float32(1.0))
    angles: Mask = np.degrees(np.float32(2.0) * np.arcsin(half))
    return angles


def _keep_joined(mask: Mask, row: int, col: int) -> None:
    """Clear, in place, what no way above zero joins to the vertex."""
    from scipy.ndimage import label

    parts, _ = label(mask > 0.0)
    mask[parts != parts[row, col]] = 0.0
