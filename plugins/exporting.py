"""Export a scene: all files of a target appear in the folder, or none."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from plugins.api import Job, Report, Scene
from plugins.registry import exporters, find_exporter
from plugins.sidecar import check_files, read_sidecar
from terrain.errors import SkerryError
from terrain.params import from_mapping


def export_scene(scene: Scene, target: str, folder: Path, values: Mapping[str, object], job: Job) -> Report:
    """Write a target's files into a folder, which is made if absent; its other files stay.

    Raises `SkerryError` with one line; then nothing was added and nothing replaced.
    """
    exporter = find_exporter(target)
    params = from_mapping(exporter.Params, values)
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as beside:
            report = exporter.write(scene, Path(beside), params, job)
            return _move(report, folder)
    except OSError as error:
        _remove_if_made(folder, made)
        raise SkerryError(f"{folder}: cannot be written: {error.strerror or error}") from None
    except BaseException:
        _remove_if_made(folder, made)
        raise


def check_folder(folder: Path) -> list[str]:
    """What is wrong with the exports in a folder, one line each; raises if it holds none."""
    sidecars = [path for path in sorted(folder.glob("*.json")) if _is_sidecar(path)]
    if not sidecars:
        raise SkerryError(f"{folder}: holds no export of Skerry (no sidecar .json)")
    faults = []
    for path in sidecars:
        record = read_sidecar(path)
        found = check_files(folder, record)
        target = str(record.get("target"))
        if not found and target in exporters():
            found = [f"{path}: {fault}" for fault in find_exporter(target).check(path)]
        faults += found
    return faults


def _move(report: Report, folder: Path) -> Report:
    """Move the whole files into place, the sidecar last: it vouches for the others."""
    moved = []
    for file in sorted(report.files, key=lambda file: file.suffix == ".json"):
        os.replace(file, folder / file.name)
        moved.append(folder / file.name)
    return Report(tuple(moved), report.notes)


def _remove_if_made(folder: Path, made: bool) -> None:
    if made and folder.is_dir() and not any(folder.iterdir()):
        shutil.rmtree(folder, ignore_errors=True)


def _is_sidecar(path: Path) -> bool:
    try:
        read_sidecar(path)
    except SkerryError:
        return b"skerry-export" in path.read_bytes()
    return True
