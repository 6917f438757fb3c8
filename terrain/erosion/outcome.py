"""What every process of erosion gives back: the new surface, what it leaves as masks, and where the sediment went."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField

Grid = NDArray[np.float32]

Progress = Callable[[float], None]
"""Called with the share done, 0..1; may raise to cancel."""

_SPAN = 1 << 20
"""Vertices between two reports: about a tenth of a second of the slowest kernels."""


def quiet(share: float) -> None:
    """Report to nobody."""


def part(progress: Progress, low: float, high: float) -> Progress:
    """Progress of a part that runs from low to high of the whole."""
    return lambda share: progress(low + (high - low) * share)


def spans(count: int, progress: Progress, size: int = _SPAN) -> Iterator[tuple[int, int]]:
    """First and end of one span after the other, with a report before each."""
    for first in range(0, count, size):
        progress(first / count)
        yield first, min(first + size, count)


@dataclass(frozen=True)
class Ledger:
    """Where the sediment went, in cubic metres."""

    picked: float
    dropped: float
    stranded: float = 0.0
    """Carried where nothing can lie, such as an underside, and given up there."""
    exported: float = 0.0
    """Left the map over its border, less what came in."""

    @property
    def error(self) -> float:
        """Share of the moved sediment that is not accounted for."""
        return abs(self.picked - self.dropped - self.stranded - self.exported) / max(self.picked, 1e-30)


@dataclass(frozen=True)
class Eroded:
    """The new offsets, float32 (rows, cols, 3), and grids, float32 (rows, cols), by name, each in its own unit.

    `wear` (what was taken from each vertex) and `deposit` (what was laid there) are always among the grids, in metres:
    on an undisplaced field wear = height before + deposit - height after, exactly.
    """

    offset: NDArray[np.float32]
    grids: Mapping[str, Grid]
    ledger: Ledger


def finite(**arrays: NDArray[np.float32] | None) -> None:
    """Raise `SkerryError` naming the first array that holds a value that is no number."""
    for name, array in arrays.items():
        if array is not None and not np.isfinite(array).all():
            raise SkerryError(f"{name} has values that are not finite; erosion needs a number at every vertex")


def is_displaced(field: VectorField) -> bool:
    """True if any vertex stands elsewhere than above its place in the grid."""
    return bool(field.offset[..., :2].any())
