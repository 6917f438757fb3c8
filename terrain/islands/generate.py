"""Generate an island in one go: shape, rivers, rain, and a last look at what does not drain."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.droplets import DropletParams, droplets
from terrain.erosion.finish import FinishParams, finish
from terrain.erosion.fluvial import FluvialParams, fluvial
from terrain.erosion.outcome import Progress, part, quiet
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.islands.archipelago import archipelago
from terrain.islands.atoll import atoll
from terrain.islands.base import Base
from terrain.islands.fjord import fjord
from terrain.islands.frame import Grid, Plan, plan_of
from terrain.islands.high import high
from terrain.islands.lay import laid
from terrain.islands.outline import drawn
from terrain.islands.params import IslandParams, Kind
from terrain.islands.tidy import tidy
from terrain.islands.volcanic import volcanic

Shape = Callable[[Plan, Grid | None, Progress], Base]

KINDS: dict[Kind, Shape] = {
    "high": high,
    "archipelago": archipelago,
    "atoll": atoll,
    "volcanic": volcanic,
    "fjord": fjord,
}


def generate(
    rows: int,
    cols: int,
    cell: float,
    params: IslandParams,
    *,
    sea: float = 0.0,
    origin: tuple[float, float] = (0.0, 0.0),
    progress: Progress = quiet,
) -> NDArray[np.float32]:
    """Offsets float32 (rows, cols, 3) of an island in the middle of a map; nothing is displaced sideways.

    sea: height of the sea, metres. origin: world place of the south-western vertex, for the drawn outline. progress:
    called often with the share done, may raise to cancel. The shape is made on a plan that knows no cells, so that
    the same map on finer cells has the same island with more detail. All land drains to the sea, or over the border
    where a drawn coast reaches it. Raises `SkerryError` for an outline that is none or a map too small.
    """
    if min(rows, cols) < 16:
        raise SkerryError(f"an island needs a map of 16 vertices a side or more, not {cols}x{rows}")
    plan = plan_of(rows, cols, cell, params)
    inland = None if params.outline is None else drawn(plan, origin)
    base = KINDS[params.kind](plan, inland, part(progress, 0.0, 0.25))
    height = laid(plan, base, rows, cols, cell, part(progress, 0.25, 0.35))
    progress(0.35)
    tidy(height, cell, max(base.specks * plan.radius**2, 4.0 * cell * cell))
    field = VectorField.from_heights(height, cell)
    field = _rivers(field, params.age * base.aged, base.steepest, part(progress, 0.35, 0.6))
    progress(0.6)
    _raise_to(field, base.summit)
    progress(0.6)
    if params.detail and base.rain > 0.0:
        field = _rain(field, plan, base, part(progress, 0.6, 0.85))
    # Lifted before the last hollows go: their ways out fall by so little that rounding would undo them.
    field.offset[..., 2] += np.float32(sea)
    return finish(field, FinishParams(), sea, progress=part(progress, 0.85, 1.0)).offset


def _rivers(field: VectorField, age: float, steepest: float, progress: Progress) -> VectorField:
    if age <= 0.0:
        return field
    width, depth = field.rest_size
    channel = 2e-6 * max(width, depth) ** 2
    rivers = FluvialParams(age=age, channel=channel, steepest=steepest)
    return VectorField(fluvial(field, rivers, 0.0, progress=progress).offset, field.cell)


def _raise_to(field: VectorField, summit: float) -> None:
    """Stretch the land to the height it should have; slopes keep their order, so that water keeps its ways."""
    height = field.offset[..., 2]
    top = float(height.max())
    if summit > 0.0 and top > 0.0:
        np.multiply(height, np.float32(summit / top), out=height, where=height > 0.0)


def _rain(field: VectorField, plan: Plan, base: Base, progress: Progress) -> VectorField:
    """Rain whose reach grows with the map, as a droplet of one length would cost a large map too much."""
    extent = max(plan.width, plan.depth)
    steps = 0.012 * extent / field.cell
    params = DropletParams(
        seed=plan.params.seed,
        density=min(0.5, 15.0 / max(steps, 1.0)),
        strength=base.rain * 1e-5 * extent,
        reach=max(0.012 * extent, 2.0 * field.cell),
        radius=0.0004 * extent,
    )
    done = droplets(field, params, 0.0, progress=progress).offset
    # The coast stays where it is, as rain would leave puddles and bars along it.
    land = field.offset[..., 2] > 0.0
    done[..., 2] = np.where(land, np.maximum(done[..., 2], np.float32(0.02)), np.minimum(done[..., 2], 0.0))
    return VectorField(done, field.cell)
