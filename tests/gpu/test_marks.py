"""Marks: lines over the picture stand where they are projected, as wide as asked for, fainter where hidden."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from editor.render.camera import Camera
from editor.render.frame import Frame
from editor.render.marks_view import seen_segments
from editor.render.offscreen import Offscreen
from editor.render.style import Mark, Style
from terrain.field import VectorField
from terrain.map import TerrainMap

Views = Callable[[TerrainMap], Offscreen]
Floats = NDArray[np.float64]

WIDTH, HEIGHT = 160, 120
BLACK = (0.0, 0.0, 0.0)


def flat(origin: tuple[float, float] = (0.0, 0.0)) -> TerrainMap:
    return TerrainMap(VectorField.flat(65, 65, 1.0, origin=origin))


def north(target: tuple[float, float, float] = (32.0, 32.0, 0.0), distance: float = 40.0) -> Camera:
    return Camera(target=np.array(target), yaw=0.0, pitch=math.radians(-35.0), distance=distance)


def cover(view: Views | Offscreen, camera: Camera, *marks: Mark, terrain: TerrainMap | None = None) -> Floats:
    """How much of each pixel black marks cover, 0..1, over a white ground and a white background."""
    opened = view if isinstance(view, Offscreen) else view(terrain or flat())
    style = Style(tint="occlusion", show_sea=False, show_sky=False, background=(1.0, 1.0, 1.0), marks=marks)
    return 1.0 - opened.draw(camera, style)[..., 1] / 255.0


def through(camera: Camera, *pixels: tuple[float, float], depth: float = 15.0) -> Floats:
    """World points at a depth that are seen at given pixels."""
    rays = [camera.ray(x, y, WIDTH, HEIGHT) for x, y in pixels]
    return np.array([eye + way * depth / (way @ camera.forward) for eye, way in rays])


@pytest.mark.parametrize("width", [1.0, 2.0, 5.5])
@pytest.mark.parametrize("at", [80.5, 63.0, 31.25])
def test_a_line_is_as_wide_as_asked_and_lies_where_it_is_projected(view: Views, width: float, at: float) -> None:
    camera = north()
    opened = view(flat())
    upright = cover(opened, camera, Mark(through(camera, (at, 20.0), (at, 100.0)), BLACK, width))
    level = cover(opened, camera, Mark(through(camera, (20.0, at), (140.0, at)), BLACK, width))
    for line in (upright[60], level[:, 70]):
        assert line.sum() == pytest.approx(width, abs=0.05)
        assert (line * (np.arange(len(line)) + 0.5)).sum() / line.sum() == pytest.approx(at, abs=0.05)
    # Round ends reach half the width beyond the points.
    assert upright.sum() == pytest.approx(80.0 * width + math.pi * (0.5 * width) ** 2, rel=0.02)
    assert upright[: int(20 - width / 2 - 1)].sum() == 0


def test_a_slanting_line_covers_its_width_times_its_length(view: Views) -> None:
    camera = north()
    covered = cover(view, camera, Mark(through(camera, (30.0, 30.0), (100.0, 95.0)), BLACK, 4.0))
    length = math.hypot(70.0, 65.0)
    assert covered.sum() == pytest.approx(4.0 * length + math.pi * 2.0**2, rel=0.01)


def test_a_single_point_is_a_dot(view: Views) -> None:
    camera = north()
    covered = cover(view, camera, Mark(through(camera, (50.0, 40.0)), BLACK, 12.0))
    assert covered.sum() == pytest.approx(math.pi * 6.0**2, rel=0.02)
    rows, cols = np.indices(covered.shape) + 0.5
    assert (covered * rows).sum() / covered.sum() == pytest.approx(40.0, abs=0.05)
    assert (covered * cols).sum() / covered.sum() == pytest.approx(50.0, abs=0.05)


def wall() -> TerrainMap:
    """Level ground with a straight wall 12 m high from west to east."""
    row = np.tile(np.arange(65.0)[:, None], (1, 65))
    heights = 12.0 * (np.abs(row - 32.0) < 3.5)
    return TerrainMap(VectorField.from_heights(heights.astype(np.float32), 1.0))


def test_what_the_surface_hides_is_fainter_or_not_drawn(view: Views) -> None:
    camera = Camera(target=np.array([32.0, 32.0, 6.0]), yaw=0.0, pitch=math.radians(-10.0), distance=40.0)
    upright = np.array([[32.0, 50.0, 4.0], [32.0, 50.0, 30.0]])  # behind the wall, and rising above it
    opened = view(wall())
    on_top = cover(opened, camera, Mark(upright, BLACK, 6.0))
    tested = cover(opened, camera, Mark(upright, BLACK, 6.0, on_top=False))
    column = on_top[:, 80]
    between = np.abs(column[:, None] - (0.0, 0.35, 1.0)).min(axis=1) > 0.01
    assert between.sum() <= 2  # the soft ends alone
    assert (column > 0.9).sum() > 10
    assert ((column > 0.3) & (column < 0.4)).sum() > 10
    np.testing.assert_array_equal(tested, np.where(on_top > 0.9, on_top, tested))
    assert (tested[(on_top > 0.3) & (on_top < 0.36)] == 0).all()
    before = cover(opened, camera, Mark(upright - (0.0, 30.0, 0.0), BLACK, 6.0, on_top=False))
    assert (before[:, 80] > 0.9).sum() > 30


def test_a_line_on_the_surface_is_not_hidden_by_it(view: Views) -> None:
    terrain = wall()
    points = terrain.field.positions()[:29, 30]
    camera = north(distance=110.0)
    covered = cover(view, camera, Mark(points, BLACK, 3.0, on_top=False), terrain=terrain)
    seen = camera.project(points, WIDTH, HEIGHT)
    length = np.hypot(*np.diff(seen[:, :2], axis=0).T).sum()
    assert covered.sum() == pytest.approx(3.0 * length + math.pi * 1.5**2, rel=0.05)


def test_joints_are_not_drawn_twice(view: Views) -> None:
    """A hidden line of many short pieces is everywhere as faint as a long one, and so are sharp corners."""
    camera = Camera(target=np.array([32.0, 32.0, 6.0]), yaw=0.0, pitch=math.radians(-10.0), distance=40.0)
    opened = view(wall())
    x = np.linspace(22.0, 42.0, 300)
    wave = np.stack([x, np.full(300, 50.0), 6.0 + 2.0 * np.sin(x / 3.0)], axis=-1)
    corners = np.array([[22.0, 50.0, 6.0], [42.0, 50.0, 6.0], [24.0, 50.0, 7.0], [40.0, 50.0, 8.5]])
    for points in (wave, corners):
        covered = cover(opened, camera, Mark(points, BLACK, 5.0))
        assert (covered > 0.33).sum() > 200
        # Where corners are so sharp that the line lies over itself, it may count twice.
        assert (covered > 0.37).sum() <= (0 if points is wave else 60)


def test_a_dense_line_is_as_wide_as_a_sparse_one(view: Views) -> None:
    camera = north()
    ends = through(camera, (20.0, 33.0), (140.0, 88.0))
    dense = ends[0] + np.linspace(0.0, 1.0, 1000)[:, None] * (ends[1] - ends[0])
    opened = view(flat())
    sparse = cover(opened, camera, Mark(ends, BLACK, 4.0))
    assert np.abs(cover(opened, camera, Mark(dense, BLACK, 4.0)) - sparse).max() < 0.03


def test_a_closed_line_comes_back_to_its_start(view: Views) -> None:
    camera = north()
    square = through(camera, (40.0, 30.0), (120.0, 30.0), (120.0, 90.0), (40.0, 90.0))
    opened = view(flat())
    opening = cover(opened, camera, Mark(square, BLACK, 3.0))
    closed = cover(opened, camera, Mark(square, BLACK, 3.0, closed=True))
    assert opening[60, 30:50].sum() == 0
    assert closed[60, 30:50].sum() == pytest.approx(3.0, abs=0.05)
    outer, inner = 83.0 * 63.0 - (4.0 - math.pi) * 1.5**2, 77.0 * 57.0
    assert closed.sum() == pytest.approx(outer - inner, abs=3.0)


def test_a_line_may_start_behind_the_eye_and_end_beyond_everything(view: Views) -> None:
    camera = north()
    ahead = through(camera, (110.0, 15.0))[0]
    start = camera.eye + 3.0 * camera.right
    far = start + 1e5 * (ahead - start)
    opened = view(flat())
    whole = cover(opened, camera, Mark(np.array([start - 1e5 * (ahead - start), far]), BLACK, 3.0))
    near = start + 0.2 * (ahead - start)
    part = cover(opened, camera, Mark(np.array([near, ahead]), BLACK, 3.0))
    inside = camera.project(np.array([near, ahead]), WIDTH, HEIGHT)[:, 0]
    x = np.arange(WIDTH) + 0.5
    both = (x > inside.min() + 4) & (x < inside.max() - 4)
    assert part[:, both].sum() > 10
    np.testing.assert_allclose(whole[:, both], part[:, both], atol=0.03)
    behind = camera.eye - 50.0 * camera.forward
    assert cover(opened, camera, Mark(np.array([behind, behind + 10.0 * camera.right]), BLACK)).sum() == 0


def test_marks_nearer_than_the_map_are_drawn(view: Views) -> None:
    """The depth range fits the map; a mark high above it stands between that and the eye."""
    camera = north(distance=3000.0)
    for on_top in (True, False):
        covered = cover(
            view, camera, Mark(through(camera, (60.0, 60.0), (100.0, 60.0), depth=40.0), BLACK, 3.0, on_top)
        )
        assert covered.max() > 0.99
        assert covered.sum() == pytest.approx(3.0 * 40.0 + math.pi * 1.5**2, rel=0.01)


def test_marks_do_not_depend_on_where_the_map_lies(view: Views) -> None:
    shift = np.array([4_000_003.0, -7_000_011.0, 0.0])
    camera, moved = north(), north((32.0 + shift[0], 32.0 + shift[1], 0.0))
    points = through(camera, (20.0, 33.0), (90.0, 88.0), (130.0, 20.0))
    here = cover(view, camera, Mark(points, BLACK))
    there = cover(view, moved, Mark(points + shift, BLACK), terrain=flat((float(shift[0]), float(shift[1]))))
    assert np.abs(here - there).max() < 0.02


def test_later_marks_lie_over_earlier_ones_and_keep_their_colours(view: Views) -> None:
    camera = north()
    level, upright = through(camera, (20.0, 60.0), (140.0, 60.0)), through(camera, (80.0, 20.0), (80.0, 100.0))
    red, blue = (1.0, 0.0, 0.0), (0.2, 0.4, 0.8)
    opened = view(flat())
    for marks in ((Mark(level, red, 6.0), Mark(upright, blue, 6.0)), (Mark(upright, blue, 6.0), Mark(level, red, 6.0))):
        image = opened.draw(camera, Style(marks=marks))
        assert tuple(image[60, 80]) == tuple(round(255 * value) for value in marks[1].colour)
        assert tuple(image[60, 30]) == (255, 0, 0)
        assert tuple(image[30, 80]) == (51, 102, 204)


def test_marks_leave_the_rest_of_the_picture_as_it_was(view: Views) -> None:
    camera = north()
    opened = view(flat())
    plain = opened.draw(camera, Style())
    line = Mark(through(camera, (20.0, 60.0), (140.0, 60.0)), BLACK, 4.0)
    marked = opened.draw(camera, Style(marks=(line,)))
    assert (np.flatnonzero((marked != plain).any(axis=(1, 2))) == np.arange(58, 62)).all()
    np.testing.assert_array_equal(opened.draw(camera, Style()), plain)


def test_no_points_and_no_numbers_draw_nothing(view: Views) -> None:
    camera = north()
    opened = view(flat())
    broken = through(camera, (20.0, 30.0), (60.0, 30.0), (100.0, 30.0), (140.0, 30.0))
    broken[1] = np.nan
    assert cover(opened, camera, Mark(np.empty((0, 3)), BLACK), Mark(np.full((3, 3), np.nan), BLACK)).sum() == 0
    part = cover(opened, camera, Mark(broken, BLACK, 2.0))
    assert part[:, 110:130].sum() == pytest.approx(40.0, abs=0.5)
    assert part[:, :95].sum() == 0


def test_segments_join_exactly_and_know_their_neighbours() -> None:
    terrain, camera = flat(), north()
    frame = Frame.of(terrain, camera, WIDTH, HEIGHT, Style())
    points = through(camera, (20.0, 33.0), (90.0, 88.0), (130.0, 20.0))
    segments = seen_segments(frame, Mark(points, BLACK))
    np.testing.assert_allclose(segments.ends[:, :2], [[20.0, 87.0], [90.0, 32.0]], atol=1e-6)
    np.testing.assert_allclose(segments.depths, 15.0)
    assert (segments.ends[0, 2:] == segments.ends[1, :2]).all()
    assert (segments.beyond[0, :2] == segments.ends[0, :2]).all()
    assert (segments.beyond[0, 2:] == segments.ends[1, 2:]).all()
    assert (segments.beyond[1, :2] == segments.ends[0, :2]).all()
    ring = seen_segments(frame, Mark(points, BLACK, closed=True))
    assert len(ring.ends) == 3
    assert (ring.beyond[0, :2] == ring.ends[2, :2]).all()
    assert (ring.beyond[2, 2:] == ring.ends[0, 2:]).all()
