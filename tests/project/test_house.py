"""House rules that no linter knows."""

import re
from pathlib import Path

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


def _all_texts() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in TEXTS)
