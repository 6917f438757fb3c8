"""Values that are no heights: found, counted and filled, so that none enters a field."""

import numpy as np
from numpy.typing import NDArray

_SUSPECTS = (-32768.0, -32767.0, -9999.0, -99999.0, -3.4028234663852886e38, -1.7976931348623157e308, 1e20, 1e30, 1e38)
"""Values that tools write for 'no data' and forget to declare."""

_ABSURD = 1e6
"""No land or sea on earth lies so far from the sea level, metres."""


_BEYOND = 1e20
"""No height in any unit is so large; what is, stands for 'no data' (±3.4e38, NetCDF's 9.97e36, GMT's 1e38)."""


def find_nodata(values: NDArray[np.float64], declared: float | None) -> tuple[NDArray[np.bool_], float | None]:
    """Where there is no value, and the value that means so: NaN and ±inf, the declared one, an undeclared suspect."""
    missing = ~(np.abs(values) < _BEYOND)
    if declared is not None and np.isfinite(declared):
        with np.errstate(over="ignore"):
            # Written as text, a float32 such as -9999.9 comes back as another float64.
            rounded = float(np.float32(declared))
        missing |= (values == declared) | (values == rounded)
        return missing, declared
    suspect = _undeclared(values[~missing])
    if suspect is not None:
        missing |= values == suspect
    return missing, suspect


def _undeclared(values: NDArray[np.float64]) -> float | None:
    """A suspect value that lies far from everything else: a gap wider than the range of all the rest."""
    if values.size == 0:
        return None
    low, high = float(values.min()), float(values.max())
    for suspect in _SUSPECTS:
        if suspect not in (low, high):
            continue
        rest = values[values != suspect]
        if rest.size == 0:
            continue
        gap = rest.min() - suspect if suspect == low else suspect - rest.max()
        spread = max(float(rest.max() - rest.min()), 1.0)
        # A deep sea may reach -9999 only where its neighbours come near it.
        if gap > spread or abs(suspect) > _ABSURD:
            return suspect
    return None


def fill_nearest(values: NDArray[np.float64], missing: NDArray[np.bool_]) -> None:
    """Give each missing cell the value of the nearest one that is there, in place."""
    from scipy import ndimage

    nearest = ndimage.distance_transform_edt(missing, return_distances=False, return_indices=True)
    values[missing] = values[tuple(nearest)][missing]


def fill_smooth(values: NDArray[np.float64], missing: NDArray[np.bool_]) -> None:
    """Stretch a membrane over the missing cells: each is the mean of its neighbours (Laplace), in place."""
    from scipy import sparse
    from scipy.sparse.linalg import spsolve

    fill_nearest(values, missing)
    cells = np.argwhere(missing)
    if len(cells) > 2_000_000:
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
