"""What processes that move material straight up and down share: plan areas, what is left alone, exact storage.

On an undisplaced field every vertex stands for cell² and the arrays here are empty, so that kernels use constants.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.outcome import Eroded, Grid, Ledger
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.kernel import kernel

Heights = NDArray[np.float64]

LEAST_AREA = 0.05
"""Vertices that stand for less than this share of cell², seen from above, are walls and left alone."""


class Footing(NamedTuple):
    """Where vertices stand, seen from above. Both arrays are empty on an undisplaced field."""

    cell: float
    area: Grid
    """(rows, cols): horizontal area of each vertex over cell²; 0 where it is left alone."""
    metric: Grid
    """(rows, cols, 3): inverse metric (uu, uv, vv), 1/m²: squared slope = uu·a² + 2 uv·a·b + vv·b² for a rise of a
    metres to the next column and b to the next row."""


def footing_of(field: VectorField) -> Footing:
    """How a field's vertices stand. Left alone are undersides, walls, and all that lies over or under an underside."""
    if not field.offset[..., :2].any():
        return Footing(field.cell, np.empty((0, 0), np.float32), np.empty((0, 0, 0), np.float32))
    area = np.empty((field.rows, field.cols), np.float32)
    metric = np.empty((field.rows, field.cols, 3), np.float32)
    _survey(field.offset, field.cell, area, metric)
    covered = np.zeros(area.shape, np.bool_)
    _cover(field.offset, field.cell, covered)
    _clear(field.offset, field.cell, covered, area)
    return Footing(field.cell, area, metric)


def check_inputs(field: VectorField, **grids: NDArray[np.floating] | None) -> None:
    """Raise `SkerryError` unless the field and each grid that is given are finite and of one shape."""
    if not np.isfinite(field.offset).all():
        raise SkerryError("offset has values that are not finite; erosion needs numbers everywhere")
    for name, grid in grids.items():
        if grid is None:
            continue
        if grid.shape != (field.rows, field.cols):
            raise SkerryError(f"{name} must have the map's shape {(field.rows, field.cols)}, not {grid.shape}")
        if not np.isfinite(grid).all():
            raise SkerryError(f"{name} has values that are not finite; erosion needs numbers everywhere")


def grid_of(values: NDArray[np.floating] | None) -> Grid:
    """float32 grid for a kernel; an empty one stands for none."""
    return np.empty((0, 0), np.float32) if values is None else np.ascontiguousarray(values, np.float32)


def store(
    field: VectorField, footing: Footing, height: Heights, deposit: Heights, exported: float = 0.0, **own: Grid
) -> Eroded:
    """Bring heights (rows, cols) of a run in float64 into a result.

    deposit: metres that were laid down at each vertex, never negative. exported: cubic metres. own: more grids.
    What rounding takes from one vertex is given to the next that changed, so that the stored heights keep the volume.
    """
    before = np.ascontiguousarray(field.offset[..., 2])
    after, laid = np.empty_like(before), np.empty_like(before)
    _round(before, height, deposit, footing.area, after, laid)
    offset = field.offset.copy()
    offset[..., 2] = after
    wear = before + laid - after
    picked, dropped = (field.cell**2 * _weighed(grid, footing.area) for grid in (wear, laid))
    return Eroded(offset, {"wear": wear, "deposit": laid, **own}, Ledger(picked, dropped, exported=exported))


def moved(field: VectorField, footing: Footing, eroded: Eroded) -> Ledger:
    """The ledger of a process whose water carries off what it does not lay down, measured on the stored heights."""
    change = field.offset[..., 2].astype(np.float64) - eroded.offset[..., 2]
    gone = float((change * footing.area).sum() if footing.area.size else change.sum())
    return replace(eroded.ledger, exported=field.cell**2 * gone)


def _weighed(grid: Grid, area: Grid) -> float:
    return float((grid * area.astype(np.float64)).sum() if area.size else grid.sum(dtype=np.float64))


@kernel
def _survey(offset: NDArray[np.float32], cell: float, area: Grid, metric: Grid) -> None:
    """Plan areas and metrics from central differences of the real positions (one-sided at the border)."""
    rows, cols = area.shape
    for row in range(rows):
        south, north = max(row - 1, 0), min(row + 1, rows - 1)
        for col in range(cols):
            west, east = max(col - 1, 0), min(col + 1, cols - 1)
            u, v = 1.0 / (east - west), 1.0 / (north - south)
            ux = cell + (offset[row, east, 0] - offset[row, west, 0]) * u
            uy = (offset[row, east, 1] - offset[row, west, 1]) * u
            vx = (offset[north, col, 0] - offset[south, col, 0]) * v
            vy = cell + (offset[north, col, 1] - offset[south, col, 1]) * v
            share = (ux * vy - uy * vx) / (cell * cell)
            area[row, col] = share if share > LEAST_AREA else 0.0
            squared = max((ux * vy - uy * vx) ** 2, (LEAST_AREA * cell * cell) ** 2)
            metric[row, col, 0] = (vx * vx + vy * vy) / squared
            metric[row, col, 1] = -(ux * vx + uy * vy) / squared
            metric[row, col, 2] = (ux * ux + uy * uy) / squared


@kernel
def _cover(offset: NDArray[np.float32], cell: float, covered: NDArray[np.bool_]) -> None:
    """Mark the places of the rest grid that lie in the plan of a triangle that looks down."""
    rows, cols = covered.shape
    for row in range(rows - 1):
        for col in range(cols - 1):
            for upper in range(2):
                # The corner beside the diagonal: south-east or north-west.
                r, c = row + upper, col + 1 - upper
                ax, ay = col + offset[row, col, 0] / cell, row + offset[row, col, 1] / cell
                bx, by = col + 1 + offset[row + 1, col + 1, 0] / cell, row + 1 + offset[row + 1, col + 1, 1] / cell
                px, py = c + offset[r, c, 0] / cell, r + offset[r, c, 1] / cell
                turn = (px - ax) * (by - ay) - (py - ay) * (bx - ax)
                if (turn if upper == 0 else -turn) > 0.0:
                    continue
                low_x, high_x = np.floor(min(ax, bx, px)), np.ceil(max(ax, bx, px))
                low_y, high_y = np.floor(min(ay, by, py)), np.ceil(max(ay, by, py))
                for i in range(int(max(low_y, 0.0)), int(min(high_y, rows - 1.0)) + 1):
                    for j in range(int(max(low_x, 0.0)), int(min(high_x, cols - 1.0)) + 1):
                        covered[i, j] = True


@kernel
def _clear(offset: NDArray[np.float32], cell: float, covered: NDArray[np.bool_], area: Grid) -> None:
    """Leave alone what stands over or under an underside, so that none of the three can cut another."""
    rows, cols = area.shape
    for row in range(rows):
        for col in range(cols):
            y, x = row + offset[row, col, 1] / cell + 0.5, col + offset[row, col, 0] / cell + 0.5
            if 0.0 <= y < rows and 0.0 <= x < cols and covered[int(y), int(x)]:
                area[row, col] = 0.0


@kernel
def _round(before: Grid, height: Heights, deposit: Heights, area: Grid, after: Grid, laid: Grid) -> None:
    """Round to float32, carrying the volume that rounding leaves over along the vertices that changed."""
    left = 0.0
    for row in range(before.shape[0]):
        for col in range(before.shape[1]):
            old, new = before[row, col], height[row, col]
            weight = float(area[row, col]) if area.shape[0] > 0 else 1.0
            kept = old
            if new != old and weight > 0.0:
                kept = np.float32(new + left / weight)
                # What rose must not fall for that, nor the other way round.
                if (new - old) * (float(kept) - old) < 0.0:
                    kept = old
                left += (new - float(kept)) * weight
            after[row, col] = kept
            # Never less than what was gained, so that wear is not negative.
            top = np.float32(old + deposit[row, col])
            if top < kept or float(old) + deposit[row, col] - new <= 1e-12 * (1.0 + abs(new)):
                top = max(kept, old)
            gain = np.float32(top - old)
            while np.float32(old + gain) < kept:
                gain = np.nextafter(gain, np.float32(np.inf))
            laid[row, col] = gain
