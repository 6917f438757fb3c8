"""Crumbs of land and puddles of sea, which noise leaves along a coast."""

import numpy as np
from numpy.typing import NDArray

from terrain.islands.frame import Grid


def tidy(height: Grid, cell: float, least: float) -> None:
    """Sink islands smaller than `least` m², and raise waters that have no way to the border, in place.

    Ways lead over all eight neighbours on land, and over four at sea, so that one never crosses the other.
    """
    land = height > 0.0
    sea = _parts(~land, False)
    open_sea = np.zeros(int(sea.max()) + 1, np.bool_)
    for side in (sea[0], sea[-1], sea[:, 0], sea[:, -1]):
        open_sea[np.unique(side)] = True
    if not open_sea[1:].any():
        # All the border is land: the largest water is the sea.
        open_sea[1 + np.argmax(np.bincount(sea.reshape(-1))[1:])] = True
    puddle = ~land & ~open_sea[sea]
    height[puddle] = np.minimum(-height[puddle], np.float32(0.5)) + np.float32(0.05)
    islands = _parts(height > 0.0, True)
    small = np.bincount(islands.reshape(-1)) * cell * cell < least
    small[0] = False
    crumbs = small[islands]
    height[crumbs] = -np.minimum(height[crumbs], np.float32(1.0)) - np.float32(0.05)


def _parts(mask: NDArray[np.bool_], diagonal: bool) -> NDArray[np.int32]:
    from scipy.ndimage import label

    return np.asarray(label(mask, np.ones((3, 3)) if diagonal else None)[0], np.int32)
