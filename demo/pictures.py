"""`make pictures`: the pictures of the docs, made by replaying pointer recordings in the real window.

Each `demo/scenes/NAME.json` becomes `docs/images/NAME.png`; the events go through Qt to the view.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Literal

os.environ.setdefault("QT_API", "pyside6")

import itertools

import msgspec
import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.commands import new_document, sample_document
from editor.document import Document
from editor.panels import theme
from editor.window import MainWindow
from terrain.params import from_mapping

SCENES = Path(__file__).with_name("scenes")
IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
LEFT = Qt.MouseButton.LeftButton
_KEYS = {
    "": Qt.KeyboardModifier.NoModifier,
    "ctrl": Qt.KeyboardModifier.ControlModifier,
    "shift": Qt.KeyboardModifier.ShiftModifier,
}
_STEP = 6.0
"""Pixels between two moves of the pointer."""


class View(msgspec.Struct, forbid_unknown_fields=True):
    """Where the camera stands."""

    target: tuple[float, float, float]
    yaw: float
    pitch: float
    """Degrees both; pitch is negative for looking down."""
    distance: float


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """One thing that a hand does: move the camera, take up a brush, or drag; in this order where a step has several."""

    view: View | None = None
    action: str = ""
    """An action of the window that is triggered first."""
    brush: str = ""
    params: dict[str, Any] = {}
    drag: list[tuple[float, float]] = []
    """Places in the view as shares of its width and height, from the top left."""
    keys: Literal["", "ctrl", "shift"] = ""
    times: int = 1


class Scene(msgspec.Struct, forbid_unknown_fields=True):
    """A picture: what to start from, what to do, how to look at it."""

    start: Literal["island", "flat"]
    steps: list[Step]
    view: View
    style: dict[str, Any] = {}
    size: tuple[int, int] = (1280, 800)


class Hand:
    """A window and what moves its pointer."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        self.document = _document(scene)
        self.window = MainWindow(self.document, folder / "settings.json")
        self.window.resize(*scene.size)
        self.window.show()
        QTest.qWaitForWindowExposed(self.window)
        _wait(300)
        self.view = self.window.viewport
        self.native = self.view.canvas.native

    def do(self, step: Step) -> None:
        """One step of the recording."""
        if step.view is not None:
            self.look(step.view)
        if step.action:
            self.window.actions_by_id[step.action].trigger()
            _wait(400)
        if step.brush:
            self.window.actions_by_id[f"brush-{step.brush}"].trigger()
            brush = self.window.brush
            brush.set(from_mapping(type(brush.params), step.params))
        for _ in range(step.times if step.drag else 0):
            self.drag(step.drag, step.keys)

    def look(self, view: View) -> None:
        """Stand somewhere else."""
        numbers = (*view.target, np.radians(view.yaw), np.radians(view.pitch), view.distance)
        self.view.look_through([float(number) for number in numbers])
        _wait(60)

    def drag(self, places: list[tuple[float, float]], keys: Literal["", "ctrl", "shift"]) -> None:
        """Press, move and release."""
        held = _KEYS[keys]
        spots = [QPointF(u * self.native.width(), v * self.native.height()) for u, v in places]
        self._move(spots[0], Qt.MouseButton.NoButton, held)
        QTest.mousePress(self.native, LEFT, held, spots[0].toPoint())
        for start, end in itertools.pairwise(spots):
            way = end - start
            count = max(1, round(np.hypot(way.x(), way.y()) / _STEP))
            for number in range(1, count + 1):
                self._move(start + way * (number / count), LEFT, held)
        QTest.mouseRelease(self.native, LEFT, held, spots[-1].toPoint())
        _wait(20)

    def leave(self) -> None:
        """Take the pointer off the view, so that no ring is in the picture."""
        self.view.hover(None)
        _wait(400)

    def _move(self, spot: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> None:
        move = QMouseEvent(
            QEvent.Type.MouseMove, spot, self.native.mapToGlobal(spot), Qt.MouseButton.NoButton, button, keys
        )
        QApplication.sendEvent(self.native, move)


def picture(scene: Scene, path: Path) -> None:
    """Replay a scene and keep what the window shows."""
    with tempfile.TemporaryDirectory() as folder:
        hand = Hand(scene, Path(folder))
        for step in scene.steps:
            hand.do(step)
        hand.view.set_style(**scene.style)
        hand.look(scene.view)
        hand.leave()
        hand.window.grab().save(str(path))
        hand.document.modified = False
        hand.window.close()


def _document(scene: Scene) -> Document:
    return sample_document() if scene.start == "island" else new_document(513, 513, 2.0, height=-12.0)


def _wait(milliseconds: int) -> None:
    """Run the event loop; QTest.qWait will not do, since vispy puts a busy loop in its place."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def _show_somewhere() -> subprocess.Popen[bytes] | None:
    """A virtual screen of our own where there is none."""
    if os.environ.get("DISPLAY") or sys.platform != "linux":
        return None
    reader, writer = os.pipe()
    words = ["Xvfb", "-displayfd", str(writer), "-noreset", "-screen", "0", "1440x900x24"]
    screen = subprocess.Popen(words, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as number:
        os.environ["DISPLAY"] = f":{number.readline().strip()}"
    return screen


def main(names: list[str]) -> int:
    """Make the pictures named, or all."""
    screen = _show_somewhere()
    try:
        return _make(names)
    finally:
        if screen is not None:
            screen.terminate()


def _make(names: list[str]) -> int:
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    app = QApplication(sys.argv[:1])
    theme.apply_theme(app)
    IMAGES.mkdir(parents=True, exist_ok=True)
    for path in sorted(SCENES.glob("*.json")):
        if not names or path.stem in names:
            started = time.time()
            scene = msgspec.json.decode(path.read_bytes(), type=Scene)
            picture(scene, IMAGES / f"{path.stem}.png")
            print(f"docs/images/{path.stem}.png  {time.time() - started:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    # GL's own threads outlive the last window; nothing is left to save.
    status = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)
