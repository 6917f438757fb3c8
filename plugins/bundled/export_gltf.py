"""Binary glTF 2.0 of the displaced mesh, in tiles whose borders coincide."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from plugins.api import Job, Params, Report, Scene, SkerryError, TerrainMap, about
from plugins.glb import MOST_BYTES, GlbWriter, check_glb
from plugins.meshing import Mesh, mesh_strips, mesh_tiles
from plugins.registry import exporter
from plugins.sidecar import write_sidecar

NAME = "terrain"
_STRIP = 64
"""Rows of vertices in memory at a time where the mesh is one."""
_BYTES_A_TILE = 1200
"""Of JSON, at most."""


class GltfParams(Params, frozen=True, kw_only=True):
    """How the mesh is cut, and what its vertices carry."""

    layout: Annotated[
        Literal["tiles", "one"], about("Square tiles with 16-bit indices, or one mesh with 32-bit indices")
    ] = "tiles"
    # 254 cells are 255² = 65,025 vertices; one more would not fit 16-bit indices.
    tile_cells: Annotated[int, about("Cells along one side of a tile", ge=1, le=254)] = 64
    uv: Annotated[bool, about("Texture coordinates, 0..1 over the map from its north-western corner")] = True


@exporter
class ExportGltf:
    """Y up (x, z, -y), metres; positions count from the map's middle, which is the node's translation."""

    id = "gltf"
    label = "Binary glTF mesh"
    Params = GltfParams

    def write(self, scene: Scene, folder: Path, params: GltfParams, job: Job) -> Report:
        """Stream part after part into one .glb."""
        _check_size(scene.terrain, params)
        file, sidecar = folder / f"{NAME}.glb", folder / f"{NAME}.json"
        low, high = scene.terrain.bounds.whole[:3], scene.terrain.bounds.whole[3:]
        # Positions near zero keep float32's precision however far from zero the map lies.
        centre = (float(0.5 * (low[0] + high[0])), float(0.5 * (low[1] + high[1])), 0.0)
        with GlbWriter(file, centre, params.uv) as writer:
            if params.layout == "tiles":
                for tile in _reported(mesh_tiles(scene.terrain, params.tile_cells, centre), job):
                    writer.add(tile)
            else:
                writer.add_parts(NAME, _reported(mesh_strips(scene.terrain, _STRIP, centre), job))
        facts = {
            "space": "Y up: glTF x = east, y = up, z = south, metres; node translation = centre of the map",
            "centre": list(centre),
            "vertices": writer.vertices,
            "triangles": writer.triangles,
            "meshes": writer.meshes,
        }
        write_sidecar(sidecar, self.id, scene.terrain, [file], facts)
        job.progress(1.0, "written")
        note = f"{writer.triangles:,} triangles, {writer.vertices:,} vertices in {writer.meshes} meshes"
        return Report((file, sidecar), (note,))

    def check(self, sidecar: Path) -> list[str]:
        """Read the file back and hold its structure against the specification."""
        return check_glb(sidecar.with_name(f"{NAME}.glb"))


def _reported(parts: Iterator[tuple[float, Mesh]], job: Job) -> Iterator[Mesh]:
    for share, part in parts:
        job.progress(0.9 * share, "meshing")
        yield part


def _check_size(terrain: TerrainMap, params: GltfParams) -> None:
    """Raise, before anything is written, if the file cannot hold the mesh."""
    hole = terrain.extras.get("hole")
    needed = bytes_needed(terrain.field.rows, terrain.field.cols, 0 if hole is None else int(hole.sum()), params)
    if needed > MOST_BYTES:
        raise SkerryError(
            f"the mesh needs {needed / 2**30:.1f} GiB, a .glb holds 4 at most; use larger tiles, resample the map, "
            "or export 'vdm'"
        )


def bytes_needed(rows: int, cols: int, holes: int, params: GltfParams) -> int:
    """Size of the file for rows × cols vertices and so many cells that are holes, or a little more."""
    tiles_down = tiles_across = 1
    if params.layout == "tiles":
        tiles_down, tiles_across = -(-(rows - 1) // params.tile_cells), -(-(cols - 1) // params.tile_cells)
    # Neighbours each have the vertices of their common border.
    vertices = (rows + tiles_down - 1) * (cols + tiles_across - 1)
    cells = (rows - 1) * (cols - 1) - holes
    body = vertices * (32 if params.uv else 24) + cells * 6 * (2 if params.layout == "tiles" else 4)
    return body + tiles_down * tiles_across * _BYTES_A_TILE + 2000
