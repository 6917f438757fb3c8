"""Whole masks: combine two, save one under another name, delete one."""

from typing import Annotated

from plugins.api import Job, Operation, Patch, Scene, SkerryError, TerrainMap, about
from plugins.bundled.mask_target import MaskEdit, MaskParams, TargetParams, existing, patch, target
from plugins.registry import operation
from terrain.masks.combine import Combine, Mask, combine


class CombineParams(MaskParams, frozen=True, kw_only=True):
    """With what, and how."""

    other: Annotated[str, about("The mask to combine with; it stays as it is")] = ""
    combine: Annotated[Combine, about("How the other mask joins")] = "add"


@operation
class MaskCombine(MaskEdit):
    """Add another mask, subtract it, or keep what both share."""

    id = "mask-combine"
    label = "Combine"
    Params = CombineParams

    def edit(self, mask: Mask, terrain: TerrainMap, params: CombineParams) -> Mask:
        """Both masks together."""
        return combine(mask, existing(terrain, params.other), params.combine)


class CopyParams(TargetParams, frozen=True, kw_only=True):
    """From where to where."""

    source: Annotated[str, about("Mask to copy; empty: the active one, or 'selection' if none is active")] = ""
    into: Annotated[str, about("Name of the copy; a mask of that name is replaced")] = ""


@operation
class MaskCopy(Operation):
    """Save the mask under another name."""

    id = "mask-copy"
    label = "Save as"
    Params = CopyParams
    menu = "Mask"
    uses_mask = True

    def run(self, scene: Scene, params: CopyParams, job: Job) -> Patch:
        """The same values under the new name."""
        job.progress(0.0, "save as")
        if not params.into.strip():
            raise SkerryError("the copy needs a name: give it with --into")
        return patch(target(scene.terrain, params.into), existing(scene.terrain, target(scene.terrain, params.source)))


@operation
class MaskDelete(Operation):
    """Delete the mask."""

    id = "mask-delete"
    label = "Delete"
    Params = TargetParams
    menu = "Mask"
    uses_mask = True

    def run(self, scene: Scene, params: TargetParams, job: Job) -> Patch:
        """The mask away."""
        job.progress(0.0, "delete")
        name = target(scene.terrain, params.into)
        existing(scene.terrain, name)
        return Patch(removed=(f"mask/{name}",))
