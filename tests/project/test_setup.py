"""tools/setup.sh and tools/test.sh, with every program they call replaced by a stub that writes down its call."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="make and sh are for Unix; the README says how else")

PYTHON = """
case "$*" in
  *version_info*) exit ${TOO_OLD:-0} ;;
  -V) echo Python 3.9.1 ;;
  *"venv --clear"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  *"pip install"*|*"uv pip install"*) exit ${OFFLINE:-0} ;;
esac
"""


class Checkout:
    """A checkout with nothing but the scripts, and stubs first on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stubs = folder.parent / "stubs"
        self.calls = folder.parent / "calls"
        (folder / "tools").mkdir(parents=True)
        self.stubs.mkdir()
        for name in ("setup.sh", "test.sh"):
            shutil.copy(ROOT / "tools" / name, folder / "tools")
        for name in ("pyproject.toml", "constraints.txt"):
            (folder / name).write_text("")
        self.stub("python3", PYTHON)
        self.stub("id", "echo 1000")
        self.stub("dpkg-query", "printf installed")
        self.stub("apt-get", "")
        self.stub("npm", "")

    def stub(self, name: str, body: str, folder: Path | None = None) -> None:
        """Put a shell script in a program's place; it writes its name and words to `calls` first."""
        path = (folder or self.stubs) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "$(basename "$0") $*" >>"{self.calls}"\n{body}\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run a script of `tools`; `calls` then holds this run's calls only."""
        self.calls.write_text("")
        path = f"{self.stubs}:/usr/bin:/bin"
        command = [str(self.folder / "tools" / words[0]), *words[1:]]
        return subprocess.run(command, env={"PATH": path, **env}, capture_output=True, text=True, check=False)

    def called(self, text: str) -> bool:
        """Whether the last run called a program with these words."""
        return text in self.calls.read_text()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "où les îles sont")


def test_the_second_start_calls_nothing(checkout: Checkout) -> None:
    assert checkout.run("setup.sh", "run").returncode == 0
    assert checkout.called("-c constraints.txt -e .")
    again = checkout.run("setup.sh", "run")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert checkout.calls.read_text() == ""


def test_what_is_set_up_for_tests_is_set_up_for_running(checkout: Checkout) -> None:
    checkout.run("setup.sh", "run")
    checkout.run("setup.sh", "test")
    assert checkout.called("-e .[test,geo]")
    assert checkout.called("gltf-validator")
    assert not checkout.called("venv --clear")
    checkout.run("setup.sh", "run")
    assert checkout.calls.read_text() == ""


@pytest.mark.parametrize("file", ["pyproject.toml", "constraints.txt"])
def test_changed_needs_are_installed(checkout: Checkout, file: str) -> None:
    checkout.run("setup.sh", "run")
    (checkout.folder / file).write_text("numpy==3\n")
    checkout.run("setup.sh", "run")
    assert checkout.called("-e .")
    assert not checkout.called("venv --clear")


def test_a_moved_checkout_gets_a_new_environment(checkout: Checkout) -> None:
    checkout.run("setup.sh", "run")
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("moved"))
    assert checkout.run("setup.sh", "run").returncode == 0
    assert checkout.called("venv --clear .venv")


def test_a_person_who_is_not_root_is_told_once_and_goes_on(checkout: Checkout) -> None:
    checkout.stub("dpkg-query", 'case "$*" in *libgl1) exit 1 ;; *libgl1t64) exit 1 ;; esac; printf installed')
    done = checkout.run("setup.sh", "run")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].endswith("sudo apt-get install libgl1")
    assert not checkout.called("apt-get")


def test_root_installs_what_is_missing(checkout: Checkout) -> None:
    checkout.stub("dpkg-query", 'case "$*" in *xvfb*) exit 1 ;; esac; printf installed')
    checkout.stub("id", "echo 0")
    checkout.run("setup.sh", "run")
    assert not checkout.called("apt-get")
    checkout.run("setup.sh", "test")
    assert checkout.called("apt-get install -y -q --no-install-recommends xvfb\n")


@pytest.mark.parametrize(
    ("env", "line"),
    [
        ({"TOO_OLD": "1"}, "setup: Python 3.9.1 is too old; Python 3.11 or newer is needed (PYTHON=... chooses one)"),
        ({"OFFLINE": "1"}, "setup: the package could not be installed; is there a network?"),
        ({"PYTHON": "python9"}, "setup: python9 is not here; install Python 3.11 or newer"),
    ],
)
def test_a_failing_step_stops_with_one_line(checkout: Checkout, env: dict[str, str], line: str) -> None:
    done = checkout.run("setup.sh", "run", **env)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [line]
    assert not list(checkout.folder.glob(".venv/ready-*"))


def test_a_failed_group_fails_the_run_but_stops_no_other(checkout: Checkout) -> None:
    for folder in ("terrain", "gpu", "panels"):
        (checkout.folder / "tests" / folder).mkdir(parents=True)
        (checkout.folder / "tests" / folder / "test_a.py").touch()
    for name in ("ruff", "lint-imports"):
        checkout.stub(name, "", checkout.folder / ".venv" / "bin")
    pytest_stub = """
case "$*" in
  *tests/gpu*) echo "1 failed, 2 passed, 1 skipped in 61.20s (0:01:01)"; exit 1 ;;
  *tests/*) echo "12 passed in 0.10s" ;;
esac
"""
    checkout.stub("python", pytest_stub, checkout.folder / ".venv" / "bin")
    done = checkout.run("test.sh", HOME=os.devnull)
    assert done.returncode == 1
    assert checkout.called("tests/terrain")
    summary = done.stdout.partition("== summary\n")[2].splitlines()
    assert [line.split()[0] for line in summary[:-2]] == [
        "ruff", "format", "types", "imports", "library", "bounds-checked", "panels", "gpu", "images", "viewport",
    ]  # fmt: skip
    assert summary[7].endswith("1 failed, 2 passed, 1 skipped in 61.20s (0:01:01)")
    assert summary[8].endswith("no tests yet")
    assert summary[-2] == "failed: gpu"
    assert summary[-1].startswith("38 passed, 1 failed, 0 errors, 1 skipped in ")


def test_a_group_that_dies_without_a_word_fails(checkout: Checkout) -> None:
    (checkout.folder / "tests" / "viewport").mkdir(parents=True)
    (checkout.folder / "tests" / "viewport" / "test_a.py").touch()
    for name in ("ruff", "lint-imports"):
        checkout.stub(name, "", checkout.folder / ".venv" / "bin")
    checkout.stub("python", 'case "$*" in *tests/*) kill -9 $$ ;; esac', checkout.folder / ".venv" / "bin")
    done = checkout.run("test.sh")
    assert done.returncode == 1
    assert "FAILED (exit status 137)" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_without_a_display_the_editor_says_so_in_one_line() -> None:
    bare = {key: value for key, value in os.environ.items() if "DISPLAY" not in key and not key.startswith("QT_")}
    command = [sys.executable, str(ROOT / "run_editor.py")]
    done = subprocess.run(command, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "skerry: no display; start it on a desktop, or use `skerry render` for pictures"
    ]
