"""SculptStroke: one stroke of one brush on the surface, from pointer rays to changed vertices."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import FALLOFF_MEAN, NO_MASK, Reach, offsets_before, settle, weigh, windows
from terrain.brushes.stroke import Path, Sample
from terrain.errors import SkerryError
from terrain.map import TerrainMap
from terrain.tiles import Rect, TileCopies

Vector = NDArray[np.float64]


class SculptStroke:
    """Feeds a brush with dabs.

    write: called with a rectangle before its vertices change; returns that part of `offset` for writing.
    before: the tiles of `offset` as they were when the stroke began.
    mask: uint16 (rows, cols), 65535 = full effect; None for everywhere.
    """

    def __init__(
        self,
        terrain: TerrainMap,
        brush: Brush,
        params: BrushParams,
        before: TileCopies,
        inverted: bool = False,
        mask: NDArray[np.uint16] | None = None,
    ) -> None:
        self._terrain = terrain
        self._brush = brush
        self._params = params
        self._before = before
        self._mask = NO_MASK if mask is None else mask
        self._path = Path(terrain, params.radius * params.spacing, before)
        self._step = min(1.0, params.spacing / (2.0 * FALLOFF_MEAN[params.falloff]))
        self._state = brush.begin(Stroke(params, terrain.field.cell, -1.0 if inverted else 1.0, terrain.sea_level))

    def add(self, sample: Sample, write: Callable[[Rect], NDArray[np.float32]]) -> None:
        """Take one pointer sample and make the dabs that are due."""
        for due in self._path.add(sample):
            self._dab(due, write)

    def finish(self, write: Callable[[Rect], NDArray[np.float32]]) -> None:
        """Make the dabs still due when the pointer is released."""
        for due in self._path.finish():
            self._dab(due, write)

    def _dab(self, sample: Sample, write: Callable[[Rect], NDArray[np.float32]]) -> None:
        centre = self._path.meet(sample)
        if centre is None:
            return
        dab = Dab(centre, sample.direction, sample.pressure, self._step)
        reach = Reach(centre, self._params.radius, self._params.falloff, sample.pressure, self._mask)
        for rect in windows(self._path.bounds, self._terrain.field, centre, reach.radius):
            before = offsets_before(self._terrain.field, self._before, rect)
            touched, weight = weigh(self._terrain.field, rect, before, reach)
            if not touched.empty:
                part = np.ascontiguousarray(before[touched.within(rect).slices])
                self._apply(Window(touched, write(touched), part, weight, self._terrain.field), dab)

    def _apply(self, window: Window, dab: Dab) -> None:
        kept = window.offset.copy()
        self._brush.dab(window, dab, self._state)
        if not settle(window.offset, kept, window.weight):
            raise SkerryError(f"brush '{self._brush.id}' made a position that is not finite; the stroke was taken back")
