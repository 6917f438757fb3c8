"""Run an operation: its parameters from plain values, its changes limited by a mask, its failures in one line."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plugins.api import Job, Operation, Patch, Scene
from plugins.registry import find_operation
from terrain.errors import Cancelled, SkerryError
from terrain.map import Array, TerrainMap, array_spec
from terrain.params import from_mapping
from terrain.tiles import Rect


def run_operation(scene: Scene, op_id: str, values: Mapping[str, object], job: Job) -> Patch:
    """What an operation changes, limited by the map's active mask unless it sees to that itself.

    The scene is only read. Raises `SkerryError` or `ParamError` with one line, or `Cancelled`.
    """
    operation = find_operation(op_id)
    params = from_mapping(operation.Params, values)
    # Numbers that overflow are refused, by name, when the patch is applied.
    with np.errstate(over="ignore", invalid="ignore"):
        return limited(scene.terrain, operation, _run(scene, operation, params, job))


def _run(scene: Scene, operation: Operation, params: Any, job: Job) -> Patch:
    try:
        return operation.run(scene, params, job)
    except (SkerryError, Cancelled):
        raise
    except MemoryError:
        raise SkerryError(f"{operation.id}: not enough memory for a map of this size") from None
    except Exception as error:
        raise SkerryError(f"{operation.id} failed: {type(error).__name__}: {' '.join(str(error).split())}") from error


def limited(terrain: TerrainMap, operation: Operation, patch: Patch) -> Patch:
    """The patch with every array blended by the active mask: before + mask·(after - before)."""
    mask = terrain.limit
    if mask is None or operation.uses_mask or patch.terrain is not None:
        return patch
    arrays = {key: (rect, _blend(terrain, key, rect, after, mask)) for key, (rect, after) in patch.arrays.items()}
    return dataclasses.replace(patch, arrays=arrays)


def _blend(terrain: TerrainMap, key: str, rect: Rect, after: Array, mask: NDArray[np.uint16]) -> Array:
    present = key == "offset" or key in terrain.extras
    before = terrain.array(key)[rect.slices] if present else terrain.new_array(key)[rect.slices]
    if before.shape != after.shape:
        return after
    share = _shares(mask, rect, key != "offset" and array_spec(key).per_cell, terrain.frozen)
    if before.ndim == 3:
        share = share[..., None]
    if key != "offset" and array_spec(key).choice:
        # Choices have no middle.
        return np.where(share >= 0.5, after, before)
    mixed = before + share * (after.astype(np.float64) - before)
    if before.dtype.kind != "f":
        mixed = np.rint(mixed)
    # Exact at both ends, where rounding might differ.
    return np.where(share <= 0.0, before, np.where(share >= 1.0, after, mixed.astype(before.dtype)))


def _shares(mask: NDArray[np.uint16], rect: Rect, per_cell: bool, frozen: bool) -> NDArray[np.float64]:
    grown = Rect(rect.row0, rect.row1 + 1, rect.col0, rect.col1 + 1) if per_cell else rect
    share: NDArray[Any] = mask[grown.slices] / 65535.0
    share = 1.0 - share if frozen else share
    if per_cell:
        share = 0.25 * (share[:-1, :-1] + share[1:, :-1] + share[:-1, 1:] + share[1:, 1:])
    return share
