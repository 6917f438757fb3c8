"""Pictures for the GPU tests; skipped only where the machine has no EGL at all."""

import ctypes.util
from collections.abc import Callable, Iterator

import pytest

from editor.render.offscreen import Offscreen
from plugins.api import Scene
from terrain.map import TerrainMap

SIZE = (160, 120)


@pytest.fixture(autouse=True)
def _needs_egl() -> None:
    if ctypes.util.find_library("EGL") is None:
        pytest.skip("no libEGL on this machine")


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
