"""Glacial troughs: where the largest valleys lie, and the U that ice makes of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.erosion.finish import FinishParams, finish
from terrain.islands.frame import Grid, Plan
from terrain.kernel import kernel

_STEPS = np.array([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)], np.int64)
_SMOOTHING = 24
"""How often every place of a valley is drawn towards its neighbours, as ice cuts corners."""


class Valleys(NamedTuple):
    """The places along all valleys, each array (count,), from the mouths up."""

    row: NDArray[np.float64]
    col: NDArray[np.float64]
    height: NDArray[np.float64]
    """Metres, of the river's bed."""
    area: NDArray[np.float64]
    """Square metres that drain through."""
    mouth: NDArray[np.float64]
    """Metres along the valley to its mouth."""


def valleys_of(plan: Plan, height: Grid, least: float) -> Valleys:
    """The valleys of a land above 0 that drain `least` m² or more."""
    done = finish(plan.field(height), FinishParams(), 0.0)
    ground, flow, way = done.offset[..., 2], done.grids["flow"], done.grids["direction"]
    chosen = np.flatnonzero((ground > 0.0) & (flow >= least) & (way >= 0.0))
    chosen = chosen[np.argsort(ground.reshape(-1)[chosen], kind="stable")]
    steps = _STEPS[np.rint(way.reshape(-1)[chosen] / 45.0).astype(int) % 8]
    receiver = chosen + steps[:, 0] * plan.cols + steps[:, 1]
    number = np.full(height.size, -1)
    number[chosen] = np.arange(len(chosen))
    to = np.where(number[receiver] >= 0, number[receiver], np.arange(len(chosen)))
    area = flow.reshape(-1)[chosen].astype(np.float64)
    mouth = np.zeros(len(chosen))
    for i, j in enumerate(to):
        if i != j:
            mouth[i] = mouth[j] + plan.cell * float(np.hypot(*steps[i]))
    row, col = _smoothed(*np.divmod(chosen, plan.cols), to, area)
    return Valleys(row, col, ground.reshape(-1)[chosen].astype(np.float64), area, mouth)


def _smoothed(
    row: NDArray[np.int64], col: NDArray[np.int64], to: NDArray[np.int64], area: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places drawn towards those before and behind them along the main valley."""
    donor = np.arange(len(to))
    by_area = np.argsort(area, kind="stable")
    donor[to[by_area]] = by_area
    y, x = row.astype(np.float64), col.astype(np.float64)
    for _ in range(_SMOOTHING):
        y = 0.5 * y + 0.25 * (y[to] + y[donor])
        x = 0.5 * x + 0.25 * (x[to] + x[donor])
    return y, x


@kernel
def carve(
    row: NDArray[np.float64],
    col: NDArray[np.float64],
    floor: NDArray[np.float64],
    deep: NDArray[np.float64],
    width: NDArray[np.float64],
    height: Grid,
) -> None:
    """Lower heights (rows, cols) to troughs in place: floor + deep · (distance / width)^2.5 round every place.

    row, col, width: in cells; floor, deep: metres. The exponent is that of surveyed valleys, 2 to 2.5 (Graf 1970).
    """
    rows, cols = height.shape
    for k in range(len(row)):
        reach = 2.0 * width[k]
        for r in range(max(int(row[k] - reach), 0), min(int(row[k] + reach) + 2, rows)):
            for c in range(max(int(col[k] - reach), 0), min(int(col[k] + reach) + 2, cols)):
                away = np.sqrt((r - row[k]) ** 2 + (c - col[k]) ** 2) / width[k]
                level = floor[k] + deep[k] * away**2.5
                if level < height[r, c]:
                    height[r, c] = level
