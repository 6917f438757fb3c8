"""Beach: lays the shore to the profile that waves give sand."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.brushes.plane import plane_of
from terrain.kernel import kernel
from terrain.params import about

_LEVEL = 0.002
"""On ground flatter than this slope nobody could say where the shore runs."""

_BINS = 512


class BeachParams(BrushParams, frozen=True, kw_only=True):
    """The beach's profile."""

    strength: Annotated[float, about("Share of the way to the profile in one dab", ge=0, le=1)] = 0.3
    slope: Annotated[float, about("Slope of the face above the water", unit="°", ge=0.5, le=45)] = 5.0
    berm: Annotated[float, about("Height of the crest above the sea", unit="m", ge=0.1, le=50)] = 2.5
    dean: Annotated[float, about("Dean's A: depth = A·distance^⅔; fine sand 0.08, coarse 0.2", ge=0.01, le=1)] = 0.12


class Beach(Brush):
    """Moves heights near the shore to a straight face, a berm behind it and Dean's profile under water."""

    id = "beach"
    label = "Beach"
    Params = BeachParams
    icon = "beach"
    family = "Land"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """A step towards the profile.

        Dean, "Equilibrium beach profiles: characteristics and applications", J. Coastal Research 7 (1991).
        """
        params, sea = state.params, state.sea_level
        plane = plane_of(window, dab)
        seaward = plane.normal[:2]
        flat = math.sqrt(seaward @ seaward)
        if flat < _LEVEL * plane.normal[2] or plane.normal[2] <= 0.1:
            return
        above = window.before[..., 2] - np.float32(sea)
        east, north = (seaward / flat).astype(np.float32)
        places = window.relative(dab.centre)
        inland = -(east * places[..., 0] + north * places[..., 1])
        middle = float(dab.centre[2] + plane.point[2] - sea) * float(plane.normal[2]) / flat
        middle -= float(plane.point[:2] @ seaward) / flat
        inland -= np.float32(_shore(inland, window.weight, above, -middle))
        face = np.minimum(np.maximum(inland, 0.0) * np.float32(math.tan(math.radians(params.slope))), params.berm)
        depth = np.float32(params.dean) * np.maximum(-inland, 0.0) ** np.float32(2.0 / 3.0)
        goal = np.float32(sea) + np.where(inland > 0.0, face, -depth).astype(np.float32)
        # High ground behind the berm, and the deep beyond its reach, stay.
        near = np.clip(2.0 - np.abs(above) / np.float32(2.0 * params.berm), 0.0, 1.0)
        share = np.float32(pass_share(params.strength, dab.step))
        window.offset[..., 2] += share * window.weight * near * (goal - window.offset[..., 2])


def _shore(
    inland: NDArray[np.float32], weight: NDArray[np.float32], above: NDArray[np.float32], beyond: float
) -> float:
    """Where along `inland` (rows, cols; metres) the shore lies: as much ground is landward of it as is above the sea.

    So the shore stays where it is however the profile on either side of it changes. beyond: the answer where the
    brush sees land alone or water alone.
    """
    amounts = np.zeros(_BINS)
    low, high, land = _amounts(inland, weight, above, amounts)
    whole = float(amounts.sum())
    if not 1e-3 * whole < land < 0.999 * whole:
        return beyond
    seaward = np.concatenate([[0.0], np.cumsum(amounts)])
    return float(np.interp(whole - land, seaward, np.linspace(low, high, _BINS + 1)))


@kernel
def _amounts(
    inland: NDArray[np.float32],
    weight: NDArray[np.float32],
    above: NDArray[np.float32],
    amounts: NDArray[np.float64],
) -> tuple[float, float, float]:
    """Weight in even steps along `inland`; returns the first and last edge, and how much of it is above the sea."""
    low, high, land = np.inf, -np.inf, 0.0
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            if weight[i, j] > 0.0:
                low, high = min(low, float(inland[i, j])), max(high, float(inland[i, j]))
    step = max(high - low, 1e-9) / len(amounts)
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            if weight[i, j] > 0.0:
                amounts[min(int((inland[i, j] - low) / step), len(amounts) - 1)] += weight[i, j]
                if above[i, j] > 0.0:
                    land += weight[i, j]
    return low, high, land
