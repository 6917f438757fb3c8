"""Bake sky light: what shading in the hollows needs, once and for all."""

from typing import Annotated

import numpy as np

from plugins.api import Job, Operation, Params, Patch, Rect, Scene, about
from plugins.registry import operation
from terrain.ao import baked, default_reach, sky_light

_BAND = 32
"""Rows between two looks at progress and cancel."""


class AoParams(Params, frozen=True, kw_only=True):
    """How exact, how far, how strong."""

    rays: Annotated[int, about("Directions tried for each vertex; more is smoother and slower", ge=4, le=1024)] = 32
    reach: (
        Annotated[float, about("How far ground hides the sky; automatic: 48 cells", unit="m", ge=0, le=1e6)] | None
    ) = None
    strength: Annotated[float, about("How much of the darkness is kept", ge=0, le=1)] = 1.0


@operation
class BakeSkyLight(Operation):
    """Bake how much of the sky each vertex sees, overhangs and caves included; shading uses it."""

    id = "ao"
    label = "Bake sky light"
    Params = AoParams

    def run(self, scene: Scene, params: AoParams, job: Job) -> Patch:
        """The array `ao`, band by band."""
        terrain = scene.terrain
        rows, cols = terrain.field.rows, terrain.field.cols
        reach = default_reach(terrain.field) if params.reach is None else params.reach
        out = np.empty((rows, cols), np.uint8)
        for row in range(0, rows, _BAND):
            job.progress(row / rows, "looking at the sky")
            band = Rect(row, min(row + _BAND, rows), 0, cols)
            out[band.slices] = baked(sky_light(terrain, band, params.rays, reach), params.strength)
        return Patch({"ao": (Rect.of(out), out)})
