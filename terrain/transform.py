"""Transform: move, turn and scale the vertices that a mask selects, each by its weight."""

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Falloff
from terrain.brushes.factors import FALLOFF_IDS, falloff_at
from terrain.errors import SkerryError
from terrain.map import TerrainMap
from terrain.params import Params, about
from terrain.products import combined, dots
from terrain.tiles import Rect

Vector = NDArray[np.float64]
Axes = Literal["world", "local", "view"]


class TransformParams(Params, frozen=True, kw_only=True):
    """One transform of the selection, about its pivot."""

    x: Annotated[float, about("Way along the first axis", unit="m", ge=-1e6, le=1e6)] = 0.0
    y: Annotated[float, about("Way along the second axis", unit="m", ge=-1e6, le=1e6)] = 0.0
    z: Annotated[float, about("Way along the third axis", unit="m", ge=-1e6, le=1e6)] = 0.0
    turn_x: Annotated[float, about("Turn about the first axis", unit="°", ge=-3600, le=3600)] = 0.0
    turn_y: Annotated[float, about("Turn about the second axis", unit="°", ge=-3600, le=3600)] = 0.0
    turn_z: Annotated[float, about("Turn about the third axis", unit="°", ge=-3600, le=3600)] = 0.0
    scale_x: Annotated[float, about("Size along the first axis", ge=0.01, le=100)] = 1.0
    scale_y: Annotated[float, about("Size along the second axis", ge=0.01, le=100)] = 1.0
    scale_z: Annotated[float, about("Size along the third axis", ge=0.01, le=100)] = 1.0
    axes: Annotated[Axes, about("The world's axes, the selection's own, or the viewer's")] = "world"
    soft: Annotated[float, about("How far beyond the selection vertices still follow", unit="m", ge=0, le=1e5)] = 0.0
    falloff: Annotated[Falloff, about("How they follow less and less")] = "smooth"


@dataclass
class Selection:
    """Vertices to transform, and how they lie before."""

    rect: Rect
    """The smallest rectangle around all weights above zero."""
    weight: NDArray[np.float32]
    """0..1 (rows, cols) of `rect`."""
    before: NDArray[np.float32]
    """Their offsets (rows, cols, 3), metres; a copy."""
    pivot: Vector
    """Weighted middle of their positions (3), metres."""
    local: Vector
    """Axes (3, 3), one a row: the third is the mean normal, the first the nearest to east."""


def select(terrain: TerrainMap, soft: float, falloff: Falloff) -> Selection:
    """What the active mask selects, with vertices up to `soft` metres beyond it (on the rest grid) that follow less.

    Raises `SkerryError` if no mask is active or it selects nothing.
    """
    mask = terrain.limit
    if mask is None:
        raise SkerryError("select what to transform first: paint a mask, or draw a lasso")
    share = mask.astype(np.float32) * np.float32(1.0 / 65535.0)
    share = 1.0 - share if terrain.frozen else share
    rect = _around(share > 0.0)
    if rect.empty:
        raise SkerryError("the mask selects nothing to transform")
    field = terrain.field
    rect = rect.grown(math.ceil(soft / field.cell)).clip(field.rows, field.cols)
    weight = _softened(np.ascontiguousarray(share[rect.slices]), soft / field.cell, falloff)
    positions = field.positions(rect)
    total = float(weight.sum(dtype=np.float64))
    pivot = np.einsum("ij,ijk->k", weight, positions) / total
    normal = np.einsum("ij,ijk->k", weight, field.normals(rect), dtype=np.float64)
    return Selection(rect, weight, field.offset[rect.slices].copy(), pivot, _frame(normal))


def transformed(
    selection: Selection, cell: float, origin: tuple[float, float], params: TransformParams, frame: Vector
) -> NDArray[np.float32]:
    """New offsets (rows, cols, 3) of a selection. frame: axes (3, 3) of the transform, one a row.

    A vertex of weight w goes w of the way, turns by w of the angle and grows by the w-th power of the factor; weight
    zero leaves it bit for bit.
    """
    rect, weight = selection.rect, selection.weight.astype(np.float64)[..., None]
    here = selection.before.astype(np.float64)
    here[..., 0] += origin[0] + cell * np.arange(rect.col0, rect.col1)
    here[..., 1] += origin[1] + cell * np.arange(rect.row0, rect.row1)[:, None]
    away = combined(here - selection.pivot, frame.T)
    scale = np.array([params.scale_x, params.scale_y, params.scale_z])
    there = away * np.exp(weight * np.log(scale))
    there = _turned(there, np.radians([params.turn_x, params.turn_y, params.turn_z]), weight)
    there = there + weight * np.array([params.x, params.y, params.z])
    made = (selection.before + combined(there - away, frame)).astype(np.float32)
    return np.where(weight > 0.0, made, selection.before)


def _turned(places: Vector, angles: Vector, weight: Vector) -> Vector:
    """Turn by a share of the rotation that three turns, about x, then y, then z, make together (Rodrigues' formula)."""
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_euler("xyz", angles).as_rotvec() if np.count_nonzero(angles) > 1 else angles
    angle = math.sqrt(turn @ turn)
    if angle == 0.0:
        return places
    axis = turn / angle
    cos, sin = np.cos(angle * weight), np.sin(angle * weight)
    along = dots(places, axis)[..., None] * axis
    return np.asarray(cos * (places - along) + sin * np.cross(axis, places) + along)


def _softened(share: NDArray[np.float32], reach: float, falloff: Falloff) -> NDArray[np.float32]:
    from scipy.ndimage import distance_transform_edt

    if reach <= 0.0:
        return share
    away = distance_transform_edt(share < 0.5)
    steps = np.array([falloff_at(FALLOFF_IDS[falloff], u) for u in np.linspace(0.0, 1.0, 257)], np.float32)
    fade = np.interp(away / reach, np.linspace(0.0, 1.0, 257), steps, right=0.0).astype(np.float32)
    return np.maximum(share, np.where(away > 0.0, fade, 0.0))


def _around(chosen: NDArray[np.bool_]) -> Rect:
    rows, cols = np.flatnonzero(chosen.any(axis=1)), np.flatnonzero(chosen.any(axis=0))
    return Rect(int(rows[0]), int(rows[-1]) + 1, int(cols[0]), int(cols[-1]) + 1) if len(rows) else Rect(0, 0, 0, 0)


def _frame(normal: Vector) -> Vector:
    length = math.sqrt(normal @ normal)
    up = normal / length if length > 1e-9 else np.array([0.0, 0.0, 1.0])
    right = np.array([1.0, 0.0, 0.0]) - up[0] * up
    size = math.sqrt(right @ right)
    right = right / size if size > 1e-6 else np.array([0.0, 1.0, 0.0])
    return np.stack([right, np.cross(up, right), up])
