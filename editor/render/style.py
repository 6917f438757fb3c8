"""Style: how a scene is to look; nothing here changes the map."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Tint = Literal["natural", "height", "slope", "clay", "matcap", "stretch", "normal", "occlusion"]

LANDSCAPE: tuple[Tint, ...] = ("natural", "height", "slope", "clay")
"""Ways to colour the ground that stand in the sun, the haze and the sea."""
STUDIO: tuple[Tint, ...] = ("matcap", "stretch", "normal", "occlusion")
"""Ways that show the form or a measure of it alone, before a plain backdrop."""
TINTS: tuple[Tint, ...] = (*LANDSCAPE, *STUDIO)
"""The ways to colour the ground, in the order in which the shader numbers them."""
SHADED_BY_AO: tuple[Tint, ...] = ("natural", "clay", "matcap")
"""Those whose ambient light the baked occlusion takes from."""

MOST_RINGS = 16
"""Rings that one picture can show."""

Colour = tuple[float, float, float]
"""sRGB, 0..1."""

_RING, _INVERTED, _SMOOTHING = (1.0, 0.86, 0.36), (0.42, 0.80, 1.0), (0.50, 0.95, 0.48)


@dataclass(frozen=True)
class BrushRing:
    """Where the brush would act: all surface within `radius` metres of `centre` (3), overhangs included."""

    centre: NDArray[np.float64]
    radius: float
    inverted: bool = False
    primary: bool = True
    """False for what symmetry adds, which is drawn fainter."""
    colour: Colour | None = None
    """None for the colour of what the brush does."""
    smoothing: bool = False

    @property
    def shown_colour(self) -> Colour:
        """The colour it is drawn in."""
        if self.colour is not None:
            return self.colour
        if self.smoothing:
            return _SMOOTHING
        return _INVERTED if self.inverted else _RING


@dataclass(frozen=True, eq=False)
class Mark:
    """A line through points of the world, over the picture: gizmos, axes of symmetry, strokes to come."""

    points: NDArray[np.floating]
    """(n, 3), metres; a single point makes a dot."""
    colour: Colour
    width: float = 2.0
    """Pixels."""
    on_top: bool = True
    """True to show what the surface hides too, but fainter."""
    closed: bool = False
    """True to join the last point to the first."""


@dataclass(frozen=True)
class Style:
    """What to draw and in which light."""

    sun_azimuth: float = math.radians(300.0)
    """Radians, 0 is north, grows clockwise."""
    sun_elevation: float = math.radians(34.0)
    """Radians above the horizon."""
    tint: Tint = "natural"
    show_sea: bool = True
    show_sky: bool = True
    """False leaves `background` where nothing is drawn, and adds no haze."""
    background: Colour = (0.0, 0.0, 0.0)
    contours: float = 0.0
    """Metres between contour lines; 0 draws none."""
    use_ao: bool = True
    """Let the baked occlusion, if the map has one, darken the ambient light of natural, clay and matcap."""
    wire: bool = False
    """Draw the cells' edges and diagonals, every 4th or 16th where they would be too dense."""
    mask: str = ""
    """Name of the mask laid over the ground, red, as strongly as it covers; empty, or one the map lacks: none."""
    mask_opacity: float = 0.45
    """How much of the ground the mask's colour hides where it is 1."""
    mask_frozen: bool = False
    """Blue instead of red: what the mask covers is protected."""
    outline: bool = False
    """A dashed line where the shown mask is one half."""
    phase: float = 0.0
    """How far the dashes have marched, 0..1 of one dash and its gap."""
    isolate: bool = False
    """Hide the ground where the shown mask is below one half."""
    brush: BrushRing | None = None
    images: tuple[BrushRing, ...] = ()
    """Further rings: what symmetry makes of the brush; of all rings the first 16 are drawn."""
    marks: tuple[Mark, ...] = ()
    """Lines over the picture, later ones over earlier ones."""
    tolerance: float | None = None
    """Pixels by which the drawn surface may stray from the true one; 0 draws every vertex, None suits the GPU."""

    @property
    def sun(self) -> NDArray[np.float64]:
        """Unit vector (3) towards the sun."""
        level = math.cos(self.sun_elevation)
        return np.array(
            [math.sin(self.sun_azimuth) * level, math.cos(self.sun_azimuth) * level, math.sin(self.sun_elevation)]
        )

    @property
    def studio(self) -> bool:
        """True if the ground is shown before a plain backdrop, without sun, haze or the sea's optics."""
        return self.tint in STUDIO

    @property
    def rings(self) -> tuple[BrushRing, ...]:
        """All rings to draw, the brush's own first."""
        own = () if self.brush is None else (self.brush,)
        return (*own, *self.images)[:MOST_RINGS]
