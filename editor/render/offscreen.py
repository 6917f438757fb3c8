"""Pictures without a window: an EGL context of our own, which needs no display and no GPU."""

import ctypes.util
import math
import os
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from editor.render.camera import Camera
from editor.render.style import Style
from plugins.api import Scene
from terrain.errors import SkerryError

_LARGEST = 8192
_RGBA8, _DEPTH24 = 0x8058, 0x81A6

_canvas: Any = None


def render_image(
    scene: Scene, camera: Camera, width: int, height: int, style: Style, supersample: int = 2
) -> NDArray[np.uint8]:
    """A picture of a scene, uint8 (height, width, 3), sRGB, top row first.

    supersample: pixels drawn along each side of one in the picture, for smooth edges.
    Raises `SkerryError` if the size is not possible or there is no EGL.
    """
    supersample = max(1, min(supersample, _LARGEST // max(width, height, 1)))
    if not (1 <= width <= _LARGEST and 1 <= height <= _LARGEST):
        raise SkerryError(f"a picture of {width}x{height} is not possible: 1 to {_LARGEST} pixels a side")
    with Offscreen(scene, width * supersample, height * supersample) as view:
        image = view.draw(camera, style)
    if supersample == 1:
        return image
    fine = image.reshape(height, supersample, width, supersample, 3)
    area = supersample * supersample
    return np.asarray((fine.sum(axis=(1, 3), dtype=np.uint32) + area // 2) // area, np.uint8)


class Offscreen:
    """A scene's view with a framebuffer of its own, for several pictures of one scene; a context manager."""

    def __init__(self, scene: Scene, width: int, height: int) -> None:
        canvas()
        from vispy import gloo

        from editor.render.scene_view import SceneView

        self.width, self.height = width, height
        self.view = SceneView(scene)
        self._colour: Any = gloo.RenderBuffer((height, width), _RGBA8)
        self._depth: Any = gloo.RenderBuffer((height, width), _DEPTH24)
        self._buffer: Any = gloo.FrameBuffer(self._colour, self._depth)

    def __enter__(self) -> "Offscreen":
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def draw(self, camera: Camera, style: Style) -> NDArray[np.uint8]:
        """One picture, uint8 (height, width, 3), top row first."""
        from vispy import gloo

        canvas()
        with self._buffer:
            self.view.draw(camera, self.width, self.height, style)
            pixels: NDArray[np.uint8] = gloo.read_pixels((0, 0, self.width, self.height), alpha=False)
        return np.ascontiguousarray(pixels)

    def release(self) -> None:
        """Delete everything GL holds for this."""
        canvas()
        self.view.release()
        for thing in (self._buffer, self._colour, self._depth):
            thing.delete()
        _canvas.context.flush_commands()


def default_camera(scene: Scene) -> Camera:
    """The land and its shallows in a three-quarter view from the south-west; all of a map without sea."""
    camera = Camera(yaw=math.radians(28.0), pitch=math.radians(-27.0), fov=math.radians(36.0))
    camera.frame_points(_land(scene), 1.6)
    return camera


def _land(scene: Scene) -> NDArray[np.float64]:
    """Corners (n, 3) of the boxes of what stands above the sea; of the whole map where nothing does."""
    terrain = scene.terrain
    boxes = terrain.bounds.patches.reshape(-1, 6)
    dry = boxes[boxes[:, 5] > terrain.sea_level]
    if len(dry) == 0:
        dry = terrain.bounds.whole[None]
    corners = [dry[:, [x, y, z]] for x in (0, 3) for y in (1, 4) for z in (2, 5)]
    points = np.concatenate(corners)
    if dry[:, 5].max() > terrain.sea_level:
        points[:, 2] = np.maximum(points[:, 2], terrain.sea_level)
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return np.concatenate([points, middle + (points - middle) * np.array([1.12, 1.12, 1.0])])


def canvas() -> Any:
    """The process's own EGL canvas, made current; raises `SkerryError` where there is no EGL."""
    global _canvas
    if _canvas is None:
        _canvas = _new_canvas()
    _canvas.set_current()
    return _canvas


def _new_canvas() -> Any:
    if sys.platform in ("win32", "darwin"):
        raise SkerryError("pictures without a window need EGL, which this system lacks: open the editor instead")
    if ctypes.util.find_library("EGL") is None:
        raise SkerryError("libEGL.so.1 not found: install libegl1 and libgl1-mesa-dri to render without a display")
    if "OpenGL" not in sys.modules:
        os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
    if "vispy.ext.egl" not in sys.modules:
        os.environ.setdefault("EGL_PLATFORM", "surfaceless")
    try:
        from vispy import app
    except ImportError as error:
        # vispy loads the system's font library even where no text is drawn.
        raise SkerryError(f"vispy cannot start ({error}): install libfontconfig1") from None
    try:
        return app.Canvas(app=app.Application("egl"), size=(1, 1), show=False, autoswap=False)
    except Exception as error:
        raise SkerryError(f"no OpenGL context through EGL ({error}): check the graphics driver") from None
