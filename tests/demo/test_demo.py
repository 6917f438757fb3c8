"""`make demo` from end to end, on a file of a stranger."""

import ctypes.util
import hashlib
from pathlib import Path

import pytest

from demo.__main__ import TARGETS, main
from demo.island import write_island
from editor.cli.report import info_record
from editor.store import load

pytestmark = pytest.mark.skipif(ctypes.util.find_library("EGL") is None, reason="no libEGL on this machine")


def _digests(out: Path) -> dict[str, str]:
    """SHA-256 of every file; of a map, which carries a stamp of its saving, what it says of its arrays."""
    found = {}
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        name = path.relative_to(out).as_posix()
        if path.suffix == ".skerry":
            found[name] = str(info_record(load(path).terrain))
        elif ".skerry." not in path.name:
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def test_demo_of_any_file_makes_everything_and_the_same_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dem = tmp_path / "a coast.tif"
    write_island(dem, side=129)
    digests = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert main([str(dem)]) == 0
        digests.append(_digests(Path("out")))
    assert digests[0] == digests[1]
    made = set(digests[0])
    assert {"a coast.skerry", "a coast.png", "overhang.png", "overhang.json"} <= made
    assert {name.split("/")[1] for name in made if name.startswith("export/")} == set(TARGETS)
    printed = capsys.readouterr().out
    assert "a coast.skerry: sound" in printed
    assert printed.count(f"{Path('out/a coast.png')}") >= 2

    # Once more over what is there.
    assert main([str(dem)]) == 0
    assert _digests(Path("out")) == digests[0]


def test_a_file_that_is_no_map_ends_the_demo_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main(["absent.tif"])
    assert stopped.value.code == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not list(Path("out").glob("*.skerry"))
