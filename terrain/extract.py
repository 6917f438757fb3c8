"""Extract: part of the surface as a vector displacement picture that the stamp brush can set down elsewhere."""

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.map import TerrainMap


def extract_stamp(terrain: TerrainMap, mask: NDArray[np.uint16], frozen: bool = False) -> NDArray[np.float32]:
    """Displacement right, up and out (side, side, 3; top row north) as a share of half the side of the selected square.

    The square is the smallest around what the mask selects (half and more), with an odd number of vertices a side.
    Heights count from the middle height along its edge; beyond the mask everything fades to nothing.
    Raises `SkerryError` if nothing, or less than three vertices a side, is selected.
    """
    weight = mask / 65535.0
    weight = 1.0 - weight if frozen else weight
    chosen = np.argwhere(weight >= 0.5)
    if not len(chosen):
        raise SkerryError("the mask selects nothing to take a stamp of")
    low, high = chosen.min(axis=0), chosen.max(axis=0)
    half = int((high - low).max() + 1) // 2
    if half < 1:
        raise SkerryError("the mask selects too little for a stamp: three vertices a side at least")
    row, col = ((low + high + 1) // 2).tolist()
    offset = _square(terrain.field.offset.astype(np.float64), row, col, half)
    share = _square(weight[..., None], row, col, half)[..., 0]
    share[_outside(weight.shape, row, col, half)] = 0.0
    edge = np.concatenate([offset[0, :, 2], offset[-1, :, 2], offset[:, 0, 2], offset[:, -1, 2]])
    offset[..., 2] -= np.median(edge)
    picture = offset * share[..., None] / (half * terrain.field.cell)
    return np.ascontiguousarray(picture[::-1], np.float32)


def _square(values: NDArray[np.float64], row: int, col: int, half: int) -> NDArray[np.float64]:
    """Values around a vertex, the nearest ones repeated beyond the map."""
    rows = np.clip(np.arange(row - half, row + half + 1), 0, values.shape[0] - 1)
    cols = np.clip(np.arange(col - half, col + half + 1), 0, values.shape[1] - 1)
    return np.array(values[rows[:, None], cols])


def _outside(shape: tuple[int, ...], row: int, col: int, half: int) -> NDArray[np.bool_]:
    rows, cols = np.arange(row - half, row + half + 1), np.arange(col - half, col + half + 1)
    beyond_rows = (rows < 0) | (rows >= shape[0])
    beyond_cols = (cols < 0) | (cols >= shape[1])
    return np.asarray(beyond_rows[:, None] | beyond_cols)
