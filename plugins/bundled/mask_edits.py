"""Edits of one mask: fill, invert, blur, grow or shrink, levels."""

from typing import Annotated, Any

import numpy as np

from plugins.api import Job, Operation, Patch, Scene, TerrainMap, about
from plugins.bundled.mask_target import MaskEdit, TargetParams, patch, target
from plugins.registry import operation
from terrain.masks.combine import Mask
from terrain.masks.edit import blur, grow, invert, levels


class FillParams(TargetParams, frozen=True, kw_only=True):
    """With what."""

    value: Annotated[float, about("Value everywhere; 1 selects all, 0 nothing", ge=0, le=1)] = 1.0


@operation
class MaskFill(Operation):
    """Give the whole mask one value; makes the mask if there is none."""

    id = "mask-fill"
    label = "Fill"
    Params = FillParams
    menu = "Mask"
    uses_mask = True

    def run(self, scene: Scene, params: FillParams, job: Job) -> Patch:
        """The filled mask."""
        job.progress(0.0, "fill")
        field = scene.terrain.field
        return patch(target(scene.terrain, params.into), np.full((field.rows, field.cols), params.value, np.float32))


@operation
class MaskInvert(MaskEdit):
    """Swap what is selected and what is not."""

    id = "mask-invert"
    label = "Invert"

    def edit(self, mask: Mask, terrain: TerrainMap, params: Any) -> Mask:
        """1 less the mask."""
        return invert(mask)


class BlurParams(TargetParams, frozen=True, kw_only=True):
    """How far."""

    radius: Annotated[float, about("Standard deviation of the Gaussian", unit="m", ge=0, le=10000)] = 5.0


@operation
class MaskBlur(MaskEdit):
    """Soften the mask."""

    id = "mask-blur"
    label = "Blur"
    Params = BlurParams

    def edit(self, mask: Mask, terrain: TerrainMap, params: BlurParams) -> Mask:
        """Gaussian blur."""
        return blur(mask, params.radius, terrain.field.cell)


class GrowParams(TargetParams, frozen=True, kw_only=True):
    """How far."""

    distance: Annotated[float, about("How far the rim moves out; below zero in", unit="m", ge=-10000, le=10000)] = 5.0


@operation
class MaskGrow(MaskEdit):
    """Move the rim of the mask outwards, or inwards by a distance below zero."""

    id = "mask-grow"
    label = "Grow or shrink"
    Params = GrowParams

    def edit(self, mask: Mask, terrain: TerrainMap, params: GrowParams) -> Mask:
        """The brightest, or darkest, within the distance."""
        return grow(mask, params.distance, terrain.field.cell)


class LevelsParams(TargetParams, frozen=True, kw_only=True):
    """What becomes black and white, and how the middle bends."""

    black: Annotated[float, about("Value that becomes black", ge=0, le=1)] = 0.0
    white: Annotated[float, about("Value that becomes white", ge=0, le=1)] = 1.0
    gamma: Annotated[float, about("Above 1 brightens the middle, below 1 darkens it", ge=0.01, le=100)] = 1.0
    out_black: Annotated[float, about("What black is in the result", ge=0, le=1)] = 0.0
    out_white: Annotated[float, about("What white is in the result", ge=0, le=1)] = 1.0


@operation
class MaskLevels(MaskEdit):
    """Stretch, brighten or harden the mask."""

    id = "mask-levels"
    label = "Levels"
    Params = LevelsParams

    def edit(self, mask: Mask, terrain: TerrainMap, params: LevelsParams) -> Mask:
        """Levels as picture editors have them."""
        return levels(mask, params.black, params.white, params.gamma, params.out_black, params.out_white)
