"""The import rules of docs/ARCHITECTURE.md bite: one breach of each is planted in a copy, and each must be named."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

LAYERS = (
    ("terrain.map", "ocean"),
    ("ocean", "plugins.api"),
    ("plugins.registry", "editor.history"),
    ("editor.panels.form", "editor.window"),
    ("editor.panels.form", "editor.viewport.input"),
    ("editor.viewport.input", "editor.panels.form"),
    ("editor.tools.gesture", "editor.viewport.input"),
    ("editor.tools.gesture", "editor.panels.form"),
    ("editor.cli.report", "editor.panels.form"),
    ("editor.render.style", "editor.tools.gesture"),
    ("editor.render.style", "editor.cli.report"),
    ("editor.commands", "editor.render.camera"),
    ("editor.strokes", "editor.commands"),
    ("editor.store.codec", "editor.strokes"),
    ("editor.lock", "editor.store.codec"),
    ("editor.document", "editor.store.codec"),
    ("editor.history", "editor.document"),
    ("editor.jobs", "editor.history"),
    ("ocean.waves", "ocean.gpu"),
)
LIBRARIES = (
    ("terrain.field", "PIL"),
    ("terrain.map", "msgspec"),
    ("terrain.field", "PySide6"),
    ("ocean", "vispy"),
    ("ocean.waves", "OpenGL"),
    ("plugins.api", "PySide6"),
    ("plugins.api", "vispy"),
    ("editor.document", "PySide6"),
    ("editor.cli.app", "PySide6"),
    ("editor.tools.gesture", "PySide6"),
    ("editor.tools.gesture", "vispy"),
    ("editor.render.style", "PySide6"),
    ("editor.render.style", "superqt"),
    ("editor.panels.form", "vispy"),
    ("editor.viewport.input", "OpenGL"),
    ("editor.window", "OpenGL"),
)
BUNDLED = (("plugins.registry", "plugins.bundled"), ("editor.strokes", "plugins.bundled.brushes"))
FILES = (("terrain.map", "sqlite3"),)


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What import-linter says of a copy with every breach in it, spaces made even."""
    copy = tmp_path_factory.mktemp("breached")
    for package in ("terrain", "ocean", "plugins", "editor", "tools"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    (copy / "ocean" / "gpu").mkdir(exist_ok=True)
    for name in ("ocean/gpu/__init__.py", "ocean/waves.py", "editor/stray.py"):
        (copy / name).touch()
    for importer, imported in (*LAYERS, *LIBRARIES, *BUNDLED, *FILES):
        path = copy / importer.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        with path.open("a", encoding="utf-8") as source:
            # Inside a function, where an import hides best.
            source.write(f"\n\ndef _planted_{imported.replace('.', '_')}():\n    import {imported}\n")
    done = _lint(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    return re.sub(r"\s+", " ", done.stdout)


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    # In a process of its own: import-linter looks packages up on the path, and the checkout's are there already.
    code = "import sys; sys.path.insert(0, ''); from importlinter.cli import lint_imports_command as run; run()"
    env = dict(os.environ, COLUMNS="400", TERM="dumb", NO_COLOR="1")
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("importer", "imported"), [*LAYERS, *LIBRARIES, *BUNDLED, *FILES])
def test_a_planted_import_is_named(complaints: str, importer: str, imported: str) -> None:
    assert re.search(rf"\b{re.escape(importer)} -> {re.escape(imported)} \(l\.", complaints)


def test_a_module_without_a_place_is_named(complaints: str) -> None:
    assert "stray" in complaints


def test_every_contract_was_broken(complaints: str) -> None:
    assert " 0 kept" in complaints


def test_the_command_line_loads_no_qt_and_little_else() -> None:
    """The door to the window opens only for `skerry edit`; slow libraries wait until they are used."""
    slow = ("PySide6", "vispy", "OpenGL", "tifffile", "imagecodecs", "OpenEXR", "h5py", "rasterio")
    code = f"""
import sys
from editor.cli import main
assert main(["brushes"]) == 0 and main(["formats"]) == 0
loaded = [name for name in {slow!r} if name in sys.modules]
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
