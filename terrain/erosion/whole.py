"""The default for a whole map: rivers, rain, coast, then the last hollows."""

import math
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Annotated

import numpy as np

from terrain.erosion.coastal import CoastalParams, coastal
from terrain.erosion.droplets import DropletParams, droplets
from terrain.erosion.finish import FinishParams, finish
from terrain.erosion.fluvial import FluvialParams, fluvial
from terrain.erosion.ground import check_inputs
from terrain.erosion.outcome import Eroded, Grid, Ledger, Progress, is_displaced, part, quiet
from terrain.field import VectorField
from terrain.params import Params, about


class ErodeParams(Params, frozen=True, kw_only=True):
    """How old the land is, and what has worked on it."""

    seed: Annotated[int, about("Another seed, other rain", ge=0, le=2**31 - 1)] = 1
    age: Annotated[
        float, about("Thousand years of rivers; in each, a stream that drains 1 km² cuts 10 m headward", ge=0, le=1e5)
    ] = 80.0
    rain: Annotated[float, about("How deep rain carves; 0 for none", unit="m", ge=0, le=100)] = 0.12
    creep: Annotated[float, about("How fast slopes round off, each thousand years", unit="m²", ge=0, le=1e4)] = 0.1
    coast: Annotated[float, about("How long waves have worked on the coast, 0 for not at all", ge=0, le=1)] = 1.0
    keep_lakes: Annotated[bool, about("Large and deep hollows stay and hold water")] = False


def erode(
    field: VectorField,
    params: ErodeParams,
    sea: float = -math.inf,
    *,
    softness: Grid | None = None,
    rainfall: Grid | None = None,
    progress: Progress = quiet,
) -> Eroded:
    """Erode a whole map: afterwards all its land drains to the sea (height `sea`, metres), the border or a kept lake.

    softness, rainfall: 0..1 (rows, cols), where the ground erodes and where it rains. Grids: wear, deposit, sediment,
    flow, lake, direction, wetness; beach and cliff where there is a sea. Raises `SkerryError`; progress may cancel.
    """
    check_inputs(field, softness=softness, rainfall=rainfall)
    steps = _steps(params, sea, softness, rainfall)
    total, done, parts = sum(share for share, _ in steps), 0.0, []
    land = field
    for share, step in steps:
        parts.append(step(land, part(progress, done / total, (done + share) / total)))
        land = replace(field, offset=parts[-1].offset)
        done += share
    return _together(field, parts)


_Step = Callable[[VectorField, Progress], Eroded]


def _steps(params: ErodeParams, sea: float, softness: Grid | None, rainfall: Grid | None) -> list[tuple[float, _Step]]:
    """What is done, one after the other, and its share of the time."""
    steps: list[tuple[float, _Step]] = []
    if params.age > 0.0:
        rivers = FluvialParams(age=params.age, creep=params.creep)
        steps.append((0.35, lambda land, report: fluvial(land, rivers, sea, softness=softness, progress=report)))
    if params.rain > 0.0:
        rain = DropletParams(seed=params.seed, strength=params.rain)
        steps.append((0.3, lambda land, report: droplets(
            land, rain, sea, softness=softness, rainfall=rainfall, progress=report
        )))  # fmt: skip
    if params.coast > 0.0 and sea > -math.inf:
        waves = CoastalParams(seed=params.seed, strength=params.coast)
        steps.append((0.2, lambda land, report: coastal(land, waves, sea, softness=softness, progress=report)))
    last = FinishParams(keep_lakes=params.keep_lakes)
    steps.append((0.15, lambda land, report: finish(land, last, sea, softness=softness, progress=report)))
    return steps


def _together(field: VectorField, parts: list[Eroded]) -> Eroded:
    """One result of several that followed one another."""
    deposit, sediment = (np.zeros((field.rows, field.cols), np.float32) for _ in range(2))
    worn = np.zeros_like(deposit)
    grids: dict[str, Grid] = {}
    for each in parts:
        deposit += each.grids["deposit"]
        worn += each.grids["wear"]
        sediment += each.grids["deposit"] - each.grids["wear"]
        np.maximum(sediment, each.grids.get("sediment", np.float32(0.0)), out=sediment)
        grids.update(each.grids)
    offset = parts[-1].offset
    if not is_displaced(field):
        worn = field.offset[..., 2] + deposit - offset[..., 2]
    grids.pop("visits", None)
    ledgers = [each.ledger for each in parts]
    ledger = Ledger(*(sum(getattr(each, name.name) for each in ledgers) for name in fields(Ledger)))
    return Eroded(offset, {**grids, "wear": worn, "deposit": deposit, "sediment": sediment}, ledger)
