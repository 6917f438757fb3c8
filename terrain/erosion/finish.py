"""The last step: no hollow that should not be, valley floors that fall, and the maps of water that follow from it."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.drainage import Indices, Routes, directions, gather_down, outlets_of, stride
from terrain.erosion.ground import check_inputs, footing_of, moved, store
from terrain.erosion.hollows import Lakes, drain, lay_banks
from terrain.erosion.outcome import Eroded, Grid, Progress, part, quiet, spans
from terrain.field import VectorField
from terrain.kernel import kernel
from terrain.params import Params, about

_CONCAVITY = 0.2
"""How the slope of a graded valley floor falls with the area that drains through it."""

_STREAM = 1e-3
"""Share of the land that a stream drains whose floor has the grade that is asked for."""

_NO_OFFSET = np.empty((0, 0, 2), np.float32)


class FinishParams(Params, frozen=True, kw_only=True):
    """What happens to hollows and valley floors."""

    fill: Annotated[float, about("Share of every hollow that is filled; the rest is breached", ge=0, le=1)] = 0.6
    grade: Annotated[
        float, about("Least slope of a valley floor that drains 1/1000 of the land, over its mean slope", ge=0, le=1)
    ] = 0.08
    bank: Annotated[float, about("Slope of the banks where a hollow is breached", unit="°", ge=1, le=89)] = 15.0
    keep_lakes: Annotated[bool, about("Large and deep hollows stay and hold water")] = False
    lake_area: Annotated[float, about("Smallest lake that is kept", unit="m²", ge=0, le=1e10)] = 5000.0
    lake_depth: Annotated[float, about("Shallowest lake that is kept", unit="m", ge=0, le=1e4)] = 2.0


def finish(
    field: VectorField,
    params: FinishParams,
    sea: float = -math.inf,
    *,
    softness: Grid | None = None,
    progress: Progress = quiet,
) -> Eroded:
    """Fill and breach every hollow but kept lakes, so that all land drains to the sea, the border or a lake.

    Grids: wear, deposit; `flow`: area that drains through a vertex, m²; `lake`: depth of its water, m; `direction`: of
    the flow, degrees from east, counter-clockwise, -1 at outlets; `wetness`: ln(area per width / slope) (Beven and
    Kirkby 1979). softness: 0..1 (rows, cols); where it is 0 nothing moves, and hollows stay. Vertices that look down
    stay. Raises `SkerryError`.
    """
    check_inputs(field, softness=softness)
    footing = footing_of(field)
    displaced = footing.area.size > 0
    height = np.ascontiguousarray(field.offset[..., 2])
    sideways = np.ascontiguousarray(field.offset[..., :2]) if displaced else None
    fixed = footing.area <= 0.0 if displaced else None
    if softness is not None:
        fixed = softness <= 0.0 if fixed is None else fixed | (softness <= 0.0)
    before, outlet = height.copy(), outlets_of(height, sea)
    lakes = Lakes(params.lake_area, params.lake_depth) if params.keep_lakes else None
    routes, lake = drain(
        height, outlet, params.fill, lakes=lakes, fixed=fixed, sideways=sideways, cell=field.cell,
        progress=part(progress, 0.0, 0.8),
    )  # fmt: skip
    shed = np.full(height.shape, field.cell**2)
    if displaced:
        shed *= footing.area
    drained = gather_down(routes, shed, part(progress, 0.8, 0.85))
    kept = lake > 0.0 if fixed is None else (lake > 0.0) | fixed
    if params.grade > 0.0:
        least = params.grade * _mean_slope(height, outlet, field.cell)
        unit = _STREAM * float(np.sum(shed, where=~outlet))
        where = _none(sideways)
        for first, end in spans(height.size, part(progress, 0.85, 0.9)):
            _grade(height, routes.order[first:end], routes.receiver, drained, kept, where, field.cell, least, unit)
    still = kept | outlet
    lay_banks(height, before, still, math.tan(math.radians(params.bank)), _none(sideways), field.cell)
    gained = np.maximum(height - before, 0.0).astype(np.float64)
    eroded = store(field, footing, height.astype(np.float64), gained)
    maps = _maps(height, routes, drained, lake, sideways, field.cell, part(progress, 0.9, 1.0))
    return Eroded(eroded.offset, {**eroded.grids, **maps}, moved(field, footing, eroded))


def _maps(
    height: Grid,
    routes: Routes,
    drained: NDArray[np.float64],
    lake: Grid,
    sideways: Grid | None,
    cell: float,
    progress: Progress,
) -> dict[str, Grid]:
    wetness = np.empty_like(height)
    for first, end in spans(height.size, progress):
        _wetness(height, first, end, routes.receiver, drained, _none(sideways), cell, wetness)
    return {
        "flow": drained.astype(np.float32),
        "lake": lake,
        "direction": directions(routes, height.shape),
        "wetness": wetness,
    }


def _mean_slope(height: Grid, outlet: NDArray[np.bool_], cell: float) -> float:
    """Root mean square slope of the land."""
    land = ~(outlet[:-1, :-1] | outlet[:-1, 1:] | outlet[1:, :-1])
    east, north = height[:-1, 1:] - height[:-1, :-1], height[1:, :-1] - height[:-1, :-1]
    square = np.sum(east * east + north * north, where=land, dtype=np.float64)
    return math.sqrt(float(square) / max(int(land.sum()), 1)) / cell


def _none(sideways: Grid | None) -> NDArray[np.float32]:
    return _NO_OFFSET if sideways is None else sideways


@kernel
def _grade(
    height: Grid,
    order: Indices,
    receiver: Indices,
    drained: NDArray[np.float64],
    still: NDArray[np.bool_],
    sideways: NDArray[np.float32],
    cell: float,
    grade: float,
    unit: float,
) -> None:
    """From the mouths up, lay every vertex above its receiver, by the slope that sediment takes. unit: m²."""
    cols, flat = height.shape[1], height.reshape(-1)
    area, kept = drained.reshape(-1), still.reshape(-1)
    for i in order:
        to = receiver[i]
        if to == i or kept[i] or kept[to]:
            continue
        far = stride(sideways, cell, i // cols, i % cols, to // cols, to % cols)
        least = np.float32(flat[to] + grade * max(area[i] / unit, 1.0) ** -_CONCAVITY * far)
        if flat[i] < least:
            flat[i] = least


@kernel
def _wetness(
    height: Grid,
    first: int,
    end: int,
    receiver: Indices,
    drained: NDArray[np.float64],
    sideways: NDArray[np.float32],
    cell: float,
    wetness: Grid,
) -> None:
    cols, flat, area, out = height.shape[1], height.reshape(-1), drained.reshape(-1), wetness.reshape(-1)
    for i in range(first, end):
        to = receiver[i]
        slope = 1e-3
        if to != i:
            far = stride(sideways, cell, i // cols, i % cols, to // cols, to % cols)
            slope = max((float(flat[i]) - float(flat[to])) / far, 1e-3)
        out[i] = np.float32(math.log(max(area[i], 1e-6) / cell / slope))
