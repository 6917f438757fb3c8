"""The commands, each thin: read words, call the same functions as the window, print."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from editor.cli import catalogue
from editor.cli.progress import clear, terminal_job
from editor.cli.tokens import UsageError, read_options, read_point, read_size, set_threads
from plugins.api import Scene
from terrain.errors import SkerryError

Words = Annotated[str, Parameter(allow_leading_hyphen=True)]
Place = Annotated[str, Parameter(allow_leading_hyphen=True)]

_VERSION = "0.1.0"

app = App(
    name="skerry",
    help="A desktop editor for islands and coasts; every command works without a display.",
    version=_VERSION,
)
app.command(catalogue.brushes)
app.command(catalogue.ops)
app.command(catalogue.formats)


@app.default
@app.command
def edit(map: Path | None = None, /) -> int:
    """Open the editor, with a map or with the sample island.

    Args:
        map: The map to open.
    """
    if map is not None and not map.exists():
        raise UsageError(f"'{map}' is neither a command nor a file")
    from editor.window import run

    return run(map)


@app.command
def new(map: Path, /, *, size: str, cell: float, height: float = 0.0, sea_level: float = 0.0) -> None:
    """Write a new flat map.

    Args:
        map: The file to write.
        size: COLSxROWS, in vertices.
        cell: Metres between vertices.
        height: Height of the ground, metres.
        sea_level: Height of the still sea, metres.
    """
    from terrain.field import VectorField
    from terrain.map import TerrainMap

    cols, rows = read_size(size)
    _save_new(Scene(TerrainMap(VectorField.flat(rows, cols, cell, height), sea_level=sea_level)), map)
    print(f"{map}: {cols}x{rows} vertices, {cell:g} m apart")


@app.command(name="import")
def import_(
    src: Path, map: Path | None = None, /, *options: Words, importer: str | None = None, guess: bool = False
) -> None:
    """Read a foreign file into a new map; every parameter of its importer is an option (see: skerry formats).

    Args:
        src: The file to read.
        map: The map to write.
        options: Parameters of the importer, as --name value.
        importer: Which importer to use, if not the likeliest.
        guess: Only list what the file may be.
    """
    from plugins.importing import describe_source, import_file, probe_all

    if guess:
        for found in probe_all(src):
            print(f"{found.confidence:4.0%}  {found.importer:<10} {found.summary}")
        return
    if map is None:
        raise UsageError("import needs a map to write: skerry import SRC MAP")
    scene = import_file(src, importer, read_options(options), terminal_job())
    _save_new(scene, map)
    print(f"{map}: {scene.terrain.field.cols}x{scene.terrain.field.rows} vertices")
    for line in describe_source(scene.terrain.source):
        print(f"  {line}")


@app.command
def info(map: Path, /, *, json: bool = False) -> None:
    """Print sizes, ranges, arrays and checksums of a map.

    Args:
        map: The map.
        json: One stable JSON object instead of lines for a person.
    """
    from editor.cli.report import info_lines, info_record
    from editor.store import load

    record = info_record(load(map).terrain)
    if json:
        catalogue.print_json(record)
    else:
        print("\n".join([str(map), *info_lines(record)]))


@app.command
def run(map: Path, operation: str, /, *options: Words, mask: str | None = None, threads: int | None = None) -> None:
    """Apply an operation to a map and save it; every parameter of it is an option (see: skerry ops).

    Args:
        map: The map to change.
        operation: One of those that `skerry ops` lists.
        options: Parameters of the operation, as --name value.
        mask: The mask that limits it, 'none' for none; default the map's active one.
        threads: How many threads may work; the result is the same for any number.
    """
    from editor.commands import choose_mask, run_operation
    from editor.document import Document
    from editor.store import load, save_document
    from plugins.registry import find_operation

    values = read_options(options)
    set_threads(threads)
    find_operation(operation)
    with _locked(map):
        document = Document(load(map), map)
        active = document.scene.terrain.active_mask
        if mask is not None:
            choose_mask(document, "" if mask == "none" else mask)
        run_operation(document, operation, values, terminal_job())
        terrain = document.scene.terrain
        if mask is not None and (not active or f"mask/{active}" in terrain.extras):
            choose_mask(document, active)
        save_document(document)
    clear()
    changed = ", ".join(sorted(document.history.done[-1].copies)) if document.history.done else ""
    print(f"{map}: {operation} done{f' ({changed})' if changed else ''}")


@app.command
def stroke(map: Path, strokes: Path, /) -> None:
    """Replay recorded strokes on a map and save it; the same bytes every time.

    Args:
        map: The map to change.
        strokes: A stroke file (docs/formats/strokes.md).
    """
    from editor.document import Document
    from editor.store import load, save_document
    from editor.strokes import read_strokes, replay

    recorded, job = read_strokes(strokes), terminal_job()
    with _locked(map):
        document = Document(load(map), map)
        for number, one in enumerate(recorded, 1):
            try:
                replay(document, one)
            except SkerryError as error:
                raise SkerryError(f"{strokes}: stroke {number}: {error}") from None
            job.progress(number / len(recorded), f"{one.brush}, {len(one.points)} points")
        save_document(document)
    clear()
    touched = len(document.history.done)
    print(
        f"{map}: {len(recorded)} strokes"
        + (f", {len(recorded) - touched} of them beside the surface" if touched < len(recorded) else "")
    )


@app.command
def render(
    map: Path,
    out: Path,
    /,
    *,
    size: str = "1280x800",
    eye: Place | None = None,
    look: Place | None = None,
) -> None:
    """Draw one picture; no display is needed.

    Args:
        map: The map.
        out: The PNG to write.
        size: WIDTHxHEIGHT, pixels.
        eye: Where to stand, X,Y,Z in metres; default a view of the whole map.
        look: What to look at, X,Y,Z in metres.
    """
    from editor.cli.picture import write_png
    from editor.render.camera import Camera
    from editor.render.offscreen import default_camera, render_image
    from editor.render.style import Style
    from editor.store import load

    if (eye is None) != (look is None):
        raise UsageError("--eye and --look go together")
    width, height = read_size(size)
    if not (16 <= width <= 16384 and 16 <= height <= 16384):
        raise UsageError(f"a picture of {size} is not possible: 16 to 16384 pixels a side")
    if out.suffix.lower() != ".png":
        raise UsageError(f"{out}: pictures are written as .png")
    scene = load(map)
    camera = default_camera(scene)
    if eye is not None and look is not None:
        stand, at = read_point(eye), read_point(look)
        if not (stand != at).any():
            raise UsageError("--eye and --look are the same place; there is no direction to look in")
        camera = Camera()
        camera.look(stand, at)
    write_png(out, render_image(scene, camera, width, height, Style()))
    print(f"{out}: {width}x{height}")


@app.command
def export(map: Path, target: str, folder: Path, /, *options: Words) -> None:
    """Write a map for another program; every parameter of the target is an option (see: skerry formats).

    Args:
        map: The map.
        target: One of the targets that `skerry formats` lists.
        folder: Where to write; created if absent.
        options: Parameters of the target, as --name value.
    """
    from editor.store import load
    from plugins.exporting import export_scene

    report = export_scene(load(map), target, folder, read_options(options), terminal_job())
    for file in report.files:
        print(f"{file}  {file.stat().st_size:,} bytes")
    for note in report.notes:
        print(f"  {note}")


@app.command
def check(path: Path, /) -> int:
    """Check an exported folder or a map file; prints what is wrong, one line each.

    Args:
        path: A folder that `skerry export` wrote, or a map.
    """
    from editor.store import load
    from plugins.exporting import check_folder

    if path.is_dir():
        faults = check_folder(path)
    else:
        load(path)
        faults = []
    for fault in faults:
        print(fault)
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    print(f"{path}: {count if faults else 'sound'}")
    return 1 if faults else 0


@app.command
def bench(*names: str, json: bool = False) -> None:
    """Measure how fast this machine does the main jobs.

    Args:
        names: Only the benchmarks whose names start so; default all.
        json: One JSON object a line instead of a table.
    """
    from editor.cli.bench import run_benchmarks

    run_benchmarks(names, json)


def _save_new(scene: Scene, path: Path) -> None:
    from editor.document import Document
    from editor.store import save_document

    if path.is_dir():
        raise SkerryError(f"{path}: is a folder; give a file name ending in .skerry")
    with _locked(path):
        save_document(Document(scene), path)
    clear()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a map while it is changed; raises `SkerryError` with its holder if an editor has it open."""
    from editor.lock import HeldError, MapLock

    lock = None
    try:
        lock = MapLock(path)
    except HeldError:
        raise
    except SkerryError:
        # Where no lock can be made nothing can be saved either, which says so better.
        pass
    try:
        yield
    finally:
        if lock is not None:
            lock.release()
