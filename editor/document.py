"""Document: the scene, its history and its file; the one door through which a map changes."""

import copy
import dataclasses
import math
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from psygnal import Signal

from editor.history import Change, History, Step
from editor.snapshot import DirtyTiles, Snapshot
from plugins.api import Job, Patch, Scene
from terrain.errors import SkerryError
from terrain.map import Array, TerrainMap
from terrain.tiles import Rect, TileCopies

SETTINGS = ("sea_level", "source", "active_mask", "frozen")
"""Attributes of `TerrainMap` that an edit may set."""

_NOWHERE = Rect(0, 0, 0, 0)


class Edit:
    """Writes to the map, one undo step's worth; given by `Document.edit`."""

    def __init__(self, document: "Document", step: Step) -> None:
        self._document = document
        self.step = step
        self.changes: list[Change] = []

    def write(self, key: str, rect: Rect) -> Array:
        """The part `rect` of an array, to be changed in place; its tiles are kept for undo first."""
        array = self._document.scene.terrain.array(key)
        rect = rect.clip(array.shape[0], array.shape[1])
        self._document.before_write(key, rect)
        if key not in self.step.arrays:
            self.copies(key).touch(array, rect)
        self.changes.append(Change("array", key, rect))
        return array[rect.slices]

    def copies(self, key: str) -> TileCopies:
        """The tiles of an array as they were before this step touched them."""
        if key not in self.step.copies:
            self.step.copies[key] = TileCopies(self._document.scene.terrain.array(key))
        return self.step.copies[key]

    def add(self, key: str, array: Array | None = None) -> Array:
        """Give the map a new array: a copy of `array`, by default one of fill values; returns it for writing."""
        terrain = self._document.scene.terrain
        if key == "offset" or key in terrain.extras:
            raise SkerryError(f"the map already has '{key}'")
        if array is None:
            array = terrain.new_array(key)
        else:
            terrain.check(key, array)
            # Never the caller's own: a write through another name of it would bypass undo and snapshots.
            array = np.array(array, order="C")
        self._document.before_arrays(key)
        self.step.arrays.setdefault(key, None)
        terrain.extras[key] = array
        self.changes.append(Change("arrays", key, _NOWHERE))
        return array

    def ensure(self, key: str) -> None:
        """Give the map an array of fill values unless it has one."""
        if key != "offset" and key not in self._document.scene.terrain.extras:
            self.add(key)

    def remove(self, key: str) -> None:
        """Take an array away from the map."""
        terrain = self._document.scene.terrain
        if key == "offset":
            raise SkerryError("a map cannot be without its surface")
        array = terrain.array(key)
        self._document.before_arrays(key)
        if key in self.step.arrays and self.step.arrays[key] is None:
            del self.step.arrays[key]
        elif key not in self.step.arrays:
            self.step.arrays[key] = self._restored(key, array)
        del terrain.extras[key]
        self.changes.append(Change("arrays", key, _NOWHERE))
        if key == f"mask/{terrain.active_mask}":
            self.set("active_mask", "")

    def replace(self, terrain: TerrainMap) -> None:
        """Put a whole other map, of any size, in place of this one; an edit that does so does nothing else.

        The map is handed over: nobody may write to its arrays any more.
        """
        if not self.step.empty:
            raise SkerryError("a map can only be replaced by an edit of its own")
        self._document.before_replacing()
        self.step.terrain = dataclasses.replace(terrain)
        self._document.scene.terrain.exchange(self.step.terrain)
        self.changes.append(Change("scene", "", _NOWHERE))

    def set(self, name: str, value: Any) -> None:
        """Set one of the map's settings.

        `sea_level` (finite, metres), `source` (plain JSON values), `active_mask` (a mask's name, or empty), `frozen`.
        """
        if name not in SETTINGS:
            raise SkerryError(f"'{name}' is not a setting of a map")
        if name == "sea_level" and not math.isfinite(value):
            raise SkerryError(f"the sea level must be a finite number of metres, not {value}")
        terrain = self._document.scene.terrain
        if name == "active_mask" and value:
            terrain.array(f"mask/{value}")
        self.step.settings.setdefault(name, getattr(terrain, name))
        setattr(terrain, name, copy.deepcopy(value))
        self.changes.append(Change("setting", name, _NOWHERE))

    def _restored(self, key: str, array: Array) -> Array:
        """The array as it was before this step, whose tile copies it takes over."""
        copies = self.step.copies.pop(key, None)
        if copies is None:
            return array
        array = array.copy()
        copies.swap(array)
        return array


class Document:
    """One open map. Views read `scene` and listen to `changed`; only `edit`, `undo` and `redo` write."""

    changed = Signal(list)
    """Emitted after every edit, undo and redo with the list of `Change`."""
    edited = Signal()
    """Emitted when the history, the path or the modified state may look different."""
    stored = Signal(Path)
    """Emitted with the path once the map stands in its file."""

    def __init__(self, scene: Scene, path: Path | None = None, budget: int | None = None) -> None:
        self.scene = scene
        self.path = path
        self.history = History() if budget is None else History(budget)
        self.unsaved = DirtyTiles()
        """What differs from the file at `path`."""
        self.modified = False
        self.stamp = scene.stamp
        """Names the state of the file that `unsaved` counts from; empty if there is no such file."""
        self.on_disk = scene.stamp
        """The stamp last seen in the file at `path`; another one there means that somebody else wrote it."""
        self.saving = False
        """True while a save is under way; a second one has to wait for it."""
        self._trackers: list[DirtyTiles] = [self.unsaved]
        self._snapshots: list[Snapshot] = []
        self._watched: dict[Job, Collection[str] | None] = {}
        self._open: Edit | None = None
        self._begun: Step | None = None
        """A mergeable step that has changed nothing yet, kept for the edits that will join it."""

    @property
    def modified(self) -> bool:
        """True unless the map is as it stands in its file, or as it was made; undoing back to there makes it so."""
        return self._modified

    @modified.setter
    def modified(self, value: bool) -> None:
        self._modified = value
        self._kept: Step | int = -1 if value else self._place()

    @property
    def editing(self) -> bool:
        """True in the middle of an edit."""
        return self._open is not None

    @contextmanager
    def edit(self, label: str, merge: object = None) -> Iterator[Edit]:
        """Change the map as one undo step; an exception inside puts everything back.

        merge: a key (not None) that joins this edit to the step before it if that has an equal key.
        """
        if self._open is not None:
            raise SkerryError(f"cannot start '{label}' inside another edit")
        joined = self._step_to_join(merge)
        edit = Edit(self, self._begin(label, merge) if joined is None else joined)
        self._open = edit
        try:
            yield edit
        except BaseException:
            self._open = None
            self._put_back(edit, joined)
            raise
        self._open = None
        self._finish(edit, joined)

    def apply(self, label: str, patch: Patch) -> None:
        """Make a patch's changes as one undo step; values that do not fit raise `SkerryError` and change nothing."""
        with self.edit(label) as edit:
            if patch.terrain is not None:
                _check_finite(label, patch.terrain)
                edit.replace(patch.terrain)
                return
            for key in patch.removed:
                if key in self.scene.terrain.extras:
                    edit.remove(key)
            for key, (rect, values) in patch.arrays.items():
                if key != "offset" and key not in self.scene.terrain.extras:
                    edit.add(key)
                part = edit.write(key, rect)
                if values.dtype != part.dtype or values.shape != part.shape:
                    raise SkerryError(
                        f"'{label}' gave {values.dtype} of {values.shape} for '{key}', "
                        f"which takes {part.dtype} of {part.shape}"
                    )
                if part.dtype.kind == "f" and not np.isfinite(values).all():
                    raise SkerryError(f"'{label}' gave values for '{key}' that are not finite; nothing was changed")
                part[...] = values
            if patch.sea_level is not None:
                edit.set("sea_level", patch.sea_level)
            if patch.active_mask is not None:
                edit.set("active_mask", patch.active_mask)

    def undo(self) -> str | None:
        """Take back the last step; returns its label, or None if there is none."""
        return self._travel(self.history.back) if self.history.done else None

    def redo(self) -> str | None:
        """Do the last undone step again; returns its label, or None if there is none."""
        return self._travel(self.history.forward) if self.history.undone else None

    def abandon(self, merge: object) -> None:
        """Take back the last step, if it has this merge key, and forget it: it can not be redone."""
        if self._open is not None:
            raise SkerryError("cannot take a step back in the middle of an edit")
        if (joined := self._step_to_join(merge)) is not None:
            self.history.pop()
            self._announce(self._exchange(joined))

    def snapshot(self) -> Snapshot:
        """The scene as it is now, readable from another thread while editing goes on; close it after use."""
        if self._open is not None:
            raise SkerryError("no snapshot can be taken in the middle of an edit")
        snapshot = Snapshot(self.scene.terrain, on_close=self._snapshots.remove)
        self._snapshots.append(snapshot)
        return snapshot

    def track(self) -> DirtyTiles:
        """A new record of what changes from now on (for one more file to keep up to date)."""
        tracker = DirtyTiles()
        self._trackers.append(tracker)
        return tracker

    def untrack(self, tracker: DirtyTiles) -> None:
        """Stop keeping a record up to date."""
        self._trackers.remove(tracker)

    def watch(self, job: Job, keys: Collection[str] | None = None) -> None:
        """Cancel a job when an edit, undo or redo touches what it reads: arrays and settings (None: anything).

        For work whose answer would be stale then. Work whose answer is right for the state it began with (saves,
        exports, pictures: they read a snapshot) is not to be watched.
        """
        self._watched[job] = keys

    def unwatch(self, job: Job) -> None:
        """The job has been answered."""
        self._watched.pop(job, None)

    def saved(self, path: Path, stamp: str = "") -> None:
        """Note that everything taken from `unsaved` so far now stands in the file at `path`, in the state `stamp`."""
        self.path = path
        self.stamp = self.on_disk = stamp
        self.modified = bool(self.unsaved)
        self.stored.emit(path)
        self.edited.emit()

    def before_write(self, key: str, rect: Rect) -> None:
        """Keep what snapshots and files need to know before `rect` of an array changes."""
        for snapshot in self._snapshots:
            snapshot.touch(key, rect)
        for tracker in self._trackers:
            tracker.add(key, rect)

    def before_replacing(self) -> None:
        """Note for the files that nothing stays as it was; snapshots hold on to the arrays they saw."""
        for tracker in self._trackers:
            tracker.everything = True

    def before_arrays(self, key: str) -> None:
        """Note for the files that an array comes or goes; snapshots hold on to the arrays they saw."""
        for tracker in self._trackers:
            tracker.add_whole(key)

    def _step_to_join(self, merge: object) -> Step | None:
        done = self.history.done
        if merge is None or not done or self.history.undone or done[-1].merge != merge:
            return None
        return done[-1]

    def _begin(self, label: str, merge: object) -> Step:
        begun, self._begun = self._begun, None
        return begun if begun is not None and merge is not None and begun.merge == merge else Step(label, merge)

    def _finish(self, edit: Edit, joined: Step | None) -> None:
        if edit.step.empty:
            self._begun = edit.step if edit.step.merge is not None else None
            return
        if joined is None:
            self.history.push(edit.step)
        else:
            if joined is self._kept:
                self._kept = -1
            self.history.fit()
        self._announce(edit.changes)

    def _put_back(self, edit: Edit, joined: Step | None) -> None:
        """Undo a failed edit; one that was joining a step takes the whole step back with it."""
        if edit.step.empty:
            return
        changes = self._exchange(edit.step)
        if joined is not None:
            self.history.pop()
        self._announce(changes)

    def _travel(self, move: Callable[[], Step]) -> str:
        if self._open is not None:
            raise SkerryError("cannot undo or redo in the middle of an edit")
        step = move()
        changes = self._exchange(step)
        step.merge = None
        # An added array costs its step nothing until it is undone, and a removed one nothing once it is.
        self.history.fit()
        self._announce(changes)
        return step.label

    def _exchange(self, step: Step) -> list[Change]:
        for key in step.arrays:
            self.before_arrays(key)
        if step.terrain is not None:
            self.before_replacing()
        return step.exchange(self.scene.terrain, self.before_write)

    def _place(self) -> Step | int:
        """Where the map is in its history: the newest done step; before the first one, how many were dropped."""
        return self.history.done[-1] if self.history.done else self.history.dropped

    def _announce(self, changes: list[Change]) -> None:
        for change in changes:
            if change.key == "offset":
                self.scene.terrain.moved(change.rect)
        place = self._place()
        self._modified = not (place is self._kept or (isinstance(place, int) and place == self._kept))
        touched = {change.key for change in changes}
        for job, keys in self._watched.items():
            if keys is None or not touched.isdisjoint(keys):
                job.cancel()
        for tracker in self._trackers:
            if any(change.kind == "setting" for change in changes):
                tracker.settings = True
        self.changed.emit(changes)
        self.edited.emit()


def _check_finite(label: str, terrain: TerrainMap) -> None:
    for key, array in terrain.arrays().items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise SkerryError(f"'{label}' gave values for '{key}' that are not finite; nothing was changed")
