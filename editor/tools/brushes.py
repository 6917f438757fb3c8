"""BrushChoice: which brush is in hand and how each one is set."""

from collections.abc import Mapping
from typing import Any

import msgspec
from psygnal import Signal

from editor.tools.pen import PenParams
from plugins.registry import brushes, find_brush
from terrain.brushes.contract import BrushParams
from terrain.brushes.symmetry import Symmetry
from terrain.errors import SkerryError
from terrain.params import describe, from_mapping, to_mapping

FIRST = ("raise", "along-normal", "along-view", "smooth", "grab", "snake-hook", "flatten", "cliff", "stamp")
"""Brushes in the order a sculptor reaches for them, with the keys 1 to 9; any others follow as they were registered."""

FAMILIES = ("Shape", "Form", "Land", "Copy", "Density", "Paint")
"""Headings of the palette, in order; those of strangers' brushes follow."""

SMOOTHER = "smooth"


class BrushChoice:
    """The brush in hand. The radius is one for all brushes, everything else is each brush's own."""

    changed = Signal()
    """Emitted when another brush is taken or its parameters change."""

    def __init__(self) -> None:
        known = brushes()
        self.ids = [i for i in FIRST if i in known] + [i for i in known if i not in FIRST]
        self._params: dict[str, BrushParams] = {i: known[i].Params() for i in self.ids}
        self.symmetry = Symmetry()
        self.pen = PenParams()
        self.current = self.ids[0]

    @property
    def params(self) -> BrushParams:
        """Parameters of the brush in hand."""
        return self._params[self.current]

    @property
    def label(self) -> str:
        """Its name for a person."""
        return find_brush(self.current).label

    def families(self) -> dict[str, list[str]]:
        """Brush ids by the heading under which they stand."""
        found: dict[str, list[str]] = {name: [] for name in FAMILIES}
        for brush_id in self.ids:
            found.setdefault(find_brush(brush_id).family, []).append(brush_id)
        return {name: ids for name, ids in found.items() if ids}

    def set_symmetry(self, symmetry: Symmetry) -> None:
        """Mirror and turn strokes from now on."""
        if symmetry != self.symmetry:
            self.symmetry = symmetry
            self.changed.emit()

    def set_pen(self, pen: PenParams) -> None:
        """Hear the hand otherwise from now on."""
        if pen != self.pen:
            self.pen = pen
            self.changed.emit()

    def params_of(self, brush_id: str) -> BrushParams:
        """Parameters of any brush."""
        return self._params[brush_id]

    def take(self, brush_id: str) -> None:
        """Take another brush in hand."""
        if brush_id not in self._params:
            raise SkerryError(f"there is no brush '{brush_id}'")
        if brush_id != self.current:
            self.current = brush_id
            self.changed.emit()

    def set(self, params: BrushParams) -> None:
        """Set the brush in hand; its radius becomes every brush's."""
        if params == self.params:
            return
        self._params[self.current] = params
        self._share_radius(params.radius)
        self.changed.emit()

    def adjust(self, **values: float) -> None:
        """Set some numbers of the brush in hand, each kept inside its limits and to four digits."""
        self.set(msgspec.structs.replace(self.params, **_limited(type(self.params), values)))

    def fit(self, cell: float, extent: float, relief: float) -> None:
        """Make brushes that would be lost on a map, or larger than it, fit its size: all in metres."""
        radius = self.params.radius
        if 3.0 * cell <= radius <= 0.5 * extent:
            return
        self.adjust(radius=max(0.04 * extent, 5.0 * cell))
        for brush_id, params in self._params.items():
            strength = next(info for info in describe(type(params)) if info.name == "strength")
            if strength.unit == "m":
                metres = 0.12 * relief if relief > 0.0 else 0.5 * self.params.radius
                fitted = _limited(type(params), {"strength": metres})
                self._params[brush_id] = msgspec.structs.replace(params, **fitted)
        self.changed.emit()

    def remembered(self) -> dict[str, dict[str, Any]]:
        """Plain values of every brush, for the settings file."""
        return {brush_id: to_mapping(params) for brush_id, params in self._params.items()}

    def recall(self, values: Mapping[str, Mapping[str, object]]) -> None:
        """Take remembered values; those of an older program that no longer fit are dropped."""
        for brush_id, mapping in values.items():
            if brush_id in self._params:
                try:
                    self._params[brush_id] = from_mapping(type(self._params[brush_id]), mapping)
                except SkerryError:
                    continue
        self._share_radius(self.params.radius)
        self.changed.emit()

    def _share_radius(self, radius: float) -> None:
        for brush_id, params in self._params.items():
            if params.radius != radius:
                self._params[brush_id] = msgspec.structs.replace(params, radius=radius)


def _limited(cls: type[BrushParams], values: Mapping[str, float]) -> dict[str, float]:
    infos = {info.name: info for info in describe(cls)}
    limited = {}
    for name, value in values.items():
        low, high = infos[name].low, infos[name].high
        value = value if low is None else max(low, value)
        limited[name] = float(f"{value if high is None else min(high, value):.4g}")
    return limited
