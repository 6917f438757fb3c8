"""Masks made from the shape of the land: height, slope, aspect, curvature, cavity, coast, noise, layer."""

from typing import Annotated

from plugins.api import TerrainMap, about
from plugins.bundled.mask_target import MaskGenerator, MaskParams
from plugins.registry import operation
from terrain.masks.aspect import aspect_mask
from terrain.masks.cavity import Hollow, cavity_mask
from terrain.masks.coast import Side, coast_mask
from terrain.masks.combine import Mask
from terrain.masks.curvature import Bend, curvature_mask
from terrain.masks.height import height_mask
from terrain.masks.layer import layer_mask
from terrain.masks.noise import noise_mask
from terrain.masks.slope import slope_mask


class HeightMaskParams(MaskParams, frozen=True, kw_only=True):
    """From where to where."""

    low: Annotated[float, about("Lower limit", unit="m", ge=-1e6, le=1e6)] = 0.0
    high: Annotated[float, about("Upper limit", unit="m", ge=-1e6, le=1e6)] = 50.0
    soft: Annotated[float, about("How far the rim fades beyond the limits", unit="m", ge=0, le=1e6)] = 5.0


@operation
class HeightMask(MaskGenerator):
    """Select what lies between two heights."""

    id = "mask-height"
    label = "Height"
    Params = HeightMaskParams

    def make(self, terrain: TerrainMap, params: HeightMaskParams) -> Mask:
        """By height."""
        return height_mask(terrain.field, params.low, params.high, params.soft)


class SlopeMaskParams(MaskParams, frozen=True, kw_only=True):
    """How steep."""

    low: Annotated[float, about("Least slope; 0 is level", unit="°", ge=0, le=180)] = 35.0
    high: Annotated[float, about("Greatest slope; 90 is a wall, more hangs over", unit="°", ge=0, le=180)] = 180.0
    soft: Annotated[float, about("How far the rim fades beyond the limits", unit="°", ge=0, le=180)] = 5.0


@operation
class SlopeMask(MaskGenerator):
    """Select by steepness, walls and overhangs included."""

    id = "mask-slope"
    label = "Slope"
    Params = SlopeMaskParams

    def make(self, terrain: TerrainMap, params: SlopeMaskParams) -> Mask:
        """By the slope of the displaced surface."""
        return slope_mask(terrain.field, params.low, params.high, params.soft)


class AspectMaskParams(MaskParams, frozen=True, kw_only=True):
    """Which way."""

    direction: Annotated[float, about("Bearing, clockwise from north", unit="°", ge=-360, le=360)] = 180.0
    width: Annotated[float, about("Farthest turn from it to either side", unit="°", ge=0, le=180)] = 45.0
    soft: Annotated[float, about("How far the rim fades beyond that", unit="°", ge=0, le=180)] = 15.0


@operation
class AspectMask(MaskGenerator):
    """Select slopes that face one side of the sky."""

    id = "mask-aspect"
    label = "Aspect"
    Params = AspectMaskParams

    def make(self, terrain: TerrainMap, params: AspectMaskParams) -> Mask:
        """By the bearing that the surface faces."""
        return aspect_mask(terrain.field, params.direction, params.width, params.soft)


class CurvatureMaskParams(MaskParams, frozen=True, kw_only=True):
    """Which bends, and of what size."""

    bend: Annotated[Bend, about("Where the surface bends out, in, or either way")] = "ridges"
    radius: Annotated[float, about("Size of the ridges and valleys", unit="m", ge=0.01, le=1000)] = 10.0
    full: Annotated[float, about("Turn over the radius that counts as full", unit="°", ge=0.01, le=180)] = 20.0


@operation
class CurvatureMask(MaskGenerator):
    """Select ridges or valleys of a given size."""

    id = "mask-curvature"
    label = "Curvature"
    Params = CurvatureMaskParams

    def make(self, terrain: TerrainMap, params: CurvatureMaskParams) -> Mask:
        """By mean curvature."""
        return curvature_mask(terrain.field, params.radius, params.bend, params.full)


class CavityMaskParams(MaskParams, frozen=True, kw_only=True):
    """Which hollows, and of what size."""

    kind: Annotated[Hollow, about("Hollows, or what stands out")] = "hollows"
    radius: Annotated[float, about("Size of the widest", unit="m", ge=0.01, le=1000)] = 30.0
    scales: Annotated[int, about("How many sizes, each half of the one before", ge=1, le=8)] = 3
    full: Annotated[float, about("Depth that counts as full, as a share of the size", ge=1e-4, le=10)] = 0.1


@operation
class CavityMask(MaskGenerator):
    """Select hollows where dirt and damp gather, or the bumps between them."""

    id = "mask-cavity"
    label = "Cavity"
    Params = CavityMaskParams

    def make(self, terrain: TerrainMap, params: CavityMaskParams) -> Mask:
        """By depth below the smoothed surface."""
        return cavity_mask(terrain.field, params.radius, params.scales, params.full, params.kind)


class CoastMaskParams(MaskParams, frozen=True, kw_only=True):
    """How far from the coast, and on which side."""

    side: Annotated[
        Side, about("Which side of the coast; 'signed': distances below zero are at sea, above zero on land")
    ] = "both"
    low: Annotated[float, about("Least distance", unit="m", ge=-1e6, le=1e6)] = 0.0
    high: Annotated[float, about("Greatest distance", unit="m", ge=-1e6, le=1e6)] = 20.0
    soft: Annotated[float, about("How far the rim fades beyond the limits", unit="m", ge=0, le=1e6)] = 5.0


@operation
class CoastMask(MaskGenerator):
    """Select by distance to the coast, on land, at sea or both."""

    id = "mask-coast"
    label = "Coast"
    Params = CoastMaskParams

    def make(self, terrain: TerrainMap, params: CoastMaskParams) -> Mask:
        """By distance to where the surface meets the sea."""
        return coast_mask(terrain.field, terrain.sea_level, params.low, params.high, params.soft, params.side)


class NoiseMaskParams(MaskParams, frozen=True, kw_only=True):
    """What the patches are like."""

    size: Annotated[float, about("Width of a patch", unit="m", ge=0.01, le=1e6)] = 60.0
    seed: Annotated[int, about("Another number, another pattern", ge=0, le=2**31 - 1)] = 1
    octaves: Annotated[int, about("Layers of ever finer detail", ge=1, le=12)] = 5
    threshold: Annotated[float, about("Level that becomes half; higher leaves less", ge=0, le=1)] = 0.5
    contrast: Annotated[float, about("Hardness of the patches' rims; 1 is soft", ge=0, le=1000)] = 4.0


@operation
class NoiseMask(MaskGenerator):
    """Select patches of fractal noise."""

    id = "mask-noise"
    label = "Noise"
    Params = NoiseMaskParams

    def make(self, terrain: TerrainMap, params: NoiseMaskParams) -> Mask:
        """By noise."""
        return noise_mask(terrain.field, params.size, params.seed, params.octaves, params.threshold, params.contrast)


class LayerMaskParams(MaskParams, frozen=True, kw_only=True):
    """Which layer."""

    layer: Annotated[str, about("Layer whose weight becomes the mask")] = ""


@operation
class LayerMask(MaskGenerator):
    """Select what a material layer covers."""

    id = "mask-layer"
    label = "Layer"
    Params = LayerMaskParams

    def make(self, terrain: TerrainMap, params: LayerMaskParams) -> Mask:
        """By the weight of a layer."""
        return layer_mask(terrain, params.layer)
