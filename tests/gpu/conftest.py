"""Pictures for the GPU tests; skipped only where the machine has no EGL at all."""

import ctypes.util
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from editor.render.camera import Camera
from editor.render.offscreen import Offscreen
from editor.render.style import Style
from plugins.api import Scene
from terrain.map import TerrainMap

SIZE = (160, 120)

Shoot = Callable[[TerrainMap, Camera, Style], NDArray[np.uint8]]


@pytest.fixture(autouse=True)
def _needs_egl() -> None:
    if ctypes.util.find_library("EGL") is None:
        pytest.skip("no libEGL on this machine")


@pytest.fixture
def shoot() -> Iterator[Shoot]:
    """Takes 160×120 pictures; one view a map, kept until the test ends."""
    views: dict[int, Offscreen] = {}

    def take(terrain: TerrainMap, camera: Camera, style: Style) -> NDArray[np.uint8]:
        if id(terrain) not in views:
            views[id(terrain)] = Offscreen(Scene(terrain), *SIZE)
        return views[id(terrain)].draw(camera, style)

    yield take
    for view in views.values():
        view.release()


@pytest.fixture
def view() -> Iterator[Callable[[TerrainMap], Offscreen]]:
    """Opens 160×120 views, closed when the test ends."""
    opened: list[Offscreen] = []

    def start(terrain: TerrainMap) -> Offscreen:
        opened.append(Offscreen(Scene(terrain), *SIZE))
        return opened[-1]

    yield start
    for one in opened:
        one.release()
