"""What docs/plugins.md teaches works as it is written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from editor.cli import main

ROOT = Path(__file__).resolve().parents[2]


def test_the_brush_of_the_docs_installs_as_a_strangers_package(tmp_path: Path) -> None:
    """The example's own text and entry point, in a package of its own, found by the command line and painted with."""
    text = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    source = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    entry = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    assert source
    assert entry
    assert source.group(1).count("\n") < 40
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "ripples.py").write_text(source.group(1), encoding="utf-8")
    metadata = tmp_path / "my_package-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: my_package\nVersion: 1.0\n")
    name, value = re.findall(r'^(\w+) = "(.+)"$', entry.group(1), re.MULTILINE)[0]
    (metadata / "entry_points.txt").write_text(f"[skerry.plugins]\n{name} = {value}\n")

    code = """
import json, sys
sys.path.insert(0, sys.argv[1])
from editor.cli import main
from editor.store import load
from pathlib import Path
assert main(["brushes", "ripples"]) == 0
assert main(["brushes", "--markdown"]) == 0
stroke = {"brush": "ripples", "params": {"radius": 9, "strength": 4}, "points": [[16, 9, 0, 1], [16, 25, 0, 1]]}
open("s.json", "w").write(json.dumps({"format": "skerry-strokes", "strokes": [stroke]}))
assert main(["new", "a.skerry", "--size", "33x33", "--cell", "1", "--height", "3"]) == 0
assert main(["stroke", "a.skerry", "s.json"]) == 0
height = load(Path("a.skerry")).terrain.field.offset[..., 2]
assert height.min() < 2.0 and height.max() > 4.0, (height.min(), height.max())
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "--length" in done.stdout
    assert "### Ripples (`ripples`)" in done.stdout, "the page of brushes"

    window = """
import sys
from PySide6.QtWidgets import QApplication, QMainWindow
from editor.panels.actions import Actions
from editor.panels.brush_bar import BrushBar, add_brush_actions
from editor.panels.brush_dock import BrushDock
from editor.tools.brushes import BrushChoice
sys.path.insert(0, sys.argv[1])
app = QApplication([])
window, choice = QMainWindow(), BrushChoice()
actions = Actions(window)
add_brush_actions(actions, choice, window)
bar, dock = BrushBar(actions, choice, window), BrushDock(choice, window)
actions["brush-ripples"].trigger()
assert choice.current == "ripples"
assert dock.form.editor("length").value() == 12.0
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_API": "pyside6"}
    shown = subprocess.run(
        [sys.executable, "-c", window, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, env=environment,
        check=False,
    )  # fmt: skip
    assert shown.returncode == 0, shown.stderr


@pytest.mark.parametrize("name", ["brushes", "operations"])
def test_pages_of_what_is_registered_are_up_to_date(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`skerry brushes --markdown > docs/brushes.md`, `skerry ops --markdown > docs/operations.md`."""
    command = {"brushes": "brushes", "operations": "ops"}[name]
    assert main([command, "--markdown"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def test_every_picture_of_the_docs_has_its_recording() -> None:
    scenes = {path.stem for path in (ROOT / "demo" / "scenes").glob("*.json")}
    assert {"arch", "sea-cliff", "sea-stack", "terrace"} <= scenes
    for name in scenes:
        msgspec.json.decode((ROOT / "demo" / "scenes" / f"{name}.json").read_bytes())
        assert (ROOT / "docs" / "images" / f"{name}.png").stat().st_size > 20_000
