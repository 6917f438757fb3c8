"""VectorField: the one terrain surface; a rest grid and three displacements a vertex."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.kernel import kernel
from terrain.tiles import Rect

MAX_SIDE = 8192
"""Most vertices along one side of a map."""


@dataclass
class VectorField:
    """A rest grid of `rows × cols` vertices, `cell` metres apart, displaced by `offset`.

    offset: float32 (rows, cols, 3), metres (dx, dy, dz); row 0 is the southern edge.
    World position of a vertex = (x0 + col·cell + dx, y0 + row·cell + dy, dz).
    Each cell splits into two triangles along the diagonal (row, col)–(row+1, col+1).
    """

    offset: NDArray[np.float32]
    cell: float
    origin: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        rows, cols = self.offset.shape[:2]
        check_size(rows, cols)
        if self.offset.shape != (rows, cols, 3) or self.offset.dtype != np.float32:
            raise SkerryError(
                f"offset must be float32 of shape (rows, cols, 3), not {self.offset.dtype} {self.offset.shape}"
            )
        if not self.offset.flags.c_contiguous:
            raise SkerryError("offset must be C-contiguous")
        if not (np.isfinite(self.cell) and self.cell > 0):
            raise SkerryError(f"cell must be a positive number of metres, not {self.cell}")
        if not np.isfinite(self.origin).all():
            raise SkerryError(f"origin must be finite, not {self.origin}")

    @classmethod
    def flat(
        cls, rows: int, cols: int, cell: float, height: float = 0.0, origin: tuple[float, float] = (0.0, 0.0)
    ) -> "VectorField":
        """A level field at `height` metres."""
        check_size(rows, cols)
        offset = np.zeros((rows, cols, 3), np.float32)
        offset[..., 2] = height
        return cls(offset, cell, origin)

    @classmethod
    def from_heights(
        cls, heights: NDArray[np.floating], cell: float, origin: tuple[float, float] = (0.0, 0.0)
    ) -> "VectorField":
        """An undisplaced field from heights (rows, cols) in metres, row 0 south."""
        check_size(*heights.shape)
        offset = np.zeros((*heights.shape, 3), np.float32)
        offset[..., 2] = heights
        return cls(offset, cell, origin)

    @property
    def rows(self) -> int:
        """Vertices from south to north."""
        return int(self.offset.shape[0])

    @property
    def cols(self) -> int:
        """Vertices from west to east."""
        return int(self.offset.shape[1])

    @property
    def rest_size(self) -> tuple[float, float]:
        """East-west and north-south extent of the rest grid, metres."""
        return (self.cols - 1) * self.cell, (self.rows - 1) * self.cell

    def positions(self, rect: Rect | None = None) -> NDArray[np.float64]:
        """World positions (rows, cols, 3), metres, of the vertices in `rect` (default: all)."""
        rect = rect or Rect.of(self.offset)
        out = self.offset[rect.slices].astype(np.float64)
        out[..., 0] += self.origin[0] + self.cell * np.arange(rect.col0, rect.col1)
        out[..., 1] += self.origin[1] + self.cell * np.arange(rect.row0, rect.row1)[:, None]
        return out

    def normals(self, rect: Rect | None = None) -> NDArray[np.float32]:
        """Unit normals (rows, cols, 3) of the displaced surface in `rect`, from neighbours beyond it too."""
        rect = rect or Rect.of(self.offset)
        out = np.empty((rect.rows, rect.cols, 3), np.float32)
        _normals(self.offset, self.cell, rect.row0, rect.col0, out)
        return out

    def height_range(self) -> tuple[float, float]:
        """Lowest and highest dz, metres."""
        heights = self.offset[..., 2]
        return float(heights.min()), float(heights.max())


def normals_of(offset: NDArray[np.float32], cell: float) -> NDArray[np.float32]:
    """Unit normals (rows, cols, 3) of a part of a field, one-sided at its edges; offset: C-contiguous."""
    out = np.empty(offset.shape, np.float32)
    _normals(offset, cell, 0, 0, out)
    return out


def check_size(rows: int, cols: int) -> None:
    """Raise unless a field of `rows × cols` vertices is allowed."""
    if not (2 <= rows <= MAX_SIDE and 2 <= cols <= MAX_SIDE):
        raise SkerryError(f"a map of {cols}x{rows} vertices is not possible: 2 to {MAX_SIDE} a side")


@kernel
def _normals(offset: NDArray[np.float32], cell: float, row0: int, col0: int, out: NDArray[np.float32]) -> None:
    """Cross product of central differences of the displaced positions (one-sided at the border)."""
    rows, cols = offset.shape[0], offset.shape[1]
    for i in range(out.shape[0]):
        south, north = max(row0 + i - 1, 0), min(row0 + i + 1, rows - 1)
        for j in range(out.shape[1]):
            row, col = row0 + i, col0 + j
            west, east = max(col - 1, 0), min(col + 1, cols - 1)
            ux = (east - west) * cell + offset[row, east, 0] - offset[row, west, 0]
            uy = float(offset[row, east, 1] - offset[row, west, 1])
            uz = float(offset[row, east, 2] - offset[row, west, 2])
            vx = float(offset[north, col, 0] - offset[south, col, 0])
            vy = (north - south) * cell + offset[north, col, 1] - offset[south, col, 1]
            vz = float(offset[north, col, 2] - offset[south, col, 2])
            nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            length = np.sqrt(nx * nx + ny * ny + nz * nz)
            if length > 0.0:
                out[i, j, 0], out[i, j, 1], out[i, j, 2] = nx / length, ny / length, nz / length
            else:
                out[i, j, 0], out[i, j, 1], out[i, j, 2] = 0.0, 0.0, 1.0
