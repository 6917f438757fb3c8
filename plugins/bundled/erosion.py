"""Erosion of whole maps: all of it at once, or one process after the other."""

from typing import Annotated, Any

from plugins.api import Job, TerrainMap, about
from plugins.eroding import Erosion, erosion_params, mask_values
from plugins.registry import operation
from terrain.erosion.droplets import DropletParams, droplets
from terrain.erosion.finish import FinishParams, finish
from terrain.erosion.fluvial import FluvialParams, fluvial
from terrain.erosion.outcome import Eroded, Grid
from terrain.erosion.whole import ErodeParams, erode


class RainOnErodeParams(ErodeParams, frozen=True, kw_only=True):
    """How old the land is, and what has worked on it."""

    rainfall: Annotated[str, about("Mask of where it rains; empty for everywhere", group="Ground")] = ""


class RainParams(DropletParams, frozen=True, kw_only=True):
    """How much it rains, where, and what a droplet does."""

    rainfall: Annotated[str, about("Mask of where it rains; empty for everywhere", group="Ground")] = ""


@operation
class Erode(Erosion):
    """Make land of it: rivers, rain and coast, until all of it drains to the sea; leaves masks for the painters."""

    id = "erode"
    label = "Erode"
    Params = erosion_params(RainOnErodeParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """Rivers, rain, coast, finish."""
        rainfall = mask_values(terrain, params.rainfall)
        return erode(
            terrain.field, params, terrain.sea_level, softness=softness, rainfall=rainfall,
            progress=lambda share: job.progress(share, "eroding"),
        )  # fmt: skip


@operation
class Droplets(Erosion):
    """Rain on the land in millions of droplets, which carve gullies and lay down what they carry."""

    id = "droplets"
    label = "Rain"
    Params = erosion_params(RainParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """The rained-on land."""
        rainfall = mask_values(terrain, params.rainfall)
        return droplets(
            terrain.field, params, terrain.sea_level, softness=softness, rainfall=rainfall,
            progress=lambda share: job.progress(share, "raining"),
        )  # fmt: skip


@operation
class Fluvial(Erosion):
    """Let rivers cut their valleys for thousands of years."""

    id = "fluvial"
    label = "Rivers"
    Params = erosion_params(FluvialParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """The land with its valleys."""
        return fluvial(
            terrain.field, params, terrain.sea_level, softness=softness,
            progress=lambda share: job.progress(share, "cutting valleys"),
        )  # fmt: skip


@operation
class Finish(Erosion):
    """Fill and breach hollows, so that all land drains; leaves maps of flow, wetness and lakes."""

    id = "drain"
    label = "Drain hollows"
    Params = erosion_params(FinishParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """The land that drains."""
        return finish(
            terrain.field, params, terrain.sea_level, softness=softness,
            progress=lambda share: job.progress(share, "draining"),
        )  # fmt: skip
