"""What a brush is given and what it may change."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField
from terrain.params import Params, about
from terrain.tiles import Rect

Vector = NDArray[np.float64]
Falloff = Literal["smooth", "sphere", "linear", "sharp", "constant"]


class BrushParams(Params, frozen=True, kw_only=True):
    """What every brush has; a brush adds its own."""

    radius: Annotated[float, about("Radius of the brush", unit="m", ge=1e-3, le=100000)] = 40.0
    strength: Annotated[float, about("Strength of one pass", ge=0, le=10000)] = 10.0
    falloff: Annotated[Falloff, about("How the effect fades from the centre to the rim")] = "smooth"
    spacing: Annotated[float, about("Distance between dabs as a share of the radius", ge=0.02, le=1)] = 0.1


@dataclass(frozen=True)
class Dab:
    """One touch of the brush."""

    centre: Vector
    """Where the pointer's ray meets the surface (3), metres."""
    view: Vector
    """Unit direction from the viewer to the centre (3)."""
    pressure: float
    """0..1; a mouse gives 1."""
    step: float
    """Share of a full pass this dab stands for: dabs of one pass add up to 1 at the centre of its path."""


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


@dataclass
class Window:
    """The part of the map that one dab may change.

    Arrays are (rows, cols, ...) of `rect`; a brush writes to `offset` only where `weight` is above zero.
    """

    rect: Rect
    offset: NDArray[np.float32]
    """Displacements (rows, cols, 3), metres; a view of the map, to be changed in place."""
    before: NDArray[np.float32]
    """The same as they were before the stroke began; a copy."""
    weight: NDArray[np.float32]
    """0..1: falloff × pressure × masks (rows, cols)."""
    field: VectorField
    """The whole field, to read neighbours beyond the window; never to be changed."""


class Brush(Protocol):
    """Changes the surface under the pointer."""

    id: ClassVar[str]
    label: ClassVar[str]
    Params: ClassVar[type[BrushParams]]

    def begin(self, stroke: Stroke) -> Any:
        """State kept from dab to dab, or None."""

    def dab(self, window: Window, dab: Dab, state: Any) -> None:
        """Change the window's arrays; called once or more for each dab (parts of a surface may lie apart)."""
