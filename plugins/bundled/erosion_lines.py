"""Single rivers and fans, where they are drawn."""

from typing import Annotated, Any

import numpy as np

from plugins.api import Job, SkerryError, TerrainMap, about
from plugins.eroding import Erosion, erosion_params
from plugins.registry import operation
from terrain.erosion.course import RiverParams
from terrain.erosion.fan import FanParams, fan
from terrain.erosion.outcome import Eroded, Grid
from terrain.erosion.river import river


class RiverLineParams(RiverParams, frozen=True, kw_only=True):
    """Where a river runs, and what bed it has."""

    points: Annotated[tuple[float, ...], about("Where it runs: x, y, x, y, and so on", unit="m")] = ()


@operation
class River(Erosion):
    """Carve a river along a line, with a fan or delta of what it carried at its mouth."""

    id = "river"
    label = "River along a line"
    Params = erosion_params(RiverLineParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """The land with its river."""
        if len(params.points) < 4 or len(params.points) % 2:
            raise SkerryError("river needs two points at least: give points x,y,x,y in metres")
        line = np.asarray(params.points).reshape(-1, 2)
        return river(
            terrain.field, params, line, terrain.sea_level, softness=softness,
            progress=lambda share: job.progress(share, "carving"),
        )  # fmt: skip


class FanPlaceParams(FanParams, frozen=True, kw_only=True):
    """Where a fan lies, and how much is in it."""

    x: Annotated[float, about("Its apex, east", unit="m")] = 0.0
    y: Annotated[float, about("Its apex, north", unit="m")] = 0.0
    toward: Annotated[float, about("Where it spreads; 0 north, 90 east", unit="°", ge=-360, le=360)] = 90.0
    volume: Annotated[float, about("What is in it", unit="m³", ge=0, le=1e12)] = 10000.0


@operation
class Fan(Erosion):
    """Lay an alluvial fan, or a delta where it meets the sea."""

    id = "fan"
    label = "Fan or delta"
    Params = erosion_params(FanPlaceParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """The land with its fan."""
        angle = np.radians(params.toward)
        return fan(
            terrain.field, params, (params.x, params.y), (float(np.sin(angle)), float(np.cos(angle))), params.volume,
            terrain.sea_level, progress=lambda share: job.progress(share, "laying"),
        )  # fmt: skip
