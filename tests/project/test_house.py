"""House rules that no linter knows."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("terrain", "ocean", "plugins", "editor", "demo")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TEXTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_no_drawer_for_odds_and_ends() -> None:
    assert not [path for path in SOURCES if path.stem in ("utils", "util", "helpers", "common", "misc")]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sources_are_short_and_hold_no_shader(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 500, "split it"
    assert "gl_Position" not in text
    assert "void main()" not in text


def test_constraints_name_no_host() -> None:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert re.search(r"^numpy==", text, re.MULTILINE)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_the_docs_name_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert (path.parent / target).exists(), target
    for source in re.findall(r"`((?:terrain|ocean|plugins|editor|tests|docs|demo|tools)/[\w/.]+\.\w+)`", text):
        assert (ROOT / source).exists(), source


def test_commands_that_the_docs_name_exist() -> None:
    from editor.cli.app import app

    known = {name for command in app for name in [command]}
    named = {word for path in TEXTS for word in re.findall(r"skerry ([a-z]+)\b", path.read_text(encoding="utf-8"))}
    commands = {word for word in named if re.search(rf"`skerry {word}|^skerry {word}", _all_texts(), re.MULTILINE)}
    assert commands
    assert commands <= known | {"plugins"}, commands - known


def test_make_targets_that_the_docs_name_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^)(?:SKERRY_TIMING=1 )?make ([a-z]+)", _all_texts(), re.MULTILINE))
    assert {"run", "test", "demo", "bench"} <= targets
    assert {"run", "test", "demo"} <= named <= targets


def test_architecture_names_every_layer_and_library_of_the_contracts() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8").replace("PyOpenGL", "OpenGL")
    contracts = _pyproject()["tool"]["importlinter"]["contracts"]
    layers = next(contract for contract in contracts if contract.get("containers") == ["editor"])["layers"]
    chain = re.sub(r"\s+", " ", text)
    assert " → ".join(layers) in chain
    allowed = next(contract for contract in contracts if contract["type"] == "libraries")["allowed"]
    assert not [name for row in allowed for name in row.partition(":")[2].split() if name not in text]


def test_every_dependency_is_used() -> None:
    """By name in the sources; PyOpenGL is what vispy draws with where there is no window."""
    names = {"PySide6-Essentials": "PySide6"}
    project = _pyproject()["project"]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    for requirement in (*project["dependencies"], *project["optional-dependencies"]["geo"]):
        name = re.split(r"[<>=!~;\[ ]", requirement)[0]
        module = names.get(name, name)
        used = rf"(?:^\s*(?:import|from) {module}\b|find_spec\(\"{module}\"\))"
        assert name == "PyOpenGL" or re.search(used, sources, re.MULTILINE), f"nothing imports {name}"


def _pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _all_texts() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in TEXTS)
