"""Filters that take detail away or bring it out."""

from typing import Annotated

from plugins.api import Job, Operation, Params, Patch, Rect, Scene, about
from plugins.registry import operation
from terrain.filters.blur import What, blur
from terrain.filters.sharpen import sharpen
from terrain.filters.slope_limit import How, limit_slope


class BlurParams(Params, frozen=True, kw_only=True):
    """How far and what."""

    radius: Annotated[float, about("Standard deviation of the Gaussian", unit="m", ge=0, le=1e5)] = 10.0
    what: Annotated[What, about("The whole surface, overhangs too, or its heights alone")] = "all"


@operation
class Blur(Operation):
    """Smooth the surface by metres of ground."""

    id = "blur"
    label = "Blur"
    menu = "Filter"
    Params = BlurParams

    def run(self, scene: Scene, params: BlurParams, job: Job) -> Patch:
        """The smoothed land."""
        job.progress(0.0, "blurring")
        offset = blur(scene.terrain.field, params.radius, params.what)
        return Patch({"offset": (Rect.of(offset), offset)})


class SharpenParams(Params, frozen=True, kw_only=True):
    """How strongly, and what counts as detail."""

    radius: Annotated[float, about("Detail is what a blur of this radius takes away", unit="m", ge=0, le=1e5)] = 10.0
    amount: Annotated[float, about("How much of the detail is added", ge=0, le=20)] = 0.5
    what: Annotated[What, about("The whole surface, overhangs too, or its heights alone")] = "heights"


@operation
class Sharpen(Operation):
    """Bring out what is finer than a radius (unsharp masking)."""

    id = "sharpen"
    label = "Sharpen"
    menu = "Filter"
    Params = SharpenParams

    def run(self, scene: Scene, params: SharpenParams, job: Job) -> Patch:
        """The sharpened land."""
        job.progress(0.0, "sharpening")
        offset = sharpen(scene.terrain.field, params.radius, params.amount, params.what)
        return Patch({"offset": (Rect.of(offset), offset)})


class SlopeLimitParams(Params, frozen=True, kw_only=True):
    """How steep, and what gives way."""

    angle: Annotated[float, about("Steepest slope that may stay", unit="°", ge=0, le=89.9)] = 35.0
    how: Annotated[How, about("Cut the high ground, fill the low, or both so that the volume stays")] = "balance"


@operation
class SlopeLimit(Operation):
    """Let no slope be steeper than an angle; walls fall in and folds grow flat, unless a mask protects them."""

    id = "slope-limit"
    label = "Slope limit"
    menu = "Filter"
    Params = SlopeLimitParams

    def run(self, scene: Scene, params: SlopeLimitParams, job: Job) -> Patch:
        """The land with its steep slopes laid back."""
        job.progress(0.0, "laying slopes back")
        offset = limit_slope(scene.terrain.field, params.angle, params.how)
        return Patch({"offset": (Rect.of(offset), offset)})
