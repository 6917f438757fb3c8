"""Commands: what a person can do to a document, as verbs without a window system."""

import dataclasses
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from editor.document import Document
from editor.snapshot import Snapshot
from plugins.api import Job, Patch, Report, Scene, TerrainMap
from plugins.registry import find_operation
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.pick import Hit
from terrain.tiles import Rect

SUFFIX = ".skerry"


def new_document(cols: int, rows: int, cell: float, height: float = 0.0, sea_level: float = 0.0) -> Document:
    """A level map of `cols × rows` vertices, `cell` metres apart, at `height` metres."""
    return Document(Scene(TerrainMap(VectorField.flat(rows, cols, cell, height), sea_level=sea_level)))


def sample_document() -> Document:
    """The ready-made island that the editor starts with."""
    from editor.sample import sample_scene

    return Document(sample_scene())


def open_document(path: Path) -> Document:
    """The map in a file."""
    from editor.store import load

    return Document(load(path), path)


def import_document(path: Path, importer: str | None, values: Mapping[str, object], job: Job) -> Document:
    """A foreign file as a new document that has no file of its own yet."""
    from plugins.importing import import_file

    document = Document(import_file(path, importer, values, job))
    document.scene.terrain.bounds  # noqa: B018 - built here, in the worker
    document.modified = True
    return document


def export_snapshot(snapshot: Snapshot, target: str, folder: Path, values: Mapping[str, object], job: Job) -> Report:
    """Write a map as it was when the snapshot was taken; in a worker, editing may go on meanwhile."""
    from plugins.exporting import export_scene

    scene = Scene(snapshot.terrain())
    report: Report = export_scene(scene, target, folder, values, job)
    return report


def run_on_snapshot(snapshot: Snapshot, op_id: str, values: Mapping[str, object], job: Job) -> Patch:
    """What an operation changes on a map as it was when the snapshot was taken; for a worker or for here."""
    import editor.store.as_importer  # noqa: F401 - maps can be merged
    from plugins.operating import run_operation

    return run_operation(Scene(snapshot.terrain()), op_id, values, job)


def run_operation(document: Document, op_id: str, values: Mapping[str, object], job: Job) -> None:
    """Run an operation here and now, as one undo step."""
    snapshot = document.snapshot()
    try:
        patch = run_on_snapshot(snapshot, op_id, values, job)
    finally:
        snapshot.close()
    apply_operation(document, op_id, patch)


def apply_operation(document: Document, op_id: str, patch: Patch) -> None:
    """Make what an operation changes part of the map, as one undo step; the first mask made becomes the active one."""
    operation, terrain = find_operation(op_id), document.scene.terrain
    made = [key.split("/", 1)[1] for key in patch.arrays if key.startswith("mask/")]
    if operation.menu == "Mask" and not terrain.active_mask and len(made) == 1:
        patch = dataclasses.replace(patch, active_mask=made[0])
    label = f"Mask: {operation.label.lower()}" if operation.menu == "Mask" else operation.label
    document.apply(label, patch)


def choose_mask(document: Document, name: str, frozen: bool | None = None) -> None:
    """Let a mask (empty: none) limit every edit, or protect what it covers; the same choice again changes nothing."""
    terrain = document.scene.terrain
    frozen = terrain.frozen if frozen is None else frozen
    if (name, frozen) == (terrain.active_mask, terrain.frozen):
        return
    with document.edit("Mask" if name else "No mask", merge="mask") as edit:
        edit.set("active_mask", name)
        edit.set("frozen", frozen)


def keep_mask(document: Document, name: str) -> None:
    """Keep a copy of the active mask under a name; an older mask of that name is replaced."""
    values = {"source": document.scene.terrain.active_mask, "into": name}
    run_operation(document, "mask-copy", values, Job())


def set_sea_level(document: Document, level: float) -> None:
    """Move the still sea to a height in metres, as an undoable edit; the same level again changes nothing."""
    if not np.isfinite(level):
        raise SkerryError(f"the sea level must be a finite number, not {level}")
    if level != document.scene.terrain.sea_level:
        with document.edit("Sea level", merge="sea level") as edit:
            edit.set("sea_level", float(level))


def travel(document: Document, done: int) -> None:
    """Undo or redo until exactly `done` steps are done."""
    while len(document.history.done) > done and document.undo() is not None:
        pass
    while len(document.history.done) < done and document.redo() is not None:
        pass


def with_suffix(path: Path) -> Path:
    """The path with the ending of map files, added where a person left it out."""
    return path if path.suffix.lower() == SUFFIX else path.with_name(path.name + SUFFIX)


def is_map(path: Path) -> bool:
    """True for a name of our own files; any other is for an importer."""
    return path.suffix.lower() == SUFFIX


def map_facts(document: Document) -> list[tuple[str, str]]:
    """What a person wants to know of a map, as pairs of name and value."""
    terrain = document.scene.terrain
    field = terrain.field
    low, high = terrain.bounds.whole[2], terrain.bounds.whole[5]
    facts = [
        ("Vertices", f"{field.cols} × {field.rows}"),
        ("Cell", f"{field.cell:g} m"),
        ("Extent", " × ".join(length_text(side) for side in field.rest_size)),
        ("Origin", f"{field.origin[0]:g}, {field.origin[1]:g} m"),
        ("Heights", f"{low:.1f} … {high:.1f} m"),
        ("Arrays", ", ".join(terrain.arrays())),
        ("In memory", bytes_text(sum(array.nbytes for array in terrain.arrays().values()))),
    ]
    return facts


def source_lines(document: Document) -> list[str]:
    """What the importer found in the file that the map came from; empty for maps made here."""
    source: dict[str, Any] = document.scene.terrain.source
    if not source:
        return []
    from plugins.importing import describe_source

    return list(describe_source(source))


def slope_at(document: Document, hit: Hit) -> float:
    """Degrees from the horizontal at a place on the surface; more than 90 on an overhang's underside."""
    field = document.scene.terrain.field
    row, col = round(hit.row), round(hit.col)
    upright = float(field.normals(Rect(row, row + 1, col, col + 1))[0, 0, 2])
    return math.degrees(math.acos(min(max(upright, -1.0), 1.0)))


def length_text(metres: float) -> str:
    """A length for a person: 850 m, 2.55 km."""
    return f"{metres:.4g} m" if abs(metres) < 1000.0 else f"{metres / 1000.0:.4g} km"


def bytes_text(count: int) -> str:
    """An amount of memory for a person: 12 kB, 3.4 MB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def warm_kernels() -> None:
    """Compile or load what the first stroke needs, on a map of its own; for a thread after the first frame."""
    from editor.strokes import StrokeSession
    from plugins.registry import brushes
    from terrain.lod import LevelChooser, PatchErrors
    from terrain.pick import pick
    from terrain.sample import sample_island

    document = new_document(33, 33, 1.0)
    for brush_id, brush in brushes().items():
        place: dict[str, Any] = {"x": 8.0, "y": 8.0} if brush_id == "clone" else {}
        params = brush.Params(radius=4.0, **place)
        session = StrokeSession(document, brush_id, params, eye=np.array([16.0, 0.0, 20.0]))
        session.point(np.array([16.0, 16.0, 0.0]))
        session.point(np.array([16.0, 18.0, 0.0]))
        session.end()
    terrain = document.scene.terrain
    chooser = LevelChooser(terrain.bounds, PatchErrors.of(terrain.field))
    chooser.choose(np.array([16.0, 0.0, 20.0]), 900.0, np.zeros((5, 4)), 1.0)
    sample_island(3, 3)
    pick(terrain, np.array([16.0, 16.0, 50.0]), np.array([0.0, 0.0, -1.0]))
    terrain.field.normals()


def timing() -> bool:
    """True if the person asked for start-up times with SKERRY_TIMING=1."""
    return os.environ.get("SKERRY_TIMING") == "1"
