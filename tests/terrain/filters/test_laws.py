"""What every filter keeps to: same bytes, overhangs, nothing at zero strength, metres rather than cells."""

import numpy as np
import pytest

from terrain.field import VectorField
from terrain.filters.beds import Beds
from terrain.filters.blend import Blend
from terrain.filters.blur import blur
from terrain.filters.clamp import clamp
from terrain.filters.curves import curves
from terrain.filters.falloff import falloff
from terrain.filters.noise import noise
from terrain.filters.plateau import plateau
from terrain.filters.sharpen import sharpen
from terrain.filters.slope_limit import limit_slope
from terrain.filters.stitch import stitch
from terrain.filters.strata import strata
from terrain.filters.terrace import terrace
from terrain.filters.voronoi import voronoi
from terrain.filters.warp import warp
from tests.fixtures import arch_map
from tests.terrain.filters.laws import Filter, keeps_the_arch, land, same_at_any_threads, same_on_coarse_cells

BENT = Beds(thickness=3.0, dip=4.0, bend=2.0, bend_size=40.0)


def _stitched(field: VectorField) -> np.ndarray:
    other = VectorField.flat(field.rows, field.cols, field.cell, 5.0, field.origin)
    return stitch(field, other, "west", 30.0)


FILTERS: dict[str, Filter] = {
    "fbm": lambda f: noise(f, "fbm", size=30.0),
    "ridged": lambda f: noise(f, "ridged", size=30.0, blend=Blend("highest", 4.0)),
    "billow": lambda f: noise(f, "billow", size=30.0, blend=Blend("multiply", 0.0, 20.0)),
    "cells": lambda f: voronoi(f, "cells", size=20.0, octaves=2),
    "domes": lambda f: voronoi(f, "domes", size=20.0, octaves=2),
    "cracks": lambda f: voronoi(f, "cracks", size=20.0, octaves=2),
    "craters": lambda f: voronoi(f, "craters", size=20.0, octaves=2),
    "warp": lambda f: warp(f, 5.0, 40.0),
    "terrace": lambda f: terrace(f, BENT),
    "strata": lambda f: strata(f, BENT, 0.6, 20.0),
    "blur": lambda f: blur(f, 2.0),
    "sharpen": lambda f: sharpen(f, 2.0),
    "curves": lambda f: curves(f, (-20, -10, 0, 0, 10, 30)),
    "clamp": lambda f: clamp(f, -2.0, 9.0),
    "plateau": lambda f: plateau(f, 6.0, 2.0),
    "limit": lambda f: limit_slope(f, 30.0),
    "stitch": _stitched,
    "falloff": lambda f: falloff(f, "superellipse", 8.0, coast=6.0, coast_size=30.0),
}
"""Each as it is tried on the arch."""

APART = {
    # Points alone: only the float32 places differ, which a cell's edge or a riser can tell.
    **dict.fromkeys(
        ("fbm", "ridged", "billow", "cells", "domes", "cracks", "craters", "terrace", "curves", "falloff"), 1e-3
    ),
    **dict.fromkeys(("clamp", "plateau"), 0.0),
    # Read between vertices, or from neighbours.
    "warp": 0.01,
    **dict.fromkeys(("strata", "blur", "sharpen"), 0.003),
    "limit": 0.1,
    "stitch": 0.02,
}
"""Metres by which 1 m and 2 m cells may differ."""

BORDER = dict.fromkeys(("strata", "blur", "sharpen"), 5)
"""Coarse cells of border where a blur of one cell's radius meets the kink of the land's mirror image."""

CEILING = {"warp": 0.95, "blur": 0.95}
"""Share of the arch's ceiling that is left where it may move; elsewhere every vertex of it looks down."""

NOTHING: dict[str, Filter] = {
    "noise": lambda f: noise(f, amplitude=0.0),
    "voronoi": lambda f: voronoi(f, amplitude=0.0, blend=Blend("multiply")),
    "warp": lambda f: warp(f, 0.0),
    "terrace": lambda f: terrace(f, strength=0.0),
    "terrace, not sharp": lambda f: terrace(f, sharp=0.0),
    "strata": lambda f: strata(f, reach=0.0),
    "blur": lambda f: blur(f, 0.0),
    "sharpen": lambda f: sharpen(f, amount=0.0),
    "curves": lambda f: curves(f, (0, 5, 10, 20), strength=0.0),
    "curves, straight": lambda f: curves(f, (0, 0, 10, 10)),
    "clamp": lambda f: clamp(f),
    "plateau": lambda f: plateau(f, 0.0, keep=1.0),
    "falloff": lambda f: falloff(f, width=20.0, strength=0.0),
    "stitch, its own twin": lambda f: stitch(
        f, VectorField(f.offset[:, ::-1].copy(), f.cell, f.origin), "east", slopes=False
    ),
}


@pytest.mark.parametrize("name", FILTERS)
def test_same_bytes_again_and_on_any_threads(name: str) -> None:
    same_at_any_threads(FILTERS[name], arch_map().field)


@pytest.mark.parametrize("name", FILTERS)
def test_the_arch_stays_an_arch(name: str) -> None:
    keeps_the_arch(FILTERS[name], CEILING.get(name, 1.0))


@pytest.mark.parametrize("name", APART)
def test_metres_count_and_not_cells(name: str) -> None:
    same_on_coarse_cells(FILTERS[name], APART[name], BORDER.get(name, 0))


@pytest.mark.parametrize("name", NOTHING)
def test_nothing_asked_nothing_changed(name: str) -> None:
    field = arch_map().field
    assert NOTHING[name](field).tobytes() == field.offset.tobytes()


@pytest.mark.parametrize("name", FILTERS)
def test_every_filter_changes_the_arch_and_no_grid_is_too_small(name: str) -> None:
    field = arch_map().field
    assert (FILTERS[name](field) != field.offset).any()
    for rows, cols in ((2, 2), (2, 7), (9, 2)):
        assert np.isfinite(FILTERS[name](VectorField.flat(rows, cols, 1.0, 3.0))).all()


@pytest.mark.parametrize("kind", ["fbm", "ridged", "billow"])
def test_seeds_of_noise_differ(kind: str) -> None:
    one, two = (noise(land(1.0), kind, seed=seed)[..., 2] for seed in (1, 2))  # type: ignore[arg-type]
    assert (one != two).mean() > 0.99


def test_other_seeds_differ() -> None:
    field = land(1.0)
    for made in (
        lambda seed: voronoi(field, "craters", size=20.0, seed=seed),
        lambda seed: voronoi(field, "cells", size=20.0, seed=seed),
        lambda seed: warp(field, seed=seed),
        lambda seed: terrace(field, Beds(bend=3.0, seed=seed)),
        lambda seed: strata(field, Beds(seed=seed), steep=10.0),
        lambda seed: falloff(field, width=10.0, coast=20.0, seed=seed),
    ):
        assert (made(1) != made(2)).mean() > 0.1
