"""Preview: what an operation would do, worked out on a smaller copy of the map; the map itself is only read."""

from collections.abc import Mapping

import numpy as np

import editor.store.as_importer  # noqa: F401 - maps can be merged
from editor.document import Document
from editor.snapshot import Snapshot
from plugins.api import Job, Patch, Scene, TerrainMap
from plugins.operating import run_operation
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.reshape.resample import resample

MOST_CELLS = 512
"""Cells along the longer side of a preview, so that maps of 2^n + 1 vertices keep every n-th one in its place."""


def reduction(rows: int, cols: int) -> int:
    """How many times larger the cells of a preview are than those of a map of `rows × cols` vertices."""
    return max(1, -(-(max(rows, cols) - 1) // MOST_CELLS))


class SmallMap:
    """A smaller copy of a map as it was when made, with all that is painted on it; resampled when first needed.

    `preview` is for a worker, one at a time; making and `close` are for the thread that edits.
    """

    def __init__(self, document: Document) -> None:
        self._snapshot: Snapshot = document.snapshot()
        self.factor = reduction(*self._snapshot.shape("offset")[:2])
        """Cells of the map along one cell of the copy."""
        self._small: TerrainMap | None = None

    @property
    def read(self) -> bool:
        """True once the copy is made, so that the map may change at no cost."""
        return self._small is not None

    def preview(self, op_id: str, values: Mapping[str, object], job: Job) -> TerrainMap:
        """The copy with an operation's changes on it, by the same rules and within the same mask as the map itself.

        Raises what `run_operation` raises, and `SkerryError` where a reduced map cannot show what is asked for.
        """
        small = self._copy(job)
        # A copy for each run: an operation that writes where it should read must not spoil the next one.
        base = _duplicate(small)
        patch = run_operation(Scene(_duplicate(small)), op_id, values, job)
        if self.factor > 1 and patch.terrain is not None and not _same_grid(patch.terrain, small):
            raise SkerryError("no preview: this gives the map another grid")
        job.progress(1.0)
        result = _patched(base, patch)
        # Built here, for the thread that draws has no time for it.
        result.bounds  # noqa: B018
        return result

    def close(self) -> None:
        """Let go of the map; a copy that is made already stays usable."""
        self._snapshot.close()

    def _copy(self, job: Job) -> TerrainMap:
        if self._small is None:
            job.progress(0.0, "reducing the map")
            terrain = self._snapshot.terrain()
            job.progress(0.0, "reducing the map")
            self._small = terrain if self.factor == 1 else resample(terrain, terrain.field.cell * self.factor)
        return self._small


def _duplicate(terrain: TerrainMap) -> TerrainMap:
    field = VectorField(terrain.field.offset.copy(), terrain.field.cell, terrain.field.origin)
    extras = {key: array.copy() for key, array in terrain.extras.items()}
    return TerrainMap(field, extras, terrain.sea_level, dict(terrain.source), terrain.active_mask, terrain.frozen)


def _patched(terrain: TerrainMap, patch: Patch) -> TerrainMap:
    """The map with a patch on it: a document that nobody keeps applies it, so that the same values are refused."""
    document = Document(Scene(terrain), budget=0)
    try:
        document.apply("preview", patch)
    finally:
        document.history.close()
    return terrain


def _same_grid(one: TerrainMap, other: TerrainMap) -> bool:
    return one.field.offset.shape == other.field.offset.shape and bool(np.isclose(one.field.cell, other.field.cell))
