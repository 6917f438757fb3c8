"""What every operation that erodes shares: hard ground, the masks it leaves, and how the active mask limits it."""

from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from plugins.api import Job, Operation, Params, Patch, Rect, Scene, SkerryError, TerrainMap, about
from terrain.erosion.outcome import Eroded, Grid
from terrain.masks.combine import from_mask, to_mask

Masks = Literal["none", "store", "only"]

P = TypeVar("P", bound=Params)

_SHARED: list[tuple[str, Any, Any]] = [
    ("hardness", Annotated[str, about("Mask of ground that does not erode; empty for none", group="Ground")], ""),
    (
        "masks",
        Annotated[Masks, about("store: erode and keep what it leaves as masks; only: keep masks, leave the land")],
        "store",
    ),
]

_FEATHER = 4
"""Vertices within a hard mask's border over which erosion fades in, so that no step marks it."""


def erosion_params(process: type[P]) -> type[P]:
    """The parameters of a process with those that all erosion shares."""
    made = msgspec.defstruct(
        process.__name__, _SHARED, bases=(process,), kw_only=True, frozen=True, namespace={"__doc__": process.__doc__}
    )
    return made  # type: ignore[return-value]


class Erosion(Operation):
    """An operation that erodes. Derive from this, give it `erosion_params` of its process, and write `erode`."""

    Params: ClassVar[type[Params]]
    menu = "Erosion"
    uses_mask = True

    def run(self, scene: Scene, params: Any, job: Job) -> Patch:
        """The eroded land, and per grid of the process the array `field/NAME` and the mask made of it."""
        terrain = scene.terrain
        eroded = self.erode(terrain, params, softness_of(terrain, params.hardness), job)
        limit = soft_limit(terrain)
        arrays: dict[str, tuple[Rect, NDArray[Any]]] = {}
        if params.masks != "only":
            arrays["offset"] = _part(_mixed(terrain.field.offset, eroded.offset, limit))
        if params.masks != "none":
            for name, grid in eroded.grids.items():
                arrays[f"field/{name}"] = _part(_kept(terrain, f"field/{name}", grid, limit))
                mask = mask_of(name, grid)
                if mask is not None:
                    arrays[f"mask/{name}"] = _part(_kept(terrain, f"mask/{name}", to_mask(mask), limit))
        return Patch(arrays)

    def erode(self, terrain: TerrainMap, params: Any, softness: Grid | None, job: Job) -> Eroded:
        """What the process makes of the map; report to `job.progress`."""
        raise NotImplementedError


def softness_of(terrain: TerrainMap, hardness: str) -> Grid | None:
    """1 less a mask (rows, cols); None without one."""
    values = mask_values(terrain, hardness)
    return None if values is None else np.float32(1.0) - values


def mask_values(terrain: TerrainMap, name: str) -> Grid | None:
    """A mask (rows, cols) of the map, 0..1; None for no name. Raises with the masks there are."""
    if not name:
        return None
    if f"mask/{name}" not in terrain.extras:
        raise SkerryError(f"there is no mask '{name}'; the map has: {', '.join(terrain.names('mask')) or 'none'}")
    return from_mask(terrain.extras[f"mask/{name}"])


def soft_limit(terrain: TerrainMap) -> Grid | None:
    """How much of a change the active mask lets through, 0..1 (rows, cols): never more than the mask, without steps."""
    stored = terrain.limit
    if stored is None:
        return None
    from scipy.ndimage import grey_erosion, uniform_filter

    open_to = from_mask(stored)
    limit = np.float32(1.0) - open_to if terrain.frozen else open_to
    size = 2 * _FEATHER + 1
    # A mean over no more than what a minimum was taken of cannot rise above the mask.
    least = grey_erosion(limit, (size, size), mode="nearest")
    inner = _FEATHER + 1
    soft = uniform_filter(uniform_filter(least, inner, mode="nearest"), inner, mode="nearest")
    return np.minimum(np.asarray(soft, np.float32), limit)


def mask_of(name: str, grid: Grid) -> Grid | None:
    """The mask that painters get of a grid, 0..1; None for a grid that is no amount.

    Shares (`cliff`, `platform`, ...) as they are; `flow` by its logarithm, from 10 vertices' worth of the median to the
    most; `lake` full from a metre of water on; `wetness` from its 5th to its 99th percentile; all else over the 98th
    percentile of what is above zero.
    """
    if name == "direction":
        return None
    if name in ("cliff", "platform", "river"):
        return np.clip(grid, 0.0, 1.0)
    if name == "lake":
        return np.clip(grid, 0.0, 1.0)
    if name == "flow":
        low, high = np.log(np.maximum(10.0 * np.float32(np.median(grid)), 1e-6)), np.log(max(float(grid.max()), 1e-6))
        return _between(np.log(np.maximum(grid, np.float32(1e-6))), float(low), float(high))
    if name == "wetness":
        low, high = np.percentile(grid, (5.0, 99.0))
        return _between(grid, float(low), float(high))
    above = grid[grid > 0.0]
    return _between(grid, 0.0, float(np.percentile(above, 98.0)) if above.size else 1.0)


def _between(values: Grid, low: float, high: float) -> Grid:
    scaled = (values - np.float32(low)) / np.float32(max(high - low, 1e-6))
    return np.clip(scaled, 0.0, 1.0, out=scaled)


def _kept(terrain: TerrainMap, key: str, after: NDArray[Any], limit: Grid | None) -> NDArray[Any]:
    before = terrain.extras.get(key)
    if limit is None:
        return after
    return _mixed(terrain.new_array(key) if before is None else before, after, limit)


def _mixed(before: NDArray[Any], after: NDArray[Any], limit: Grid | None) -> NDArray[Any]:
    """before + limit·(after - before), exact at both ends."""
    if limit is None:
        return after
    share = limit[..., None] if before.ndim == 3 else limit
    mixed = before + share * (after.astype(np.float64) - before)
    if before.dtype.kind != "f":
        mixed = np.rint(mixed)
    return np.where(share <= 0.0, before, np.where(share >= 1.0, after, mixed.astype(before.dtype)))


def _part(array: NDArray[Any]) -> tuple[Rect, NDArray[Any]]:
    return Rect.of(array), array
