"""Mountains that rise while rivers cut into them, so that their valleys join and their ridges part the water."""

import numpy as np

from terrain.erosion.fluvial import FluvialParams, fluvial
from terrain.erosion.outcome import Progress, part
from terrain.islands.frame import Grid, Plan

SIDE = 160
"""Vertices along the longer side; finer valleys come later."""

_ROUNDS = 5
_AGE = 150.0
"""Thousand years in each round; in so many rounds the longest rivers come near to keep pace with the rise."""

_MORE = 1.7
"""How much more rises than is left at the end."""


def mountains(plan: Plan, rise: Grid, height: float, progress: Progress, seed: int = 71) -> Grid:
    """Heights (rows, cols) on the plan of land that rose where `rise` is above 0, at that relative speed.

    The highest summit stands `height` metres above 0; where nothing rose the height is -1. Stream power against
    uplift, as in Braun and Willett (2013), though not to the end: a landscape in balance has no plains.
    """
    coarse = plan.coarser(SIDE)
    at = np.minimum(np.rint(np.arange(coarse.rows) * coarse.cell / plan.cell).astype(int), plan.rows - 1)
    to = np.minimum(np.rint(np.arange(coarse.cols) * coarse.cell / plan.cell).astype(int), plan.cols - 1)
    speed = np.ascontiguousarray(rise[np.ix_(at, to)])
    land = speed > 0.0
    speed *= np.float32(_MORE * height / _ROUNDS / max(float(speed.max()), 1e-6))
    # A little chance at the start decides where the first streams run.
    rough = 0.02 * height * np.abs(coarse.swell(0.25, 5, seed, gain=0.7))
    now = np.where(land, rough + np.float32(0.1), np.float32(-1.0)).astype(np.float32)
    rivers = FluvialParams(age=_AGE, channel=coarse.cell**2, creep=0.004 * coarse.cell**2, steepest=24.0)
    for turn in range(_ROUNDS):
        now += np.where(land, speed, np.float32(0.0))
        done = fluvial(coarse.field(now), rivers, 0.0, progress=part(progress, turn / _ROUNDS, (turn + 1) / _ROUNDS))
        now = np.ascontiguousarray(done.offset[..., 2])
    top = float(now.max())
    now = np.where(now > 0.0, now * np.float32(height / max(top, 1e-3)), now)
    return plan.fitted(now.astype(np.float32), coarse.cell)
