"""What a brush is given and what it may change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.params import Params, about
from terrain.tiles import Rect

Vector = NDArray[np.float64]
Picture = NDArray[np.float32]
Falloff = Literal["smooth", "sphere", "linear", "sharp", "constant"]
Gesture = Literal["dabs", "anchor", "pull"]
Pressed = Literal["strength", "radius", "both", "nothing"]
Follow = Literal["nothing", "stroke", "pen"]

_EAST, _NORTH = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
_STILL, _SAME = np.zeros(3), np.eye(3)


class BrushParams(Params, frozen=True, kw_only=True):
    """What every brush has; a brush adds its own."""

    radius: Annotated[float, about("Radius of the brush", unit="m", ge=1e-3, le=100000)] = 40.0
    strength: Annotated[float, about("Strength of one pass", ge=0, le=10000)] = 10.0
    falloff: Annotated[Falloff, about("How the effect fades from the centre to the rim")] = "smooth"
    spacing: Annotated[
        float, about("Distance between dabs as a share of the radius", ge=0.02, le=1, group="Stroke")
    ] = 0.1
    pressure: Annotated[Pressed, about("What the pressure of a pen changes", group="Stroke")] = "strength"
    accumulate: Annotated[bool, about("Each dab meets the surface as the dabs before it left it", group="Stroke")] = (
        False
    )
    limit: Annotated[bool, about("Move no vertex farther than the strength in one stroke", group="Stroke")] = False
    front: Annotated[bool, about("Touch only surface that faces the viewer", group="Stroke")] = False
    airbrush: Annotated[
        float,
        about("Dabs per second while the pointer is held, even at rest; 0: by distance", ge=0, le=60, group="Stroke"),
    ] = 0.0
    jitter: Annotated[float, about("Scatter of the dabs as a share of the radius", ge=0, le=2, group="Stroke")] = 0.0
    alpha: Annotated[Path, about("Picture whose brightness shapes the dab", group="Texture")] | None = None
    turn: Annotated[float, about("Turn of the picture", unit="°", ge=-360, le=360, group="Texture")] = 0.0
    follow: Annotated[Follow, about("What turns the picture further", group="Texture")] = "nothing"
    grain: Annotated[float, about("How far noise breaks up the effect", ge=0, le=1, group="Texture")] = 0.0
    grain_size: Annotated[float, about("Size of that noise", unit="m", ge=0.01, le=10000, group="Texture")] = 8.0


@dataclass(frozen=True)
class Dab:
    """One touch of the brush."""

    centre: Vector
    """Where the pointer's ray meets the surface (3), metres; where an anchored gesture began."""
    view: Vector
    """Unit direction from the viewer to the centre (3)."""
    pressure: float
    """0..1; a mouse gives 1."""
    step: float
    """Share of a full pass this dab stands for: dabs of one pass add up to 1 at the centre of its path."""
    radius: float = 1.0
    """Metres; the brush's radius as the pen's pressure leaves it."""
    move: Vector = field(default_factory=lambda: _STILL)
    """Way since the dab before (3), metres; of an anchored gesture, the whole way in the camera's plane."""
    target: Vector = field(default_factory=lambda: _STILL)
    """Where the pointer meets the surface now (3), metres: the centre, except in an anchored gesture."""
    right: Vector = field(default_factory=lambda: _EAST)
    """Unit vector (3) to the right, as the viewer sees it; mirrored with the dab."""
    up: Vector = field(default_factory=lambda: _NORTH)
    """Unit vector (3) upwards, as the viewer sees it."""
    tilt: float = 0.0
    """Direction in which a pen leans, radians from `right` towards `up`."""
    index: int = 0
    """Number of the dab in its stroke, from 0."""
    matrix: Vector = field(default_factory=lambda: _SAME)
    """Orthogonal (3, 3): the mirror or turn that made this image of the dab."""
    axis: Vector = field(default_factory=lambda: _STILL)
    """The point (3) that `matrix` leaves where it is."""

    def image(self, matrix: Vector, axis: Vector) -> "Dab":
        """The dab seen in a mirror or turned about `axis`."""
        return replace(
            self,
            centre=matrix @ (self.centre - axis) + axis,
            view=matrix @ self.view,
            move=matrix @ self.move,
            target=matrix @ (self.target - axis) + axis,
            right=matrix @ self.right,
            up=matrix @ self.up,
            matrix=matrix,
            axis=axis,
        )


@dataclass
class Stroke:
    """What stays the same from press to release."""

    params: Any
    """The brush's Params."""
    cell: float
    """Rest distance of vertices, metres."""
    sign: float
    """-1 while the effect is inverted, else 1."""
    sea_level: float
    seed: int = 0
    """Chance of this stroke; the same again when it is replayed."""
    mirrored: bool = False
    """True if symmetry gives the stroke images."""
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    """Float32 (height, width, channels), top row first, of each parameter that names a picture."""


@dataclass
class Window:
    """The part of the map that one dab may change.

    Arrays are (rows, cols, ...) of `rect`; a brush writes to what it paints only where `weight` is above zero.
    """

    rect: Rect
    offset: NDArray[np.float32]
    """Displacements (rows, cols, 3), metres; a view of the map, to be changed in place by brushes that paint them."""
    before: NDArray[np.float32]
    """The same as they were before the stroke began; a copy."""
    weight: NDArray[np.float32]
    """0..1: falloff × pressure × masks (rows, cols)."""
    field: VectorField
    """The whole field, to read neighbours beyond the window; never to be changed."""
    painted: NDArray[Any]
    """The part of the array that the brush paints; `offset` itself for brushes of the surface.

    Arrays with one value a cell lack the last row and column of `rect` where it ends at the map's border.
    """
    earlier: Callable[[Rect], NDArray[np.float32]]
    """Offsets (rows, cols, 3) anywhere on the map as they were before the stroke; fresh arrays."""

    def relative(self, centre: Vector, offset: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Positions (rows, cols, 3) relative to a point, metres: of `before`, or of other offsets of this window."""
        out = np.empty(self.before.shape, np.float32)
        x, y = self.field.origin
        cell, rect = self.field.cell, self.rect
        corner = (x + rect.col0 * cell - centre[0], y + rect.row0 * cell - centre[1], -float(centre[2]))
        _relative(self.before if offset is None else offset, cell, *corner, out)
        return out


class Brush:
    """Changes the surface, or an array painted on it, under the pointer. Derive from this."""

    id: ClassVar[str]
    label: ClassVar[str]
    inverted_label: ClassVar[str] = ""
    """What it is called while inverted, where that has a name of its own."""
    Params: ClassVar[type[BrushParams]] = BrushParams
    icon: ClassVar[str] = "brush"
    """Name of a Material Design icon."""
    family: ClassVar[str] = "Shape"
    """Heading in the brush panel."""
    gesture: ClassVar[Gesture] = "dabs"
    """`dabs` along the surface; `anchor`: one dab whose effect follows the pointer until it is released; `pull`: dabs
    in the plane that faces the camera, each meeting the surface as the one before left it."""
    live: ClassVar[bool] = False
    """True for a brush whose every dab meets the surface as the dabs before it left it."""
    plan: ClassVar[bool] = False
    """True for a brush that reaches through all heights: its falloff is measured in plan."""
    through_holes: ClassVar[bool] = True
    """False for a brush whose rays meet the surface where it has holes too."""

    def paints(self, params: Any) -> str:
        """Key of the array that is changed."""
        return "offset"

    def begin(self, stroke: Stroke) -> Any:
        """State kept from dab to dab; by default the stroke itself."""
        return stroke

    def reach(self, dab: Dab, params: Any) -> tuple[Vector, Vector, float]:
        """The capsule that the dab may touch: two ends (3) and a radius, metres."""
        return dab.centre, dab.centre, dab.radius

    def dab(self, window: Window, dab: Dab, state: Any) -> None:
        """Change the window's arrays; called once or more for each dab (parts of a surface may lie apart)."""
        raise NotImplementedError


@kernel
def _relative(
    offset: NDArray[np.float32], cell: float, x0: float, y0: float, z0: float, out: NDArray[np.float32]
) -> None:
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j, 0] = x0 + j * cell + offset[i, j, 0]
            out[i, j, 1] = y0 + i * cell + offset[i, j, 1]
            out[i, j, 2] = z0 + offset[i, j, 2]
