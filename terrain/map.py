"""TerrainMap: every array and setting of one map, under the keys that the file, undo and info share."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain.bounds import BoundsPyramid
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.tiles import Rect

_NAME = re.compile(r"[^/\\\x00-\x1f]{1,64}")

Array = NDArray[Any]


@dataclass(frozen=True)
class ArraySpec:
    """What an array of a given key must look like."""

    dtype: np.dtype[Any]
    per_cell: bool = False
    """True if there is one value a cell (rows-1 × cols-1) instead of one a vertex."""
    fill: int = 0
    """The value that an absent array stands for."""
    choice: bool = False
    """True if values are names of things, between which nothing lies."""


_FIXED = {
    "alpha": ArraySpec(np.dtype(np.uint8), fill=255),
    "ao": ArraySpec(np.dtype(np.uint8), fill=255),
    "hole": ArraySpec(np.dtype(np.bool_), per_cell=True, choice=True),
    "passable": ArraySpec(np.dtype(np.uint8), choice=True),
}
_NAMED = {
    "mask": ArraySpec(np.dtype(np.uint16)),
    "layer": ArraySpec(np.dtype(np.uint16)),
    "field": ArraySpec(np.dtype(np.float32)),
}


def array_spec(key: str) -> ArraySpec:
    """The spec of a key such as `hole` or `mask/cliffs`; raises for a key no map may have."""
    if key in _FIXED:
        return _FIXED[key]
    family, slash, name = key.partition("/")
    if slash and family in _NAMED and _NAME.fullmatch(name):
        return _NAMED[family]
    raise SkerryError(f"'{key}' is not the name of a map array")


@dataclass
class TerrainMap:
    """One map: the displaced field, its optional arrays and its settings.

    extras: `hole` bool (rows-1, cols-1), `alpha` `ao` `passable` uint8, `mask/NAME` `layer/ID` uint16 (65535 = 1),
    `field/NAME` float32; per vertex unless stated. An absent array stands for its fill value.
    """

    field: VectorField
    extras: dict[str, Array] = dataclasses.field(default_factory=dict)
    sea_level: float = 0.0
    """Height of the still sea, metres."""
    source: dict[str, Any] = dataclasses.field(default_factory=dict)
    """What the importer found in the file that this map came from (plain JSON values)."""
    active_mask: str = ""
    """Name of the mask that limits every edit; empty for none."""
    frozen: bool = False
    """True while the active mask protects what it covers, instead of letting edits through there alone."""
    _bounds: BoundsPyramid | None = None

    def __post_init__(self) -> None:
        for key, array in self.extras.items():
            self.check(key, array)

    @property
    def bounds(self) -> BoundsPyramid:
        """World bounds of the field's patches, built when first needed."""
        if self._bounds is None:
            self._bounds = BoundsPyramid.of(self.field)
        return self._bounds

    def arrays(self) -> Mapping[str, Array]:
        """Every array by key, `offset` first, the rest by name."""
        return {"offset": self.field.offset, **dict(sorted(self.extras.items()))}

    def array(self, key: str) -> Array:
        """The array under a key; raises if the map has none."""
        if key == "offset":
            return self.field.offset
        if key not in self.extras:
            raise SkerryError(f"the map has no '{key}'")
        return self.extras[key]

    def new_array(self, key: str) -> Array:
        """A fresh array of the key's dtype and shape, holding the fill value; not yet part of the map."""
        spec = array_spec(key)
        return np.full(self._shape(spec), spec.fill, spec.dtype)

    def check(self, key: str, array: Array) -> None:
        """Raise unless `array` may stand under `key` in this map."""
        spec = array_spec(key)
        if array.dtype != spec.dtype or array.shape != self._shape(spec):
            raise SkerryError(
                f"'{key}' must be {spec.dtype} of shape {self._shape(spec)}, not {array.dtype} of {array.shape}"
            )

    @property
    def limit(self) -> NDArray[np.uint16] | None:
        """The active mask's array (rows, cols), whose meaning `frozen` turns round; None for no limit."""
        return self.extras.get(f"mask/{self.active_mask}") if self.active_mask else None

    def exchange(self, other: "TerrainMap") -> None:
        """Swap everything with another map; whoever holds this object sees the other's contents from now on."""
        for entry in dataclasses.fields(self):
            mine, theirs = getattr(self, entry.name), getattr(other, entry.name)
            setattr(self, entry.name, theirs)
            setattr(other, entry.name, mine)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self.arrays().values())

    def moved(self, rect: Rect) -> None:
        """Bring the bounds up to date after vertices in `rect` were displaced."""
        if self._bounds is not None:
            self._bounds.update(self.field, rect)

    def names(self, family: str) -> list[str]:
        """Names of the arrays of one family: `mask`, `layer` or `field`."""
        return [key.split("/", 1)[1] for key in sorted(self.extras) if key.startswith(family + "/")]

    def _shape(self, spec: ArraySpec) -> tuple[int, int]:
        less = 1 if spec.per_cell else 0
        return self.field.rows - less, self.field.cols - less
