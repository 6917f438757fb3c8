"""Backups: made when due, rotated, never in the way of a save."""

import os
from pathlib import Path

import pytest

from editor.backups import INTERVAL, KEPT, backup_due, backup_path, keep_backup
from editor.document import Document
from editor.store import load, save_document
from plugins.api import Scene
from terrain.tiles import Rect
from tests.editor.stored import assert_same, full_map


def age(path: Path, seconds: float) -> None:
    """Make a file look older, or newer, by so much."""
    stat = path.stat()
    os.utime(path, (stat.st_atime - seconds, stat.st_mtime - seconds))


def backups(folder: Path) -> dict[str, bytes]:
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.name != "map"}


def test_rotation_keeps_the_newest_three(tmp_path: Path) -> None:
    path = tmp_path / "map"
    for number in range(6):
        path.write_bytes(b"state %d" % number)
        os.utime(path, (number, number + 10))
        assert keep_backup(path)
        age(backup_path(path, 1), INTERVAL + 1)
        os.utime(backup_path(path, 1), (number, number + 10.5))
    assert KEPT == 3
    assert backups(tmp_path) == {"map.1": b"state 5", "map.2": b"state 4", "map.3": b"state 3"}


def test_due_by_age_of_the_newest_and_only_if_the_file_changed(tmp_path: Path) -> None:
    path = tmp_path / "map"
    assert not backup_due(path), "nothing to lose yet"
    path.write_bytes(b"")
    assert not backup_due(path)
    path.write_bytes(b"1")
    assert keep_backup(path)
    assert not keep_backup(path, now=True), "this very state is kept already"
    path.write_bytes(b"2")
    os.utime(path, ns=(0, backup_path(path, 1).stat().st_mtime_ns + 1_000_000))
    assert not keep_backup(path), "the newest is younger than the interval"
    assert keep_backup(path, now=True)
    age(backup_path(path, 1), INTERVAL + 5)
    assert keep_backup(path)
    age(backup_path(path, 1), -3600.0)
    assert backup_due(path), "a clock that was put back must not stop backups"


def test_a_failing_backup_is_logged_and_leaves_the_others(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "map"
    path.write_bytes(b"1")
    keep_backup(path)
    age(backup_path(path, 1), INTERVAL + 5)
    (tmp_path / "map.1.new").mkdir()
    assert not keep_backup(path)
    assert "no backup could be made" in caplog.text
    assert backup_path(path, 1).read_bytes() == b"1"


def test_saves_make_backups_only_when_due(tmp_path: Path) -> None:
    path = tmp_path / "map.skerry"
    document = Document(Scene(full_map()))
    for level in range(4):
        with document.edit("sea") as edit:
            edit.set("sea_level", float(level))
            edit.write("offset", Rect(0, 9, 0, 9))[..., 2] = level
        save_document(document, path)
    assert load(backup_path(path, 1)).terrain.sea_level == 0.0
    assert not backup_path(path, 2).exists()
    assert_same(load(path).terrain, document.scene.terrain)
