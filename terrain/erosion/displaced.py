"""What a displaced field adds to erosion: its metric, and changes of volume laid down along the normals."""

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.outcome import Grid
from terrain.erosion.walk import Ground
from terrain.kernel import kernel

STEEPEST = 0.2
"""Least vertical share of a normal along which a change of height is turned into thickness; 78 degrees."""


def metric_of(offset: NDArray[np.float32], cell: float) -> NDArray[np.float32]:
    """(rows, cols, 4): inverse first fundamental form (uu, uv, vv), 1/m², and height gained for each metre of volume.

    The last is 0 where the surface looks down, as nothing falls or lies there.
    """
    out = np.empty((*offset.shape[:2], 4), np.float32)
    _metric(offset, cell, out)
    return out


def settle_heights(
    offset: NDArray[np.float32], ground: Ground, metric: NDArray[np.float32], cell: float, net: Grid
) -> None:
    """Turn the heights that a round left into offsets along the normals, and add the volumes gained to `net`."""
    loose = np.maximum(ground.height - ground.bedrock, 0.0)
    _settle(offset, offset.copy(), ground.height, metric, cell, net)
    ground.height[...] = offset[..., 2]
    np.subtract(ground.height, loose, out=ground.bedrock)


@kernel
def _tangents(
    offset: NDArray[np.float32], cell: float, row: int, col: int
) -> tuple[float, float, float, float, float, float]:
    """Central differences of the positions (one-sided at the border), along columns and rows, metres a cell."""
    south, north = max(row - 1, 0), min(row + 1, offset.shape[0] - 1)
    west, east = max(col - 1, 0), min(col + 1, offset.shape[1] - 1)
    u, v = 1.0 / (east - west), 1.0 / (north - south)
    return (
        cell + (offset[row, east, 0] - offset[row, west, 0]) * u,
        (offset[row, east, 1] - offset[row, west, 1]) * u,
        (offset[row, east, 2] - offset[row, west, 2]) * u,
        (offset[north, col, 0] - offset[south, col, 0]) * v,
        cell + (offset[north, col, 1] - offset[south, col, 1]) * v,
        (offset[north, col, 2] - offset[south, col, 2]) * v,
    )


@kernel
def _metric(offset: NDArray[np.float32], cell: float, out: NDArray[np.float32]) -> None:
    for row in range(out.shape[0]):
        for col in range(out.shape[1]):
            ux, uy, uz, vx, vy, vz = _tangents(offset, cell, row, col)
            uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
            # The squared area; a folded cell keeps a thousandth, so that no step is endless.
            det = max(uu * vv - uv * uv, 1e-6 * cell**4)
            area, up = np.sqrt(det), ux * vy - uy * vx
            out[row, col, 0], out[row, col, 1], out[row, col, 2] = vv / det, -uv / det, uu / det
            out[row, col, 3] = max(up / area, STEEPEST) * cell * cell / area if up > 0.0 else 0.0


@kernel
def _settle(
    offset: NDArray[np.float32],
    before: NDArray[np.float32],
    height: Grid,
    metric: NDArray[np.float32],
    cell: float,
    net: Grid,
) -> None:
    for row in range(height.shape[0]):
        for col in range(height.shape[1]):
            change = float(height[row, col]) - before[row, col, 2]
            if change == 0.0:
                continue
            ux, uy, uz, vx, vy, vz = _tangents(before, cell, row, col)
            nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            area = np.sqrt(nx * nx + ny * ny + nz * nz)
            thick = change / max(nz / area, STEEPEST) / area
            offset[row, col, 0] += thick * nx
            offset[row, col, 1] += thick * ny
            offset[row, col, 2] += thick * nz
            net[row, col] += change / metric[row, col, 3]
