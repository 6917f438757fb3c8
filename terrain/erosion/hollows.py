"""Hollows that hold water: filled in part, breached for the rest, or kept as lakes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.drainage import Indices, Routes, routes_of
from terrain.erosion.outcome import Grid, Progress, part, quiet, spans
from terrain.kernel import kernel


class Lakes(NamedTuple):
    """Which hollows are kept: those as large and as deep as this, at least."""

    area: float
    """Square metres."""
    depth: float
    """Metres at the deepest place."""


def drain(
    height: Grid,
    outlet: NDArray[np.bool_],
    fill: float,
    *,
    lakes: Lakes | None = None,
    fixed: NDArray[np.bool_] | None = None,
    rough: Grid | None = None,
    sideways: Grid | None = None,
    cell: float = 1.0,
    seed: int = 0,
    progress: Progress = quiet,
) -> tuple[Routes, Grid]:
    """Give every vertex a falling way to an outlet or a kept lake, in place; returns the ways, and the lakes' depth.

    fill: share of a hollow's depth that is filled first, 0..1; what is left is breached along its valley floor.
    fixed: (rows, cols), vertices that never move. rough: (rows, cols), metres of roughness that water feels and that is
    no part of the heights.
    """
    felt = height if rough is None else height + rough
    first = routes_of(felt, outlet, sideways, cell, seed, part(progress, 0.0, 0.45))
    depth = first.level - felt
    kept = _lakes(depth, lakes, cell) if lakes is not None else np.zeros(height.shape, np.bool_)
    still = kept if fixed is None else kept | fixed
    if fill > 0.0:
        height += np.where(still, np.float32(0.0), np.float32(fill) * depth)
        felt = height if rough is None else height + rough
        routes = routes_of(felt, outlet, sideways, cell, seed, part(progress, 0.5, 0.95))
    else:
        routes = first
    for start, end in spans(height.size, part(progress, 0.95, 1.0)):
        _carve(
            routes.order, height.size - end, height.size - start, routes.receiver, still.reshape(-1), height.reshape(-1)
        )
    return routes, np.where(kept, depth, np.float32(0.0))


def _lakes(depth: Grid, lakes: Lakes, cell: float) -> NDArray[np.bool_]:
    from scipy.ndimage import label, maximum

    numbers, count = label(depth > 0.0, np.ones((3, 3)))
    if count == 0:
        return np.zeros(depth.shape, np.bool_)
    areas = np.bincount(numbers.reshape(-1), minlength=count + 1) * cell * cell
    deepest = np.concatenate([[0.0], np.asarray(maximum(depth, numbers, np.arange(1, count + 1)))])
    keep = (areas >= lakes.area) & (deepest >= lakes.depth)
    keep[0] = False
    return np.asarray(keep[numbers])


@kernel
def _carve(
    order: Indices, first: int, end: int, receiver: Indices, still: NDArray[np.bool_], height: NDArray[np.float32]
) -> None:
    """From the springs down, lay every vertex's receiver below it, by the least that float32 knows."""
    for k in range(end - 1, first - 1, -1):
        i = order[k]
        to = receiver[i]
        if to == i or still[i] or still[to]:
            continue
        if height[to] >= height[i]:
            height[to] = np.nextafter(height[i], np.float32(-np.inf))
