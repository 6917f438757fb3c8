"""Operations on the heights of the whole map, its sea, and another map laid into it."""

from pathlib import Path
from typing import Annotated

import numpy as np

from plugins.api import Job, Operation, Params, Patch, Rect, Scene, SkerryError, about
from plugins.importing import import_file
from plugins.registry import operation
from terrain.reshape.merge import Mode, merge


class ScaleParams(Params, frozen=True, kw_only=True):
    """How heights change: (height - level) × scale + level + lift."""

    scale: Annotated[float, about("Heights are multiplied by this", ge=-1000, le=1000)] = 1.0
    level: (
        Annotated[float, about("The height that scaling leaves alone; automatic: the sea's", unit="m", ge=-1e5, le=1e5)]
        | None
    ) = None
    lift: Annotated[float, about("Added to every height", unit="m", ge=-1e5, le=1e5)] = 0.0


@operation
class Scale(Operation):
    """Multiply and shift heights, within the active mask; nothing moves sideways."""

    id = "scale"
    label = "Scale heights"
    Params = ScaleParams

    def run(self, scene: Scene, params: ScaleParams, job: Job) -> Patch:
        """The new heights."""
        job.progress(0.0, "scaling")
        terrain = scene.terrain
        middle = terrain.sea_level if params.level is None else params.level
        offset = terrain.field.offset.copy()
        heights = (offset[..., 2].astype(np.float64) - middle) * params.scale + middle + params.lift
        offset[..., 2] = heights
        return Patch({"offset": (Rect.of(offset), offset)})


class SeaLevelParams(Params, frozen=True, kw_only=True):
    """Where the sea stands."""

    level: Annotated[float, about("Height of the still sea", unit="m", ge=-1e5, le=1e5)] = 0.0
    relative: Annotated[bool, about("The number is added to the level as it is")] = False


@operation
class SeaLevel(Operation):
    """Move the still sea up or down."""

    id = "sea-level"
    label = "Sea level"
    Params = SeaLevelParams
    uses_mask = True

    def run(self, scene: Scene, params: SeaLevelParams, job: Job) -> Patch:
        """The new level."""
        return Patch(sea_level=params.level + (scene.terrain.sea_level if params.relative else 0.0))


class MergeParams(Params, frozen=True, kw_only=True):
    """Which map, where, and how it joins this one."""

    map: Annotated[Path, about("A map, or any height file that can be imported")] | None = None
    x: Annotated[float, about("Its south-west corner, east; automatic: where it lies itself", unit="m")] | None = None
    y: Annotated[float, about("Its south-west corner, north", unit="m")] | None = None
    lift: Annotated[float, about("Added to its heights", unit="m", ge=-1e5, le=1e5)] = 0.0
    mode: Annotated[Mode, about("Which surface wins")] = "replace"
    feather: Annotated[float, about("How far it fades in from its border", unit="m", ge=0, le=1e6)] = 20.0


@operation
class Merge(Operation):
    """Lay another map into this one, blended at its border and within the active mask."""

    id = "merge"
    label = "Merge map"
    Params = MergeParams

    def run(self, scene: Scene, params: MergeParams, job: Job) -> Patch:
        """The merged surface."""
        if params.map is None:
            raise SkerryError("merge needs a map: give the file to merge")
        job.progress(0.0, f"reading {params.map.name}")
        other = import_file(params.map, None, {}, job).terrain.field
        x = other.origin[0] if params.x is None else params.x
        y = other.origin[1] if params.y is None else params.y
        job.progress(0.5, "blending")
        rect, offset = merge(scene.terrain.field, other, x, y, params.lift, params.mode, params.feather)
        if rect.empty:
            raise SkerryError(f"{params.map} lies beside this map at {x:g}, {y:g}; give another x and y")
        return Patch({"offset": (rect, offset)})
