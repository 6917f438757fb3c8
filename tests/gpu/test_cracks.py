"""No gap between patches, whatever their levels: the background never shows inside the map."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from editor.render.camera import Camera
from editor.render.offscreen import Offscreen
from editor.render.style import Style
from terrain.field import VectorField
from terrain.lod import Instances
from terrain.map import TerrainMap
from tests.fixtures import arch_map

Views = Callable[[TerrainMap], Offscreen]

BARE = {"show_sea": False, "show_sky": False, "background": (1.0, 0.0, 1.0)}
TOLERANCES = (0.3, 1.0, 4.0, 12.0)


def magenta(image: NDArray[np.uint8]) -> int:
    return int((image == (255, 0, 255)).all(axis=-1).sum())


def half_rough(rows: int, cols: int) -> TerrainMap:
    """Rough land beside smooth land, so that levels differ wherever one looks."""
    rng = np.random.default_rng(5)
    row, col = np.mgrid[0:rows, 0:cols]
    amplitude = 2.5 * np.maximum(0.0, np.sin(row / 17.0) * np.sin(col / 23.0))
    field = VectorField.flat(rows, cols, 2.0, origin=(500_000.0, -4_000_000.0))
    field.offset[...] = rng.normal(size=(rows, cols, 3)) * amplitude[..., None] * (0.4, 0.4, 1.0)
    return TerrainMap(field)


def cameras(terrain: TerrainMap) -> list[Camera]:
    """Views that no ray leaves past the border of the map, from near and far, steep and slanting."""
    box = terrain.bounds.whole
    middle, side = 0.5 * (box[:3] + box[3:]), float(min(box[3:5] - box[:2]))
    views = []
    for yaw, pitch, share in ((0.0, -89.0, 0.8), (0.7, -70.0, 0.5), (2.0, -55.0, 0.3), (4.0, -50.0, 0.2)):
        views.append(Camera(target=middle, yaw=yaw, pitch=np.radians(pitch), distance=share * side))
    return views


@pytest.mark.parametrize("shape", [(129, 145), (150, 123), (18, 140)])
def test_no_background_inside(view: Views, shape: tuple[int, int]) -> None:
    terrain = half_rough(*shape)
    with_levels = 0
    opened = view(terrain)
    for camera in cameras(terrain):
        for tolerance in TOLERANCES:
            image = opened.draw(camera, Style(tolerance=tolerance, **BARE))
            assert magenta(image) == 0, (camera, tolerance)
            with_levels += int(np.ptp(opened.view._terrain.chooser._patches[: opened.view.stats.patches, 2]) > 0.5)
    assert with_levels > 2


def test_no_background_inside_an_overhang(view: Views) -> None:
    terrain = arch_map()
    opened = view(terrain)
    for camera in cameras(terrain):
        for tolerance in TOLERANCES:
            assert magenta(opened.draw(camera, Style(tolerance=tolerance, **BARE))) == 0, (camera, tolerance)


def test_the_whole_silhouette_is_filled(view: Views) -> None:
    terrain = half_rough(150, 123)
    camera = Camera(yaw=0.4, pitch=np.radians(-60.0))
    camera.frame(terrain.bounds.whole)
    opened = view(terrain)
    whole = opened.draw(camera, Style(tolerance=0.0, **BARE))
    empty = (whole == (255, 0, 255)).all(axis=-1)
    assert 0.2 < empty.mean() < 0.8
    for row in empty:  # seen from above the map is convex to within its roughness: each line of pixels is one run
        filled = np.flatnonzero(~row)
        assert len(filled) == 0 or row[filled[0] : filled[-1]].sum() <= 2


def test_cracks_would_be_seen(view: Views, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same pictures with each patch at its own level on its edges do show the background."""
    terrain = half_rough(129, 145)
    opened = view(terrain)
    chooser = opened.view._terrain.chooser
    choose = chooser.choose

    def careless(*view: object) -> Instances:
        instances = choose(*view)  # type: ignore[arg-type]
        instances.edges[...] = instances.patches[:, 2:3]
        return instances

    monkeypatch.setattr(chooser, "choose", careless)
    shown = 0
    for camera in cameras(terrain):
        shown += sum(magenta(opened.draw(camera, Style(tolerance=t, **BARE))) for t in TOLERANCES)
    assert shown > 20
