"""The grids that every patch shares: one mesh a level, over the vertices that the level keeps."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy import gloo

from terrain.bounds import PATCH
from terrain.lod import COARSEST, Instances


def mesh_vertices(level: int) -> NDArray[np.float32]:
    """Row and column (n, 2) of every 2^level-th vertex of a patch."""
    steps = np.arange(0, PATCH + 1, 1 << level, dtype=np.float32)
    row, col = np.meshgrid(steps, steps, indexing="ij")
    return np.ascontiguousarray(np.stack([row.ravel(), col.ravel()], axis=-1))


def mesh_triangles(level: int) -> NDArray[np.uint16]:
    """Vertex numbers, three a triangle: anticlockwise from above, cells split along (r, c)–(r+1, c+1)."""
    side = (PATCH >> level) + 1
    row, col = np.meshgrid(np.arange(side - 1), np.arange(side - 1), indexing="ij")
    a = (row * side + col).ravel()
    b, c, d = a + 1, a + side + 1, a + side
    return np.stack([a, b, c, a, c, d], axis=-1).astype(np.uint16).ravel()


class PatchMeshes:
    """Vertex, index and instance buffers of the five levels."""

    def __init__(self) -> None:
        levels = range(COARSEST + 1)
        self._vertices: list[Any] = [gloo.VertexBuffer(mesh_vertices(level)) for level in levels]
        self._triangles: list[Any] = [gloo.IndexBuffer(mesh_triangles(level)) for level in levels]
        self._patches: list[Any] = [gloo.VertexBuffer(divisor=1) for _ in levels]
        self._edges: list[Any] = [gloo.VertexBuffer(divisor=1) for _ in levels]

    def draw(self, program: Any, instances: Instances) -> int:
        """Draw each patch once, the finest levels first; returns the number of triangles."""
        triangles = 0
        for level in range(COARSEST + 1):
            start, end = int(instances.starts[level]), int(instances.starts[level + 1])
            if start == end:
                continue
            self._patches[level].set_data(instances.patches[start:end])
            self._edges[level].set_data(instances.edges[start:end])
            program["a_vertex"] = self._vertices[level]
            program["a_patch"] = self._patches[level]
            program["a_edges"] = self._edges[level]
            program.draw("triangles", self._triangles[level])
            triangles += (end - start) * 2 * (PATCH >> level) ** 2
        return triangles

    def release(self) -> None:
        """Delete the buffers."""
        for buffer in (*self._vertices, *self._triangles, *self._patches, *self._edges):
            buffer.delete()
