"""Merge: another map's surface laid into this one, blended at its border."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField
from terrain.tiles import Rect

Mode = Literal["replace", "highest", "lowest", "add"]


def merge(
    field: VectorField, other: VectorField, x: float, y: float, lift: float, mode: Mode, feather: float
) -> tuple[Rect, NDArray[np.float32]]:
    """Where and what this map's offsets become with another's south-west corner laid at (x, y) in the world.

    The other is read between its vertices, its heights raised by `lift` metres; over `feather` metres inwards from its
    border it fades in. Sideways displacements go with the height that wins. An empty rectangle if the two do not meet.
    """
    rect = _covered(field, other, x, y)
    now = field.offset[rect.slices].astype(np.float64)
    if rect.empty:
        return rect, now.astype(np.float32)
    rows = (np.arange(rect.row0, rect.row1, dtype=np.float64) * field.cell + field.origin[1] - y) / other.cell
    cols = (np.arange(rect.col0, rect.col1, dtype=np.float64) * field.cell + field.origin[0] - x) / other.cell
    theirs = _between(other.offset, rows, cols)
    theirs[..., 2] += lift
    weight = _fade(rows, cols, other, feather)
    if mode == "add":
        made = now + weight[..., None] * theirs
    else:
        if mode != "replace":
            wins = theirs[..., 2] > now[..., 2] if mode == "highest" else theirs[..., 2] < now[..., 2]
            weight = weight * wins
        made = now + weight[..., None] * (theirs - now)
    return rect, made.astype(np.float32)


def _covered(field: VectorField, other: VectorField, x: float, y: float) -> Rect:
    """This map's vertices over the other's rest grid."""
    width, height = other.rest_size
    col0 = int(np.ceil((x - field.origin[0]) / field.cell - 1e-9))
    row0 = int(np.ceil((y - field.origin[1]) / field.cell - 1e-9))
    col1 = int(np.floor((x + width - field.origin[0]) / field.cell + 1e-9)) + 1
    row1 = int(np.floor((y + height - field.origin[1]) / field.cell + 1e-9)) + 1
    return Rect(row0, row1, col0, col1).clip(field.rows, field.cols)


def _between(offset: NDArray[np.float32], rows: NDArray[np.float64], cols: NDArray[np.float64]) -> NDArray[np.float64]:
    """Offsets (len(rows), len(cols), 3) between vertices, linear."""
    rows = np.minimum(np.maximum(rows, 0.0), offset.shape[0] - 1.0)
    cols = np.minimum(np.maximum(cols, 0.0), offset.shape[1] - 1.0)
    row, col = (np.minimum(at.astype(int), n - 2) for at, n in ((rows, offset.shape[0]), (cols, offset.shape[1])))
    fy, fx = (rows - row)[:, None, None], (cols - col)[None, :, None]
    south = (1.0 - fx) * offset[row[:, None], col] + fx * offset[row[:, None], col + 1]
    north = (1.0 - fx) * offset[row[:, None] + 1, col] + fx * offset[row[:, None] + 1, col + 1]
    return np.asarray((1.0 - fy) * south + fy * north)


def _fade(
    rows: NDArray[np.float64], cols: NDArray[np.float64], other: VectorField, feather: float
) -> NDArray[np.float64]:
    inside = np.minimum(
        np.minimum(rows, other.rows - 1 - rows)[:, None], np.minimum(cols, other.cols - 1 - cols)[None, :]
    )
    share = np.clip(np.maximum(inside, 0.0) * other.cell / feather, 0.0, 1.0) if feather > 0.0 else np.ones_like(inside)
    return np.asarray(share * share * (3.0 - 2.0 * share))
