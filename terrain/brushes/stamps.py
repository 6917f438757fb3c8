"""Ready-made forms for the stamp, each a vector displacement picture made by a formula."""

from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Picture
from terrain.noise import fbm2

Form = Literal["stack", "peak", "crater", "boulder", "arch"]

SIDE = 193
"""Pixels along one side of a ready-made form."""


@cache
def form_picture(form: Form) -> Picture:
    """Float32 (SIDE, SIDE, 3), top row first: displacement right, up and out, as a share of half the side."""
    v, u = np.meshgrid(np.linspace(1.0, -1.0, SIDE), np.linspace(-1.0, 1.0, SIDE), indexing="ij")
    radius = np.hypot(u, v)
    out = {"stack": _stack, "peak": _peak, "crater": _crater, "boulder": _boulder, "arch": _arch}[form](u, v, radius)
    picture = np.ascontiguousarray(np.stack(out, axis=-1), np.float32)
    picture.flags.writeable = False
    return picture


_Planes = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
_Array = NDArray[np.float64]


def _ease(x: _Array, low: float, high: float) -> _Array:
    """0 below `low`, 1 above `high`, smooth between."""
    share = np.clip((x - low) / (high - low), 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def _rough(u: _Array, v: _Array, frequency: float, seed: int) -> _Array:
    flat = [fbm2(frequency * a, frequency * b, 4, seed) for a, b in zip(u.ravel(), v.ravel(), strict=True)]
    return np.array(flat).reshape(u.shape)


def _radial(u: _Array, v: _Array, radius: _Array, goal: _Array) -> tuple[_Array, _Array]:
    """Sideways displacement that brings points at `radius` to `goal`."""
    share = np.where(radius > 1e-9, (goal - radius) / np.maximum(radius, 1e-9), 0.0)
    return u * share, v * share


def _profile(radius: _Array, knots: list[tuple[float, float, float]]) -> tuple[_Array, _Array]:
    """New radius and height along a profile of (old radius, new radius, height), smooth enough to sculpt on."""
    old, new, height = (np.array(column) for column in zip(*knots, strict=True))
    return np.interp(radius, old, new), np.interp(radius, old, height)


def _stack(u: _Array, v: _Array, radius: _Array) -> _Planes:
    """A sea stack: a broad head on a foot that the waves have gnawed."""
    wobble = 1.0 + 0.16 * _rough(u, v, 2.2, 11)
    goal, height = _profile(
        radius,
        [(0.0, 0.0, 1.32), (0.22, 0.30, 1.30), (0.34, 0.40, 1.18), (0.46, 0.40, 0.86), (0.56, 0.31, 0.46),
         (0.66, 0.24, 0.20), (0.76, 0.30, 0.06), (0.88, 0.72, 0.01), (1.0, 1.0, 0.0), (1.5, 1.5, 0.0)],
    )  # fmt: skip
    inside = _ease(1.0 - radius, 0.0, 0.25)
    goal = radius + (goal * (1.0 + inside * (wobble - 1.0)) - radius) * np.where(radius < 1.0, 1.0, 0.0)
    across, along = _radial(u, v, radius, goal)
    rough = inside * (0.10 * _rough(u, v, 4.0, 5) + 0.05 * _rough(u, v, 9.0, 6))
    return across, along, height + rough * _ease(height, 0.02, 0.4)


def _peak(u: _Array, v: _Array, radius: _Array) -> _Planes:
    """A mountain with ridges."""
    ridges = 1.0 - np.abs(_rough(u, v, 2.3, 21)) * 1.6
    body = _ease(1.0 - radius, 0.0, 1.0) ** 1.3
    return np.zeros_like(u), np.zeros_like(u), body * (0.75 + 0.25 * ridges)


def _crater(u: _Array, v: _Array, radius: _Array) -> _Planes:
    """A bowl with a raised rim."""
    bowl = np.where(radius < 0.62, 0.55 * (radius / 0.62) ** 2 - 0.35, 0.20 * np.exp(-(((radius - 0.62) / 0.16) ** 2)))
    return np.zeros_like(u), np.zeros_like(u), bowl * _ease(1.0 - radius, 0.0, 0.2)


def _boulder(u: _Array, v: _Array, radius: _Array) -> _Planes:
    """A rounded rock that overhangs a little all round."""
    angle = np.clip(radius / 0.75, 0.0, 1.0) * 0.62 * np.pi
    goal = np.where(radius < 0.75, 0.62 * np.sin(angle), np.interp(radius, [0.75, 1.0, 1.5], [0.575, 1.0, 1.5]))
    height = np.where(radius < 0.75, 0.62 * (np.cos(angle) - np.cos(0.62 * np.pi)), 0.0)
    across, along = _radial(u, v, radius, goal)
    return across, along, height * (1.0 + 0.25 * _rough(u, v, 2.5, 31))


def _arch(u: _Array, v: _Array, radius: _Array) -> _Planes:
    """A tongue of rock that bends over and down again: set it against a cliff to make a natural arch."""
    body = _ease(0.75 - np.abs(u), 0.0, 0.5) * _ease(1.0 - radius, 0.0, 0.35)
    rise = _ease(v, -0.7, 0.1) * _ease(1.0 - v, 0.0, 0.5)
    return np.zeros_like(u), -1.1 * body * rise, 0.9 * body * rise
