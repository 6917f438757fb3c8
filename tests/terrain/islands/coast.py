"""What is measured of an island: how ragged its coast is, and how much of it does not drain."""

import numpy as np
from numpy.typing import NDArray


def coast_dimension(height: NDArray[np.float32], sea: float = 0.0, coarsest: int = 64) -> float:
    """Box-counting dimension: 1 for a smooth line, 2 for one that fills the plane.

    Slope of log (boxes that hold shore) over log (1 / their side), for sides of 3 to `coarsest` cells.
    """
    land = height > sea
    line = np.zeros(land.shape, np.bool_)
    line[1:] |= land[1:] & ~land[:-1]
    line[:-1] |= land[:-1] & ~land[1:]
    line[:, 1:] |= land[:, 1:] & ~land[:, :-1]
    line[:, :-1] |= land[:, :-1] & ~land[:, 1:]
    sides = [side for side in (3, 4, 6, 8, 12, 16, 24, 32, 48, 64) if side <= coarsest]
    counts = [_boxes(line, side) for side in sides]
    return float(np.polyfit(np.log(1.0 / np.array(sides)), np.log(counts), 1)[0])


def _boxes(line: NDArray[np.bool_], side: int) -> int:
    rows, cols = (n - n % side for n in line.shape)
    return max(int(line[:rows, :cols].reshape(rows // side, side, cols // side, side).any(axis=(1, 3)).sum()), 1)


def undrained(height: NDArray[np.float32], sea: float = 0.0) -> int:
    """Vertices of land from which steepest descent over eight neighbours reaches neither the sea nor the border."""
    rows, cols = height.shape
    padded = np.pad(height.astype(np.float64), 1, constant_values=np.inf)
    steepest, to = np.zeros(height.shape), np.arange(height.size).reshape(height.shape)
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            fall = height - padded[1 + dr : 1 + dr + rows, 1 + dc : 1 + dc + cols]
            fall /= np.hypot(dr, dc) or np.inf
            better = fall > steepest
            steepest[better] = fall[better]
            to[better] = (np.arange(height.size).reshape(height.shape) + dr * cols + dc)[better]
    outlet = height <= sea
    outlet[[0, -1]] = outlet[:, [0, -1]] = True
    to[outlet] = np.arange(height.size).reshape(height.shape)[outlet]
    way = to.reshape(-1)
    for _ in range(20):
        way = way[way]
    return int((~outlet.reshape(-1)[way]).sum())
