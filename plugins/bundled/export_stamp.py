"""Stamp: what the mask selects, as a vector displacement EXR for the stamp brush."""

from pathlib import Path
from typing import Annotated

from plugins.api import Job, Params, Report, Scene, SkerryError, about
from plugins.exr import read_exr, write_exr
from plugins.registry import exporter
from plugins.sidecar import read_sidecar, write_sidecar
from terrain.extract import extract_stamp


class StampParams(Params, frozen=True, kw_only=True):
    """What is taken, and its name."""

    mask: Annotated[str, about("Mask that selects it; empty: the active one")] = ""
    name: Annotated[str, about("Name of the file, without its ending")] = "stamp"


@exporter
class ExportStamp:
    """The selected land as a stamp: R, G, B = right, up, out as a share of half the side; set it down with Stamp."""

    id = "stamp"
    label = "Stamp from selection"
    Params = StampParams

    def write(self, scene: Scene, folder: Path, params: StampParams, job: Job) -> Report:
        """Cut the selection out and write it."""
        terrain = scene.terrain
        name = params.mask or terrain.active_mask
        if not name:
            raise SkerryError("select what the stamp is to be taken of: there is no active mask")
        if not params.name or Path(params.name).name != params.name:
            raise SkerryError(f"'{params.name}' is no name for a file")
        mask = terrain.array(f"mask/{name}")
        job.progress(0.0, "cutting out")
        picture = extract_stamp(terrain, mask, terrain.frozen and not params.mask)
        file, sidecar = folder / f"{params.name}.exr", folder / f"{params.name}.json"
        write_exr(file, {channel: picture[..., k] for k, channel in enumerate("RGB")})
        side = picture.shape[0]
        facts = {"side": side, "half_side_m": 0.5 * (side - 1) * terrain.field.cell, "first_row": "north"}
        write_sidecar(sidecar, self.id, terrain, [file], facts)
        job.progress(1.0, "written")
        return Report((file, sidecar), (f"{side}x{side} vertices, half a side is {facts['half_side_m']:g} m",))

    def check(self, sidecar: Path) -> list[str]:
        """Decode the file and hold its size against the sidecar."""
        record = read_sidecar(sidecar)
        channels = read_exr(sidecar.with_name(record["files"][0]["name"]))
        if set(channels) != set("RGB"):
            return [f"the EXR has the channels {', '.join(channels)} instead of R, G, B"]
        side = record["side"]
        return [] if channels["R"].shape == (side, side) else [f"the EXR is not {side}x{side}"]
