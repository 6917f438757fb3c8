"""All files of an export or none, whatever the folder, the disk and the names are like."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from plugins.api import Cancelled, Job, Report, Scene
from plugins.exporting import check_folder, export_scene
from plugins.registry import exporters
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap

TARGETS = ("height", "vdm", "gltf")


def scene(rows: int = 60, cols: int = 50, seed: int = 1) -> Scene:
    offset = np.random.default_rng(seed).normal(0.0, 0.3, (rows, cols, 3)).astype(np.float32)
    return Scene(TerrainMap(VectorField(offset, 1.0)))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def job_that_stops_after(reports: int) -> Job:
    """Somebody presses Cancel while looking at that report."""
    left = iter(range(reports - 1, -1, -1))
    job = Job(lambda share, doing: None if next(left) else job.cancel())
    return job


@pytest.fixture
def small_disk() -> Iterator[None]:
    """No file may grow beyond 4 kB, as on a disk that is nearly full."""
    resource = pytest.importorskip("resource", reason="Windows has no limit on the size of a file")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("small_disk")
@pytest.mark.parametrize(
    ("target", "values"),
    [("height", {"formats": name}) for name in ("all", "r16", "png16", "exr")] + [("vdm", {}), ("gltf", {})],
)
def test_a_disk_that_fills_up_leaves_the_folder_as_it_was(
    tmp_path: Path, target: str, values: dict[str, object]
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "notes.txt").write_text("mine")
    before = contents(tmp_path)
    for folder in (tmp_path / "there", tmp_path / "new" / "deep" / "folder"):
        with pytest.raises(SkerryError) as caught:
            export_scene(scene(), target, folder, values, Job())
        assert str(caught.value) == f"{folder}: cannot be written: {os.strerror(errno.EFBIG)}"
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


@pytest.mark.parametrize("target", TARGETS)
def test_any_name_of_a_folder_will_do(tmp_path: Path, target: str) -> None:
    folder = tmp_path / "Ærø – 島 🏝" / "ut två" / "x.json"
    report = export_scene(scene(), target, folder, {}, Job())
    assert all(file.parent == folder and file.is_file() for file in report.files)
    assert check_folder(folder) == []
    assert {file.name for file in report.files} == {path.name for path in folder.iterdir()}


def test_other_files_stay_and_old_exports_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "height.txt").write_text("mine")
    export_scene(scene(seed=1), "height", tmp_path, {}, Job())
    first = contents(tmp_path)
    report = export_scene(scene(seed=2), "height", tmp_path, {}, Job())
    second = contents(tmp_path)
    assert first.keys() == second.keys()
    assert second["height.txt"] == b"mine"
    assert all(first[file.name] != second[file.name] for file in report.files)
    assert check_folder(tmp_path) == []


def test_what_an_earlier_export_left_is_named(tmp_path: Path) -> None:
    export_scene(scene(seed=1), "height", tmp_path, {}, Job())
    report = export_scene(scene(seed=2), "height", tmp_path, {"formats": "r16"}, Job())
    assert [note for note in report.notes if "earlier" in note] == [
        f"{name} is left from an earlier export" for name in ("height.png", "height.exr")
    ]
    assert check_folder(tmp_path) == []


@pytest.mark.parametrize("obstacle", ["height.r16", "height.exr", "height.json"])
def test_a_folder_in_the_way_of_one_file_stops_all(tmp_path: Path, obstacle: str) -> None:
    (tmp_path / obstacle).mkdir()
    (tmp_path / "height.png").write_bytes(b"an older picture")
    with pytest.raises(SkerryError, match=f"{obstacle}: is a folder where a file is to go"):
        export_scene(scene(), "height", tmp_path, {}, Job())
    assert contents(tmp_path) == {"height.png": b"an older picture"}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["height.png", obstacle])


def test_a_move_that_fails_puts_the_old_files_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export_scene(scene(seed=1), "height", tmp_path, {}, Job())
    before = contents(tmp_path)
    replace, calls = os.replace, []

    def fails_once(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == 6:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        replace(source, target)

    monkeypatch.setattr(os, "replace", fails_once)
    with pytest.raises(SkerryError, match="cannot be written: Input/output error"):
        export_scene(scene(seed=2), "height", tmp_path, {}, Job())
    assert len(calls) > 6
    assert contents(tmp_path) == before
    assert check_folder(tmp_path) == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs folders that may not be written; root may")
def test_no_permission_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(SkerryError, match="cannot be written: Permission denied"):
        export_scene(scene(), "vdm", tmp_path / "out", {}, Job())
    assert list(tmp_path.iterdir()) == []


def test_a_path_through_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SkerryError, match="file: is a file; name a folder"):
        export_scene(scene(), "vdm", tmp_path / "file", {}, Job())
    with pytest.raises(SkerryError, match="cannot be written: Not a directory"):
        export_scene(scene(), "vdm", tmp_path / "file" / "below", {}, Job())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("target", TARGETS)
def test_cancelling_at_any_report_leaves_nothing(tmp_path: Path, target: str) -> None:
    shares: list[float] = []
    export_scene(scene(300, 90), target, tmp_path / "whole", {}, Job(lambda share, doing: shares.append(share)))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) >= 3
    for stop in range(1, len(shares)):
        with pytest.raises(Cancelled):
            export_scene(scene(300, 90), target, tmp_path / "out" / "deep", {}, job_that_stops_after(stop))
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("axis", [0, 2])
def test_a_map_that_is_not_finite_is_refused(tmp_path: Path, target: str, value: float, axis: int) -> None:
    broken = scene(9, 13)
    broken.terrain.field.offset[4, 7, axis] = broken.terrain.field.offset[8, 0, axis] = value
    with pytest.raises(SkerryError, match=r"not finite numbers \(2, the first in row 4, column 7\)"):
        export_scene(broken, target, tmp_path / "out", {}, Job())
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(scene: Scene, folder: Path, params: object, job: Job) -> Report:
        raise MemoryError

    monkeypatch.setattr(exporters()["vdm"], "write", fails)
    with pytest.raises(SkerryError, match="not enough memory to export 'vdm'"):
        export_scene(scene(), "vdm", tmp_path / "out", {}, Job())
    assert list(tmp_path.iterdir()) == []
