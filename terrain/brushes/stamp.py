"""Stamp: sets a whole form down at once: a height picture, a vector displacement picture, or a ready-made form."""

import math
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab, Falloff, Picture, Stroke, Vector, Window
from terrain.brushes.plane import plane_of, tangents
from terrain.brushes.stamps import Form, form_picture
from terrain.brushes.texture import sample_picture
from terrain.kernel import kernel
from terrain.params import about
from terrain.products import combined

_LEAST_DRAG = 0.15
"""A drag shorter than this share of the radius is a click: the stamp keeps its size and turn."""
_UP = np.array([0.0, 0.0, 1.0])


class StampParams(BrushParams, frozen=True, kw_only=True):
    """Which form, how high, and how it meets the ground."""

    radius: Annotated[float, about("Half the side of the stamp; a drag sets it", unit="m", ge=1e-3, le=100000)] = 40.0
    strength: Annotated[float, about("Height as a share of the radius", ge=-10, le=10)] = 1.0
    falloff: Annotated[Falloff, about("How the stamp fades towards its rim")] = "constant"
    form: Annotated[Form, about("A ready-made form, used where there is no picture")] = "stack"
    picture: (
        Annotated[Path, about("Heights (one channel) or an EXR of vector displacement (three: right, up, out)")] | None
    ) = None
    along: Annotated[Literal["up", "normal"], about("Which way the stamp stands")] = "up"
    mode: Annotated[
        Literal["add", "highest", "lowest", "replace"], about("How it meets the heights that are there")
    ] = "add"


class Stamp(Brush):
    """Click to set a form down; press and drag from its middle to size and turn it. Inverted, it is pressed in."""

    id = "stamp"
    label = "Stamp"
    Params = StampParams
    icon = "stamper"
    family = "Copy"
    gesture = "anchor"

    def begin(self, stroke: Stroke) -> tuple[Stroke, Picture]:
        """The picture of the form."""
        picture = stroke.pictures.get("picture")
        return stroke, form_picture(stroke.params.form) if picture is None else picture

    def reach(self, dab: Dab, params: Any) -> tuple[Vector, Vector, float]:
        """The sphere that fits into the square: as with every brush, the picture's corners are cut off."""
        return dab.centre, dab.centre, _side(dab)

    def dab(self, window: Window, dab: Dab, state: tuple[Stroke, Picture]) -> None:
        """Set the form down."""
        stroke, picture = state
        params, side = stroke.params, _side(dab)
        normal = plane_of(window, dab).normal if params.along == "normal" else _UP
        right, up = self._axes(dab, normal, params)
        channels = [np.ascontiguousarray(picture[..., channel]) for channel in range(picture.shape[2])]
        vector = len(channels) >= 3
        across, along, out = channels[:3] if vector else (channels[0],) * 3
        scale = side * stroke.sign * params.strength
        moved = np.zeros(window.before.shape, np.float32)
        _displace(window.relative(dab.centre), right / side, up / side, across, along, out, vector, moved)
        axes = np.stack([right * side, up * side, normal * scale]).astype(np.float32)
        moved = combined(moved, axes) * window.weight[..., None]
        if params.mode == "add":
            window.offset += moved
            return
        # Heights from the level where the stamp stands, instead of from each vertex's own.
        goal = np.float32(dab.centre[2]) + moved[..., 2]
        here = window.offset[..., 2]
        if params.mode == "replace":
            inside = np.minimum(window.weight, (np.abs(moved) > 0.0).any(axis=-1))
            goal = here + inside * (goal - here)
        chosen = {"highest": np.maximum, "lowest": np.minimum}.get(params.mode)
        window.offset[..., :2] += moved[..., :2]
        window.offset[..., 2] = goal if chosen is None else chosen(here, goal)

    def _axes(self, dab: Dab, normal: Vector, params: StampParams) -> tuple[Vector, Vector]:
        right, up = tangents(normal, dab.right)
        if float(np.linalg.det(dab.matrix)) < 0.0:
            up = -up
        turn = math.radians(params.turn)
        if _dragged(dab):
            turn += math.atan2(dab.move @ dab.up, dab.move @ dab.right)
        return math.cos(turn) * right + math.sin(turn) * up, math.cos(turn) * up - math.sin(turn) * right


def _dragged(dab: Dab) -> bool:
    return bool(dab.move @ dab.move > (_LEAST_DRAG * dab.radius) ** 2)


def _side(dab: Dab) -> float:
    """Half the side of the square, metres."""
    return math.sqrt(dab.move @ dab.move) if _dragged(dab) else dab.radius


@kernel
def _displace(
    places: NDArray[np.float32],
    right: Vector,
    up: Vector,
    across: NDArray[np.float32],
    along: NDArray[np.float32],
    out: NDArray[np.float32],
    vector: bool,
    moved: NDArray[np.float32],
) -> None:
    """Displacement (rows, cols, 3) in the stamp's axes, as a share of half its side."""
    for i in range(places.shape[0]):
        for j in range(places.shape[1]):
            x, y, z = places[i, j, 0], places[i, j, 1], places[i, j, 2]
            u = 0.5 + 0.5 * (right[0] * x + right[1] * y + right[2] * z)
            v = 0.5 + 0.5 * (up[0] * x + up[1] * y + up[2] * z)
            moved[i, j, 2] = sample_picture(out, u, v)
            if vector:
                moved[i, j, 0] = sample_picture(across, u, v)
                moved[i, j, 1] = sample_picture(along, u, v)
