"""History: undo steps that keep one copy of each touched tile, inside a byte budget."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from terrain.map import Array, TerrainMap
from terrain.tiles import Rect, TileCopies, tile_rect

DEFAULT_BUDGET = 1 << 30
"""Bytes of undo kept before the oldest steps are dropped."""


@dataclass
class Change:
    """One thing that is now different: an array's rectangle, an array that came or went, or a setting."""

    kind: str
    """`array`, `arrays` (one was added or removed), `setting` or `scene` (everything)."""
    key: str
    rect: Rect


@dataclass
class Step:
    """One undo step. Applying it exchanges its contents with the map's, so the same step redoes."""

    label: str
    merge: object = None
    """Edits with an equal merge key that follow each other join into one step."""
    copies: dict[str, TileCopies] = field(default_factory=dict)
    arrays: dict[str, Array | None] = field(default_factory=dict)
    """Arrays that were added (None) or removed (the array)."""
    settings: dict[str, Any] = field(default_factory=dict)
    terrain: TerrainMap | None = None
    """The whole map that this step replaced, or that undoing it took away; such a step holds nothing else."""
    counted: int = 0
    """Bytes of this step in the history's running total."""

    @property
    def nbytes(self) -> int:
        """Bytes this step holds."""
        removed = sum(array.nbytes for array in self.arrays.values() if array is not None)
        whole = 0 if self.terrain is None else self.terrain.nbytes
        return whole + removed + sum(copies.nbytes for copies in self.copies.values())

    @property
    def empty(self) -> bool:
        """True if the step would change nothing."""
        return self.terrain is None and not (
            self.arrays or self.settings or any(copies.tiles for copies in self.copies.values())
        )

    def exchange(self, terrain: TerrainMap, before_write: Callable[[str, Rect], None]) -> list[Change]:
        """Swap with the map, telling `before_write` each rectangle first; returns what is different now."""
        if self.terrain is not None:
            terrain.exchange(self.terrain)
            return [Change("scene", "", Rect(0, 0, 0, 0))]
        changes = [self._exchange_array(terrain, key) for key in self.arrays]
        for key, copies in self.copies.items():
            # An array that this step removes or adds is swapped whole above.
            if key not in self.arrays and (key == "offset" or key in terrain.extras):
                # Tile by tile: the rectangle around two far corners would make a save write the whole map.
                for tile in copies.tiles:
                    before_write(key, tile_rect(tile, copies.shape))
                copies.swap(terrain.array(key))
                changes.append(Change("array", key, copies.rect()))
        for name, value in list(self.settings.items()):
            self.settings[name] = getattr(terrain, name)
            setattr(terrain, name, value)
            changes.append(Change("setting", name, Rect(0, 0, 0, 0)))
        return changes

    def _exchange_array(self, terrain: TerrainMap, key: str) -> Change:
        kept = self.arrays[key]
        self.arrays[key] = terrain.extras.pop(key, None)
        if kept is not None:
            terrain.extras[key] = kept
        return Change("arrays", key, Rect(0, 0, 0, 0))


class History:
    """Done and undone steps, oldest dropped first when they outgrow the budget.

    `done` (newest last) and `undone` (next to redo last) are for reading; steps enter and leave by the methods.
    """

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self.done: list[Step] = []
        self.undone: list[Step] = []
        self.dropped = 0
        """How many of the oldest steps are gone: with the same number, no step done is the same state."""
        self._held = 0
        """Running total, so that a dab costs the same after ten steps and after ten thousand."""

    @property
    def nbytes(self) -> int:
        """Bytes held by all steps."""
        return sum(step.nbytes for step in (*self.done, *self.undone))

    def push(self, step: Step) -> None:
        """Add a finished step; what was undone can no longer be redone."""
        for lost in self.undone:
            self._held -= lost.counted
        self.undone.clear()
        if self.done:
            self._settle(self.done[-1])
        self.done.append(step)
        self.fit()

    def pop(self) -> Step:
        """Take the newest done step out."""
        step = self.done.pop()
        self._held -= step.counted
        step.counted = 0
        return step

    def back(self) -> Step:
        """Move the newest done step to the undone ones."""
        step = self.done.pop()
        self._settle(step)
        self.undone.append(step)
        return step

    def forward(self) -> Step:
        """Move the step undone last to the done ones."""
        step = self.undone.pop()
        self.done.append(step)
        return step

    def fit(self) -> None:
        """Drop the oldest steps, then the last to be redone, until the rest fits the budget.

        The newest done step, and the next to be redone, always stay: what was just done or undone can be taken back.
        Call after the newest step of either kind has grown.
        """
        for newest in (self.done[-1:], self.undone[-1:]):
            for step in newest:
                self._count(step)
        while self._held > self.budget and len(self.done) > 1:
            self._held -= self.done.pop(0).counted
            self.dropped += 1
        while self._held > self.budget and len(self.undone) > 1:
            self._held -= self.undone.pop(0).counted

    def clear(self) -> None:
        """Forget every step."""
        self.done.clear()
        self.undone.clear()
        self._held = 0

    def _settle(self, step: Step) -> None:
        """No more tiles will be touched by this step."""
        for copies in step.copies.values():
            copies.trim()
        self._count(step)

    def _count(self, step: Step) -> None:
        now = step.nbytes
        self._held += now - step.counted
        step.counted = now
