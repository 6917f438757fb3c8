"""Runs one scenario in a real window and prints what it found as one line of JSON (see conftest.py)."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QImage, QInputDevice, QMouseEvent, QPointingDevice, QTabletEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.commands import new_document, travel
from editor.panels.theme import apply_theme
from editor.tools.handles import handle_lines
from editor.window import MainWindow
from terrain.tiles import Rect

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
CELL = 10.0
SIDE = 65


def wait(milliseconds: int) -> None:
    """Run the event loop; QTest.qWait will not do, since vispy puts a busy loop in its place."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class Driver:
    """A window on a flat map seen from above, and the hands to use it."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self.app = app
        self.document = new_document(SIDE, SIDE, CELL)
        self.window = MainWindow(self.document, folder / "settings.json")
        self.window.resize(900, 700)
        self.view = self.window.viewport
        self.native = self.view.canvas.native
        self.window.brush.adjust(strength=200.0)
        self.view.set_style(show_sea=False, tint="clay")
        self.window.show()
        QTest.qWaitForWindowExposed(self.window)
        middle = 0.5 * CELL * (SIDE - 1)
        self.view.camera.target, self.view.camera.distance = np.array([middle, middle, 0.0]), 1100.0
        self.view.view("top")
        self.settle()

    def settle(self) -> None:
        """Let everything that is due happen."""
        for _ in range(4):
            wait(15)

    def picture(self) -> np.ndarray:
        """What the GL widget shows: uint8 (height, width, 3), physical pixels."""
        self.settle()
        image = self.native.grabFramebuffer().convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
        return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(np.int16)

    def drag(self, points: list[tuple[int, int]], button: Qt.MouseButton = LEFT, keys: Any = PLAIN) -> None:
        """Press at the first point, move along the others, release at the last."""
        QTest.mousePress(self.native, button, keys, QPoint(*points[0]))
        for x, y in points[1:]:
            self.move(x, y, button, keys)
        QTest.mouseRelease(self.native, button, keys, QPoint(*points[-1]))
        self.settle()

    def move(self, x: float, y: float, button: Any = Qt.MouseButton.NoButton, keys: Any = PLAIN) -> None:
        """One mouse move, with fractions of a pixel."""
        place = QPointF(x, y)
        event = QMouseEvent(
            QEvent.Type.MouseMove, place, self.native.mapToGlobal(place), Qt.MouseButton.NoButton, button, keys
        )
        QApplication.sendEvent(self.native, event)

    def pen(self, kind: QEvent.Type, x: float, y: float, pressure: float, pen: QPointingDevice) -> bool:
        """One pen event; True if it was accepted."""
        place = QPointF(x, y)
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.TabletRelease else LEFT
        event = QTabletEvent(
            kind, pen, place, self.native.mapToGlobal(place), pressure, 0, 0, 0.0, 0.0, 0.0, PLAIN, LEFT, held
        )
        QApplication.sendEvent(self.native, event)
        return event.isAccepted()

    @property
    def heights(self) -> np.ndarray:
        return self.document.scene.terrain.field.offset[..., 2]

    def back(self) -> None:
        """Undo everything."""
        travel(self.document, 0)
        self.settle()


def picking(driver: Driver) -> dict[str, Any]:
    """Find lone bumps in the picture, point at them, and ask what was hit."""
    plain, misses = driver.picture(), []
    hits: list[Any] = []
    driver.view.pointed.connect(hits.append)
    ratio = driver.native.devicePixelRatioF()
    for row, col in ((10, 20), (50, 44), (32, 12), (20, 52)):
        with driver.document.edit("bump") as edit:
            edit.write("offset", Rect(row, row + 1, col, col + 1))[..., 2] = 0.4 * CELL
        changed = np.abs(driver.picture() - plain).sum(axis=2) > 12
        ys, xs = np.nonzero(changed)
        driver.back()
        driver.move((xs.mean() + 0.5) / ratio, (ys.mean() + 0.5) / ratio)
        hit = hits[-1]
        driver.view.hover(None)
        misses.append([hit.row - row, hit.col - col] if hit is not None else [99.0, 99.0])
    size = [driver.native.width(), driver.native.height()]
    return {"ratio": ratio, "misses": misses, "picture": list(plain.shape[:2]), "size": size}


def sculpting(driver: Driver) -> dict[str, Any]:
    """Everything from a hand's movement to a changed map and picture."""
    found: dict[str, Any] = {}
    middle = QPoint(driver.native.width() // 2, driver.native.height() // 2)
    x, y = middle.x(), middle.y()
    plain = driver.picture()
    found["colours"] = len(np.unique(plain.reshape(-1, 3), axis=0))
    driver.drag([(x, y)])
    driver.move(5, 5)
    driver.view.hover(None)
    difference = np.abs(driver.picture() - plain).sum(axis=2) > 12
    ys, xs = np.nonzero(difference)
    found["click_height"] = float(driver.heights.max())
    found["click_peak"] = [int(i) for i in np.unravel_index(driver.heights.argmax(), driver.heights.shape)]
    found["click_pixels"] = int(difference.sum())
    found["click_centre"] = [float(xs.mean() - x), float(ys.mean() - y)]
    driver.back()

    driver.drag([(x, y), (x + 10, y), (x + 20, y)], keys=CTRL)
    found["ctrl_lowest"], found["ctrl_highest"] = float(driver.heights.min()), float(driver.heights.max())
    driver.back()

    driver.move(x, y)
    found["ring_on"] = driver.view.context.ring is not None
    ringed = driver.picture()
    QCoreApplication.sendEvent(driver.native, QEvent(QEvent.Type.Leave))
    found["ring_off"] = driver.view.context.ring is None
    found["ring_pixels"] = int((np.abs(ringed - driver.picture()).sum(axis=2) > 12).sum())

    QTest.mousePress(driver.native, LEFT, PLAIN, middle)
    driver.move(x + 30, y, LEFT)
    QTest.keyClick(driver.native, Qt.Key.Key_Escape)
    found["escaped"] = [float(np.abs(driver.heights).max()), len(driver.document.history.done)]
    QTest.mouseRelease(driver.native, LEFT, PLAIN, middle)

    QTest.mousePress(driver.native, LEFT, PLAIN, middle)
    driver.move(x + 30, y, LEFT)
    driver.window.actions_by_id["undo"].trigger()
    driver.move(x + 60, y, LEFT)
    QTest.mouseRelease(driver.native, LEFT, PLAIN, middle)
    history = driver.document.history
    found["undone_in_stroke"] = [float(np.abs(driver.heights).max()), len(history.done), len(history.undone)]
    driver.back()
    return found


def pen(driver: Driver) -> dict[str, Any]:
    """A light and a firm stroke of a pen; Qt must not make mouse events of them."""
    stylus = QPointingDevice(
        "pen", 7, QInputDevice.DeviceType.Stylus, QPointingDevice.PointerType.Pen,
        QInputDevice.Capability.Pressure | QInputDevice.Capability.Position, 1, 3,
    )  # fmt: skip
    x, y = driver.native.width() / 2, driver.native.height() / 2
    found: dict[str, Any] = {"accepted": True, "steps": []}
    for name, pressure in (("light", 0.25), ("firm", 1.0)):
        for kind in (QEvent.Type.TabletPress, QEvent.Type.TabletMove, QEvent.Type.TabletRelease):
            found["accepted"] &= driver.pen(kind, x, y, pressure, stylus)
        driver.settle()
        found[name] = float(driver.heights.max())
        found["steps"].append(len(driver.document.history.done))
        driver.back()
    return found


def drawing(driver: Driver) -> dict[str, Any]:
    """Frames are made on demand, one for many changes, and none at rest."""
    found: dict[str, Any] = {}
    canvas = driver.view.canvas
    frames = canvas.frames
    for number in range(40):
        with driver.document.edit(f"{number}") as edit:
            edit.write("offset", Rect(0, 9, 0, 9))[..., 2] += 0.5
    driver.settle()
    found["frames_for_40_edits"] = canvas.frames - frames
    wait(600)
    frames, spent, begun = canvas.frames, time.process_time(), time.perf_counter()
    wait(2000)
    found["idle_share"] = (time.process_time() - spent) / (time.perf_counter() - begun)
    found["idle_frames"] = canvas.frames - frames

    before = driver.picture()
    driver.window.brush_dock.setFloating(True)
    driver.settle()
    driver.window.brush_dock.setFloating(False)
    driver.settle()
    after = driver.picture()
    found["after_floating"] = int(np.abs(after - before).max()) if after.shape == before.shape else -1

    yaw = driver.view.camera.yaw
    x, y = driver.native.width() // 2, driver.native.height() // 2
    driver.drag([(x, y), (x + 20, y + 10), (x + 60, y + 20)], MIDDLE)
    found["turned"] = driver.view.camera.yaw - yaw
    found["turned_pixels"] = int((np.abs(driver.picture() - after).sum(axis=2) > 12).sum())

    driver.window.actions_by_id["contours"].trigger()
    found["contours"] = [driver.view.style_of_map.contours]
    other = new_document(33, 17, 5.0, height=2.0)
    with other.edit("hill") as edit:
        edit.write("offset", Rect(4, 8, 4, 8))[..., 2] += 4000.0
    driver.window.show_document(other)
    found["contours"].append(driver.view.style_of_map.contours)
    driver.settle()
    found["other_scene"] = canvas.view is not None and canvas.view.scene is other.scene
    driver.document = other
    return found


def selecting(driver: Driver) -> dict[str, Any]:
    """Draw a lasso, lift what it holds by a handle, take that back, lift it again, and let go."""
    window, view, found = driver.window, driver.view, {}
    x, y = driver.native.width() // 2, driver.native.height() // 2
    window.actions_by_id["select-lasso"].trigger()
    driver.drag([(x - 80, y - 60), (x + 80, y - 60), (x + 80, y + 60), (x - 80, y + 60)])
    terrain = driver.document.scene.terrain
    mask = terrain.limit
    found["selected"] = 0 if mask is None else int((mask > 0).sum())
    view.camera.pitch = -0.6
    view.camera_moved()
    window.actions_by_id["transform-move"].trigger()
    driver.settle()
    found["dock"] = window.widget_dock.isVisible()

    def tip() -> tuple[int, int]:
        assert view.widget is not None
        assert view.context.project is not None
        line = handle_lines(view.context, view.widget.place, "move")["move-z"]
        return int(view.context.project(line)[1][0]), int(view.context.project(line)[1][1])

    found["lifts"] = []
    for _ in range(2):
        at = tip()
        driver.drag([at, (at[0], at[1] - 20), (at[0], at[1] - 40)])
        assert view.widget is not None
        found["lifts"].append([float(driver.heights.max()), view.widget.params.z])
        window.actions_by_id["undo"].trigger()
        found["lifts"].append([float(driver.heights.max()), view.widget.params.z])
    at = tip()
    driver.drag([at, (at[0], at[1] - 40)])
    steps = len(driver.document.history.done)
    QTest.keyClick(driver.native, Qt.Key.Key_Escape)
    found["escaped"] = [float(driver.heights.max()), steps - len(driver.document.history.done)]
    found["gone"] = view.widget is None and not window.widget_dock.isVisible()

    window.actions_by_id["transform-turn"].trigger()
    window.actions_by_id["mask-none"].trigger()
    found["gone_with_the_mask"] = view.widget is None and not window.actions_by_id["transform-turn"].isChecked()
    window.actions_by_id["undo"].trigger()
    window.actions_by_id["transform-scale"].trigger()
    other = new_document(33, 17, 5.0)
    window.show_document(other)
    found["gone_with_the_map"] = view.widget is None and not window.widget_dock.isVisible()
    driver.document = other
    return found


def previewing(driver: Driver) -> dict[str, Any]:
    """See noise before it is applied, compare, try to sculpt it, leave it in every way, and apply it."""
    window, view, found = driver.window, driver.view, {}
    x, y = driver.native.width() // 2, driver.native.height() // 2
    plain = driver.picture()

    def shown(text: str) -> int:
        """Wait for the badge to say this; how many pixels differ from the flat map then."""
        end = time.perf_counter() + 60.0
        while view.badge.text() != text and time.perf_counter() < end:
            wait(20)
        assert view.badge.isVisibleTo(view) == bool(text)
        return int((np.abs(driver.picture() - plain).sum(axis=2) > 12).sum())

    def begin() -> int:
        window.actions_by_id["op-noise"].trigger()
        return shown("Preview, full resolution")

    found["previewed"] = begin()
    frames = view.canvas.frames
    wait(300)
    found["idle_frames"] = view.canvas.frames - frames
    driver.drag([(x, y), (x + 30, y)])
    driver.move(x, y)
    found["refused"] = [len(driver.document.history.done), view.context.ring is None, view.gesture is None]
    driver.drag([(x, y), (x + 20, y + 10)], MIDDLE)
    driver.view.view("top")
    panel = window.operations.dock.panel
    assert panel is not None
    panel.compare.click()
    found["before"] = shown("Before: the map as it is")
    panel.compare.click()
    found["after"] = shown("Preview, full resolution")
    QTest.keyClick(driver.native, Qt.Key.Key_Escape)
    found["escaped"] = [shown(""), int(window.operations.dock.isVisible())]
    begin()
    window.actions_by_id["select-lasso"].trigger()
    found["another_tool"] = [shown(""), int(window.operations.dock.isVisible())]
    window.actions_by_id["brush-raise"].trigger()
    begin()
    with driver.document.edit("lift") as edit:
        edit.write("offset", Rect(0, 9, 0, 9))[..., 2] += 0.5
    found["edited"] = view.badge.text()
    shown("Preview, full resolution")
    window.actions_by_id["undo"].trigger()
    found["steps"] = len(driver.document.history.done)
    found["height"] = float(driver.heights.max())
    same = shown("Preview, full resolution")
    window.operations.dock.panel.apply.click()
    found["applied"] = [shown(""), len(driver.document.history.done), same]
    driver.back()
    begin()
    return found


def hands(driver: Driver) -> dict[str, Any]:
    """All but picking, in one window."""
    return {**sculpting(driver), **pen(driver), **drawing(driver)}


SCENARIOS = {"picking": picking, "hands": hands, "selecting": selecting, "previewing": previewing}


def main(name: str, folder: str) -> int:
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    app = QApplication([])
    apply_theme(app)
    driver = Driver(app, Path(folder))
    found = SCENARIOS[name](driver)
    driver.document.modified = False
    driver.window.files.document = driver.document
    driver.window.close()
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
