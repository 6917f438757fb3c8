"""Starting: from the command to the first picture in the window, under a virtual screen."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figure import Figure, figure

NAME = "start"

ROOT = Path(__file__).resolve().parents[2]
_STARTS = 4
_PATIENCE = 60.0
"""Seconds after which a start has failed."""
_BARE = "import numpy, numba, vispy, PySide6.QtWidgets, PySide6.QtOpenGLWidgets"


def figures() -> Iterator[Figure]:
    """The median of several warm starts, against importing the libraries alone."""
    if shutil.which("Xvfb") is None:
        return
    reader, writer = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-noreset", "-screen", "0", "1440x900x24"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    try:
        os.close(writer)
        with os.fdopen(reader) as number:
            display = number.readline().strip()
        with tempfile.TemporaryDirectory() as home:
            environment = {
                **_without_headless_gl(), "DISPLAY": f":{display}", "SKERRY_TIMING": "1", "QT_QPA_PLATFORM": "xcb",
                "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home,
            }  # fmt: skip
            times = sorted(_first_frame(environment) for _ in range(_STARTS + 1))[:_STARTS]
            bare = min(_bare_imports(environment) for _ in range(2))
    finally:
        screen.terminate()
        screen.wait()
    yield figure("start.first_frame", times[_STARTS // 2], "s", bare, "importing numpy, numba, vispy and Qt")


def _without_headless_gl() -> dict[str, str]:
    """The environment, less what drawing without a window set in this process."""
    return {key: value for key, value in os.environ.items() if key not in ("PYOPENGL_PLATFORM", "EGL_PLATFORM")}


def _first_frame(environment: dict[str, str]) -> float:
    editor = subprocess.Popen(
        [sys.executable, "run_editor.py"], cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    )
    watch = threading.Timer(_PATIENCE, editor.kill)
    watch.start()
    try:
        assert editor.stderr is not None
        for line in editor.stderr:
            found = re.search(r"first frame after ([0-9.]+) s", line)
            if found:
                return float(found.group(1))
        raise RuntimeError("the editor ended without a first frame")
    finally:
        watch.cancel()
        editor.kill()
        editor.wait()


def _bare_imports(environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", _BARE], env=environment, check=True)
    return time.perf_counter() - start
