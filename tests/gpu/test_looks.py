"""Views for sculptors: clay, stretch, normals, occlusion, wire, masks and many rings, against what they must show."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from editor.document import Document
from editor.render.camera import Camera
from editor.render.offscreen import Offscreen
from editor.render.rings import ring_table
from editor.render.style import MOST_RINGS, STUDIO, TINTS, BrushRing, Style
from plugins.api import Scene
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect

Views = Callable[[TerrainMap], Offscreen]
Image = NDArray[np.uint8]

WIDTH, HEIGHT = 160, 120
MAGENTA = (255, 0, 255)
BARE = {"show_sea": False, "show_sky": False, "background": (1.0, 0.0, 1.0)}
WHITE = {"tint": "occlusion", **BARE}
"""Plain white ground, so that what lies over it can be measured."""


def flat(side: int = 65, cell: float = 2.0) -> TerrainMap:
    return TerrainMap(VectorField.flat(side, side, cell))


def dome() -> TerrainMap:
    """A round hill in the middle of level ground, the same from all sides."""
    row, col = np.mgrid[0:129, 0:129] - 64.0
    height = 30.0 * np.exp(-(row**2 + col**2) / 500.0)
    return TerrainMap(VectorField.from_heights(height.astype(np.float32), 1.0, (-64.0, -64.0)))


def linear(matrix: NDArray[np.float64]) -> TerrainMap:
    """A map whose rest plane is sent to the world by a matrix (3, 2)."""
    terrain = TerrainMap(VectorField.flat(33, 33, 1.0, origin=(-16.0, -16.0)))
    rest = terrain.field.positions()
    terrain.field.offset[...] = rest[..., :2] @ matrix.T - rest
    return terrain


def over(terrain: TerrainMap, distance: float, yaw: float = 0.0) -> Camera:
    """Straight above the middle."""
    box = terrain.bounds.whole
    return Camera(target=0.5 * (box[:3] + box[3:]), yaw=yaw, pitch=math.radians(-89.5), distance=distance)


def facing(terrain: TerrainMap) -> Camera:
    """Looks along the normal at the middle of the map, so near that it fills the picture."""
    normal = terrain.field.normals()[16, 16].astype(np.float64)
    at = terrain.field.positions()[16, 16]
    camera = Camera()
    camera.look(at + 6.0 * normal, at)
    return camera


def seen(image: Image) -> Image:
    """The pixels (n, 3) that are not background."""
    return np.asarray(image[~(image == MAGENTA).all(axis=-1)])


def test_clay_follows_the_camera_and_the_sun_does_not(view: Views) -> None:
    opened = view(dome())
    pictures = {}
    for tint in ("matcap", "clay"):
        cameras = [Camera(yaw=yaw, pitch=math.radians(-30.0), distance=75.0) for yaw in (0.0, 0.5 * math.pi, 4.0)]
        pictures[tint] = [
            opened.draw(camera, Style(tint=tint, tolerance=0.0, **BARE)).astype(int) for camera in cameras
        ]
    middle = np.s_[30:90, 45:115]
    for first, other in ((0, 1), (0, 2)):
        assert np.abs(pictures["matcap"][first][middle] - pictures["matcap"][other][middle]).mean() < 1.5
        assert np.abs(pictures["clay"][first][middle] - pictures["clay"][other][middle]).mean() > 6.0


def test_clay_is_warm_in_front_and_dark_at_the_side_and_smooth(view: Views) -> None:
    image = view(dome()).draw(over(dome(), 60.0), Style(tint="matcap", tolerance=0.0, **BARE)).astype(int)
    left, right = image[50:70, 50:65].mean(axis=(0, 1)), image[50:70, 95:110].mean(axis=(0, 1))
    assert left.mean() > 1.6 * right.mean()
    assert left[0] > 1.2 * left[2]
    assert right[0] / right[2] < left[0] / left[2]
    assert np.abs(np.diff(image, axis=0)).max() < 24
    assert np.abs(np.diff(image, axis=1)).max() < 24
    assert image.std() > 20.0


def test_level_ground_is_grey_in_the_stretch_view(view: Views) -> None:
    image = seen(view(flat()).draw(over(flat(), 90.0), Style(tint="stretch", **BARE))).astype(int)
    assert np.ptp(image, axis=1).max() <= 1
    assert image.min() > 90
    assert image.max() < 200


@pytest.mark.parametrize(
    ("stretch", "hue"), [(0.5, (0.18, 0.40, 0.88)), (2.0, (0.985, 0.84, 0.24)), (5.0, (0.80, 0.075, 0.095))]
)
def test_stretch_is_the_larger_singular_value(view: Views, stretch: float, hue: tuple[float, ...]) -> None:
    """Whatever the direction: random matrices with the same larger singular value have the same hue."""
    rng = np.random.default_rng(3)
    for _ in range(4):
        u, values, vt = np.linalg.svd(rng.normal(size=(3, 2)), full_matrices=False)
        terrain = linear(u @ np.diag([1.0, values[1] / values[0]]) @ vt * stretch)
        pixels = seen(view(terrain).draw(facing(terrain), Style(tint="stretch", **BARE)))
        assert len(pixels) > 5000
        shown = pixels / pixels.max(axis=1, keepdims=True)
        np.testing.assert_allclose(shown, np.broadcast_to(np.array(hue) / max(hue), shown.shape), atol=0.02)


def test_a_stretched_cliff_is_red_between_grey_levels(view: Views) -> None:
    """Eight cells that climb so steeply that each is five times its length."""
    col = np.tile(np.arange(65.0), (65, 1))
    heights = 2.0 * math.sqrt(5.0**2 - 1.0) * (np.clip(col, 28.0, 36.0) - 28.0)
    terrain = TerrainMap(VectorField.from_heights(heights.astype(np.float32), 2.0))
    camera = over(terrain, 260.0)
    image = view(terrain).draw(camera, Style(tint="stretch", tolerance=0.0, **BARE)).astype(int)
    for at, red in ((20, False), (26, False), (30, True), (34, True), (38, False), (44, False)):
        x, y, _ = camera.project(terrain.field.positions()[32, at], WIDTH, HEIGHT)[0]
        pixel = image[int(y), int(x)]
        assert (pixel[0] > 4 * pixel[1]) == red, (at, pixel)
        assert (np.ptp(pixel) <= 3) == (not red), (at, pixel)


@pytest.mark.parametrize("slope", [(0.3, -0.8), (-1.5, 0.2), (0.0, 0.0)])
def test_normals_are_shown_as_they_are(view: Views, slope: tuple[float, float]) -> None:
    row, col = np.mgrid[0:33, 0:33]
    terrain = TerrainMap(VectorField.from_heights((slope[0] * col + slope[1] * row).astype(np.float32), 1.0))
    normal = np.array([-slope[0], -slope[1], 1.0]) / math.sqrt(slope[0] ** 2 + slope[1] ** 2 + 1.0)
    pixels = seen(view(terrain).draw(over(terrain, 30.0), Style(tint="normal", **BARE)))
    assert len(pixels) > 5000
    np.testing.assert_allclose(pixels, np.broadcast_to(255.0 * (0.5 + 0.5 * normal), pixels.shape), atol=1.01)


def test_occlusion_is_shown_as_baked_and_white_without(view: Views) -> None:
    terrain = flat()
    opened = view(terrain)
    assert (seen(opened.draw(over(terrain, 60.0), Style(**WHITE))) == 255).all()
    for value in (0, 97, 200):
        terrain.extras["ao"] = np.full((65, 65), value, np.uint8)
        assert (seen(opened.draw(over(terrain, 60.0), Style(**WHITE))) == value).all()


def test_baked_occlusion_takes_ambient_light_only_and_only_if_wanted(view: Views) -> None:
    terrain = flat()
    opened, camera = view(terrain), over(terrain, 60.0)
    bare = {tint: opened.draw(camera, Style(tint=tint, **BARE)) for tint in TINTS}
    terrain.extras["ao"] = np.zeros((65, 65), np.uint8)
    for tint in ("natural", "clay", "matcap"):
        darker = seen(opened.draw(camera, Style(tint=tint, **BARE))).mean()
        assert 0.3 * seen(bare[tint]).mean() < darker < 0.95 * seen(bare[tint]).mean()
        np.testing.assert_array_equal(opened.draw(camera, Style(tint=tint, use_ao=False, **BARE)), bare[tint])
    for tint in ("height", "slope", "stretch", "normal"):
        np.testing.assert_array_equal(opened.draw(camera, Style(tint=tint, **BARE)), bare[tint])


def test_studio_views_stand_before_paper_without_a_sea(view: Views) -> None:
    terrain = TerrainMap(VectorField.flat(65, 65, 2.0, height=-30.0))
    opened = view(terrain)
    camera = Camera(target=np.array([64.0, 64.0, -30.0]), pitch=math.radians(-12.0), distance=300.0)
    for tint in STUDIO:
        image = opened.draw(camera, Style(tint=tint)).astype(int)
        assert np.ptp(image[:10], axis=-1).max() < 12  # grey
        assert image[:10].mean() < 100
    for tint in ("normal", "occlusion", "stretch"):  # a measure keeps its colours under water
        dry = opened.draw(camera, Style(tint=tint, show_sea=False))
        np.testing.assert_array_equal(opened.draw(camera, Style(tint=tint)), dry)


def masked(terrain: TerrainMap, rect: Rect, value: int = 65535) -> NDArray[np.uint16]:
    mask = terrain.extras["mask/cliffs"] = terrain.new_array("mask/cliffs")
    mask[rect.slices] = value
    return mask


@pytest.mark.parametrize(("frozen", "colour"), [(False, (0.90, 0.12, 0.10)), (True, (0.13, 0.42, 0.96))])
@pytest.mark.parametrize("value", [65535, 30000])
def test_the_overlay_covers_what_is_painted(view: Views, frozen: bool, colour: tuple[float, ...], value: int) -> None:
    terrain = flat()
    rect = Rect(20, 40, 24, 50)
    masked(terrain, rect, value)
    camera = over(terrain, 110.0)
    image = view(terrain).draw(camera, Style(mask="cliffs", mask_frozen=frozen, **WHITE))
    inside = camera.project(terrain.field.positions(rect)[[1, -2]][:, [1, -2]].reshape(-1, 3), WIDTH, HEIGHT)
    outside = camera.project(terrain.field.positions(rect.grown(1))[[0, -1]][:, [0, -1]].reshape(-1, 3), WIDTH, HEIGHT)
    (left, top), (right, bottom) = np.ceil(inside[:, :2].min(axis=0)), np.floor(inside[:, :2].max(axis=0))
    covered = image[int(top) : int(bottom), int(left) : int(right)]
    opacity = 0.45 * value / 65535
    expected = 255.0 * ((1.0 - opacity) + opacity * np.array(colour))
    np.testing.assert_allclose(covered, np.broadcast_to(expected, covered.shape), atol=1.01)
    touched = np.argwhere((image < 254).any(axis=-1) & ~(image == MAGENTA).all(axis=-1))
    assert touched[:, 1].min() >= outside[:, 0].min() - 1
    assert touched[:, 1].max() <= outside[:, 0].max() + 1
    assert touched[:, 0].min() >= outside[:, 1].min() - 1
    assert touched[:, 0].max() <= outside[:, 1].max() + 1


def test_a_mask_that_the_map_lacks_shows_and_hides_nothing(view: Views) -> None:
    terrain = flat()
    opened, camera = view(terrain), over(terrain, 60.0)
    plain = opened.draw(camera, Style())
    np.testing.assert_array_equal(opened.draw(camera, Style(mask="gone", outline=True, isolate=True)), plain)


def test_a_mask_is_sent_when_shown_and_then_only_where_it_changes(view: Views) -> None:
    terrain = flat()
    document = Document(Scene(terrain))
    masked(terrain, Rect(0, 65, 0, 65))
    opened, camera = view(terrain), over(terrain, 60.0)
    document.changed.connect(opened.view.changed)
    shown = Style(mask="cliffs", **WHITE)
    opened.draw(camera, Style(**WHITE))
    assert opened.view.stats.uploaded == terrain.field.offset.nbytes
    before = opened.draw(camera, shown)
    assert opened.view.stats.uploaded == 2 * 65 * 65
    with document.edit("Mask") as edit:
        edit.write("mask/cliffs", Rect(28, 35, 25, 36))[...] = 0
    after = opened.draw(camera, shown)
    assert opened.view.stats.uploaded == 2 * 7 * 11
    assert (before != after).any()
    opened.draw(camera, Style(**WHITE))
    document.undo()  # while it is not shown
    np.testing.assert_array_equal(opened.draw(camera, shown), before)


def test_isolating_hides_all_but_the_mask(view: Views) -> None:
    terrain = flat()
    rect = Rect(20, 40, 24, 50)
    masked(terrain, rect)
    camera = over(terrain, 110.0)
    image = view(terrain).draw(camera, Style(mask="cliffs", isolate=True, mask_opacity=0.0, **WHITE))
    left = np.argwhere(~(image == MAGENTA).all(axis=-1))
    # One half is reached half a cell beyond the outermost painted vertices.
    corners = terrain.field.positions(rect)[[0, -1]][:, [0, -1]].reshape(-1, 3)
    corners[:, :2] += np.array([[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]])
    edge = camera.project(corners, WIDTH, HEIGHT)[:, :2]
    assert np.abs(left.min(axis=0) - edge.min(axis=0)[::-1]).max() < 1.0
    assert np.abs(left.max(axis=0) + 1 - edge.max(axis=0)[::-1]).max() < 1.0
    assert (seen(image) == 255).all()


def ants(view: Views, phases: tuple[float, ...]) -> list[Image]:
    """A straight edge between masked west and bare east, from above."""
    terrain = flat()
    masked(terrain, Rect(0, 65, 0, 33))
    opened = view(terrain)
    terrain.extras["ao"] = np.full((65, 65), 128, np.uint8)
    style = {"mask": "cliffs", "outline": True, "mask_opacity": 0.0, **WHITE}
    return [opened.draw(over(terrain, 60.0), Style(phase=phase, **style)).astype(int) for phase in phases]


def test_the_outline_is_a_dashed_line_where_the_mask_is_one_half(view: Views) -> None:
    (image,) = ants(view, (0.0,))
    camera = over(flat(), 60.0)
    x, _, _ = camera.project(np.array([[65.0, 64.0, 0.0]]), WIDTH, HEIGHT)[0]
    away = np.abs(image[..., 0] - 128)
    assert (away[:, np.abs(np.arange(WIDTH) + 0.5 - x) > 2.0] == 0).all()
    line = image[:, int(x), 0]
    assert (line > 220).mean() > 0.3
    assert (line < 30).mean() > 0.3
    # Ten pixels a dash and its gap; the line runs up the picture, and so does the diagonal it is dashed along.
    np.testing.assert_array_equal(line[10:100], line[20:110])
    # One and a half pixels wide: what both dashes change, over their contrast with the grey.
    width = (away / np.where(image[..., 0] > 128, 127, 128)).sum(axis=1)
    assert 1.1 < np.median(width) < 1.6


def test_the_dashes_march_with_the_phase(view: Views) -> None:
    still, half, whole = ants(view, (0.0, 0.5, 1.0))
    np.testing.assert_array_equal(still, whole)
    line = np.abs(still[..., 0] - 128) > 100
    assert line.sum() > 60
    assert (np.sign(still[..., 0] - 128)[line] == -np.sign(half[..., 0] - 128)[line]).all()


def test_a_plateau_at_one_half_has_no_outline(view: Views) -> None:
    """Not even one that strays about it by the least steps of the file."""
    terrain = flat()
    mask = masked(terrain, Rect(0, 65, 0, 65), 32768)
    mask[...] = 32766 + np.random.default_rng(2).integers(0, 4, mask.shape).astype(np.uint16)
    image = view(terrain).draw(over(terrain, 60.0), Style(mask="cliffs", outline=True, mask_opacity=0.0, **WHITE))
    assert (seen(image) == 255).all()


def wires(view: Views, pixels: float, side: int = 65) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Darkness 0..1 of a white map whose cells are so many pixels wide, in rows about the middle; its columns' x."""
    terrain = flat(side, 1.0)
    focal = Camera().focal(HEIGHT)
    camera = Camera(target=np.array([side // 2 + 0.1, side // 2 + 0.4, 0.0]), yaw=0.0, pitch=math.radians(-89.5))
    camera.distance = focal / pixels
    image = view(terrain).draw(camera, Style(wire=True, tolerance=0.0, **WHITE))
    xs = camera.project(np.array([[col, side // 2 + 0.4, 0.0] for col in range(side)]), WIDTH, HEIGHT)[:, 0]
    return 1.0 - image[HEIGHT // 2 - 12 : HEIGHT // 2 + 12, :, 1] / 255.0, xs


def test_wire_lies_on_the_cells_edges_and_fainter_on_their_diagonals(view: Views) -> None:
    rows, xs = wires(view, 20.0)
    dark = rows[12]
    inside = (xs > 2) & (xs < WIDTH - 2)
    assert inside.sum() == 8
    on_edge = np.array([dark[int(x) - 1 : int(x) + 2].sum() for x in xs[inside]])
    # The middle row runs through 0.4 of the cells, and so does the diagonal from the south-west corner there.
    on_diagonal = np.array([dark[int(x) - 1 : int(x) + 2].sum() for x in xs[inside][:-1] + 0.4 * 20.0])
    assert (on_edge > 0.4).all()
    assert (on_diagonal < 0.7 * on_edge[:-1]).all()
    assert (on_diagonal > 0.15).all()
    between = np.array([dark[int(x) - 1 : int(x) + 2].sum() for x in xs[inside][:-1] + 0.75 * 20.0])
    assert (between == 0).all()


@pytest.mark.parametrize(("pixels", "every"), [(9.0, 1), (3.0, 4), (2.0, 4), (0.8, 16), (0.45, 16), (0.12, 64)])
def test_dense_wire_thins_out_to_every_fourth_and_sixteenth(view: Views, pixels: float, every: int) -> None:
    rows, xs = wires(view, pixels, 1025 if pixels < 0.3 else 257)
    dark = rows.min(axis=0)  # what is dark in all rows is a line that runs up the picture
    left = np.flatnonzero((xs > 3) & (xs < WIDTH - 3))
    kept = xs[left[left % every == 0]]
    assert len(kept) > 5
    assert all(dark[int(x) - 1 : int(x) + 2].sum() > 0.4 for x in kept)
    between = np.abs(np.arange(WIDTH)[:, None] + 0.5 - kept).min(axis=1) > 2.0
    inside = (np.arange(WIDTH) > kept[0]) & (np.arange(WIDTH) < kept[-1])
    assert (dark[between & inside] < 0.05).all()


def test_wire_never_makes_a_pattern_from_afar(view: Views) -> None:
    """From any distance as much is covered as by lines 4 pixels apart or more, never a grey that hides the ground."""
    for pixels in np.geomspace(0.05, 3.0, 9):
        rows, xs = wires(view, float(pixels), 513)
        inside = rows[:, int(max(xs[0], 0)) + 2 : int(min(xs[-1], WIDTH)) - 2]
        assert 0.03 < inside.mean() < 0.4, pixels


def test_one_ring_is_the_same_by_either_name(view: Views) -> None:
    terrain = flat()
    opened, camera = view(terrain), over(terrain, 60.0)
    ring = BrushRing(np.array([64.0, 64.0, 0.0]), 15.0)
    np.testing.assert_array_equal(opened.draw(camera, Style(brush=ring)), opened.draw(camera, Style(images=(ring,))))


def test_images_of_the_ring_are_drawn_fainter_and_under_it(view: Views) -> None:
    terrain = flat()
    opened, camera = view(terrain), over(terrain, 110.0)
    west, east = np.array([40.0, 64.0, 0.0]), np.array([88.0, 64.0, 0.0])
    style = {**WHITE, "brush": BrushRing(west, 10.0, colour=(0.0, 0.0, 1.0))}
    image = opened.draw(camera, Style(images=(BrushRing(east, 10.0, primary=False, colour=(0.0, 0.0, 1.0)),), **style))
    red = []
    for centre in (west, east):
        edge = camera.project(centre + np.array([0.0, 10.0, 0.0]), WIDTH, HEIGHT)[0]
        red.append(int(image[int(edge[1]) - 1 : int(edge[1]) + 2, int(edge[0]), 0].min()))
    assert red[0] < 5
    assert 60 < red[1] < 150
    same = opened.draw(camera, Style(images=(BrushRing(west, 10.0, primary=False),), **style))
    edge = camera.project(west + np.array([0.0, 10.0, 0.0]), WIDTH, HEIGHT)[0]
    assert same[int(edge[1]) - 1 : int(edge[1]) + 2, int(edge[0]), 0].min() < 5


def test_a_smoothing_ring_is_green(view: Views) -> None:
    terrain = flat()
    ring = BrushRing(np.array([64.0, 64.0, 0.0]), 15.0, smoothing=True)
    image = view(terrain).draw(over(terrain, 60.0), Style(tint="clay", brush=ring, **BARE)).astype(int)
    assert ((image[..., 1] > 200) & (image[..., 0] < 150) & (image[..., 2] < 150)).sum() > 100


def test_the_rings_beyond_the_most_are_left_out(view: Views) -> None:
    rings = tuple(BrushRing(np.array([4.0 * i, 64.0, 0.0]), 3.0) for i in range(MOST_RINGS + 5))
    style = Style(brush=rings[0], images=rings[1:])
    assert style.rings == rings[:MOST_RINGS]
    assert ring_table(style.rings, np.zeros(3)).shape == (2, MOST_RINGS, 4)
    terrain = flat()
    opened, camera = view(terrain), over(terrain, 110.0)
    image = opened.draw(camera, style)
    np.testing.assert_array_equal(image, opened.draw(camera, Style(images=rings[:MOST_RINGS])))


def test_a_view_costs_a_plain_picture_nothing(view: Views) -> None:
    """Only the program that a style needs is made, and a plain picture's knows nothing of the rest."""
    terrain = flat()
    opened, camera = view(terrain), over(terrain, 60.0)
    opened.draw(camera, Style())
    opened.draw(camera, Style(tint="slope", brush=BrushRing(np.zeros(3), 1.0)))
    programs = opened.view._ground._programs
    assert list(programs) == [(0,) * 8]
    opened.draw(camera, Style(wire=True))
    assert len(programs) == 2
