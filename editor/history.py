"""History: undo steps that keep one copy of each touched tile, inside a byte budget."""

import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from editor.packing import Background, Contents, PackedContents, Taken
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


class Step:
    """One undo step. Applying it exchanges its contents with the map's, so the same step redoes.

    The arrays of a finished step are packed and unpacked by another thread. Only the thread that edits may read
    `copies`, `arrays` and `terrain`: they take the step away from the other one, and unpack it if need be.
    """

    def __init__(
        self,
        label: str,
        merge: object = None,
        *,
        copies: dict[str, TileCopies] | None = None,
        arrays: dict[str, Array | None] | None = None,
        settings: dict[str, Any] | None = None,
        terrain: TerrainMap | None = None,
    ) -> None:
        self.label = label
        self.merge = merge
        """Edits with an equal merge key that follow each other join into one step."""
        self.settings = settings or {}
        self.held = False
        """True while a history holds this step."""
        self.counted = 0
        """Bytes of this step in the history's running total."""
        self._lock = threading.Lock()
        self._claims = 0
        self._contents: Contents | PackedContents = Contents(copies or {}, arrays or {}, terrain)

    @property
    def copies(self) -> dict[str, TileCopies]:
        """Tiles as they were before this step first touched them, by array."""
        return self.open().copies

    @property
    def arrays(self) -> dict[str, Array | None]:
        """Arrays that were added (None) or removed (the array)."""
        return self.open().arrays

    @property
    def terrain(self) -> TerrainMap | None:
        """The whole map that this step replaced, or that undoing it took away; such a step holds nothing else."""
        return self.open().terrain

    @terrain.setter
    def terrain(self, terrain: TerrainMap | None) -> None:
        self.open().terrain = terrain

    @property
    def nbytes(self) -> int:
        """Bytes this step holds: of its compressed arrays, once they are."""
        return self._contents.nbytes

    @property
    def unpacked_nbytes(self) -> int:
        """Bytes this step would hold with nothing compressed."""
        return self._contents.unpacked_nbytes

    @property
    def packed(self) -> bool:
        """True if the arrays are compressed."""
        return isinstance(self._contents, PackedContents)

    @property
    def empty(self) -> bool:
        """True if the step would change nothing."""
        contents = self._contents
        return isinstance(contents, Contents) and contents.empty and not self.settings

    def claim(self) -> int:
        """Take the step away from the other thread; the number lets that thread have it until the next claim."""
        with self._lock:
            self._claims += 1
            return self._claims

    def open(self) -> Contents:
        """The arrays, to be read and changed until the step is given to the other thread again."""
        with self._lock:
            self._claims += 1
            if isinstance(self._contents, PackedContents):
                self._contents = self._contents.unpack()
            return self._contents

    def convert(self, claim: int, pack: bool, check: Callable[[], None] = lambda: None) -> bool:
        """Compress or decompress the arrays, on the other thread; False if somebody used the step meanwhile.

        The step is locked while one batch is copied, never while one is compressed, so whoever opens it waits for no
        more than that. check: called before each batch; may raise `Taken`.
        """

        @contextmanager
        def turn() -> Iterator[None]:
            check()
            with self._lock:
                if self._claims != claim:
                    raise Taken
                yield

        try:
            with turn():
                old = self._contents
            if pack == isinstance(old, PackedContents):
                return False
            new = PackedContents(old, turn) if isinstance(old, Contents) else old.unpack(turn)
            with turn():
                self._contents = new
        except Taken:
            return False
        return True

    def exchange(self, terrain: TerrainMap, before_write: Callable[[str, Rect], None]) -> list[Change]:
        """Swap with the map, telling `before_write` each rectangle first; returns what is different now."""
        contents = self.open()
        if contents.terrain is not None:
            terrain.exchange(contents.terrain)
            return [Change("scene", "", Rect(0, 0, 0, 0))]
        changes = [_exchange_array(contents.arrays, terrain, key) for key in contents.arrays]
        for key, copies in contents.copies.items():
            # An array that this step removes or adds is swapped whole above.
            if key not in contents.arrays and (key == "offset" or key in terrain.extras):
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


class History:
    """Done and undone steps, oldest dropped first when they outgrow the budget.

    `done` (newest last) and `undone` (next to redo last) are for reading; steps enter and leave by the methods.
    The newest done step and the next to redo are kept ready; the others are compressed in the background.
    """

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self.done: list[Step] = []
        self.undone: list[Step] = []
        self.dropped = 0
        """How many of the oldest steps are gone: with the same number, no step done is the same state."""
        self._held = 0
        """Running total, so that a dab costs the same after ten steps and after ten thousand."""
        self._ready: list[Step] = []
        """Steps that are, or may be, kept uncompressed."""
        self._background = Background()
        self._converted: deque[weakref.ref[Step]] = deque()
        """Steps whose size the other thread has changed since they were counted."""

    @property
    def nbytes(self) -> int:
        """Bytes held by all steps."""
        self._recount()
        return self._held

    def push(self, step: Step) -> None:
        """Add a finished step; what was undone can no longer be redone."""
        self._drop_all(self.undone)
        step.held = True
        self.done.append(step)
        self.fit()

    def pop(self) -> Step:
        """Take the newest done step out."""
        step = self.done.pop()
        self._let_go(step)
        self._arrange()
        return step

    def back(self) -> Step:
        """Move the newest done step to the undone ones."""
        return self._move(self.done, self.undone)

    def forward(self) -> Step:
        """Move the step undone last to the done ones."""
        return self._move(self.undone, self.done)

    def fit(self) -> None:
        """Drop the oldest steps, then the last to be redone, until the rest fits the budget.

        The newest done step, and the next to be redone, always stay: what was just done or undone can be taken back.
        Call after the newest step of either kind has grown, or has been applied.
        """
        self._recount()
        for step in (*self.done[-1:], *self.undone[-1:]):
            self._count(step)
        while self._held > self.budget and len(self.done) > 1:
            self._let_go(self.done.pop(0))
            self.dropped += 1
        while self._held > self.budget and len(self.undone) > 1:
            self._let_go(self.undone.pop(0))
        self._arrange()

    def clear(self) -> None:
        """Forget every step."""
        self._drop_all(self.done)
        self._drop_all(self.undone)
        self._ready.clear()

    def settle(self) -> None:
        """Wait until every step is as compressed, or as ready, as it is to be."""
        self._background.settle()
        self._recount()

    def close(self) -> None:
        """Stop compressing, and wait for the thread to end; undo and redo go on as before."""
        self._background.close()
        self._recount()

    def _move(self, source: list[Step], target: list[Step]) -> Step:
        source[-1].open()  # if there is no memory for that, nothing has moved yet
        step = source.pop()
        target.append(step)
        self._ready.append(step)
        self._count(step)
        return step

    def _drop_all(self, steps: list[Step]) -> None:
        for step in steps:
            self._let_go(step)
        steps.clear()

    def _let_go(self, step: Step) -> None:
        step.claim()
        self._held -= step.counted
        step.counted, step.held = 0, False

    def _arrange(self) -> None:
        """Give the other thread what is to be compressed, and what is to be ready for the next undo or redo."""
        ready = [*self.done[-1:], *self.undone[-1:]]
        for step in self._ready:
            if step.held and step.counted and step not in ready:
                self._convert(step, pack=True)
        for step in ready:
            if step not in self._ready:
                step.claim()
                if step.packed and self._held + step.unpacked_nbytes - step.counted <= self.budget:
                    self._convert(step, pack=False)
        self._ready = ready

    def _convert(self, step: Step, pack: bool) -> None:
        # The task holds the step weakly, so that a dropped one is freed at once.
        waiting, claim = weakref.ref(step), step.claim()
        converted, background = self._converted, self._background

        def task() -> None:
            step = waiting()
            if step is not None and step.convert(claim, pack, background.check):
                converted.append(waiting)

        background.submit(task, urgent=not pack)

    def _recount(self) -> None:
        while self._converted:
            step = self._converted.popleft()()
            if step is not None and step.held:
                self._count(step)

    def _count(self, step: Step) -> None:
        now = step.nbytes
        self._held += now - step.counted
        step.counted = now


def _exchange_array(arrays: dict[str, Array | None], terrain: TerrainMap, key: str) -> Change:
    kept = arrays[key]
    arrays[key] = terrain.extras.pop(key, None)
    if kept is not None:
        terrain.extras[key] = kept
    return Change("arrays", key, Rect(0, 0, 0, 0))
