"""A reference for documents: whole copies of everything at every step, so simple that it is plainly right."""

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from editor.document import Document

State = tuple[dict[str, np.ndarray], float, dict[str, Any]]


def state_of(document: Document) -> State:
    """A full copy of a document's map."""
    terrain = document.scene.terrain
    arrays = {key: array.copy() for key, array in terrain.arrays().items()}
    return arrays, terrain.sea_level, copy.deepcopy(terrain.source)


def same(a: State, b: State) -> bool:
    """True if two states are equal bit for bit (-0.0 is not 0.0)."""
    return (
        repr(a[1:]) == repr(b[1:])
        and a[0].keys() == b[0].keys()
        and all(
            array.dtype == b[0][key].dtype and array.shape == b[0][key].shape and array.tobytes() == b[0][key].tobytes()
            for key, array in a[0].items()
        )
    )


@dataclass
class Reference:
    """What undo and redo must lead to."""

    now: State
    done: list[tuple[str, State, object]] = field(default_factory=list)
    """Label, the state before, and the key that later edits may join by."""
    undone: list[tuple[str, State]] = field(default_factory=list)

    def edited(self, label: str, merge: object, after: State) -> None:
        """An edit that changed something ended well."""
        if not self.joins(merge):
            self.done.append((label, self.now, merge))
        self.undone.clear()
        self.now = after

    def joins(self, merge: object) -> bool:
        """Whether an edit with this key would join the last step."""
        return merge is not None and bool(self.done) and not self.undone and self.done[-1][2] == merge

    def failed(self, merge: object) -> None:
        """An edit that had changed something raised: it is gone, with the step that it was joining."""
        if self.joins(merge):
            _, self.now, _ = self.done.pop()

    def undo(self) -> str | None:
        """Expected label of an undo."""
        if not self.done:
            return None
        label, before, _ = self.done.pop()
        self.undone.append((label, self.now))
        self.now = before
        return label

    def redo(self) -> str | None:
        """Expected label of a redo."""
        if not self.undone:
            return None
        label, after = self.undone.pop()
        self.done.append((label, self.now, None))
        self.now = after
        return label
