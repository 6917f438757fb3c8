"""SceneView: a scene as a picture, drawn into whatever framebuffer is bound in the current vispy context."""

from dataclasses import replace
from typing import NamedTuple

from vispy import gloo

from editor.history import Change
from editor.render.backdrop import Backdrop
from editor.render.camera import Camera
from editor.render.frame import Frame
from editor.render.marks_view import MarksView
from editor.render.style import Style
from editor.render.terrain_view import TerrainView, relief
from plugins.api import Scene

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
        self._terrain = TerrainView(scene.terrain)
        self._backdrop = Backdrop(self._terrain.noise)
        self._marks = MarksView()
        name = gloo.gl.glGetParameter(gloo.gl.GL_RENDERER)
        self.renderer = name.decode() if isinstance(name, bytes) else str(name)
        """The GL's own name for what draws."""

    @property
    def stats(self) -> Stats:
        """What the last picture took."""
        return Stats(self._terrain.triangles, self._terrain.patches, self._terrain.uploaded)

    @property
    def triangles(self) -> int:
        """Triangles of the last picture."""
        return self._terrain.triangles

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

    def draw(self, camera: Camera, width: int, height: int, style: Style) -> None:
        """Draw a picture of `width × height` physical pixels."""
        if style.tolerance is None:
            style = replace(style, tolerance=SOFTWARE_TOLERANCE if self.software else TOLERANCE)
        frame = Frame.of(self.scene.terrain, camera, width, height, style)
        gloo.set_viewport(0, 0, width, height)
        gloo.set_state(depth_test=True, depth_func="lequal", depth_mask=True, blend=False, cull_face=False)
        gloo.clear(color=(0.0, 0.0, 0.0, 1.0), depth=True)
        self._terrain.draw(frame)
        self._backdrop.draw(frame, self._terrain.relief)
        self._marks.draw(frame)

    def release(self) -> None:
        """Delete everything GL holds for this view; its context must be current."""
        self._terrain.release()
        self._backdrop.release()
        self._marks.release()
