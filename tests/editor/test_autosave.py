"""Autosave: when it writes, what it writes, when it goes away, and how it is found after a crash."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import editor.autosave as autosaving
from editor.autosave import Autosave, autosave_path, forget, recover, recoverable
from editor.document import Document
from editor.jobs import JobRunner
from editor.store import load, save_document
from plugins.api import Scene
from terrain.tiles import Rect
from tests.editor.stored import assert_same, full_map, wide_map

ROOT = Path(__file__).parents[2]


class Desk:
    """A document on a person's desk: a clock to turn, an event loop to run, the autosave's messages."""

    def __init__(self, document: Document, folder: Path) -> None:
        self.document, self.now, self.said = document, 1000.0, list[object]()
        self.gesture = False
        self.calls: queue.Queue[Callable[[], None]] = queue.Queue()
        self.runner = JobRunner(self.calls.put)
        self.autosave = Autosave(
            document,
            self.runner,
            interval=120.0,
            started=lambda: self.said.append("started"),
            finished=self.said.append,
            busy=lambda: self.gesture,
            folder=folder,
            clock=lambda: self.now,
        )

    def touch(self, rect: Rect = Rect(0, 1, 0, 1)) -> None:  # noqa: B008 - a tuple
        with self.document.edit("touch") as edit:
            edit.write("offset", rect)[...] += 1

    def wait(self, seconds: float = 121.0) -> bool:
        """Let time pass, tick, and finish what begins."""
        self.now += seconds
        began = self.autosave.tick()
        if began:
            self.calls.get(timeout=20)()
        return began


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    document = Document(Scene(wide_map()))
    save_document(document, tmp_path / "map.skerry")
    desk = Desk(document, tmp_path / "state")
    yield desk
    desk.runner.close()


def kept(desk: Desk) -> Path:
    assert desk.document.path is not None
    return autosave_path(desk.document.path)


def test_after_a_change_and_the_interval(desk: Desk) -> None:
    assert not desk.wait(10_000.0), "nothing has changed"
    desk.touch()
    assert not desk.wait(119.0)
    desk.touch()
    assert desk.wait(1.0), "counted from the first change"
    assert desk.said == ["started", None]
    assert kept(desk).name == "map.skerry.autosave"
    assert_same(load(kept(desk)).terrain, desk.document.scene.terrain)
    assert not desk.wait(10_000.0), "nothing has changed since"
    assert desk.document.modified, "the map itself is not saved"


def test_the_second_writes_only_what_changed_since(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.touch(Rect(0, 600, 0, 530))
    desk.wait()
    inode = kept(desk).stat().st_ino
    desk.touch(Rect(300, 301, 300, 301))
    desk.wait()
    assert kept(desk).stat().st_ino == inode, "changed in place"
    assert_same(load(kept(desk)).terrain, desk.document.scene.terrain)
    kept(desk).write_bytes(b"ruined")
    desk.touch()
    desk.wait()
    assert_same(load(kept(desk)).terrain, desk.document.scene.terrain)


def test_never_in_mid_stroke(desk: Desk) -> None:
    desk.touch()
    desk.autosave.hold()
    desk.autosave.hold()
    assert not desk.wait()
    desk.autosave.release()
    assert not desk.wait()
    desk.autosave.release()
    desk.gesture = True
    assert not desk.wait()
    desk.gesture = False
    with desk.document.edit("open"):
        assert not desk.wait()
    desk.document.saving = True
    assert not desk.wait()
    desk.document.saving = False
    assert desk.wait()


def test_editing_goes_on_while_it_writes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    go, save = threading.Event(), autosaving.save
    monkeypatch.setattr(autosaving, "save", lambda *what: go.wait(20) and save(*what))
    desk.touch(Rect(0, 600, 0, 530))
    expected = desk.document.scene.terrain.field.offset.copy()
    desk.now += 121.0
    assert desk.autosave.tick()
    assert desk.autosave.writing
    desk.touch(Rect(0, 600, 0, 530))
    desk.now += 121.0
    assert not desk.autosave.tick(), "one at a time"
    go.set()
    desk.calls.get(timeout=20)()
    assert (load(kept(desk)).terrain.field.offset == expected).all()
    assert desk.wait(0.0), "the change made meanwhile has waited long enough"
    assert_same(load(kept(desk)).terrain, desk.document.scene.terrain)


def test_removed_by_a_save_and_by_closing(desk: Desk) -> None:
    for end in (lambda: save_document(desk.document), desk.autosave.close):
        desk.touch()
        desk.wait()
        assert kept(desk).exists()
        end()
        assert not kept(desk).exists()
        assert not desk.wait(10_000.0)
    desk.touch()
    assert not desk.wait(10_000.0), "closed"
    assert desk.document._trackers == [desk.document.unsaved]


@pytest.mark.parametrize("end", ["save", "close"])
def test_one_under_way_does_not_outlive_a_save(desk: Desk, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    go, save = threading.Event(), autosaving.save
    monkeypatch.setattr(autosaving, "save", lambda *what: go.wait(20) and save(*what))
    desk.touch()
    desk.now += 121.0
    desk.autosave.tick()
    save_document(desk.document) if end == "save" else desk.autosave.close()
    go.set()
    desk.calls.get(timeout=20)()
    assert not kept(desk).exists()
    assert recoverable(desk.document.path) is None
    if end == "save":
        desk.touch()
        assert desk.wait()
        assert_same(load(kept(desk)).terrain, desk.document.scene.terrain)


def test_save_as_moves_it_along(desk: Desk, tmp_path: Path) -> None:
    desk.touch()
    desk.wait()
    old = kept(desk)
    save_document(desk.document, tmp_path / "other.skerry")
    assert not old.exists()
    desk.touch()
    desk.wait()
    assert kept(desk) == tmp_path / "other.skerry.autosave"
    assert kept(desk).exists()


def test_a_failure_is_said_and_tried_again_after_the_interval(desk: Desk) -> None:
    blocked = kept(desk)
    blocked.mkdir()
    desk.touch()
    assert desk.wait()
    assert "is a folder" in str(desk.said[-1])
    assert not desk.wait(1.0)
    blocked.rmdir()
    assert desk.wait()
    assert desk.said[-1] is None
    assert_same(load(kept(desk)).terrain, desk.document.scene.terrain)


def test_offered_only_if_newer_than_the_map(desk: Desk) -> None:
    path = desk.document.path
    assert recoverable(path) is None
    desk.touch()
    desk.wait()
    assert recoverable(path) == kept(desk)
    stat = kept(desk).stat()
    assert path is not None
    os.utime(path, ns=(0, stat.st_mtime_ns + 1))
    assert recoverable(path) is None
    path.unlink()
    assert recoverable(path) == kept(desk), "all that is left of the map"


def test_recovered_work_is_unsaved_and_saved_whole(desk: Desk, tmp_path: Path) -> None:
    path = desk.document.path
    desk.touch()
    desk.wait()
    left = recoverable(path)
    assert left is not None
    document = recover(left, path)
    assert_same(document.scene.terrain, desk.document.scene.terrain)
    assert document.modified
    again = Autosave(document, desk.runner, folder=tmp_path)
    save_document(document)
    assert_same(load(path).terrain, desk.document.scene.terrain)  # type: ignore[arg-type]
    assert not left.exists(), "the new session's save removes what it began from"
    again.close()


def test_a_map_without_a_file_and_its_crash(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    program = (
        "import os, sys; from pathlib import Path; from editor.autosave import Autosave\n"
        "from editor.document import Document; from editor.jobs import JobRunner\n"
        "from plugins.api import Scene; from tests.editor.stored import full_map\n"
        "calls = __import__('queue').Queue(); document = Document(Scene(full_map()))\n"
        "autosave = Autosave(document, JobRunner(calls.put), interval=0, folder=Path(sys.argv[1]))\n"
        "with document.edit('sea') as edit: edit.set('sea_level', 7.0)\n"
        "assert autosave.tick(); calls.get()(); print('kept', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"kept\n"
        assert recoverable(None, folder) is None, "its editor still runs"
        child.kill()
    left = recoverable(None, folder)
    assert left is not None
    document = recover(left, None)
    assert document.scene.terrain.sea_level == 7.0
    assert document.path is None
    forget(left)
    assert recoverable(None, folder) is None
    assert list(folder.iterdir()) == []


def test_an_untitled_map_that_is_named_or_closed_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    for end in (
        lambda desk: save_document(desk.document, tmp_path / "named.skerry"),
        lambda desk: desk.autosave.close(),
    ):
        desk = Desk(Document(Scene(full_map())), folder)
        desk.touch()
        assert desk.wait()
        assert [entry.suffix for entry in sorted(folder.iterdir())] == [".autosave", ".lock"]
        end(desk)
        assert list(folder.iterdir()) == []
        desk.runner.close()


def test_no_folder_for_an_untitled_map(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in the way")
    desk = Desk(Document(Scene(full_map())), tmp_path / "state")
    desk.touch()
    assert not desk.wait()
    assert "no folder for autosaves" in str(desk.said[-1])
    desk.runner.close()
