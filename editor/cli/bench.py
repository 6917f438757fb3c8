"""`skerry bench`: runs the benchmarks of the source checkout and prints their figures."""

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import msgspec

from terrain.errors import SkerryError

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "bench"


def run_benchmarks(names: Sequence[str], json: bool) -> None:
    """Run every `tests/bench/bench_*.py`, or those whose figures start with a name; prints as they come.

    Each has `figures(wanted)`, an iterator over `tests.bench.figure.Figure`.
    """
    if not FOLDER.is_dir():
        raise SkerryError("the benchmarks come with the source checkout (tests/bench), which is not here")
    shown = 0
    if not json:
        print(f"{'name':<34} {'value':>11} {'unit':<9} {'ratio':>7}  against")
    for figure in _figures(tuple(names)):
        shown += 1
        print(msgspec.json.encode(figure).decode() if json else _row(figure), flush=True)
    if not shown:
        raise SkerryError(f"no benchmark starts with {' or '.join(names)}; run `skerry bench` for all names")


def _figures(names: tuple[str, ...]) -> Iterator[dict[str, object]]:
    for path in sorted(FOLDER.glob("bench_*.py")):
        module = _load(path)
        if not names or any(name.startswith(module.NAME) or module.NAME.startswith(name) for name in names):
            for figure in module.figures():
                if not names or figure["name"].startswith(names):
                    yield figure


def _load(path: Path) -> ModuleType:
    root = str(FOLDER.parents[1])
    if root not in sys.path:
        sys.path.insert(0, root)
    spec = importlib.util.spec_from_file_location(f"tests.bench.{path.stem}", path)
    if spec is None or spec.loader is None:
        raise SkerryError(f"{path}: cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _row(figure: dict[str, object]) -> str:
    ratio = "" if figure["ratio"] is None else f"{figure['ratio']:.2f}"
    return f"{figure['name']:<34} {figure['value']:>11.3f} {figure['unit']:<9} {ratio:>7}  {figure['against']}"
