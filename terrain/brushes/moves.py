"""The two steps in which nearly every brush ends: vertices moved along one vector, or each along its own.

As kernels, because numpy takes three times as long for an axis of three.
"""

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Vector
from terrain.kernel import kernel


@kernel
def move_along(offset: NDArray[np.float32], weight: NDArray[np.float32], vector: Vector) -> None:
    """Add weight (rows, cols) × vector (3, metres) to offsets (rows, cols, 3), in place."""
    x, y, z = np.float32(vector[0]), np.float32(vector[1]), np.float32(vector[2])
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            w = weight[i, j]
            offset[i, j, 0] += w * x
            offset[i, j, 1] += w * y
            offset[i, j, 2] += w * z


@kernel
def move_each(
    offset: NDArray[np.float32], weight: NDArray[np.float32], vectors: NDArray[np.float32], scale: float
) -> None:
    """Add scale × weight (rows, cols) × vectors (rows, cols, 3) to offsets (rows, cols, 3), in place."""
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            w = np.float32(scale * weight[i, j])
            for k in range(3):
                offset[i, j, k] += w * vectors[i, j, k]
