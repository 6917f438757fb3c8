"""A display of our own for the tests from mouse to pixel, and one run of each scenario for all tests that read it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
Scenario = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """An Xvfb server on a free display."""
    xvfb = shutil.which("Xvfb")
    if xvfb is None:
        pytest.skip("Xvfb is not installed (Debian: apt-get install xvfb)")
    reading, writing = os.pipe()
    command = [xvfb, "-displayfd", str(writing), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()


@pytest.fixture(scope="session")
def scenario(display: str, tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    """Runs a scenario of `driver.py` in a process of its own, once, and gives what it found."""
    answers: dict[tuple[str, float], dict[str, Any]] = {}

    def run(name: str, scale: float = 1.0) -> dict[str, Any]:
        if (name, scale) not in answers:
            home = tmp_path_factory.mktemp("home")
            env = dict(
                os.environ, DISPLAY=display, QT_QPA_PLATFORM="xcb", QT_API="pyside6", QT_SCALE_FACTOR=str(scale),
                PYTHONPATH=str(ROOT), XDG_CONFIG_HOME=str(home), XDG_STATE_HOME=str(home), XDG_DATA_HOME=str(home),
            )  # fmt: skip
            command = [sys.executable, "-W", "error", str(ROOT / "tests" / "viewport" / "driver.py"), name, str(home)]
            done = subprocess.run(command, env=env, cwd=home, capture_output=True, text=True, timeout=180)
            assert done.returncode == 0, done.stderr[-3000:]
            answers[name, scale] = json.loads(done.stdout.splitlines()[-1])
        return answers[name, scale]

    return run
