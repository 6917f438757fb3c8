"""How far inland a place lies, from a drawn coast or from the coast that a plan has."""

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.islands.frame import Grid, Plan
from terrain.kernel import parallel_kernel
from terrain.masks.segments import squared_distance


def drawn(plan: Plan, origin: tuple[float, float]) -> Grid:
    """Metres inland (rows, cols), negative at sea, of the drawn coast; origin: world place of the south-western corner.

    The coast closes by itself; where it overlaps itself, even overlaps are sea.
    """
    plan.params.check_outline()
    corners = np.asarray(plan.params.outline, np.float64).reshape(-1, 2) - origin
    corners -= (0.5 * plan.width, 0.5 * plan.depth)
    edges = np.hstack([corners, np.roll(corners, -1, axis=0)])
    out = np.empty((plan.rows, plan.cols), np.float32)
    _signed_distance(edges, plan.x[0].astype(np.float64), plan.y[:, 0].astype(np.float64), out)
    return out


def away(mask: NDArray[np.bool_], cell: float) -> Grid:
    """Metres (rows, cols) to the nearest vertex where the mask is true; far, if there is none."""
    from scipy.ndimage import distance_transform_edt

    if not mask.any():
        return np.full(mask.shape, np.float32(1e6), np.float32)
    return np.asarray(distance_transform_edt(~mask) * cell, np.float32)


def inland_of(height: Grid, cell: float) -> Grid:
    """Metres inland, negative at sea, of the land that stands above 0."""
    land = height > 0.0
    return np.where(land, away(~land, cell) - 0.5 * cell, 0.5 * cell - away(land, cell)).astype(np.float32)


@parallel_kernel
def _signed_distance(edges: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64], out: Grid) -> None:
    for row in prange(len(y)):
        for col in range(len(x)):
            inside, nearest = False, np.inf
            for k in range(len(edges)):
                ax, ay, bx, by = edges[k, 0], edges[k, 1], edges[k, 2], edges[k, 3]
                if (ay > y[row]) != (by > y[row]) and x[col] < ax + (y[row] - ay) / (by - ay) * (bx - ax):
                    inside = not inside
                nearest = min(nearest, squared_distance(x[col], y[row], ax, ay, bx, by))
            out[row, col] = np.sqrt(nearest) if inside else -np.sqrt(nearest)
