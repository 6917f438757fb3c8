"""The displaced surface as triangle meshes: in tiles, or in strips of one mesh."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain.map import TerrainMap
from terrain.tiles import Rect

Centre = tuple[float, float, float]


@dataclass(frozen=True)
class Mesh:
    """positions, normals float32 (n, 3); uv float32 (n, 2); triangles uint32 (m, 3), counter-clockwise from above.

    Positions and normals are (x, z, -y), Y up; uv runs 0..1 from the north-western corner, as pictures do.
    """

    name: str
    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    uv: NDArray[np.float32]
    triangles: NDArray[np.uint32]


def mesh_tiles(terrain: TerrainMap, cells: int, centre: Centre) -> Iterator[tuple[float, Mesh]]:
    """Meshes of `cells` × `cells` cells with the share of the map done; border vertices of neighbours are the same.

    Positions count from the centre. Cells that are holes have no triangles; empty tiles are left out.
    """
    rows, cols = terrain.field.rows, terrain.field.cols
    starts = [(row, col) for row in range(0, rows - 1, cells) for col in range(0, cols - 1, cells)]
    for number, (row, col) in enumerate(starts, 1):
        rect = Rect(row, row + cells + 1, col, col + cells + 1).clip(rows, cols)
        triangles = _triangles(terrain, rect, 0)
        if len(triangles):
            yield number / len(starts), _mesh(f"terrain_{row}_{col}", terrain, rect, triangles, centre)


def mesh_strips(terrain: TerrainMap, strip: int, centre: Centre) -> Iterator[tuple[float, Mesh]]:
    """One mesh of the whole map in strips of `strip` rows of vertices, with the share of the map done.

    Like `mesh_tiles`, but triangles count vertices from the map's first, and no vertex comes twice.
    """
    rows, cols = terrain.field.rows, terrain.field.cols
    for row in range(0, rows, strip):
        own = Rect(row, row + strip, 0, cols).clip(rows, cols)
        # The cells north of the strip's last row belong to it: their other vertices come with the next.
        reach = Rect(row, row + strip + 1, 0, cols).clip(rows, cols)
        yield own.row1 / rows, _mesh("terrain", terrain, own, _triangles(terrain, reach, row * cols), centre)


def _mesh(name: str, terrain: TerrainMap, rect: Rect, triangles: NDArray[np.uint32], centre: Centre) -> Mesh:
    field = terrain.field
    positions = _y_up(field.positions(rect).reshape(-1, 3) - np.array(centre))
    normals = _y_up(field.normals(rect).reshape(-1, 3))
    east = np.arange(rect.col0, rect.col1) / (field.cols - 1)
    south = 1.0 - np.arange(rect.row0, rect.row1) / (field.rows - 1)
    uv = np.stack(np.broadcast_arrays(east[None, :], south[:, None]), axis=-1).reshape(-1, 2)
    return Mesh(name, positions, normals, uv.astype(np.float32), triangles)


def _y_up(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    return np.ascontiguousarray(np.stack([vectors[:, 0], vectors[:, 2], -vectors[:, 1]], axis=1), np.float32)


def _triangles(terrain: TerrainMap, rect: Rect, first: int) -> NDArray[np.uint32]:
    """Two a cell of the vertices in `rect`, whose first has the number `first`; diagonal (row, col)–(row+1, col+1)."""
    width = rect.cols
    row, col = np.arange(rect.rows - 1, dtype=np.uint32)[:, None], np.arange(rect.cols - 1, dtype=np.uint32)
    south = np.uint32(first) + row * np.uint32(width) + col
    north = south + np.uint32(width)
    quads = np.stack([south, south + np.uint32(1), north + np.uint32(1), south, north + np.uint32(1), north], axis=-1)
    hole = terrain.extras.get("hole")
    if hole is not None:
        quads = quads[~hole[rect.row0 : rect.row1 - 1, rect.col0 : rect.col1 - 1]]
    return np.ascontiguousarray(quads.reshape(-1, 3))
