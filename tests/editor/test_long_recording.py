"""Ten minutes of mixed strokes: the same bytes at any number of threads, undone to the start and redone to the end."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

STROKES, SIDE, LEAST_DABS = 260, 2048, 5000

_PROGRAM = """
import hashlib, sys
import numpy as np
from editor.commands import new_document
from editor.strokes import RecordedStroke, StrokeFile, read_strokes, replay, write_strokes
from pathlib import Path
from plugins.registry import brushes
from terrain.brushes.sculpt import SculptStroke
from terrain.kernel import most_threads, use_threads

strokes, side, threads, file = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
use_threads(min(threads, most_threads()))
rng = np.random.default_rng(11)
recorded = []
for number in range(strokes):
    brush_id = list(brushes())[number % len(brushes())]
    radius = float(rng.uniform(6.0, 40.0))
    start, way = rng.uniform(150.0, side - 150.0, 2), rng.normal(size=(24, 2)) * radius * 0.25
    params = {"radius": radius, "spacing": 0.1}
    if brush_id == "clone":
        params |= {"x": float(start[1]) + 60.0, "y": float(start[0])}
    if number % 5 == 0:
        params |= {"jitter": 0.3, "grain": 0.5}
    places = start + np.cumsum(way, axis=0)
    eye = None if number % 3 else (float(start[0]), float(start[1]) - 300.0, 260.0)
    points = [(float(x), float(y), 0.0, float(p)) for (x, y), p in zip(places, rng.uniform(0.3, 1.0, 24))]
    symmetry = {"mirror_x": True} if number % 13 == 0 else {}
    mask = "selection" if number > 60 and number % 7 == 0 and brush_id != "mask" else ""
    recorded.append(RecordedStroke(
        brush_id, points, params, bool(number % 4 == 0), eye, symmetry=symmetry, seed=number, mask=mask, frozen=True))
write_strokes(file, recorded)
document = new_document(side, side, 1.0)
rows, cols = np.mgrid[0:side, 0:side]
with document.edit("hills") as edit:
    from terrain.tiles import Rect
    edit.write("offset", Rect(0, side, 0, side))[..., 2] = 9.0 * np.sin(rows / 61.0) * np.cos(cols / 53.0)
document.history.clear()

def digest():
    total = hashlib.sha256()
    for key, array in document.scene.terrain.arrays().items():
        total.update(key.encode() + array.tobytes())
    return total.hexdigest()

dabs = [0]
made = SculptStroke._make
def counted(self, dab, canvas):
    dabs[0] += 1
    made(self, dab, canvas)
SculptStroke._make = counted
first = digest()
for stroke in read_strokes(file):
    replay(document, stroke)
last = digest()
done = len(document.history.done)
while document.undo() is not None:
    pass
assert digest() == first, "undone to the first state"
while document.redo() is not None:
    pass
assert digest() == last, "redone to the last"
print(last, dabs[0], done)
"""


def run(folder: Path, threads: int) -> list[str]:
    words = [sys.executable, "-c", _PROGRAM, str(STROKES), str(SIDE), str(threads), str(folder / f"{threads}.json")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_long_recording_gives_the_same_bytes_and_goes_back_and_forth(tmp_path: Path) -> None:
    one, two = run(tmp_path, 1), run(tmp_path, 2)
    assert one == two
    assert int(one[1]) >= LEAST_DABS
    assert int(one[2]) > 0.9 * STROKES
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
