"""`make demo`: a stranger's DEM becomes a sculpted map, three exports and two pictures, all under out/."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from demo.island import write_island
from demo.place import Site, find_site, lay
from editor.cli import main as skerry
from editor.store import load
from editor.strokes import read_strokes, write_strokes

OUT = Path("out")
RECORDED = Path(__file__).with_name("overhang.json")
TARGETS = ("height", "vdm", "gltf")


def main(words: list[str]) -> int:
    """Run the demo on the file named, or on an island of our own making."""
    OUT.mkdir(exist_ok=True)
    dem, map_file, strokes = OUT / "island.tif", OUT / "island.skerry", OUT / "overhang.json"
    if words:
        dem = Path(words[0])
    else:
        _timed("make the island's GeoTIFF", lambda: write_island(dem))
    _skerry("import", dem, map_file)
    site = find_site(load(map_file).terrain)
    write_strokes(strokes, lay(read_strokes(RECORDED), site))
    _skerry("stroke", map_file, strokes)
    for target in TARGETS:
        _skerry("export", map_file, target, OUT / "export" / target)
        _skerry("check", OUT / "export" / target)
    _skerry("info", map_file)
    _skerry("render", map_file, OUT / "island.png")
    _skerry("render", map_file, OUT / "overhang.png", *_close_view(site))
    _table()
    return 0


def _close_view(site: Site) -> list[str]:
    eye, look = site.world((3.2, 2.6, 1.1)), site.world((0.0, 0.2, 0.3))
    return [f"--eye={_triple(eye)}", f"--look={_triple(look)}"]


def _triple(point: object) -> str:
    return ",".join(f"{value:.2f}" for value in point)  # type: ignore[attr-defined]


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


def _table() -> None:
    print("\nmade:")
    for path in sorted(path for path in OUT.rglob("*") if path.is_file()):
        print(f"  {path.stat().st_size:>12,}  {path}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
