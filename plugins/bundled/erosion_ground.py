"""Erosion without rivers: scree, creep, wind, waves."""

from typing import Any

import numpy as np

from plugins.api import Job, TerrainMap
from plugins.eroding import Erosion, erosion_params
from plugins.registry import operation
from terrain.erosion.coastal import CoastalParams, coastal
from terrain.erosion.dunes import DuneParams, blow
from terrain.erosion.hillslope import HillslopeParams, creep
from terrain.erosion.outcome import Eroded, Grid
from terrain.erosion.thermal import ThermalParams, slip


@operation
class Thermal(Erosion):
    """Let ground that is too steep slide down into screes."""

    id = "thermal"
    label = "Scree"
    Params = erosion_params(ThermalParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """The ground at rest."""
        return slip(terrain.field, params, softness=softness, progress=lambda share: job.progress(share, "sliding"))


@operation
class Hillslope(Erosion):
    """Round off ridges and fill hollows, as soil creeps downhill over centuries."""

    id = "hillslope"
    label = "Creep"
    Params = erosion_params(HillslopeParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """The rounded ground."""
        return creep(terrain.field, params, softness=softness, progress=lambda share: job.progress(share, "creeping"))


@operation
class Dunes(Erosion):
    """Let the wind blow sand into dunes."""

    id = "dunes"
    label = "Wind"
    Params = erosion_params(DuneParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """The sand as the wind leaves it; hard ground is none."""
        sand = None if softness is None else np.float32(params.sand) * softness
        return blow(
            terrain.field, params, terrain.sea_level, softness=softness, sand=sand,
            progress=lambda share: job.progress(share, "blowing"),
        )  # fmt: skip


@operation
class Coastal(Erosion):
    """Let waves cut cliffs into open coasts and lay beaches where it is calmer."""

    id = "coastal"
    label = "Waves"
    Params = erosion_params(CoastalParams)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """The coast."""
        return coastal(
            terrain.field, params, terrain.sea_level, softness=softness,
            progress=lambda share: job.progress(share, "breaking waves"),
        )  # fmt: skip
