"""Masks drawn by hand: rectangle, lasso, and flood from one vertex."""

from typing import Annotated

import numpy as np

from plugins.api import SkerryError, TerrainMap, about
from plugins.bundled.mask_target import MaskGenerator, MaskParams
from plugins.registry import operation
from terrain.masks.combine import Mask
from terrain.masks.flood import Likeness, flood_mask
from terrain.masks.shapes import lasso_mask, rectangle_mask


class RectangleMaskParams(MaskParams, frozen=True, kw_only=True):
    """Two corners in world metres."""

    west: Annotated[float, about("X of one corner", unit="m")] = 0.0
    south: Annotated[float, about("Y of one corner", unit="m")] = 0.0
    east: Annotated[float, about("X of the other corner", unit="m")] = 100.0
    north: Annotated[float, about("Y of the other corner", unit="m")] = 100.0
    feather: Annotated[float, about("How far the rim fades to either side", unit="m", ge=0, le=1e5)] = 0.0


@operation
class RectangleMask(MaskGenerator):
    """Select a rectangle seen straight down."""

    id = "mask-rectangle"
    label = "Rectangle"
    Params = RectangleMaskParams

    def make(self, terrain: TerrainMap, params: RectangleMaskParams) -> Mask:
        """Inside the rectangle."""
        return rectangle_mask(terrain.field, params.west, params.south, params.east, params.north, params.feather)


class LassoMaskParams(MaskParams, frozen=True, kw_only=True):
    """An outline in world metres."""

    points: Annotated[tuple[float, ...], about("Corners of the outline: x, y, x, y, and so on", unit="m")] = ()
    feather: Annotated[float, about("How far the rim fades to either side", unit="m", ge=0, le=1e5)] = 0.0


@operation
class LassoMask(MaskGenerator):
    """Select inside a drawn outline seen straight down."""

    id = "mask-lasso"
    label = "Lasso"
    Params = LassoMaskParams

    def make(self, terrain: TerrainMap, params: LassoMaskParams) -> Mask:
        """Inside the outline."""
        if len(params.points) < 6 or len(params.points) % 2:
            raise SkerryError(
                f"a lasso needs x and y of at least three points, an even count of numbers, not {len(params.points)}"
            )
        return lasso_mask(terrain.field, np.array(params.points, np.float64).reshape(-1, 2), params.feather)


class FloodMaskParams(MaskParams, frozen=True, kw_only=True):
    """Where to start, and what counts as alike."""

    row: Annotated[int, about("Row of the vertex to start from, 0 is south", ge=0)] = 0
    col: Annotated[int, about("Column of the vertex to start from, 0 is west", ge=0)] = 0
    like: Annotated[Likeness, about("What is compared: height, slope, or the way the surface faces")] = "height"
    tolerance: Annotated[float, about("Greatest difference, metres of height or degrees", ge=0, le=1e6)] = 5.0
    soft: Annotated[float, about("How far the rim fades beyond that, in the same unit", ge=0, le=1e6)] = 0.0
    contiguous: Annotated[bool, about("Only what is joined to the vertex")] = True


@operation
class FloodMask(MaskGenerator):
    """Select what is like one vertex, joined to it or anywhere."""

    id = "mask-flood"
    label = "Flood"
    Params = FloodMaskParams

    def make(self, terrain: TerrainMap, params: FloodMaskParams) -> Mask:
        """By likeness."""
        return flood_mask(
            terrain.field, params.row, params.col, params.like, params.tolerance, params.soft, params.contiguous
        )
