"""SceneView: a scene as a picture, drawn into whatever framebuffer is bound in the current vispy context."""

from dataclasses import replace
from typing import NamedTuple

from vispy import gloo

from editor.history import Change
from editor.render.backdrop import Backdrop
from editor.render.camera import Camera
from editor.render.frame import Frame
from editor.render.ground import Ground
from editor.render.marks_view import MarksView
from editor.render.style import Style
from editor.render.terrain_view import TerrainView, relief
from plugins.api import Scene, TerrainMap

# Instanced drawing and float textures are beyond the ES 2 subset that gloo offers by itself.
gloo.gl.use_gl("gl+")


TOLERANCE = 1.0
"""Pixels by which a surface that a GPU draws may stray from the true one."""
SOFTWARE_TOLERANCE = 2.0
"""The same where the processor draws, which spends as long on vertices as on pixels otherwise."""


class Stats(NamedTuple):
    """What the last picture took."""

    triangles: int
    patches: int
    uploaded: int
    """Bytes of map sent to the GPU."""


class SceneView:
    """Draws one scene; made and used while a vispy context is current."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._ground = Ground()
        self._terrain = TerrainView(scene.terrain, self._ground)
        self._preview: TerrainView | None = None
        self._shown = self._terrain
        self._backdrop = Backdrop(self._ground.noise)
        self._marks = MarksView()
        name = gloo.gl.glGetParameter(gloo.gl.GL_RENDERER)
        self.renderer = name.decode() if isinstance(name, bytes) else str(name)
        """The GL's own name for what draws."""

    @property
    def stats(self) -> Stats:
        """What the last picture took."""
        return Stats(self._shown.triangles, self._shown.patches, self._shown.uploaded)

    @property
    def triangles(self) -> int:
        """Triangles of the last picture."""
        return self._shown.triangles

    @property
    def software(self) -> bool:
        """True if the processor draws instead of a GPU."""
        return any(name in self.renderer.lower() for name in ("llvmpipe", "softpipe", "swrast", "swiftshader"))

    def changed(self, changes: list[Change]) -> None:
        """Note what an edit changed; sent to the GPU with the next picture."""
        for change in changes:
            if change.kind == "array":
                self._terrain.changed(change.key, change.rect)
            elif change.kind == "setting" and change.key == "sea_level":
                self._terrain.relief = relief(self.scene.terrain)

    def draw(self, camera: Camera, width: int, height: int, style: Style, preview: TerrainMap | None = None) -> None:
        """Draw a picture of `width × height` physical pixels; preview: a map drawn in place of the scene's own."""
        if style.tolerance is None:
            style = replace(style, tolerance=SOFTWARE_TOLERANCE if self.software else TOLERANCE)
        self._take_preview(preview)
        frame = Frame.of(self._shown.terrain, camera, width, height, style)
        gloo.set_viewport(0, 0, width, height)
        gloo.set_state(depth_test=True, depth_func="lequal", depth_mask=True, blend=False, cull_face=False)
        gloo.clear(color=(0.0, 0.0, 0.0, 1.0), depth=True)
        self._shown.draw(frame)
        self._backdrop.draw(frame, self._shown.relief)
        self._marks.draw(frame)

    def release(self) -> None:
        """Delete everything GL holds for this view; its context must be current."""
        self._take_preview(None)
        self._terrain.release()
        self._ground.release()
        self._backdrop.release()
        self._marks.release()

    def _take_preview(self, terrain: TerrainMap | None) -> None:
        """Show another map, or the scene's own."""
        if terrain is not (self._preview.terrain if self._preview is not None else None):
            if self._preview is not None:
                self._preview.release()
            self._preview = None if terrain is None else TerrainView(terrain, self._ground)
        self._shown = self._terrain if self._preview is None else self._preview
        if self._preview is not None and self._preview.terrain.sea_level == self.scene.terrain.sea_level:
            # The colours of the map as it is, which an edit keeps as well.
            self._preview.relief = self._terrain.relief
