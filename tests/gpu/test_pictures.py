"""What a picture must show, measured in its pixels."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter, minimum_filter

from editor.commands import new_document
from editor.document import Document
from editor.render.camera import Camera
from editor.render.offscreen import Offscreen, default_camera
from editor.render.style import BrushRing, Style
from editor.strokes import RecordedStroke, replay
from plugins.api import Scene
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.pick import pick
from terrain.tiles import Rect
from tests.fixtures import arch_map

Views = Callable[[TerrainMap], Offscreen]
Image = NDArray[np.uint8]

WIDTH, HEIGHT = 160, 120
MAGENTA = (255, 0, 255)
BARE = {"show_sea": False, "show_sky": False, "background": (1.0, 0.0, 1.0)}


def hills(rows: int = 97, cols: int = 129, cell: float = 3.0, origin: tuple[float, float] = (0.0, 0.0)) -> TerrainMap:
    row, col = np.mgrid[0:rows, 0:cols]
    heights = 4.7 * np.sin(row / 11.0) * np.cos(col / 17.0) + 0.4 * np.sin(row * 0.9) * np.sin(col * 0.7)
    return TerrainMap(VectorField.from_heights((cell * heights).astype(np.float32), cell, origin))


def above(terrain: TerrainMap, yaw: float = 0.5, pitch: float = -55.0, share: float = 0.6) -> Camera:
    box = terrain.bounds.whole
    side = share * float(min(box[3:5] - box[:2]))
    return Camera(target=0.5 * (box[:3] + box[3:]), yaw=yaw, pitch=math.radians(pitch), distance=side)


def difference(a: Image, b: Image) -> NDArray[np.int16]:
    worst: NDArray[np.int16] = np.abs(a.astype(np.int16) - b.astype(np.int16)).max(axis=-1)
    return worst


def is_magenta(image: Image, x: float, y: float) -> bool:
    return bool((image[math.floor(y), math.floor(x)] == MAGENTA).all())


def test_levels_of_detail_are_not_seen(view: Views) -> None:
    terrain = hills()
    opened = view(terrain)
    for camera in (above(terrain), above(terrain, 2.0, -30.0, 0.4), above(terrain, 4.0, -80.0, 1.0)):
        fine = opened.draw(camera, Style(tolerance=0.0))
        triangles = opened.view.stats.triangles
        coarse = opened.draw(camera, Style(tolerance=1.0))
        assert opened.view.stats.triangles < 0.7 * triangles
        away = difference(fine, coarse)
        assert away.mean() < 0.4 * difference(fine[1:], fine[:-1]).mean()  # less than half a pixel's shift
        assert (away > 40).mean() < 0.02


def test_shading_does_not_depend_on_the_level(view: Views) -> None:
    """From straight above, far coarser triangles keep nearly the same colours: they are the true surface's."""
    terrain = hills()
    opened = view(terrain)
    camera = above(terrain, 0.0, -89.5, 0.9)
    fine = opened.draw(camera, Style(tint="clay", tolerance=0.0, **BARE))
    coarse = opened.draw(camera, Style(tint="clay", tolerance=2.0, **BARE))
    assert (opened.view._terrain.chooser._patches[: opened.view.stats.patches, 2] > 1.5).all()
    assert fine.std() > 15.0
    # A surface that really had that shape, every second row and column left out, would be shaded otherwise.
    flattened = hills()
    flattened.field.offset[1:-1:2] = 0.5 * (flattened.field.offset[:-2:2] + flattened.field.offset[2::2])
    flattened.field.offset[:, 1:-1:2] = 0.5 * (flattened.field.offset[:, :-2:2] + flattened.field.offset[:, 2::2])
    otherwise = view(flattened).draw(camera, Style(tint="clay", tolerance=0.0, **BARE))
    assert difference(fine, coarse).mean() < 0.45 * difference(fine, otherwise).mean()


def undercut() -> TerrainMap:
    """A cliff hollowed by two strokes, with cells that they have drawn out to many times their length."""
    document = new_document(129, 129, 2.0)
    row = np.arange(129)[:, None]
    with document.edit("slope") as edit:
        edit.write("offset", Rect(0, 129, 0, 129))[..., 2] += 40.0 / (1.0 + np.exp((64 - row) / 4.0))
    params = {"radius": 30.0, "strength": 20.0, "undercut": 0.8}
    for y in (128.0, 120.0):
        points = [(x, y, 20.0, 1.0) for x in np.arange(40.0, 220.0, 4.0)]
        replay(document, RecordedStroke("cliff", points, params, eye=(128.0, -100.0, 30.0)))
    return document.scene.terrain


def specks(image: Image) -> int:
    """Pixels unlike all of their neighbours."""
    grey = image[..., :3].mean(axis=-1)
    around = np.ones((3, 3), bool)
    around[1, 1] = False
    brighter = grey - maximum_filter(grey, footprint=around) > 12
    return int((brighter | (minimum_filter(grey, footprint=around) - grey > 12)).sum())


def test_ground_seen_edge_on_has_no_specks(view: Views) -> None:
    """At the lip of an undercut a pixel spans many cells one way; its light is still that of the ground it shows."""
    opened = view(undercut())
    found = 0
    for yaw in range(0, 360, 15):
        for pitch in (5.0, -3.0, -10.0):
            camera = Camera(np.array([128.0, 115.0, 20.0]), math.radians(yaw), math.radians(pitch), 130.0)
            found += specks(opened.draw(camera, Style(tint="clay", show_sea=False, tolerance=0.5)))
    assert found < 110  # of 72 pictures, 74; 243 when a pixel's light came from all that it spans


@pytest.mark.parametrize("origin", [(0.0, 0.0), (448_000.0, -5_200_000.0)])
def test_a_cell_is_drawn_where_the_camera_projects_it(view: Views, origin: tuple[float, float]) -> None:
    """A single hole shows the background at the pixel of its middle, and nowhere else, wherever the map lies."""
    terrain = hills(65, 81, 2.0, origin)
    row, _ = np.mgrid[0:65, 0:81]
    terrain.field.offset[..., 0] += (2.5 * np.sin(row / 9.0)).astype(np.float32)
    holes = terrain.extras["hole"] = terrain.new_array("hole")
    opened = view(terrain)
    for hole in ((20, 30), (32, 40), (31, 31), (16, 47)):
        holes[...] = False
        holes[hole] = True
        opened.view._terrain.changed("hole", Rect.of(holes))
        corners = terrain.field.positions(Rect(hole[0], hole[0] + 2, hole[1], hole[1] + 2)).reshape(4, 3)
        beside = corners.mean(axis=0) + np.array([4.0, 3.0, 0.0])
        camera = Camera(target=beside, yaw=0.8, pitch=math.radians(-60.0), distance=40.0)
        image = opened.draw(camera, Style(**BARE))
        x, y, _ = camera.project(corners.mean(axis=0), WIDTH, HEIGHT)[0]
        assert is_magenta(image, x, y)
        found = np.argwhere((image == MAGENTA).all(axis=-1))
        assert len(found) > 20
        outline = camera.project(corners, WIDTH, HEIGHT)
        assert found[:, 1].min() >= outline[:, 0].min() - 1
        assert found[:, 1].max() <= outline[:, 0].max() + 1
        assert found[:, 0].min() >= outline[:, 1].min() - 1
        assert found[:, 0].max() <= outline[:, 1].max() + 1


def test_the_picture_does_not_depend_on_where_the_map_lies(view: Views) -> None:
    """Moving map, sea and eye together by thousands of kilometres changes nothing that can be seen."""
    here, there = hills(), hills(origin=(1_000_003.0, -7_000_011.0))
    there.field.offset[..., 2] += 512.0
    there.sea_level = 512.0
    camera, moved = above(here), above(there)
    away = difference(view(here).draw(camera, Style()), view(there).draw(moved, Style()))
    assert (away > 3).mean() < 0.005


def test_an_edit_sends_and_changes_only_its_rectangle(view: Views) -> None:
    terrain = hills()
    document = Document(Scene(terrain))
    opened = view(terrain)
    document.changed.connect(opened.view.changed)
    camera, every_vertex = above(terrain, share=1.2), Style(tolerance=0.0)
    before = opened.draw(camera, every_vertex)
    assert opened.view.stats.uploaded == terrain.field.offset.nbytes
    opened.draw(camera, every_vertex)
    assert opened.view.stats.uploaded == 0
    rect = Rect(40, 52, 60, 77)
    with document.edit("Raise") as edit:
        edit.write("offset", rect)[..., 2] += 3.0
    after = opened.draw(camera, every_vertex)
    assert opened.view.stats.uploaded == rect.rows * rect.cols * 12
    changed = np.argwhere(difference(before, after) > 2)
    assert len(changed) > 50
    # Shading looks 6 cells around, and a texture's texels reach one further.
    near = camera.project(terrain.field.positions(rect.grown(9)).reshape(-1, 3), WIDTH, HEIGHT)
    assert changed[:, 1].min() >= near[:, 0].min() - 2
    assert changed[:, 1].max() <= near[:, 0].max() + 2
    assert changed[:, 0].min() >= near[:, 1].min() - 2
    assert changed[:, 0].max() <= near[:, 1].max() + 2
    document.undo()
    np.testing.assert_array_equal(opened.draw(camera, every_vertex), before)


def test_distant_edits_are_sent_apart(view: Views) -> None:
    terrain = hills()
    document = Document(Scene(terrain))
    opened = view(terrain)
    document.changed.connect(opened.view.changed)
    opened.draw(above(terrain), Style())
    with document.edit("Raise") as edit:
        for rect in (Rect(2, 10, 2, 10), Rect(80, 88, 100, 108), Rect(4, 12, 2, 10)):
            edit.write("offset", rect)[..., 2] += 1.0
    opened.draw(above(terrain), Style())
    assert opened.view.stats.uploaded == (10 * 8 + 8 * 8) * 12


def test_holes_and_alpha_come_and_go(view: Views) -> None:
    terrain = hills()
    document = Document(Scene(terrain))
    opened = view(terrain)
    document.changed.connect(opened.view.changed)
    camera = above(terrain)
    whole = opened.draw(camera, Style(**BARE))
    with document.edit("Cut") as edit:
        edit.add("hole")[...] = True
    assert (opened.draw(camera, Style(**BARE)) == MAGENTA).all()
    document.undo()
    np.testing.assert_array_equal(opened.draw(camera, Style(**BARE)), whole)
    with document.edit("Fade") as edit:
        edit.add("alpha")[...] = 0
    assert (opened.draw(camera, Style(**BARE)) == MAGENTA).all()


def test_the_ring_lies_on_the_underside_of_an_overhang(view: Views) -> None:
    terrain = arch_map()
    opened = view(terrain)
    camera = Camera()
    camera.look(np.array([163.0, -52.0, 1.5]), np.array([161.0, -34.0, 7.0]))
    hit = pick(terrain, *camera.ray(80, 50, WIDTH, HEIGHT))
    assert hit is not None
    row, col = round(hit.row), round(hit.col)
    assert terrain.field.normals(Rect(row, row + 1, col, col + 1))[0, 0, 2] < -0.2
    plain = opened.draw(camera, Style(tint="clay"))
    ringed = opened.draw(camera, Style(tint="clay", brush=BrushRing(hit.point, 3.0)))
    inverted = opened.draw(camera, Style(tint="clay", brush=BrushRing(hit.point, 3.0, inverted=True)))
    red, blue = ringed[..., 0].astype(int), ringed[..., 2].astype(int)
    line = np.argwhere((red > 200) & (blue < 140))
    away = []
    for y, x in line:
        on = pick(terrain, *camera.ray(x + 0.5, y + 0.5, WIDTH, HEIGHT))
        assert on is not None
        away.append(float(np.linalg.norm(on.point - hit.point)))
    distances = np.array(away)
    pixel = hit.distance / camera.focal(HEIGHT)
    on_ring = np.abs(distances - 3.0) < 6.0 * pixel
    assert on_ring.sum() > 60
    assert (on_ring | (distances < 4.0 * pixel)).all()
    assert (distances < 4.0 * pixel).sum() > 2
    assert difference(ringed, inverted).max() > 60
    outside = difference(plain, ringed) > 2
    for y, x in np.argwhere(outside):
        on = pick(terrain, *camera.ray(x + 0.5, y + 0.5, WIDTH, HEIGHT))
        assert on is None or np.linalg.norm(on.point - hit.point) < 3.0 + 12.0 * pixel


def test_the_ring_is_seen_through_the_sea(view: Views) -> None:
    terrain = TerrainMap(VectorField.flat(65, 65, 2.0, height=-30.0))
    opened = view(terrain)
    camera = above(terrain)
    ring = BrushRing(np.array([64.0, 64.0, -30.0]), 15.0)
    image = opened.draw(camera, Style(brush=ring)).astype(int)
    assert ((image[..., 0] > 200) & (image[..., 2] < 140)).sum() > 100


def test_deeper_water_hides_more(view: Views) -> None:
    """A seabed of light sand: red fades first, and the deep is the same as the open sea."""
    heights = np.tile(np.linspace(-0.2, -60.0, 129), (129, 1)).astype(np.float32)
    terrain = TerrainMap(VectorField.from_heights(heights, 4.0))
    camera = Camera(target=np.array([256.0, 256.0, 0.0]), yaw=0.0, pitch=math.radians(-89.5), distance=440.0)
    opened = view(terrain)
    dry = opened.draw(camera, Style(tint="clay", show_sea=False)).astype(int)
    wet = opened.draw(camera, Style(tint="clay")).astype(int)
    row = wet[60, 5:155]
    assert (np.diff(row[::10, 0]) <= 3).all()  # wind on the water varies it a little
    assert row[0, 0] - row[40, 0] > 30
    assert row[40, 0] / row[0, 0] < 0.7 * row[40, 2] / row[0, 2]
    assert np.ptp(dry[60, 5:155, 0]) < 12


def test_the_sea_stands_where_the_map_says(view: Views) -> None:
    terrain = TerrainMap(VectorField.flat(33, 33, 4.0, height=10.0), sea_level=0.0)
    opened = view(terrain)
    camera = above(terrain, share=0.3)
    dry = opened.draw(camera, Style())
    np.testing.assert_array_equal(dry, opened.draw(camera, Style(show_sea=False)))
    terrain.sea_level = 10.0 + 25.0
    assert difference(dry, opened.draw(camera, Style())).min() > 10


def test_the_shore_meets_the_triangles_of_twisted_cells(view: Views) -> None:
    """What is drawn above the sea is dry, though between the corners of such a cell a bilinear height is not."""
    heights = np.float32([[9, -9, 9], [-9, 9, -9], [9, -9, 9]])
    terrain = TerrainMap(VectorField.from_heights(heights, 40.0))
    camera = Camera(np.array([40.0, 40.0, 0.0]), 0.3, math.radians(-70.0), 110.0)
    opened = view(terrain)
    wet = difference(opened.draw(camera, Style(tint="clay")), opened.draw(camera, Style(tint="clay", show_sea=False)))
    wrong = 0
    for y, x in np.ndindex(HEIGHT, WIDTH):
        hit = pick(terrain, *camera.ray(x + 0.5, y + 0.5, WIDTH, HEIGHT))
        wrong += hit is not None and abs(hit.point[2]) > 3.0 and (wet[y, x] > 8) != (hit.point[2] < 0.0)
    assert wrong < 100  # 21; 1139 with bilinear heights


@pytest.mark.parametrize(("cell", "eye_height"), [(1.0, 1.7), (30.0, 1.7), (0.05, 0.1)])
def test_the_ground_under_a_walker_is_not_clipped(view: Views, cell: float, eye_height: float) -> None:
    terrain = hills(cell=cell)
    opened = view(terrain)
    middle = terrain.field.positions(Rect(48, 49, 60, 61))[0, 0]
    for pitch in (-89.0, -45.0):
        camera = Camera(yaw=1.0, pitch=math.radians(pitch))
        camera.distance = 0.2
        camera.target = middle + (0.0, 0.0, eye_height) + 0.2 * camera.forward
        image = opened.draw(camera, Style(**BARE))
        below = image if pitch < -80 else image[HEIGHT // 2 :]
        assert not (below == MAGENTA).all(axis=-1).any()


def test_under_water_and_below_the_map_there_is_a_picture(view: Views) -> None:
    terrain = TerrainMap(VectorField.flat(33, 33, 4.0, height=-40.0))
    opened = view(terrain)
    for eye in ((64.0, 64.0, -20.0), (64.0, 64.0, -80.0)):
        camera = Camera()
        camera.look(np.array(eye), np.array([90.0, 90.0, -41.0]))
        image = opened.draw(camera, Style())
        assert image.max() > 20
        assert image[..., 2].mean() > image[..., 0].mean()


def test_contours_and_tints_differ(view: Views) -> None:
    terrain = hills()
    opened = view(terrain)
    camera = above(terrain)
    images = [opened.draw(camera, Style(tint=tint)) for tint in ("natural", "height", "slope", "clay")]
    images.append(opened.draw(camera, Style(tint="clay", contours=2.0)))
    for index, image in enumerate(images):
        for other in images[:index]:
            assert difference(image, other).mean() > 1.0


def test_the_default_camera_shows_all_the_land() -> None:
    row, col = np.mgrid[0:129, 0:161]
    heights = 80.0 * np.exp(-((row - 50) ** 2 + (col - 90) ** 2) / 500.0) - 20.0
    scene = Scene(TerrainMap(VectorField.from_heights(heights.astype(np.float32), 5.0)))
    camera = default_camera(scene)
    positions = scene.terrain.field.positions()
    seen = camera.project(positions[positions[..., 2] > 0.0], 960, 540)
    assert seen[:, 0].min() > 0
    assert seen[:, 0].max() < 960
    assert seen[:, 1].min() > 0
    assert seen[:, 1].max() < 540
    assert np.ptp(seen[:, 0]) > 0.3 * 960
