"""A process killed or a disk full in the middle of a save: the last finished state is still there.

`python -m tests.kill_save 200` does the same with 200 kills.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from editor.store import load
from tests.editor.stored import assert_same, wide_map, write

ROOT = Path(__file__).parents[2]

posix = pytest.mark.skipif(os.name != "posix", reason="needs fork, SIGKILL and limits of file sizes")

_SAVE_UNDER_A_LIMIT = """
import resource, sys
from pathlib import Path
from editor.document import Document
from editor.store import load, save_document
from terrain.errors import SkerryError
from terrain.tiles import Rect
import numpy as np
path, limit, target = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
document = Document(load(path), path)
with document.edit("roughen") as edit:
    part = edit.write("offset", Rect(0, 600, 0, 530))
    part[...] = np.random.default_rng(1).standard_normal(part.shape)
    edit.add("mask/new")
dirty = {key: set(tiles) for key, tiles in document.unsaved.tiles.items()}
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    save_document(document, target)
except SkerryError as error:
    assert document.unsaved.tiles == dirty and document.modified and not document.saving
    print(error)
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120)


@posix
def test_kills_at_random_moments() -> None:
    seed = random.randrange(1 << 30)
    got = run("-m", "tests.kill_save", "15", str(seed))
    assert got.returncode == 0, f"seed {seed}: {got.stderr}"
    assert f"seed {seed}: Outcome(kills=15" in got.stdout


@posix
@pytest.mark.parametrize("target", ["map.skerry", "new.skerry"])
def test_a_full_disk_leaves_the_last_state(tmp_path: Path, target: str) -> None:
    path = tmp_path / "map.skerry"
    write(path, wide_map())
    got = run("-c", _SAVE_UNDER_A_LIMIT, str(path), str(path.stat().st_size + 70_000), str(tmp_path / target))
    assert got.returncode == 0, got.stderr
    line = got.stdout.strip()
    assert "\n" not in line
    assert line.startswith(f"{tmp_path / target}: was not saved: ")
    assert_same(load(path).terrain, wide_map())
    assert {entry.name for entry in tmp_path.iterdir()} - {"map.skerry.1"} == {"map.skerry"}
