"""Values that are no heights: found, counted and filled, so that none enters a field."""

import numpy as np
from numpy.typing import NDArray

_SUSPECTS = (-32768.0, -32767.0, -99999.0, -9999.0)
"""Values that tools write for 'no data' and forget to declare."""

_ABSURD = 1e20
"""No height in any unit is so large; what is, stands for 'no data' (±3.4e38, NetCDF's 9.97e36, GMT's 1e38, ...)."""

_GAP = 0.25
"""A suspect is 'no data' if it lies so far below the rest, as a share of their range. Real sea beds come down to
their deepest sample in smaller steps."""

_EXACT = 50_000
"""So many missing cells are solved exactly; beyond that, time and memory of the sparse solver grow without bound."""


def find_nodata(
    values: NDArray[np.float64], declared: float | None, dtype: np.dtype[np.generic], trust: bool
) -> tuple[NDArray[np.bool_], list[float]]:
    """Where there is no value, and the undeclared values that were taken for 'no data'.

    NaN, ±inf and absurd values always count. In a float `dtype`, `declared` counts as a float32 holds it too: a tag's
    text '-9999.9' comes back as another float64. trust: look for no suspects (a person has named the value).
    """
    missing = ~(np.abs(values) < _ABSURD)
    if declared is not None and np.isfinite(declared):
        missing |= values == declared
        if dtype.kind == "f":
            with np.errstate(over="ignore"):
                missing |= values == float(np.float32(declared))
    found: list[float] = []
    while not trust and (suspect := _undeclared(values[~missing])) is not None:
        missing |= values == suspect
        found.append(suspect)
    return missing, found


def _undeclared(values: NDArray[np.float64]) -> float | None:
    """The lowest value, if it is a suspect and a wide gap parts it from everything else."""
    suspect = float(values.min()) if values.size else 0.0
    if suspect not in _SUSPECTS:
        return None
    rest = values[values != suspect]
    if rest.size == 0:
        return suspect
    low, high = float(rest.min()), float(rest.max())
    # Two suspects may stand together: the rest then begins above the other one.
    if low in _SUSPECTS and (above := rest[rest != low]).size:
        low, high = float(above.min()), float(above.max())
    return suspect if low - suspect > max(_GAP * (high - low), 1.0) else None


def fill_nearest(values: NDArray[np.float64], missing: NDArray[np.bool_]) -> None:
    """Give each missing cell the value of the nearest one that is there, in place."""
    from scipy import ndimage

    nearest = ndimage.distance_transform_edt(missing, return_distances=False, return_indices=True)
    values[missing] = values[tuple(nearest)][missing]


def fill_smooth(values: NDArray[np.float64], missing: NDArray[np.bool_]) -> None:
    """Stretch a membrane over the missing cells: each is the mean of its neighbours (Laplace), in place.

    Exact for small holes; for large ones by cascadic multigrid (Bornemann and Deuflhard 1996), to about 1.3 % of
    the range around the hole.
    """
    if np.count_nonzero(missing) <= _EXACT:
        _solve(values, missing)
    else:
        _cascade(values, missing, 16)


def _cascade(values: NDArray[np.float64], missing: NDArray[np.bool_], sweeps: int) -> None:
    """Solve on half as many rows and columns first, then relax what that gives; more sweeps where they are cheap."""
    if np.count_nonzero(missing) <= 5_000 or min(values.shape) < 4:
        _solve(values, missing)
        return
    rows, cols = values.shape
    edge = ((0, rows % 2), (0, cols % 2))
    known = np.pad(~missing, edge, mode="edge").astype(np.float64)
    weighted = np.pad(np.where(missing, 0.0, values), edge, mode="edge")
    count, total = _four(known), _four(weighted)
    coarse = np.divide(total, count, out=np.zeros_like(total), where=count > 0.0)
    _cascade(coarse, count == 0.0, min(2 * sweeps, 128))
    np.copyto(values, _doubled(_doubled(coarse).T).T[:rows, :cols], where=missing)
    for _ in range(sweeps):
        padded = np.pad(values, 1, mode="edge")
        mean = padded[:-2, 1:-1] + padded[2:, 1:-1]
        mean += padded[1:-1, :-2]
        mean += padded[1:-1, 2:]
        # Damped by 0.8, or the finest checkerboard would never fade.
        mean *= 0.2
        mean += 0.2 * values
        np.copyto(values, mean, where=missing)


def _four(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of 2 × 2 cells."""
    pairs = values[::2] + values[1::2]
    total: NDArray[np.float64] = pairs[:, ::2] + pairs[:, 1::2]
    return total


def _doubled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Twice as many rows, linear between the middles of the cells."""
    padded = np.pad(values, ((1, 1), (0, 0)), mode="edge")
    finer = np.empty((2 * values.shape[0], values.shape[1]))
    finer[::2] = 0.75 * values + 0.25 * padded[:-2]
    finer[1::2] = 0.75 * values + 0.25 * padded[2:]
    return finer


def _solve(values: NDArray[np.float64], missing: NDArray[np.bool_]) -> None:
    """Laplace's equation over the missing cells by a sparse solver, in place."""
    from scipy import sparse
    from scipy.sparse.linalg import spsolve

    cells = np.argwhere(missing)
    if len(cells) == 0:
        return
    number = np.full(missing.shape, -1, np.int64)
    number[missing] = np.arange(len(cells))
    entries, known = [], np.zeros(len(cells))
    degree = np.zeros(len(cells))
    for step_row, step_col in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        row, col = cells[:, 0] + step_row, cells[:, 1] + step_col
        inside = (row >= 0) & (row < missing.shape[0]) & (col >= 0) & (col < missing.shape[1])
        me = np.flatnonzero(inside)
        other = number[row[inside], col[inside]]
        degree[me] += 1
        entries.append((me[other >= 0], other[other >= 0]))
        fixed = other < 0
        np.add.at(known, me[fixed], values[row[inside][fixed], col[inside][fixed]])
    rows = np.concatenate([me for me, _ in entries])
    cols = np.concatenate([other for _, other in entries])
    links = sparse.coo_matrix((np.ones(len(rows)), (rows, cols)), shape=(len(cells), len(cells)))
    values[missing] = spsolve((sparse.diags(degree) - links).tocsc(), known)
