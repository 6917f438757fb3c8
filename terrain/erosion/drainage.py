"""Where water runs: every vertex's way to the sea, out of every hollow, and the area that drains through it."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.outcome import Grid, Progress, part, quiet, spans
from terrain.kernel import kernel
from terrain.noise import hash2

Indices = NDArray[np.int32]

STEPS = np.array([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)], np.int64)
"""Row and column steps to the eight neighbours, from east counter-clockwise."""


class Routes(NamedTuple):
    """A tree over all vertices, rooted in the outlets; indices count row by row."""

    receiver: Indices
    """(n,): the neighbour to which a vertex drains; an outlet drains to itself."""
    order: Indices
    """(n,): every vertex after its receiver."""
    level: Grid
    """(rows, cols): height to which water stands before it flows off: the height itself outside hollows."""


def outlets_of(height: Grid, sea: float = -math.inf) -> NDArray[np.bool_]:
    """Where water leaves a map: at its border, and in whatever lies at or below the sea."""
    out = height <= sea
    out[[0, -1]] = True
    out[:, [0, -1]] = True
    return out


def routes_of(
    height: Grid,
    outlet: NDArray[np.bool_],
    sideways: Grid | None = None,
    cell: float = 1.0,
    seed: int = 0,
    progress: Progress = quiet,
) -> Routes:
    """The way of water from every vertex to an outlet.

    Priority flood (Barnes, Lehman and Mulla 2014), in which the vertices of a hollow are visited lowest first, so that
    water crosses it along its drowned valley floor and not in straight lines. Elsewhere water runs to the steepest
    neighbour, diagonals at random lengths of the right mean (Rho8, Fairfield and Leymarie 1991), as plain steepest
    descent draws valleys in eight directions. sideways: (rows, cols, 2) displacement of the vertices, metres.
    """
    rows, cols = height.shape
    order, receiver = np.empty(height.size, np.int32), np.empty(height.size, np.int32)
    level = np.empty((rows, cols), np.float32)
    shore = _shore(height.size)
    state = np.zeros(3, np.int64)
    _open(height, outlet, receiver, level, shore, state)
    flooding = part(progress, 0.0, 0.8)
    for _, end in spans(height.size, flooding):
        _flood(height, end, order, receiver, level, shore, state)
    del shore
    rank = np.empty(height.size, np.int32)
    rank[order] = np.arange(height.size, dtype=np.int32)
    where = _NOWHERE if sideways is None else sideways
    for first, end in spans(height.size, part(progress, 0.8, 1.0)):
        _steepest(height, first, end, outlet, level, rank, where, cell, seed, receiver)
    return Routes(receiver, order, level)


class _Shore(NamedTuple):
    """The flood's edge: heaps of what lies beyond its water and of what lies in it, and what has been seen."""

    keys: Grid
    items: Indices
    low_keys: Grid
    low_items: Indices
    seen: NDArray[np.bool_]


def _shore(count: int) -> _Shore:
    def heap() -> tuple[Grid, Indices]:
        return np.empty(count, np.float32), np.empty(count, np.int32)

    return _Shore(*heap(), *heap(), np.zeros(count, np.bool_))


_NOWHERE = np.empty((0, 0, 2), np.float32)


def gather_down(routes: Routes, amount: NDArray[np.float64], progress: Progress = quiet) -> NDArray[np.float64]:
    """What passes every vertex (rows, cols) if each sheds an amount (rows, cols) downstream, its own included."""
    total = amount.copy()
    for first, end in spans(total.size, progress):
        _gather(routes.order, total.size - end, total.size - first, routes.receiver, total.reshape(-1))
    return total


def directions(routes: Routes, shape: tuple[int, int]) -> Grid:
    """The way water takes, float32 (rows, cols), degrees from east, counter-clockwise; -1 at outlets."""
    out = np.empty(shape, np.float32)
    _directions(routes.receiver, out)
    return out


@kernel
def _push(keys: Grid, items: Indices, size: int, key: np.float32, item: int) -> None:
    """Add to a binary heap of `size`, lowest key first, then lowest item."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if keys[above] < key or (keys[above] == key and items[above] < item):
            break
        keys[at], items[at] = keys[above], items[above]
        at = above
    keys[at], items[at] = key, item


@kernel
def _pop(keys: Grid, items: Indices, size: int) -> int:
    """Take the lowest from a binary heap of `size`."""
    first: int = items[0]
    key, item = keys[size - 1], items[size - 1]
    size -= 1
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        right = below + 1
        if right < size and (keys[right] < keys[below] or (keys[right] == keys[below] and items[right] < items[below])):
            below = right
        if key < keys[below] or (key == keys[below] and item < items[below]):
            break
        keys[at], items[at] = keys[below], items[below]
        at = below
    keys[at], items[at] = key, item
    return first


@kernel
def _open(
    height: Grid, outlet: NDArray[np.bool_], parent: Indices, level: Grid, shore: _Shore, state: NDArray[np.int64]
) -> None:
    """Start a flood at the outlets; state: sizes of both heaps, vertices done."""
    cols = height.shape[1]
    for row in range(height.shape[0]):
        for col in range(cols):
            if outlet[row, col]:
                i = row * cols + col
                shore.seen[i], parent[i], level[row, col] = True, i, height[row, col]
                _push(shore.keys, shore.items, state[0], height[row, col], i)
                state[0] += 1


@kernel
def _flood(
    height: Grid, end: int, order: Indices, parent: Indices, level: Grid, shore: _Shore, state: NDArray[np.int64]
) -> None:
    """Go on with a flood until `end` vertices are done."""
    rows, cols = height.shape
    heights, levels = height.reshape(-1), level.reshape(-1)
    keys, items, low_keys, low_items, seen = shore
    size, low, count = state
    while count < end and (size > 0 or low > 0):
        # The hollow that was opened is emptied, lowest first, before anything beyond its rim.
        if low > 0:
            i = _pop(low_keys, low_items, low)
            low -= 1
        else:
            i = _pop(keys, items, size)
            size -= 1
        order[count] = i
        count += 1
        row, col, here = i // cols, i % cols, levels[i]
        for k in range(8):
            r, c = row + STEPS[k, 0], col + STEPS[k, 1]
            if not (0 <= r < rows and 0 <= c < cols):
                continue
            n = r * cols + c
            if seen[n]:
                continue
            seen[n], parent[n] = True, i
            if heights[n] <= here:
                levels[n] = here
                _push(low_keys, low_items, low, heights[n], n)
                low += 1
            else:
                levels[n] = heights[n]
                _push(keys, items, size, heights[n], n)
                size += 1
    state[0], state[1], state[2] = size, low, count


@kernel
def stride(sideways: NDArray[np.float32], cell: float, row: int, col: int, r: int, c: int) -> float:
    """Level distance between two vertices, metres."""
    x, y = (c - col) * cell, (r - row) * cell
    if sideways.shape[0] > 0:
        x += sideways[r, c, 0] - sideways[row, col, 0]
        y += sideways[r, c, 1] - sideways[row, col, 1]
    return max(math.sqrt(x * x + y * y), 1e-3 * cell)


@kernel
def _steepest(
    height: Grid,
    first: int,
    end: int,
    outlet: NDArray[np.bool_],
    level: Grid,
    rank: Indices,
    sideways: NDArray[np.float32],
    cell: float,
    seed: int,
    receiver: Indices,
) -> None:
    """Outside hollows, drain to the steepest of those neighbours that lie nearer to an outlet: no circle can arise."""
    rows, cols = height.shape
    for i in range(first, end):
        row, col = i // cols, i % cols
        here, best = height[row, col], 0.0
        if outlet[row, col] or level[row, col] > here:
            continue
        for k in range(8):
            r, c = row + STEPS[k, 0], col + STEPS[k, 1]
            if not (0 <= r < rows and 0 <= c < cols):
                continue
            fall = float(here - height[r, c])
            if not fall > 0.0 or rank[r * cols + c] >= rank[i]:
                continue
            far = stride(sideways, cell, row, col, r, c)
            if k % 2 == 1:
                far *= (2.0 - hash2(col, row, 8 * seed + k) / 4294967296.0) / math.sqrt(2.0)
            if fall / far > best:
                best = fall / far
                receiver[i] = r * cols + c


@kernel
def _gather(order: Indices, first: int, end: int, receiver: Indices, total: NDArray[np.float64]) -> None:
    for k in range(end - 1, first - 1, -1):
        i = order[k]
        if receiver[i] != i:
            total[receiver[i]] += total[i]


@kernel
def _directions(receiver: Indices, out: Grid) -> None:
    rows, cols = out.shape
    for row in range(rows):
        for col in range(cols):
            to = receiver[row * cols + col]
            r, c = to // cols - row, to % cols - col
            out[row, col] = -1.0 if r == 0 and c == 0 else math.degrees(math.atan2(r, c)) % 360.0
