"""Filters that send heights through a curve: drawn, cut off, flattened, or sinking towards the border."""

from typing import Annotated

from plugins.api import Job, Operation, Params, Patch, Rect, Scene, about
from plugins.registry import operation
from terrain.filters.clamp import clamp
from terrain.filters.curves import curves
from terrain.filters.falloff import Outline, falloff
from terrain.filters.plateau import plateau


class CurvesParams(Params, frozen=True, kw_only=True):
    """The curve."""

    points: Annotated[
        tuple[float, ...], about("Height, new height, height, new height, …; heights rising", unit="m")
    ] = (-100.0, -100.0, 0.0, 0.0, 50.0, 25.0, 200.0, 200.0)
    strength: Annotated[float, about("Share of the way to the new heights", ge=0, le=1)] = 1.0


@operation
class Curves(Operation):
    """Send the heights through a smooth curve through points; beyond its ends land is lifted as a whole."""

    id = "curves"
    label = "Curves"
    menu = "Filter"
    Params = CurvesParams

    def run(self, scene: Scene, params: CurvesParams, job: Job) -> Patch:
        """The land with its new heights."""
        job.progress(0.0, "bending heights")
        offset = curves(scene.terrain.field, params.points, params.strength)
        return Patch({"offset": (Rect.of(offset), offset)})


class ClampParams(Params, frozen=True, kw_only=True):
    """The limits."""

    low: Annotated[float, about("Nothing lies below this", unit="m", ge=-1e6, le=1e6)] | None = None
    high: Annotated[float, about("Nothing lies above this", unit="m", ge=-1e6, le=1e6)] | None = None


@operation
class Clamp(Operation):
    """Cut heights off below one level and above another."""

    id = "clamp"
    label = "Clamp"
    menu = "Filter"
    Params = ClampParams

    def run(self, scene: Scene, params: ClampParams, job: Job) -> Patch:
        """The land within its limits."""
        job.progress(0.0, "cutting off")
        offset = clamp(scene.terrain.field, params.low, params.high)
        return Patch({"offset": (Rect.of(offset), offset)})


class PlateauParams(Params, frozen=True, kw_only=True):
    """Where tops are flattened, and how softly."""

    level: Annotated[float, about("Height of the flat tops", unit="m", ge=-1e6, le=1e6)] = 50.0
    shoulder: Annotated[float, about("How far below and above it the slope turns", unit="m", ge=0, le=1e5)] = 5.0
    keep: Annotated[float, about("Share of the relief above it that stays", ge=0, le=1)] = 0.0


@operation
class Plateau(Operation):
    """Flatten what rises above a height, with a rounded shoulder."""

    id = "plateau"
    label = "Plateau"
    menu = "Filter"
    Params = PlateauParams

    def run(self, scene: Scene, params: PlateauParams, job: Job) -> Patch:
        """The land with flat tops."""
        job.progress(0.0, "flattening tops")
        offset = plateau(scene.terrain.field, params.level, params.shoulder, params.keep)
        return Patch({"offset": (Rect.of(offset), offset)})


class FalloffParams(Params, frozen=True, kw_only=True):
    """The island's outline, and how it goes down to the seabed."""

    outline: Annotated[Outline, about("Of the island: round, square or between")] = "round"
    width: Annotated[float, about("Width of the slope down to the seabed", unit="m", ge=0.01, le=1e6)] = 200.0
    depth: Annotated[float, about("Depth of the seabed at the border, below the sea", unit="m", ge=-1e5, le=1e5)] = 30.0
    coast: Annotated[float, about("How far noise draws the outline in at most", unit="m", ge=0, le=1e6)] = 0.0
    coast_size: Annotated[float, about("Size of its largest bays", unit="m", ge=0.01, le=1e6)] = 150.0
    power: Annotated[float, about("Superellipse: 2 is round, higher is squarer", ge=2, le=100)] = 4.0
    seed: Annotated[int, about("Another number, another coast", ge=0, le=2**31 - 1)] = 1
    strength: Annotated[float, about("Share of the way down", ge=0, le=1)] = 1.0


@operation
class Falloff(Operation):
    """Sink the land to a level seabed towards the border, so that an island is left."""

    id = "falloff"
    label = "Island falloff"
    menu = "Filter"
    Params = FalloffParams

    def run(self, scene: Scene, params: FalloffParams, job: Job) -> Patch:
        """The island."""
        job.progress(0.0, "sinking the border")
        offset = falloff(
            scene.terrain.field, params.outline, params.width, scene.terrain.sea_level - params.depth, params.coast,
            params.coast_size, params.power, params.seed, params.strength,
        )  # fmt: skip
        return Patch({"offset": (Rect.of(offset), offset)})
