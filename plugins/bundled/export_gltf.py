"""Binary glTF 2.0 of the displaced mesh, in tiles whose borders coincide."""

from pathlib import Path
from typing import Annotated, Literal

from plugins.api import Job, Params, Report, Scene, SkerryError, about
from plugins.glb import GlbWriter, check_glb
from plugins.meshing import mesh_tiles
from plugins.registry import exporter
from plugins.sidecar import write_sidecar

NAME = "terrain"
_TILE_CELLS = 128
"""Cells a side of a tile: 129² = 16,641 vertices, well inside 16-bit indices."""
_MOST_BYTES = 0xFFFFFFFF
_BYTES_A_VERTEX, _INDICES_A_CELL = 12 + 12 + 8, 6


class GltfParams(Params, frozen=True, kw_only=True):
    """How the mesh is cut."""

    layout: Annotated[
        Literal["tiles", "one"], about("Tiles of 128 cells with 16-bit indices, or one mesh with 32-bit indices")
    ] = "tiles"


@exporter
class ExportGltf:
    """Y up (x, z, -y), metres; positions count from the map's middle, which is the node's translation."""

    id = "gltf"
    label = "Binary glTF mesh"
    Params = GltfParams

    def write(self, scene: Scene, folder: Path, params: GltfParams, job: Job) -> Report:
        """Stream tile after tile into one .glb."""
        field = scene.terrain.field
        needed = field.rows * field.cols * (_BYTES_A_VERTEX + _INDICES_A_CELL * 4)
        if needed > _MOST_BYTES:
            raise SkerryError(
                f"the mesh needs {needed / 2**30:.1f} GiB, a .glb holds 4 at most; resample the map or export 'vdm'"
            )
        file, sidecar = folder / f"{NAME}.glb", folder / f"{NAME}.json"
        cells = _TILE_CELLS if params.layout == "tiles" else max(field.rows, field.cols)
        low, high = scene.terrain.bounds.whole[:3], scene.terrain.bounds.whole[3:]
        centre = (float(0.5 * (low[0] + high[0])), float(0.5 * (low[1] + high[1])), 0.0)
        with GlbWriter(file, centre) as writer:
            for share, tile in mesh_tiles(scene.terrain, cells, centre):
                writer.add(tile)
                job.progress(0.9 * share, "meshing")
        facts = {
            "space": "Y up: glTF x = east, y = up, z = south, metres; node translation = centre of the map",
            "centre": list(centre),
            "vertices": writer.vertices,
            "triangles": writer.triangles,
            "meshes": writer.meshes,
        }
        write_sidecar(sidecar, self.id, scene.terrain, [file], facts)
        note = f"{writer.triangles:,} triangles, {writer.vertices:,} vertices in {writer.meshes} meshes"
        return Report((file, sidecar), (note,))

    def check(self, sidecar: Path) -> list[str]:
        """Read the file back and hold its structure against the specification."""
        return check_glb(sidecar.with_name(f"{NAME}.glb"))
