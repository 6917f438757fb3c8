"""Vector displacement: the map itself as an EXR, R, G, B = x, y, z displacement of every vertex."""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from plugins.api import Job, Params, Report, Scene, about
from plugins.exr import read_exr, write_exr
from plugins.registry import exporter
from plugins.sidecar import read_sidecar, write_sidecar

NAME = "displacement"


class VdmParams(Params, frozen=True, kw_only=True):
    """How the rows lie."""

    first_row: Annotated[Literal["north", "south"], about("Which edge the first row of the file is")] = "north"


@exporter
class ExportVdm:
    """float32, bit for bit, so that importing it again gives the same map."""

    id = "vdm"
    label = "Vector displacement EXR"
    Params = VdmParams

    def write(self, scene: Scene, folder: Path, params: VdmParams, job: Job) -> Report:
        """Write the displacements and how to place them."""
        offset = scene.terrain.field.offset
        job.progress(0.0, "EXR")
        rows_first = offset[::-1] if params.first_row == "north" else offset
        file, sidecar = folder / f"{NAME}.exr", folder / f"{NAME}.json"
        write_exr(file, {name: rows_first[..., k] for k, name in enumerate("RGB")})
        job.progress(0.8, "EXR")
        low, high = offset.min(axis=(0, 1)), offset.max(axis=(0, 1))
        facts = {
            "first_row": params.first_row,
            "space": "object space, metres; x east, y north, z up",
            "formula": "position = (origin.x + col*cell + R, origin.y + row*cell + G, B), row counted from the south",
            "displacement": {"min": [float(v) for v in low], "max": [float(v) for v in high]},
        }
        write_sidecar(sidecar, self.id, scene.terrain, [file], facts)
        job.progress(1.0, "written")
        notes = [f"{offset.shape[1]}x{offset.shape[0]} displacements"]
        if (hole := scene.terrain.extras.get("hole")) is not None and hole.any():
            notes.append(f"{int(hole.sum()):,} cells are holes, which this file cannot say")
        return Report((file, sidecar), tuple(notes))

    def check(self, sidecar: Path) -> list[str]:
        """Decode the file and hold sizes and ranges against the sidecar."""
        record = read_sidecar(sidecar)
        channels = read_exr(sidecar.with_name(record["files"][0]["name"]))
        if set(channels) != set("RGB"):
            return [f"the EXR has the channels {', '.join(channels)} instead of R, G, B"]
        if channels["R"].shape != (record["rows"], record["cols"]):
            return [f"the EXR holds {channels['R'].shape[1]}x{channels['R'].shape[0]} displacements"]
        low, high = ([float(edge(channels[name])) for name in "RGB"] for edge in (np.min, np.max))
        if {"min": low, "max": high} != record["displacement"]:
            return [f"the displacements reach from {low} to {high}, not as told"]
        return []
