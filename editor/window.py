"""The editor's window: docks, menus, actions; what they do lives in panels, viewport and commands."""

import base64
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_API", "pyside6")

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QIcon, QKeySequence
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QMenu, QToolBar

from editor import commands
from editor.document import Document
from editor.history import Change
from editor.panels import theme
from editor.panels.actions import TOOLS, Actions
from editor.panels.brush_bar import BrushBar, add_brush_actions
from editor.panels.brush_dock import BrushDock
from editor.panels.files import Files
from editor.panels.help import about_text, keys_text
from editor.panels.history_dock import HistoryDock
from editor.panels.icons import icon
from editor.panels.keeper import Keeper
from editor.panels.map_dock import MapDock
from editor.panels.mask_dock import MaskDock
from editor.panels.operations import Operations
from editor.panels.status_bar import StatusBar
from editor.panels.trouble import TroubleHook, log_to, note_crashes
from editor.panels.widget_dock import WidgetDock
from editor.panels.work import Work, show_message
from editor.render.style import TINTS
from editor.settings import Navigation, load_settings, save_settings, settings_path
from editor.tools.adjust import STEP, adjust_radius, adjust_strength
from editor.tools.brushes import BrushChoice
from editor.tools.gesture import Tool
from editor.tools.handles import Mode
from editor.tools.sculpt import sculpt
from editor.tools.select import flood, lasso, rectangle
from editor.viewport.input import Input
from editor.viewport.viewport import Viewport
from terrain.errors import SkerryError

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
"""Without one of these, Qt ends the whole program."""
_SHORT_TURNS = 0.0005
"""Seconds that a thread keeps the interpreter while kernels are made ready."""
_SMALL = 640
"""Logical pixels of height below which two docks share one place."""
_TOOLS: dict[str, Tool] = {"select-lasso": lasso, "select-rectangle": rectangle, "select-flood": flood}
_MODES: tuple[Mode, ...] = ("move", "turn", "scale")
_NAVIGATION_KEYS: dict[str, dict[str, list[str]]] = {
    "blender": {
        "drag-radius": ["F"],
        "drag-strength": ["Shift+F"],
        "frame": ["Home"],
        "transform-move": ["G"],
        "transform-turn": ["R"],
        "transform-scale": ["S"],
    },
    "maya": {
        "drag-radius": ["B"],
        "drag-strength": ["M"],
        "frame": ["F", "Home"],
        "transform-move": ["W"],
        "transform-turn": ["E"],
        "transform-scale": ["R"],
    },
}


class MainWindow(QMainWindow):
    """One window, one document at a time."""

    def __init__(self, document: Document, settings_file: Path) -> None:
        super().__init__()
        self.setObjectName("main")
        self.resize(QSize(1280, 800).boundedTo(self.screen().availableSize()))
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.settings_file = settings_file
        self.settings = load_settings(settings_file)
        self.document = document
        self.brush = BrushChoice()
        self.brush.recall(self.settings.brushes)
        self.work = Work(self)
        self.viewport = Viewport(document, self.brush, self)
        self.input = Input(self.viewport, self.settings.navigation)
        self.setCentralWidget(self.viewport)
        self.keeper = Keeper(self, self.work.poster, lambda: self.viewport.gesture is not None)
        self.files = Files(self, self.work, self.keeper, self.settings, self.viewport.finish_gesture)
        self.status = StatusBar(self)
        self.setStatusBar(self.status)
        self.brush_dock, self.history_dock, self.map_dock = BrushDock(self.brush), HistoryDock(), MapDock()
        self.actions_by_id = Actions(self)
        self.operations = Operations(self, self.work, self.viewport.finish_gesture)
        self.operations.said.connect(self.status.flash)
        self.operations.add_actions(self.actions_by_id)
        self.mask_dock = MaskDock(self.actions_by_id)
        self.widget_dock = WidgetDock()
        self.operations.previewer.shown.connect(self.viewport.show_preview)
        self._build_docks()
        self._build_bars()
        self._connect()
        self.set_navigation(self.settings.navigation)
        self.show_document(document)
        self._restore()

    def show_document(self, document: Document) -> None:
        """Show another document everywhere."""
        self.document.edited.disconnect(self._refresh_actions, missing_ok=True)
        self.document.changed.disconnect(self._changed, missing_ok=True)
        if self.document is not document:
            self.document.history.close()
        self.document = self.files.document = document
        document.edited.connect(self._refresh_actions)
        document.changed.connect(self._changed)
        if self.viewport.document is not document:
            self.viewport.set_document(document)
            self._take_tool(sculpt)
        self.keeper.adopt(document)
        self._fit_brush()
        self.operations.set_document(document)
        for view in (self.history_dock, self.map_dock, self.mask_dock, self.status):
            view.set_document(document)
        self._fill_recent()
        self._refresh_actions()

    def _changed(self, changes: list[Change]) -> None:
        if any(change.kind == "scene" for change in changes):
            self._fit_brush()

    def _fit_brush(self) -> None:
        terrain = self.document.scene.terrain
        field, box = terrain.field, terrain.bounds.whole
        self.brush_dock.set_map(field.cell, max(field.rest_size))
        self.brush.fit(field.cell, max(field.rest_size), float(box[5] - box[2]))

    def set_navigation(self, name: Navigation) -> None:
        """Use Blender's or Maya's mouse and keys."""
        self.settings.navigation = self.input.preset = name
        self.actions_by_id[f"nav-{name}"].setChecked(True)
        for action_id, keys in _NAVIGATION_KEYS[name].items():
            self.actions_by_id[action_id].setShortcuts([QKeySequence(key) for key in keys])
        self._show_hint()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Ask about unsaved changes, remember the window, let go of everything."""
        if not self.files.may_leave():
            event.ignore()
            return
        self.operations.leave()
        self._remember()
        self.keeper.close()
        self.work.close()
        self.viewport.close_gl()
        self.document.history.close()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take files."""
        if event.mimeData().hasUrls() and event.mimeData().urls()[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Open or import the first of the files."""
        event.acceptProposedAction()
        self.files.open_any(Path(event.mimeData().urls()[0].toLocalFile()))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """A window that loses the keyboard holds no keys."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.input.let_go()

    def _build_docks(self) -> None:
        area = Qt.DockWidgetArea.RightDockWidgetArea
        docks: tuple[QDockWidget, ...] = (
            self.brush_dock, self.widget_dock, self.operations.dock, self.mask_dock, self.map_dock, self.history_dock,
        )  # fmt: skip
        for dock in docks:
            dock.setMinimumWidth(290)
            self.addDockWidget(area, dock)
        self.tabifyDockWidget(self.brush_dock, self.widget_dock)
        self.tabifyDockWidget(self.widget_dock, self.operations.dock)
        self.widget_dock.hide()
        self.operations.dock.hide()
        self.brush_dock.raise_()
        self.tabifyDockWidget(self.mask_dock, self.map_dock)
        self.tabifyDockWidget(self.map_dock, self.history_dock)
        self.mask_dock.raise_()
        self.resizeDocks([self.brush_dock, self.mask_dock], [520, 230], Qt.Orientation.Vertical)
        self.resizeDocks(list(docks), [310] * len(docks), Qt.Orientation.Horizontal)

    def _build_bars(self) -> None:
        actions = self.actions_by_id
        add_brush_actions(actions, self.brush, self)
        actions.fill(self.menuBar())
        bar = QToolBar("Main", self)
        bar.setObjectName("tools")
        for action_id in TOOLS:
            if action_id:
                bar.addAction(actions[action_id])
            else:
                bar.addSeparator()
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
        self.brush_bar = BrushBar(actions, self.brush, self)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.brush_bar)
        for part in (self.brush_dock, self.mask_dock, self.map_dock, self.history_dock, bar, self.brush_bar):
            actions.submenus["docks"].addAction(part.toggleViewAction())

    def _connect(self) -> None:
        files, view, brush = self.files, self.viewport, self.brush
        calls: dict[str, Callable[[], object]] = {
            "new": files.new,
            "open": files.open,
            "import": files.import_,
            "save": files.save,
            "save-as": files.save_as,
            "export": files.export,
            "sample": files.sample,
            "quit": self.close,
            "undo": lambda: self._travel(self.document.undo, "Undid"),
            "redo": lambda: self._travel(self.document.redo, "Redid"),
            "smaller": lambda: brush.adjust(radius=brush.params.radius / STEP),
            "larger": lambda: brush.adjust(radius=brush.params.radius * STEP),
            "weaker": lambda: brush.adjust(strength=brush.params.strength / STEP),
            "stronger": lambda: brush.adjust(strength=max(brush.params.strength, 0.01) * STEP),
            "drag-radius": lambda: view.adjust(adjust_radius),
            "drag-strength": lambda: view.adjust(adjust_strength),
            "axis": self._move_axis,
            "frame": view.frame_all,
            "walk": lambda: view.toggle_walking(self.actions_by_id["walk"].isChecked()),
            "sea": lambda: view.set_style(show_sea=self.actions_by_id["sea"].isChecked()),
            "contours": lambda: view.show_contours(self.actions_by_id["contours"].isChecked()),
            "nav-blender": lambda: self.set_navigation("blender"),
            "nav-maya": lambda: self.set_navigation("maya"),
            "keys": lambda: show_message(self, keys_text(self.settings.navigation), trouble=False),
            "about": lambda: show_message(self, about_text(), trouble=False),
        }
        switches: dict[str, Callable[[bool], object]] = {
            "wire": lambda on: view.set_style(wire=on),
            "isolate": lambda on: view.set_style(isolate=on),
            "mask-show": self._show_mask,
            "readout": self._read_out,
            "freeze": lambda on: commands.choose_mask(self.document, self.document.scene.terrain.active_mask, on),
        }
        for action_id, switch in switches.items():
            self.actions_by_id[action_id].triggered.connect(switch)
        self.actions_by_id["mask-show"].setChecked(view.show_mask)
        calls["mask-none"] = lambda: commands.choose_mask(self.document, "")
        for name, tool in _TOOLS.items():
            self.actions_by_id[name].triggered.connect(lambda on, tool=tool: self._take_tool(tool if on else sculpt))
        for brush_id in brush.ids:
            calls[f"brush-{brush_id}"] = lambda: self._take_tool(sculpt)
        for mode in _MODES:
            self.actions_by_id[f"transform-{mode}"].triggered.connect(
                lambda on, mode=mode: self._take_widget(mode if on else None)
            )
        view.transformed.connect(self.widget_dock.show_params)
        view.dismissed.connect(self._dismiss_widget)
        view.refused.connect(self.status.flash)
        view.preview_left.connect(self.operations.leave)
        self.widget_dock.changed.connect(view.transform)
        for number in range(1, 5):
            calls[f"keep-{number}"] = partial(self._keep_view, str(number))
            calls[f"view-{number}"] = partial(self._look_through, str(number))
        for name in ("top", "north", "east", "south", "west"):
            calls[f"view-{name}"] = partial(view.view, name)
        for tint in TINTS:
            calls[f"tint-{tint}"] = partial(view.set_style, tint=tint)
        for action_id, call in calls.items():
            self.actions_by_id[action_id].triggered.connect(lambda checked=False, call=call: call())
        self.actions_by_id["sea"].setChecked(view.style_of_map.show_sea)
        self.actions_by_id[f"tint-{view.style_of_map.tint}"].setChecked(True)
        self.keeper.writing.connect(self.status.show_saving)
        self.keeper.failed.connect(self.status.flash)
        files.opened.connect(self.show_document)
        files.opened.connect(lambda document: self._remember())
        files.kept.connect(lambda path: self._fill_recent())
        files.kept.connect(lambda path: self._remember())
        files.said.connect(lambda text: self.status.flash(text))
        view.pointed.connect(self.status.point_at)
        view.drawn.connect(self._show_drawing)
        view.walking_changed.connect(self.actions_by_id["walk"].setChecked)
        brush.changed.connect(self._show_hint)

    def _take_widget(self, mode: Mode | None) -> None:
        self._take_tool(sculpt)
        if mode is None:
            return
        try:
            self.viewport.take_widget(mode)
        except SkerryError as error:
            self.status.flash(str(error)[:1].upper() + str(error)[1:])
            return
        self.actions_by_id[f"transform-{mode}"].setChecked(True)
        self.widget_dock.show()
        self.widget_dock.raise_()
        self._show_hint()

    def _dismiss_widget(self) -> None:
        self.viewport.cancel_widget()
        self._take_tool(sculpt)

    def _take_tool(self, tool: Tool) -> None:
        self.operations.leave()
        self.viewport.take_widget(None)
        self.widget_dock.hide()
        for mode in _MODES:
            self.actions_by_id[f"transform-{mode}"].setChecked(False)
        self.viewport.tool = tool
        for name, other in _TOOLS.items():
            self.actions_by_id[name].setChecked(other is tool)
        self._show_hint()

    def _move_axis(self) -> None:
        if self.viewport.hovered is not None and self.viewport.gesture is None:
            self.viewport.context.move_axis(self.viewport.hovered)

    def _show_mask(self, on: bool) -> None:
        self.viewport.show_mask = on
        self.viewport.march()
        self.viewport.canvas.update()

    def _read_out(self, on: bool) -> None:
        self.viewport.readout = on
        self.viewport.refresh_ring()

    def _keep_view(self, number: str) -> None:
        self.settings.views[number] = self.viewport.keep_view()
        self._remember()
        self.status.flash(f"View {number} kept")

    def _look_through(self, number: str) -> None:
        if number in self.settings.views:
            self.viewport.look_through(self.settings.views[number])
        else:
            self.status.flash(f"No view {number} yet; Ctrl+F{int(number) + 4} keeps this one")

    def _travel(self, step: Callable[[], str | None], verb: str) -> None:
        """Undo or redo; a stroke under way ends first."""
        self.viewport.finish_gesture()
        label = step()
        if label is not None:
            self.status.flash(f"{verb}: {label}")
            self.viewport.refresh_ring()

    def _refresh_actions(self) -> None:
        document = self.document
        name = document.path.name if document.path else "Untitled island"
        self.setWindowTitle(f"{name}[*] — Skerry")
        self.setWindowModified(document.modified)
        for action_id, steps in (("undo", document.history.done), ("redo", document.history.undone)):
            action = self.actions_by_id[action_id]
            action.setEnabled(bool(steps))
            action.setText(f"{action_id.capitalize()} {steps[-1].label}" if steps else action_id.capitalize())
        terrain = document.scene.terrain
        for action_id in ("mask-none", "freeze", "isolate"):
            self.actions_by_id[action_id].setEnabled(bool(terrain.active_mask))
        self.actions_by_id["freeze"].setChecked(terrain.frozen and bool(terrain.active_mask))

    def _fill_recent(self) -> None:
        menu: QMenu = self.actions_by_id.submenus["recent"]
        menu.clear()
        menu.setEnabled(bool(self.settings.recent))
        for text in self.settings.recent:
            path = Path(text)
            action = menu.addAction(path.name)
            action.setToolTip(text)
            action.triggered.connect(lambda checked=False, path=path: self.files.open_any(path))

    def _show_hint(self) -> None:
        if self.viewport.widget is not None:
            self.status.set_hint("Drag a handle · Ctrl snaps · Esc takes it back · a brush keeps it")
            return
        if self.viewport.tool is not sculpt:
            name = next(name for name, tool in _TOOLS.items() if tool is self.viewport.tool)
            self.status.set_hint(f"{self.actions_by_id[name].toolTip()} · a brush ends it")
            return
        radius, strength = ("F", "Shift+F") if self.settings.navigation == "blender" else ("B", "M")
        self.status.set_hint(
            f"{self.brush.label}: drag · Ctrl inverts · Shift smooths · {radius} radius · {strength} strength"
        )

    def _show_drawing(self) -> None:
        scene = self.viewport.canvas.view
        if scene is not None:
            self.status.show_drawing(scene.triangles, scene.renderer)

    def _restore(self) -> None:
        for text, restore in ((self.settings.geometry, self.restoreGeometry), (self.settings.docks, self.restoreState)):
            if text:
                restore(QByteArray.fromBase64(text.encode()))
        # Nothing is being asked yet, whatever the window looked like when it was closed.
        self.operations.dock.hide()

    def _remember(self) -> None:
        self.settings.geometry = base64.b64encode(self.saveGeometry().data()).decode()
        self.settings.docks = base64.b64encode(self.saveState().data()).decode()
        self.settings.brushes = self.brush.remembered()
        save_settings(self.settings_file, self.settings)


def run(path: Path | None = None, started: float | None = None) -> int:
    """Open the editor on a map, a foreign file, or the sample island; returns the exit status.

    started: `time.perf_counter()` when the program began, for the start-up figure of SKERRY_TIMING=1.
    """
    import platformdirs

    started = time.perf_counter() if started is None else started
    if sys.platform == "linux" and not any(map(os.environ.get, _DISPLAYS)):
        print("skerry: no display; start it on a desktop, or use `skerry render` for pictures", file=sys.stderr)
        return 1
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("Skerry")
    app.setDesktopFileName("skerry")
    theme.apply_theme(app)
    app.setWindowIcon(QIcon(icon("island", theme.ACCENT)))
    logs = Path(platformdirs.user_log_dir("skerry", appauthor=False))
    log = log_to(logs)
    note_crashes(logs)
    window = MainWindow(commands.sample_document(), settings_path())
    hook = TroubleHook(window, window.work.poster, log)
    window.viewport.ready = False
    window.viewport.first_frame.connect(
        lambda: _after_first_frame(window, started), Qt.ConnectionType.SingleShotConnection
    )
    window.show()
    window.work.poster.post(window.files.offer_recovery if path is None else lambda: window.files.open_any(path))
    # Ctrl+C in the terminal ends the program; Python's own handler would wait for the next event.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return app.exec()
    finally:
        hook.remove()


def _after_first_frame(window: MainWindow, started: float) -> None:
    if commands.timing():
        print(f"first frame after {time.perf_counter() - started:.2f} s", file=sys.stderr)

    usual = sys.getswitchinterval()
    # Compiling holds the interpreter; short turns keep the window alive meanwhile.
    sys.setswitchinterval(_SHORT_TURNS)

    def ready() -> None:
        sys.setswitchinterval(usual)
        window.viewport.ready = True
        window.viewport.refresh_ring()

    def warm() -> None:
        try:
            commands.warm_kernels()
        finally:
            window.work.poster.post(ready)

    threading.Thread(target=warm, name="skerry-warm", daemon=True).start()
