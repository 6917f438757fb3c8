"""Filters that lay noise on the map: fractal, scattered points, and the warp of what is there."""

from typing import Annotated

from plugins.api import Job, Operation, Params, Patch, Rect, Scene, about
from plugins.registry import operation
from terrain.filters.blend import Blend, Mode
from terrain.filters.noise import Kind, noise
from terrain.filters.voronoi import Shape, voronoi
from terrain.filters.warp import warp

Seed = Annotated[int, about("Another number, another pattern", ge=0, le=2**31 - 1)]
Octaves = Annotated[int, about("Layers of finer and finer detail", ge=1, le=12)]
Gain = Annotated[float, about("Height of each layer as a share of the one before", ge=0, le=2, group="Detail")]
Lacunarity = Annotated[float, about("How much finer each layer is", ge=1.01, le=8, group="Detail")]
Join = Annotated[Mode, about("How the pattern joins the land")]
Base = Annotated[
    float,
    about(
        "Height that it starts from (not for 'add'); automatic: the sea's",
        unit="m",
        ge=-1e6,
        le=1e6,
        group="Joining the land",
    ),
]
Relief = Annotated[
    float,
    about("Multiply: height above the base where it is full", unit="m", ge=0.01, le=1e6, group="Joining the land"),
]


class NoiseParams(Params, frozen=True, kw_only=True):
    """Which noise, how high and how large."""

    kind: Annotated[Kind, about("Rolling (fbm), sharp crests (ridged) or round bumps (billow)")] = "fbm"
    amplitude: Annotated[
        float, about("How far it reaches: up and down for fbm, upwards for the others", unit="m", ge=0, le=1e5)
    ] = 20.0
    size: Annotated[float, about("Size of the largest features", unit="m", ge=0.01, le=1e6)] = 120.0
    octaves: Octaves = 6
    mode: Join = "add"
    seed: Seed = 1
    gain: Gain = 0.5
    lacunarity: Lacunarity = 2.0
    base: Base | None = None
    relief: Relief = 100.0


def _blend(scene: Scene, params: "NoiseParams | VoronoiParams") -> Blend:
    return Blend(params.mode, scene.terrain.sea_level if params.base is None else params.base, params.relief)


@operation
class Noise(Operation):
    """Lay fractal noise on the heights: hills, ridges or billows."""

    id = "noise"
    label = "Noise"
    menu = "Filter"
    Params = NoiseParams

    def run(self, scene: Scene, params: NoiseParams, job: Job) -> Patch:
        """The land with noise on it."""
        job.progress(0.0, "making noise")
        offset = noise(
            scene.terrain.field, params.kind, params.amplitude, params.size, params.octaves, params.gain,
            params.lacunarity, params.seed, _blend(scene, params),
        )  # fmt: skip
        return Patch({"offset": (Rect.of(offset), offset)})


class VoronoiParams(Params, frozen=True, kw_only=True):
    """Which pattern, how high and how large."""

    shape: Annotated[Shape, about("Level cells, domes, cells between cracks, or craters, which go down")] = "cells"
    amplitude: Annotated[
        float, about("Height of the highest, or depth of the deepest crater", unit="m", ge=0, le=1e5)
    ] = 10.0
    size: Annotated[float, about("Distance of the points on average", unit="m", ge=0.01, le=1e6)] = 60.0
    density: Annotated[float, about("Share of the points that bear a crater", ge=0, le=1)] = 0.6
    octaves: Octaves = 1
    mode: Join = "add"
    seed: Seed = 1
    gain: Gain = 0.5
    lacunarity: Lacunarity = 2.0
    base: Base | None = None
    relief: Relief = 100.0


@operation
class Voronoi(Operation):
    """Lay a pattern of scattered points on the heights: cells, domes, cracks or craters."""

    id = "voronoi"
    label = "Voronoi"
    menu = "Filter"
    Params = VoronoiParams

    def run(self, scene: Scene, params: VoronoiParams, job: Job) -> Patch:
        """The land with the pattern on it."""
        job.progress(0.0, "scattering points")
        offset = voronoi(
            scene.terrain.field, params.shape, params.amplitude, params.size, params.octaves, params.gain,
            params.lacunarity, params.density, params.seed, _blend(scene, params),
        )  # fmt: skip
        return Patch({"offset": (Rect.of(offset), offset)})


class WarpParams(Params, frozen=True, kw_only=True):
    """How far and how finely the land is pushed about."""

    distance: Annotated[float, about("How far land is moved at most", unit="m", ge=0, le=1e5)] = 30.0
    size: Annotated[
        float, about("Size of the largest swirls; thrice the distance or more", unit="m", ge=0.01, le=1e6)
    ] = 150.0
    octaves: Octaves = 3
    seed: Seed = 1
    gain: Gain = 0.5
    lacunarity: Lacunarity = 2.0


@operation
class Warp(Operation):
    """Push the land about sideways, overhangs as they are, so that straight lines and circles wander."""

    id = "warp"
    label = "Warp"
    menu = "Filter"
    Params = WarpParams

    def run(self, scene: Scene, params: WarpParams, job: Job) -> Patch:
        """The warped land."""
        job.progress(0.0, "warping")
        offset = warp(
            scene.terrain.field,
            params.distance,
            params.size,
            params.octaves,
            params.gain,
            params.lacunarity,
            params.seed,
        )
        return Patch({"offset": (Rect.of(offset), offset)})
