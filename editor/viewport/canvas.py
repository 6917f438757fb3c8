"""GlCanvas: the vispy canvas and the scene drawn in it."""

import logging
import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from editor.history import Change
from editor.render.camera import Camera
from editor.render.scene_view import SceneView
from editor.render.style import Style
from plugins.api import Scene, TerrainMap

_log = logging.getLogger(__name__)


class GlCanvas:
    """Owns the GL widget (`native`) and the view of one scene at a time; draws only when asked to.

    drawn: called after every frame. The scene's GL objects are made at its first frame, when a context is current.
    """

    def __init__(self, parent: QWidget, camera: Camera, style: Callable[[], Style], drawn: Callable[[], None]) -> None:
        from vispy import app

        self._canvas: Any = app.Canvas(
            app="pyside6", parent=parent, show=False, vsync=True, config={"depth_size": 24, "samples": 0}
        )
        self.native: QWidget = self._canvas.native
        self.camera = camera
        self.frames = 0
        self.view: SceneView | None = None
        self.preview: TerrainMap | None = None
        """A map drawn in place of the scene's own."""
        self._style = style
        self._drawn = drawn
        self._scene: Scene | None = None
        self._stale = False
        """True until the scene, or its map after another took its place, has a view of its own."""
        self._failed = False
        self._canvas.events.draw.connect(self._draw)

    def set_scene(self, scene: Scene) -> None:
        """Draw another scene from the next frame on."""
        self._scene, self._stale = scene, True
        self._failed = False
        self.native.update()

    def changed(self, changes: list[Change]) -> None:
        """Part of the scene is different now."""
        if self.view is not None and not self._stale:
            self.view.changed(changes)
        self.native.update()

    def update(self) -> None:
        """Ask for a frame; many requests before it make one."""
        self.native.update()

    def physical_size(self) -> tuple[int, int]:
        """Device pixels of the picture, on the monitor where the widget is now."""
        ratio = self.native.devicePixelRatioF()
        return max(1, round(self.native.width() * ratio)), max(1, round(self.native.height() * ratio))

    def close(self) -> None:
        """Release GL objects; the widget is of no use afterwards."""
        self._canvas.events.draw.disconnect(self._draw)
        if self.view is not None:
            self._canvas.set_current()
            self.view.release()
            self.view = None
        self._canvas.close()

    def _draw(self, event: object) -> None:
        # vispy swallows what a callback raises, so it is handed to the program's own hook, once a scene.
        if self._scene is None or self._failed:
            return
        try:
            self._draw_scene(self._scene)
        except Exception:
            self._failed = True
            sys.excepthook(*sys.exc_info())

    def _draw_scene(self, scene: Scene) -> None:
        if self.view is None or self._stale:
            self._stale = False
            if self.view is not None:
                self.view.release()
            self.view = SceneView(scene)
        width, height = self.physical_size()
        self.view.draw(self.camera, width, height, self._style(), self.preview)
        self.frames += 1
        self._drawn()
