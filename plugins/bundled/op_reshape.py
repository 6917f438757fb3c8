"""Operations that give the whole map another extent, grid or sense."""

from typing import Annotated, Literal

from plugins.api import Job, Operation, Params, Patch, Scene, about
from plugins.registry import operation
from terrain.reshape.crop import Fill, crop
from terrain.reshape.mirror import Axis, Half, copy_half, flip, rotate
from terrain.reshape.resample import resample

_MOST = 8192


class CropParams(Params, frozen=True, kw_only=True):
    """Vertices added on each side, or taken away."""

    west: Annotated[int, about("Vertices added in the west; negative: taken away", ge=-_MOST, le=_MOST)] = 0
    south: Annotated[int, about("Vertices added in the south", ge=-_MOST, le=_MOST)] = 0
    east: Annotated[int, about("Vertices added in the east", ge=-_MOST, le=_MOST)] = 0
    north: Annotated[int, about("Vertices added in the north", ge=-_MOST, le=_MOST)] = 0
    fill: Annotated[Fill, about("New ground goes on as the border is, or lies level")] = "extend"
    height: Annotated[float, about("Height of new level ground", unit="m", ge=-1e5, le=1e5)] = -20.0


@operation
class Crop(Operation):
    """Cut the map, or make room on any side; what is kept stays where it is in the world."""

    id = "crop"
    label = "Resize canvas"
    Params = CropParams
    uses_mask = True

    def run(self, scene: Scene, params: CropParams, job: Job) -> Patch:
        """The larger or smaller map."""
        job.progress(0.0, "cutting")
        sides = (params.west, params.south, params.east, params.north)
        return Patch(terrain=crop(scene.terrain, *sides, params.fill, params.height))


class ResampleParams(Params, frozen=True, kw_only=True):
    """The new grid."""

    cell: Annotated[float, about("Distance of vertices", unit="m", ge=1e-3, le=1e5)] = 2.0
    average: Annotated[bool, about("Average away what much larger cells cannot hold")] = True


@operation
class Resample(Operation):
    """Lay the same land on a finer or coarser grid; everything painted comes along."""

    id = "resample"
    label = "Resample"
    Params = ResampleParams
    uses_mask = True

    def run(self, scene: Scene, params: ResampleParams, job: Job) -> Patch:
        """The map on the new grid."""
        field = scene.terrain.field
        job.progress(0.0, f"{field.cell:g} m to {params.cell:g} m")
        return Patch(terrain=resample(scene.terrain, params.cell, params.average))


class MirrorParams(Params, frozen=True, kw_only=True):
    """Which way."""

    how: Annotated[
        Literal[
            "flip-east-west", "flip-north-south", "west-to-east", "east-to-west", "south-to-north", "north-to-south"
        ],
        about("Turn the whole map over, or copy one half onto the other"),
    ] = "flip-east-west"


@operation
class Mirror(Operation):
    """Turn the map over, or make one half the mirror image of the other."""

    id = "mirror"
    label = "Mirror"
    Params = MirrorParams
    uses_mask = True

    def run(self, scene: Scene, params: MirrorParams, job: Job) -> Patch:
        """The mirrored map."""
        job.progress(0.0, "mirroring")
        if params.how.startswith("flip-"):
            axis: Axis = "east-west" if params.how == "flip-east-west" else "north-south"
            return Patch(terrain=flip(scene.terrain, axis))
        half: Half = params.how  # type: ignore[assignment]
        return Patch(terrain=copy_half(scene.terrain, half))


class RotateParams(Params, frozen=True, kw_only=True):
    """How far."""

    turn: Annotated[Literal["90", "180", "270"], about("Degrees counter-clockwise")] = "90"


@operation
class Rotate(Operation):
    """Turn the map about its middle."""

    id = "rotate"
    label = "Rotate"
    Params = RotateParams
    uses_mask = True

    def run(self, scene: Scene, params: RotateParams, job: Job) -> Patch:
        """The turned map."""
        job.progress(0.0, "turning")
        return Patch(terrain=rotate(scene.terrain, int(params.turn) // 90))
