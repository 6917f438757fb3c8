"""What every operation on masks shares: which mask it changes, and how the result joins what is there."""

from typing import Annotated, Any, ClassVar

from plugins.api import Job, Operation, Params, Patch, Rect, Scene, SkerryError, TerrainMap, about
from terrain.map import array_spec
from terrain.masks.combine import Combine, Mask, combine, from_mask, to_mask

SELECTION = "selection"
"""The mask that is changed if none is named and none is active."""


class TargetParams(Params, frozen=True, kw_only=True):
    """Which mask to change."""

    into: Annotated[str, about("Mask to change; empty: the active one, or 'selection' if none is active")] = ""


class MaskParams(TargetParams, frozen=True, kw_only=True):
    """Which mask to change, and how."""

    combine: Annotated[Combine, about("What to do with what the mask already holds")] = "replace"


class MaskEdit(Operation):
    """An operation that changes one mask that there is. Derive from this and write `edit`."""

    Params: ClassVar[type[Params]] = TargetParams
    menu = "Mask"
    uses_mask = True

    def run(self, scene: Scene, params: Any, job: Job) -> Patch:
        """The changed mask."""
        job.progress(0.0, self.label.lower())
        name = target(scene.terrain, params.into)
        return patch(name, self.edit(existing(scene.terrain, name), scene.terrain, params))

    def edit(self, mask: Mask, terrain: TerrainMap, params: Any) -> Mask:
        """The new values of a mask (rows, cols)."""
        raise NotImplementedError


class MaskGenerator(Operation):
    """An operation that makes a mask from the map. Derive from this and write `make`."""

    Params: ClassVar[type[Params]] = MaskParams
    menu = "Mask"
    uses_mask = True

    def run(self, scene: Scene, params: Any, job: Job) -> Patch:
        """The mask made, combined with what is there; a mask that is not there holds nothing."""
        job.progress(0.0, self.label.lower())
        name = target(scene.terrain, params.into)
        made = self.make(scene.terrain, params)
        if params.combine == "replace":
            return patch(name, made)
        job.progress(0.9, params.combine)
        key = f"mask/{name}"
        before = from_mask(scene.terrain.extras.get(key, scene.terrain.new_array(key)))
        return patch(name, combine(before, made, params.combine))

    def make(self, terrain: TerrainMap, params: Any) -> Mask:
        """Values 0..1 (rows, cols)."""
        raise NotImplementedError


def target(terrain: TerrainMap, into: str) -> str:
    """The name of the mask that is meant; raises if no mask may have it."""
    name = into or terrain.active_mask or SELECTION
    try:
        array_spec(f"mask/{name}")
    except SkerryError:
        raise SkerryError(f"a mask cannot be called '{name}': use 1 to 64 letters without / and \\") from None
    return name


def existing(terrain: TerrainMap, name: str) -> Mask:
    """The values of a mask; raises with the masks there are."""
    key = f"mask/{name}"
    if key not in terrain.extras:
        raise SkerryError(f"there is no mask '{name}'; the map has: {', '.join(terrain.names('mask')) or 'none'}")
    return from_mask(terrain.extras[key])


def patch(name: str, mask: Mask) -> Patch:
    """The change that gives a mask its new values."""
    stored = to_mask(mask)
    return Patch(arrays={f"mask/{name}": (Rect.of(stored), stored)})
