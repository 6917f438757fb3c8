"""Navigation and flight: what a drag, a notch or a key does to the camera; no display needed."""

import math

import numpy as np
import pytest

from editor.render.camera import Camera
from editor.viewport.flight import EYE_HEIGHT, Flight
from editor.viewport.navigation import NOTCH, VIEWS, Navigator, Vector, action_for
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.pick import pick
from tests.fixtures import arch_map

WIDTH, HEIGHT = 800.0, 600.0


def on(terrain: TerrainMap, camera: Camera | None = None) -> Navigator:
    """A navigator above a map."""

    def surface(start: Vector, direction: Vector) -> Vector | None:
        hit = pick(terrain, start, direction)
        return None if hit is None else hit.point

    navigator = Navigator(camera or Camera(), surface)
    navigator.width, navigator.height = WIDTH, HEIGHT
    return navigator


def hill() -> TerrainMap:
    """65 × 65 vertices, 10 m apart, with a hill 100 m high in the middle."""
    row, col = np.mgrid[-1:1:65j, -1:1:65j]
    heights = 100.0 * np.exp(-6.0 * (row**2 + col**2))
    return TerrainMap(VectorField.from_heights(heights.astype(np.float32), 10.0))


@pytest.fixture
def navigator() -> Navigator:
    camera = Camera()
    camera.look(np.array([320.0, -300.0, 400.0]), np.array([320.0, 320.0, 100.0]))
    return on(hill(), camera)


@pytest.mark.parametrize(
    ("preset", "button", "modifiers", "action"),
    [
        ("blender", "middle", "", "orbit"),
        ("blender", "middle", "shift", "pan"),
        ("blender", "middle", "ctrl", "zoom"),
        ("blender", "left", "alt", "orbit"),
        ("blender", "left", "", None),
        ("blender", "left", "ctrl", None),
        ("blender", "right", "", None),
        ("maya", "left", "alt", "orbit"),
        ("maya", "middle", "alt", "pan"),
        ("maya", "right", "alt", "zoom"),
        ("maya", "middle", "", None),
        ("maya", "left", "shift", None),
    ],
)
def test_chords_of_both_presets(preset: str, button: str, modifiers: str, action: str | None) -> None:
    assert action_for(preset, button, frozenset(modifiers.split())) == action


def project(navigator: Navigator, point: Vector) -> Vector:
    return navigator.camera.project(point, WIDTH, HEIGHT)[0]


def test_zooming_keeps_what_is_under_the_pointer_there(navigator: Navigator) -> None:
    x, y = 250.0, 350.0
    under = navigator.surface(*navigator.camera.ray(x, y, WIDTH, HEIGHT))
    assert under is not None
    before = float(np.linalg.norm(under - navigator.camera.eye))
    navigator.zoom(3.0, x, y)
    np.testing.assert_allclose(project(navigator, under)[:2], [x, y], atol=1e-6)
    assert np.linalg.norm(under - navigator.camera.eye) == pytest.approx(before * NOTCH**3)
    navigator.zoom(-3.0, x, y)
    assert np.linalg.norm(under - navigator.camera.eye) == pytest.approx(before)


def test_zooming_never_goes_through_the_ground(navigator: Navigator) -> None:
    for _ in range(300):
        navigator.zoom(2.0, 400.0, 320.0)
        eye = navigator.camera.eye
        below = navigator.surface(eye, np.array([0.0, 0.0, -1.0]))
        assert below is not None or not (0 <= eye[0] <= 640 and 0 <= eye[1] <= 640)
        if below is not None:
            assert eye[2] - below[2] >= navigator.clearance * 0.999


def test_zooming_at_the_sky_moves_on_without_trouble(navigator: Navigator) -> None:
    navigator.view("north")
    before = navigator.camera.eye
    navigator.zoom(1.0, 400.0, 5.0)
    assert np.isfinite(navigator.camera.eye).all()
    assert np.linalg.norm(navigator.camera.eye - before) > 1.0


def test_panning_moves_the_ground_with_the_pointer(navigator: Navigator) -> None:
    x, y = 300.0, 380.0
    under = navigator.surface(*navigator.camera.ray(x, y, WIDTH, HEIGHT))
    assert under is not None
    navigator.begin("pan", x, y)
    navigator.drag(x + 40.0, y + 25.0)
    navigator.drag(x + 90.0, y + 40.0)
    navigator.end()
    np.testing.assert_allclose(project(navigator, under)[:2], [x + 90.0, y + 40.0], atol=1e-6)


def test_orbit_turns_around_the_ground_in_the_middle_and_keeps_its_distance(navigator: Navigator) -> None:
    navigator.camera.distance, eye = 5000.0, navigator.camera.eye
    navigator.camera.look(eye, eye + 5000.0 * navigator.camera.forward)
    middle = navigator.surface(*navigator.camera.ray(WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT))
    assert middle is not None
    navigator.begin("orbit", 10.0, 10.0)
    np.testing.assert_allclose(navigator.camera.eye, eye, atol=1e-6)
    away = float(np.linalg.norm(middle - eye))
    navigator.drag(60.0, 0.0)
    np.testing.assert_allclose(project(navigator, middle)[:2], [WIDTH / 2, HEIGHT / 2], atol=1e-6)
    assert np.linalg.norm(middle - navigator.camera.eye) == pytest.approx(away)


def test_orbiting_below_the_horizon_slides_over_the_ground(navigator: Navigator) -> None:
    navigator.zoom(12.0, 400.0, 300.0)
    navigator.begin("orbit", 400.0, 300.0)
    for y in range(300, -700, -25):
        navigator.drag(400.0, float(y))
        eye = navigator.camera.eye
        if 0.0 < eye[0] < 640.0 and 0.0 < eye[1] < 640.0:
            assert navigator.surface(eye, np.array([0.0, 0.0, -1.0])) is not None


def test_the_eye_may_stay_under_an_overhang() -> None:
    terrain = arch_map()
    camera = Camera()
    # Under the tongue in the east there is open air between the ground and the fold.
    field = terrain.field
    x, y = field.origin[0] + 62.0, field.origin[1] + 15.0
    navigator = on(terrain, camera)
    up, down = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0])
    roof = navigator.surface(np.array([x, y, 5.0]), up)
    floor = navigator.surface(np.array([x, y, 5.0]), down)
    assert roof is not None
    assert floor is not None
    camera.look(np.array([x, y, 5.0]), np.array([x, y - 10.0, 4.0]))
    before = camera.eye
    navigator.clearance = 0.5
    navigator.stay_above()
    np.testing.assert_allclose(camera.eye, before)


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_named_views_look_where_they_say(navigator: Navigator, name: str) -> None:
    navigator.camera.distance = 2000.0
    navigator.view(name)
    forward = navigator.camera.forward
    directions = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
    if name == "top":
        assert forward[2] < -0.99
    else:
        assert forward[:2] @ directions[name] > 0.9


def test_frame_sees_the_whole_map(navigator: Navigator) -> None:
    terrain = hill()
    navigator.frame(terrain.bounds.whole)
    corners = terrain.field.positions()[:: terrain.field.rows - 1, :: terrain.field.cols - 1].reshape(-1, 3)
    seen = navigator.camera.project(corners, WIDTH, HEIGHT)
    assert (seen[:, 2] > 0).all()
    assert (seen[:, 0] > -60).all()
    assert (seen[:, 0] < WIDTH + 60).all()


@pytest.fixture
def flight(navigator: Navigator) -> Flight:
    return Flight(navigator.camera, navigator.surface)


def test_flying_goes_where_the_view_goes(flight: Flight) -> None:
    before, forward = flight.camera.eye, flight.camera.forward
    flight.speed = 30.0
    flight.keys = {"w"}
    flight.step(0.5)
    np.testing.assert_allclose(flight.camera.eye - before, 15.0 * forward, atol=1e-9)
    flight.keys, flight.fast = {"e"}, True
    before = flight.camera.eye
    flight.step(0.5)
    np.testing.assert_allclose(flight.camera.eye - before, [0.0, 0.0, 60.0], atol=1e-9)


def test_opposite_keys_and_no_keys_stand_still(flight: Flight) -> None:
    before = flight.camera.eye
    flight.keys = {"a", "d"}
    flight.step(1.0)
    np.testing.assert_allclose(flight.camera.eye, before)
    assert flight.moving
    flight.keys.clear()
    assert not flight.moving


def test_looking_turns_the_head_only(flight: Flight) -> None:
    before, yaw = flight.camera.eye, flight.camera.yaw
    flight.look(50.0, -20.0)
    np.testing.assert_allclose(flight.camera.eye, before, atol=1e-9)
    assert flight.camera.yaw == pytest.approx(yaw + 0.2)


def test_the_wheel_changes_the_speed_within_bounds(flight: Flight) -> None:
    flight.change_speed(1.0)
    assert flight.speed == pytest.approx(62.5)
    flight.change_speed(-200.0)
    assert flight.speed == 0.5


def test_walking_keeps_the_eye_at_its_height_over_hill_and_dale(flight: Flight) -> None:
    flight.start_walking()
    assert flight.walking
    flight.keys = {"w"}
    for _ in range(200):
        flight.step(0.1)
        eye = flight.camera.eye
        below = flight.surface(eye, np.array([0.0, 0.0, -1.0]))
        assert below is not None
        assert eye[2] - below[2] == pytest.approx(EYE_HEIGHT, abs=1e-3)


def test_walking_wades_instead_of_diving(flight: Flight) -> None:
    flight.sea_level = 50.0
    flight.start_walking()
    flight.camera.target = flight.camera.target + np.array([250.0, 250.0, 0.0]) - flight.camera.eye * (1, 1, 0)
    flight.keys = {"w"}
    flight.step(0.1)
    assert flight.camera.eye[2] >= 50.0 + EYE_HEIGHT - 1e-6


def test_walking_stops_at_the_edge_of_the_map(flight: Flight) -> None:
    flight.start_walking()
    flight.keys, flight.fast = {"s"}, True
    for _ in range(400):
        flight.step(0.1)
    assert 0.0 <= flight.camera.eye[1] <= 640.0


def test_walking_goes_under_an_overhang_not_onto_it() -> None:
    terrain = arch_map()
    camera = Camera()
    navigator = on(terrain, camera)
    walk = Flight(camera, navigator.surface)
    field = terrain.field
    x = field.origin[0] + 62.0
    camera.look(np.array([x, field.origin[1] + 3.0, 30.0]), np.array([x, field.origin[1] + 30.0, 29.0]))
    walk.start_walking()
    walk.keys = {"w"}
    highest = -math.inf
    for _ in range(12):
        walk.step(0.1)
        highest = max(highest, float(camera.eye[2]))
    assert camera.eye[1] > field.origin[1] + 10.0
    assert highest < 8.0


def test_walking_cannot_begin_where_there_is_no_map() -> None:
    terrain = TerrainMap(VectorField.flat(3, 3, 1.0))
    terrain.extras["hole"] = np.ones((2, 2), np.bool_)
    camera = Camera()
    walk = Flight(camera, on(terrain, camera).surface)
    walk.start_walking()
    assert not walk.walking


def test_turning_stops_at_the_waterline_and_turning_back_goes_on() -> None:
    camera = Camera(target=np.array([0.0, 0.0, 5.0]), pitch=math.radians(-20.0), distance=400.0)
    navigator = Navigator(camera, lambda start, direction: None)
    navigator.width, navigator.height, navigator.sea_level = 800.0, 600.0, 0.0
    for _ in range(40):
        navigator.orbit(3.0, -10.0)
        assert camera.eye[2] >= 0.0
    assert camera.eye[2] == pytest.approx(navigator.clearance, abs=1e-6)
    navigator.orbit(0.0, 30.0)
    assert camera.eye[2] > 10.0
