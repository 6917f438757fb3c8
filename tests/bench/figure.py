"""One measured figure, and how to take it."""

import time
from collections.abc import Callable
from typing import TypedDict

import numpy as np


class Figure(TypedDict):
    """A line of `skerry bench`."""

    name: str
    value: float
    unit: str
    ratio: float | None
    """value ÷ the same for `against`; None where there is no peer."""
    against: str


def figure(name: str, value: float, unit: str, peer: float | None = None, against: str = "") -> Figure:
    """A figure, with its ratio to a peer measured in the same run."""
    return Figure(
        name=name, value=float(value), unit=unit, ratio=None if peer is None else float(value / peer), against=against
    )


def seconds(call: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def best(call: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of several calls, for work that should cost the same each time."""
    return min(seconds(call) for _ in range(repeats))


def p95(values: list[float]) -> float:
    """95th percentile."""
    return float(np.percentile(values, 95))
