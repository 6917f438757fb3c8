"""Kill a saving process at random moments: `python -m tests.kill_save [KILLS] [SEED]` (default 200).

A child saves a map again and again, each state made of one counter, and says each finished save through a pipe. It is
killed with SIGKILL; the file must then hold a complete state, the last finished or the one under way. Some saves write
changed tiles, some a whole new file, and arrays come and go. Forks from one warm process, so that a kill costs little.
"""

import os
import random
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from editor.document import Document
from editor.store import load, save, save_document
from plugins.api import Scene
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect

ROWS, COLS = 600, 530
"""3 × 3 stored tiles."""


@dataclass
class Outcome:
    """What the kills found."""

    kills: int = 0
    saves: int = 0
    rolled_back: int = 0
    """Times a journal was found, so the kill fell into a transaction."""
    unrenamed: int = 0
    """Times a new file was found that had not taken its place yet."""
    ahead: int = 0
    """Times the state under way was complete though its end was not reported."""


def kill_runs(kills: int, seed: int, folder: Path) -> Outcome:
    """Kill `kills` children in turn, all saving the same file; raises AssertionError at the first bad state."""
    path, rng, outcome = folder / "killed island.skerry", random.Random(seed), Outcome()
    document = Document(Scene(TerrainMap(VectorField.flat(ROWS, COLS, 2.0))))
    _set(document, 0)
    save_document(document, path)
    finished = 0
    for _ in range(kills):
        reported = _run_and_kill(path, finished, rng.uniform(0.0, 0.12))
        outcome.kills += 1
        outcome.saves += reported - finished
        outcome.rolled_back += path.with_name(path.name + "-journal").exists()
        outcome.unrenamed += path.with_name(path.name + ".new").exists()
        state = counter_of(load(path).terrain)
        assert reported <= state <= reported + 1, f"save {reported} was finished, the file holds {state}"
        outcome.ahead += state > reported
        finished = state
    return outcome


def counter_of(terrain: TerrainMap) -> int:
    """The counter that a whole map was made of; raises AssertionError if it mixes two states."""
    state = int(terrain.sea_level)
    assert terrain.source == {"counter": state}
    assert (terrain.field.offset == np.float32(state)).all(), "tiles of two states"
    assert set(terrain.extras) == ({"mask/even"} if state % 2 == 0 else {"alpha"})
    for array in terrain.extras.values():
        assert (array == state % 251).all(), f"an array of another state than {state}"
    return state


def _set(document: Document, counter: int) -> None:
    terrain = document.scene.terrain
    with document.edit("count") as edit:
        edit.write("offset", Rect(0, ROWS, 0, COLS))[...] = counter
        for key in list(terrain.extras):
            edit.remove(key)
        edit.add("mask/even" if counter % 2 == 0 else "alpha")[...] = counter % 251
        edit.set("sea_level", float(counter))
        edit.set("source", {"counter": counter})


def _run_and_kill(path: Path, start: int, wait: float) -> int:
    """Fork a child, let it save, kill it after its first report and `wait` seconds; the last save it reported."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _child(path, start, writer)
    os.close(writer)
    heard = os.read(reader, 64)
    time.sleep(wait)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reader, 65536):
        heard += more
    os.close(reader)
    lines = heard.decode().split("\n")
    assert len(lines) > 1, f"the child ended before its first save: {heard!r}"
    return int(lines[-2])


def _child(path: Path, start: int, writer: int) -> None:
    """Save for ever; never returns into the parent's code."""
    try:
        document = Document(load(path), path, budget=0)
        for counter in range(start + 1, sys.maxsize):
            _set(document, counter)
            if counter % 4 == 0:
                snapshot = document.snapshot()
                document.unsaved.take()
                document.saved(path, save(path, snapshot))
                snapshot.close()
            else:
                save_document(document)
            os.write(writer, f"{counter}\n".encode())
    except BaseException as error:
        os.write(2, f"child: {error!r}\n".encode())
    finally:
        os._exit(1)


def main() -> None:
    """Run from the command line."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 30)
    with tempfile.TemporaryDirectory() as folder:
        print(f"seed {seed}: {kill_runs(kills, seed, Path(folder))}, no bad state")


if __name__ == "__main__":
    main()
