"""Hollows that hold water: filled in part, breached for the rest, or kept as lakes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.drainage import STEPS, Indices, Routes, routes_of, stride
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


def lay_banks(
    height: Grid,
    before: Grid,
    still: NDArray[np.bool_],
    slope: float,
    sideways: NDArray[np.float32],
    cell: float,
) -> None:
    """Lower, in place, what stands beside vertices that were cut, by less and less, so that no slot stays a slot.

    before: the heights before they were cut. slope: how fast the depth of the cut runs out, metres a metre. What is
    lowered stays above the vertex that it was lowered for, so no hollow arises. still: vertices that never move.
    """
    cut = height < before
    seeds = np.flatnonzero(cut & ~still).astype(np.int32)
    if len(seeds):
        _spread(height, before, seeds, still, slope, sideways, cell)


_LEAST_BANK = 0.02
"""Slope at least, metres a metre, of what is lowered towards what it is lowered for."""


@kernel
def _spread(
    height: Grid,
    before: Grid,
    seeds: Indices,
    still: NDArray[np.bool_],
    slope: float,
    sideways: NDArray[np.float32],
    cell: float,
) -> None:
    """Breadth first; each vertex waits at most once at a time, so a ring of all vertices is long enough."""
    rows, cols = height.shape
    ring, waits = np.empty(height.size, np.int32), np.zeros(height.size, np.bool_)
    head, count = 0, len(seeds)
    for k in range(count):
        ring[k], waits[seeds[k]] = seeds[k], True
    while count > 0:
        i = ring[head]
        head, count, waits[i] = (head + 1) % len(ring), count - 1, False
        row, col = i // cols, i % cols
        here, depth = height[row, col], before[row, col] - height[row, col]
        for k in range(8):
            r, c = row + STEPS[k, 0], col + STEPS[k, 1]
            if not (0 <= r < rows and 0 <= c < cols) or still[r, c]:
                continue
            far = stride(sideways, cell, row, col, r, c)
            if depth <= slope * far:
                continue
            low = np.float32(max(before[r, c] - (depth - slope * far), here + _LEAST_BANK * far))
            if low < height[r, c]:
                height[r, c] = low
                n = r * cols + c
                if not waits[n]:
                    ring[(head + count) % len(ring)], waits[n] = n, True
                    count += 1
