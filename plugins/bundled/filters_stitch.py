"""The filter that fits this map to the one beside it."""

from pathlib import Path
from typing import Annotated

from plugins.api import Job, Operation, Params, Patch, Rect, Scene, SkerryError, about
from plugins.importing import import_file
from plugins.registry import operation
from terrain.filters.stitch import Edge, stitch


class StitchParams(Params, frozen=True, kw_only=True):
    """Which neighbour, at which edge, and how far the fit reaches."""

    map: Annotated[Path, about("The neighbour: a map, or any height file that can be imported")] | None = None
    edge: Annotated[Edge, about("The edge of this map beyond which it lies")] = "east"
    width: Annotated[float, about("How far inwards this map gives way", unit="m", ge=0, le=1e6)] = 50.0
    shift: (
        Annotated[
            float,
            about("Along the edge, from this map's corner to its; automatic: as both lie", unit="m", ge=-1e6, le=1e6),
        ]
        | None
    ) = None
    slopes: Annotated[bool, about("Take on its slopes at the edge too, not only its heights")] = True
    keep_sides: Annotated[bool, about("Leave the two edges at right angles, stitched before, as they are")] = False


@operation
class Stitch(Operation):
    """Make one edge exactly that of a neighbouring map, sideways displacement too, and blend inwards."""

    id = "stitch"
    label = "Stitch to neighbour"
    menu = "Filter"
    Params = StitchParams

    def run(self, scene: Scene, params: StitchParams, job: Job) -> Patch:
        """The fitted land."""
        if params.map is None:
            raise SkerryError("stitch needs a map: give the file of the neighbour")
        job.progress(0.0, f"reading {params.map.name}")
        other = import_file(params.map, None, {}, job).terrain.field
        job.progress(0.5, "stitching")
        offset = stitch(
            scene.terrain.field, other, params.edge, params.width, params.shift, params.slopes, params.keep_sides
        )
        return Patch({"offset": (Rect.of(offset), offset)})
