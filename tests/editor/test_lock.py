"""Locks: a second editor is told who has the map; a dead one's lock is taken over."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from editor.lock import HeldError, Holder, MapLock, holder_of, lock_path
from terrain.errors import SkerryError

ROOT = Path(__file__).parents[2]
_HOLD = "import sys; from pathlib import Path; from editor.lock import MapLock\nMapLock(Path(sys.argv[1]))"


def test_held_until_released(tmp_path: Path) -> None:
    path = tmp_path / "Ψ map.skerry"
    assert holder_of(path) is None
    lock = MapLock(path)
    assert json.loads(lock_path(path).read_text()) == {"pid": os.getpid(), "host": socket.gethostname()}
    with pytest.raises(
        HeldError, match=f"is open in process {os.getpid()} on {socket.gethostname()}; close it"
    ) as held:
        MapLock(path)
    assert held.value.holder == Holder(os.getpid(), socket.gethostname()) == holder_of(path)
    lock.release()
    lock.release()
    assert list(tmp_path.iterdir()) == []
    MapLock(path).release()


def test_another_name_of_the_same_map_is_the_same_lock(tmp_path: Path) -> None:
    (tmp_path / "map.skerry").touch()
    (tmp_path / "link.skerry").symlink_to(tmp_path / "map.skerry")
    lock = MapLock(tmp_path / "link.skerry")
    with pytest.raises(HeldError):
        MapLock(tmp_path / "sub" / ".." / "map.skerry")
    lock.release()


def test_another_process_holds_it_until_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "map.skerry"
    program = "\n".join(
        ["import time", _HOLD.replace("MapLock(Path", "lock = MapLock(Path"), "print(1, flush=True)", "time.sleep(60)"]
    )
    with subprocess.Popen([sys.executable, "-c", program, str(path)], cwd=ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert holder_of(path) == Holder(child.pid, socket.gethostname())
        child.kill()
        child.wait()
    assert lock_path(path).exists(), "left behind"
    lock = MapLock(path)
    assert holder_of(path) == Holder(os.getpid(), socket.gethostname())
    lock.release()


@pytest.mark.parametrize("pid", [os.getpid(), 1, 4_000_000])
def test_a_left_file_of_this_host_is_taken_over_whatever_its_pid_is_now(tmp_path: Path, pid: int) -> None:
    path = tmp_path / "map.skerry"
    lock_path(path).write_text(json.dumps({"pid": pid, "host": socket.gethostname(), "started": 12.5}))
    MapLock(path).release()


@pytest.mark.parametrize("left", ["", "{", "[]", "\0" * 100, '{"pid": "x", "host": 3}'])
def test_a_ruined_file_is_taken_over(tmp_path: Path, left: str) -> None:
    path = tmp_path / "map.skerry"
    lock_path(path).write_text(left)
    MapLock(path).release()


def test_another_host_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "map.skerry"
    lock_path(path).write_text('{"pid": 12, "host": "elsewhere"}')
    with pytest.raises(
        HeldError, match=r"is open in process 12 on elsewhere; .* or delete map.skerry.lock if it is not"
    ):
        MapLock(path)
    assert holder_of(path) == Holder(12, "elsewhere")


def test_where_no_lock_can_be_made(tmp_path: Path) -> None:
    with pytest.raises(SkerryError, match="cannot be locked: no such file or directory"):
        MapLock(tmp_path / "none" / "map.skerry")
    assert holder_of(tmp_path / "none" / "map.skerry") is None


@pytest.mark.parametrize(("pid", "held"), [(os.getpid(), True), (4_000_000, False)])
def test_a_disk_without_locks_goes_by_the_pid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pid: int, held: bool
) -> None:
    fcntl = pytest.importorskip("fcntl")

    def no_locks(*_: object) -> None:
        raise OSError(37, "No locks available")

    path = tmp_path / "map.skerry"
    lock_path(path).write_text(json.dumps({"pid": pid, "host": socket.gethostname()}))
    monkeypatch.setattr(fcntl, "flock", no_locks)
    if held:
        with pytest.raises(HeldError):
            MapLock(path)
    else:
        MapLock(path).release()
