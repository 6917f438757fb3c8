"""The displaced surface as triangle meshes, tile by tile."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain.map import TerrainMap
from terrain.tiles import Rect


@dataclass(frozen=True)
class Mesh:
    """positions, normals float32 (n, 3); uv float32 (n, 2); triangles uint32 (m, 3), counter-clockwise from above."""

    name: str
    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    uv: NDArray[np.float32]
    triangles: NDArray[np.uint32]


def mesh_tiles(terrain: TerrainMap, cells: int, centre: tuple[float, float, float]) -> Iterator[tuple[float, Mesh]]:
    """Meshes of `cells` × `cells` cells with the share of the map done; border vertices of neighbours are the same.

    Positions are (x, z, -y) less the centre: Y up. Cells that are holes have no triangles; empty tiles are left out.
    """
    rows, cols = terrain.field.rows, terrain.field.cols
    starts = [(row, col) for row in range(0, rows - 1, cells) for col in range(0, cols - 1, cells)]
    for number, (row, col) in enumerate(starts, 1):
        rect = Rect(row, row + cells + 1, col, col + cells + 1).clip(rows, cols)
        triangles = _triangles(terrain, rect)
        if len(triangles):
            yield number / len(starts), _mesh(terrain, rect, triangles, centre)


def _mesh(terrain: TerrainMap, rect: Rect, triangles: NDArray[np.uint32], centre: tuple[float, float, float]) -> Mesh:
    field = terrain.field
    positions = _y_up(field.positions(rect).reshape(-1, 3) - np.array(centre))
    normals = _y_up(field.normals(rect).reshape(-1, 3))
    east = np.arange(rect.col0, rect.col1) / (field.cols - 1)
    south = 1.0 - np.arange(rect.row0, rect.row1) / (field.rows - 1)
    uv = np.stack(np.broadcast_arrays(east[None, :], south[:, None]), axis=-1).reshape(-1, 2)
    name = f"terrain_{rect.row0}_{rect.col0}"
    return Mesh(name, positions, normals, uv.astype(np.float32), triangles)


def _y_up(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    return np.ascontiguousarray(np.stack([vectors[:, 0], vectors[:, 2], -vectors[:, 1]], axis=1), np.float32)


def _triangles(terrain: TerrainMap, rect: Rect) -> NDArray[np.uint32]:
    """Two a cell along the diagonal (row, col)–(row+1, col+1)."""
    width = rect.cols
    row, col = np.mgrid[0 : rect.rows - 1, 0 : rect.cols - 1]
    corner = (row * width + col).astype(np.uint32)
    quads = np.stack(
        [corner, corner + 1, corner + width + 1, corner, corner + width + 1, corner + width], axis=-1
    ).astype(np.uint32)
    hole = terrain.extras.get("hole")
    if hole is not None:
        quads = quads[~hole[rect.row0 : rect.row1 - 1, rect.col0 : rect.col1 - 1]]
    return np.ascontiguousarray(quads.reshape(-1, 3))
