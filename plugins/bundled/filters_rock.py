"""Filters that bring out beds of rock: steps in height, and ledges that stand out of a slope."""

from typing import Annotated

from plugins.api import Job, Operation, Params, Patch, Rect, Scene, about
from plugins.registry import operation
from terrain.filters.beds import Beds
from terrain.filters.strata import strata
from terrain.filters.terrace import terrace


class BedParams(Params, frozen=True, kw_only=True):
    """How the beds lie."""

    height: Annotated[float, about("Height of a step or bed", unit="m", ge=0.01, le=10000)] = 8.0
    start: Annotated[float, about("Height at which one begins, above the sea", unit="m", ge=-1e5, le=1e5)] = 0.0
    dip: Annotated[float, about("How steeply the beds go down", unit="°", ge=0, le=80, group="Lie of the beds")] = 0.0
    bearing: Annotated[
        float, about("Where they go down to, clockwise from north", unit="°", ge=-360, le=360, group="Lie of the beds")
    ] = 90.0
    bend: Annotated[
        float, about("How far noise lifts and lowers the beds", unit="m", ge=0, le=1e4, group="Lie of the beds")
    ] = 0.0
    bend_size: Annotated[float, about("Size of those bends", unit="m", ge=0.01, le=1e6, group="Lie of the beds")] = (
        200.0
    )
    seed: Annotated[
        int, about("Another number, other bends and hard beds", ge=0, le=2**31 - 1, group="Lie of the beds")
    ] = 1

    def beds(self, scene: Scene) -> Beds:
        """The same for the filters. A dip turns the beds about the middle of the map, where `start` holds."""
        field, level = scene.terrain.field, scene.terrain.sea_level + self.start
        beds = Beds(self.height, level, self.dip, self.bearing, self.bend, self.bend_size, self.seed)
        if self.dip == 0.0:
            return beds
        (east, north), (width, depth) = beds.fall, field.rest_size
        level += east * (field.origin[0] + 0.5 * width) + north * (field.origin[1] + 0.5 * depth)
        return Beds(self.height, level, self.dip, self.bearing, self.bend, self.bend_size, self.seed)


class TerraceParams(BedParams, frozen=True, kw_only=True):
    """How sharp the steps are."""

    sharp: Annotated[float, about("0: the slope as it is; 1: level treads and upright risers", ge=0, le=1)] = 0.8
    strength: Annotated[float, about("Share of the way to the steps", ge=0, le=1)] = 1.0


@operation
class Terrace(Operation):
    """Cut the heights into steps, level ones or ones that dip and bend like beds of rock."""

    id = "terrace"
    label = "Terrace"
    menu = "Filter"
    Params = TerraceParams

    def run(self, scene: Scene, params: TerraceParams, job: Job) -> Patch:
        """The stepped land."""
        job.progress(0.0, "cutting steps")
        offset = terrace(scene.terrain.field, params.beds(scene), params.sharp, params.strength)
        return Patch({"offset": (Rect.of(offset), offset)})


class StrataParams(BedParams, frozen=True, kw_only=True):
    """How far the beds stand out, and where."""

    reach: Annotated[float, about("How far beds stand out or draw back at most", unit="m", ge=0, le=1000)] = 2.0
    steep: Annotated[float, about("Slope from which they show", unit="°", ge=0, le=90)] = 30.0
    sharp: Annotated[float, about("0: waves; 1: upright joints, with ledges that hang over", ge=0, le=1)] = 0.7


@operation
class Strata(Operation):
    """Let hard beds stand out of steep slopes and soft ones draw back, by level moves: ledges hang over."""

    id = "strata"
    label = "Strata"
    menu = "Filter"
    Params = StrataParams

    def run(self, scene: Scene, params: StrataParams, job: Job) -> Patch:
        """The land with its beds brought out."""
        job.progress(0.0, "laying beds bare")
        offset = strata(scene.terrain.field, params.beds(scene), params.reach, params.steep, params.sharp)
        return Patch({"offset": (Rect.of(offset), offset)})
