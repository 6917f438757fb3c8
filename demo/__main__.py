"""`make demo`: a stranger's DEM becomes a sculpted map, three exports and two pictures, all under out/."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from demo.island import write_island
from demo.place import Site, Vector, find_site, lay
from editor.cli import main as skerry
from editor.store import load
from editor.strokes import read_strokes, write_strokes

OUT = Path("out")
RECORDED = Path(__file__).with_name("overhang.json")
TARGETS = ("height", "vdm", "gltf")
SIZE = "1280x800"


def main(words: list[str]) -> int:
    """Run the demo on the file named, or on an island of our own making; returns the exit status."""
    started = time.time()
    OUT.mkdir(exist_ok=True)
    name = Path(words[0]).stem if words else "island"
    dem = Path(words[0]) if words else OUT / "island.tif"
    map_file, strokes = OUT / f"{name}.skerry", OUT / "overhang.json"
    if not words:
        _timed("a GeoTIFF of an island with its seabed", lambda: write_island(dem))
    _skerry("import", dem, map_file)
    site = find_site(load(map_file).terrain)
    write_strokes(strokes, lay(read_strokes(RECORDED), site))
    _skerry("stroke", map_file, strokes)
    _skerry("info", map_file)
    for target in TARGETS:
        _skerry("export", map_file, target, OUT / "export" / target)
        _skerry("check", OUT / "export" / target)
    _skerry("check", map_file)
    _skerry("render", map_file, OUT / f"{name}.png", f"--size={SIZE}")
    _skerry("render", map_file, OUT / "overhang.png", f"--size={SIZE}", *_close_view(site))
    _table(started)
    return 0


def _close_view(site: Site) -> list[str]:
    eye, look = site.world((3.2, 2.6, 1.1)), site.world((0.0, 0.2, 0.3))
    return [f"--eye={_triple(eye)}", f"--look={_triple(look)}"]


def _triple(point: Vector) -> str:
    return ",".join(f"{value:.2f}" for value in point)


def _skerry(*words: object) -> None:
    texts = [str(word) for word in words]
    print(f"\n$ skerry {' '.join(texts)}", flush=True)
    _timed("", lambda: _must(skerry(texts)))


def _must(status: int) -> None:
    if status != 0:
        sys.exit(status)


def _timed(what: str, work: Callable[[], None]) -> None:
    start = time.perf_counter()
    work()
    print(f"  [{time.perf_counter() - start:.1f} s] {what}", flush=True)


def _table(started: float) -> None:
    # What an earlier run left for another file is not this run's work. File systems may round times to two seconds.
    made = [path for path in sorted(OUT.rglob("*")) if path.is_file() and path.stat().st_mtime > started - 2.0]
    print(f"\nmade in {time.time() - started:.0f} s:")
    for path in made:
        print(f"  {path.stat().st_size:>12,}  {path}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
