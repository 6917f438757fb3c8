"""Generate island: a believable start for a map, in one go."""

from plugins.api import Job, Operation, Patch, Rect, Scene
from plugins.registry import operation
from terrain.islands.generate import generate
from terrain.islands.params import IslandParams


@operation
class Island(Operation):
    """Make an island in place of the present heights; size, cells and sea level of the map stay."""

    id = "island"
    label = "Generate island"
    menu = "Map"
    Params = IslandParams

    def run(self, scene: Scene, params: IslandParams, job: Job) -> Patch:
        """The new surface."""
        terrain = scene.terrain
        field = terrain.field
        offset = generate(
            field.rows,
            field.cols,
            field.cell,
            params,
            sea=terrain.sea_level,
            origin=field.origin,
            progress=lambda share: job.progress(share, "making an island"),
        )
        return Patch({"offset": (Rect.of(offset), offset)})
