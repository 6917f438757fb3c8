"""Export a scene: all files of a target appear in the folder, or none."""

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from plugins.api import Job, Report, Scene, TerrainMap
from plugins.registry import exporters, find_exporter
from plugins.sidecar import check_files, is_sidecar, read_sidecar
from terrain.errors import SkerryError
from terrain.params import from_mapping


def export_scene(scene: Scene, target: str, folder: Path, values: Mapping[str, object], job: Job) -> Report:
    """Write a target's files into a folder, which is made if absent; its other files stay.

    Raises `SkerryError` with one line; then nothing was added and nothing replaced.
    """
    exporter = find_exporter(target)
    params = from_mapping(exporter.Params, values)
    if folder.exists() and not folder.is_dir():
        raise SkerryError(f"{folder}: is a file; name a folder")
    _check_finite(scene.terrain)
    try:
        with _folder(folder), tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as beside:
            report = exporter.write(scene, Path(beside), params, job)
            stale = _stale(report, folder)
            moved = _move(report.files, folder, Path(beside))
    except OSError as error:
        raise SkerryError(f"{folder}: cannot be written: {error.strerror or error}") from None
    except MemoryError:
        raise SkerryError(f"{folder}: not enough memory to export '{target}'; resample the map first") from None
    return Report(moved, (*report.notes, *stale))


def check_folder(folder: Path) -> list[str]:
    """What is wrong with the exports in a folder, one line each; raises if it holds none."""
    sidecars = [path for path in sorted(folder.glob("*.json")) if is_sidecar(path)]
    if not sidecars:
        raise SkerryError(f"{folder}: holds no export of Skerry (no sidecar .json)")
    return [fault for path in sidecars for fault in _check_export(path)]


def _check_export(path: Path) -> list[str]:
    try:
        record = read_sidecar(path)
    except SkerryError as error:
        return [str(error)]
    try:
        faults = check_files(path.parent, record)
        target = record["target"]
        if faults:
            return faults
        if target not in exporters():
            return [f"{path}: nobody here knows the target '{target}'; only sizes and checksums were compared"]
        return [f"{path}: {fault}" for fault in find_exporter(target).check(path)]
    except Exception as error:
        # A decoder's complaint, or a record that vouches for itself and makes no sense: a fault like any other.
        return [f"{path}: cannot be read back: {' '.join(str(error).split())[:200] or type(error).__name__}"]


def _check_finite(terrain: TerrainMap) -> None:
    """Raise if a displacement is NaN or infinite: no target can say that, and a range made of it is worthless."""
    offset = terrain.field.offset
    with np.errstate(invalid="ignore"):
        # NaN comes through both, and neither needs an array of the map's size.
        edges = (offset.min(), offset.max())
    if not np.isfinite(edges).all():
        bad = np.argwhere(~np.isfinite(offset).all(axis=-1))
        row, col = bad[0]
        raise SkerryError(
            f"the map has vertices that are not finite numbers ({len(bad):,}, the first in row {row}, column {col}); "
            "undo what made them, or open the last sound backup"
        )


@contextlib.contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """Make a folder and its parents; take away again those made if the work fails."""
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for path in made:
            # Whatever somebody else has put there in the meantime stays.
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


def _move(files: tuple[Path, ...], folder: Path, beside: Path) -> tuple[Path, ...]:
    """Move whole files into place, the sidecar last as it vouches for the others; if one fails, all go back."""
    old = beside / "replaced"
    old.mkdir()
    placed: list[Path] = []
    kept: list[Path] = []
    try:
        for file in sorted(files, key=lambda file: file.suffix == ".json"):
            place = folder / file.name
            if place.is_dir():
                raise SkerryError(f"{place}: is a folder where a file is to go; move it away")
            if place.exists():
                os.replace(place, old / place.name)
                kept.append(place)
            os.replace(file, place)
            placed.append(place)
    except BaseException:
        for place in placed:
            place.unlink()
        for place in kept:
            os.replace(old / place.name, place)
        raise
    return tuple(placed)


def _stale(report: Report, folder: Path) -> list[str]:
    """Notes on files of an earlier export that this one does not replace, though it replaces their sidecar."""
    new = {file.name for file in report.files}
    notes = []
    for name in sorted(name for name in new if is_sidecar(folder / name)):
        with contextlib.suppress(SkerryError):
            record: dict[str, Any] = read_sidecar(folder / name)
            left = [entry["name"] for entry in record["files"] if entry["name"] not in new]
            notes += [f"{file} is left from an earlier export" for file in left if (folder / file).exists()]
    return notes
