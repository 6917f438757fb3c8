"""The camera: pixels and rays agree, moves keep what they promise, a framed box fills the picture."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.render.camera import Camera

WIDTH, HEIGHT = 640.0, 400.0

angles = st.floats(-3.0, 3.0)
pitches = st.floats(-1.5, 1.5)


def camera(yaw: float = 0.4, pitch: float = -0.6) -> Camera:
    return Camera(target=np.array([100.0, -50.0, 20.0]), yaw=yaw, pitch=pitch, distance=250.0)


def test_yaw_zero_looks_north_and_grows_clockwise() -> None:
    np.testing.assert_allclose(Camera(yaw=0.0, pitch=0.0).forward, [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(Camera(yaw=math.pi / 2, pitch=0.0).forward, [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(Camera(yaw=0.0, pitch=-math.pi / 2).forward, [0, 0, -1], atol=1e-12)


@given(angles, pitches)
def test_axes_are_orthonormal_and_right_handed(yaw: float, pitch: float) -> None:
    axes = camera(yaw, pitch).rotation().astype(np.float64)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-6)
    assert np.linalg.det(axes) == pytest.approx(1.0, abs=1e-6)


@given(angles, pitches, st.floats(0, WIDTH), st.floats(0, HEIGHT), st.floats(0.1, 1e4))
def test_a_point_on_a_pixels_ray_projects_to_that_pixel(
    yaw: float, pitch: float, x: float, y: float, away: float
) -> None:
    view = camera(yaw, pitch)
    start, direction = view.ray(x, y, WIDTH, HEIGHT)
    px, py, depth = view.project(start + away * direction, WIDTH, HEIGHT)[0]
    assert (px, py) == (pytest.approx(x, abs=1e-6), pytest.approx(y, abs=1e-6))
    assert 0.0 < depth <= away * (1 + 1e-12)


def test_what_lies_behind_has_no_positive_depth() -> None:
    view = camera()
    assert view.project(view.eye - view.forward, WIDTH, HEIGHT)[0, 2] == pytest.approx(-1.0)


def test_east_is_to_the_right_and_height_is_up_when_looking_north() -> None:
    view = Camera(yaw=0.0, pitch=0.0, distance=10.0)
    x, y, _ = view.project(np.array([1.0, 0.0, 2.0]), WIDTH, HEIGHT)[0]
    focal = view.focal(HEIGHT)
    assert x == pytest.approx(WIDTH / 2 + focal / 10)
    assert y == pytest.approx(HEIGHT / 2 - 2 * focal / 10)


@given(angles, pitches)
def test_look_sees_the_point_in_the_middle(yaw: float, pitch: float) -> None:
    view = Camera()
    eye = np.array([5.0, 6.0, 7.0])
    at = eye + 40.0 * camera(yaw, pitch).forward
    view.look(eye, at)
    np.testing.assert_allclose(view.eye, eye, atol=1e-9)
    np.testing.assert_allclose(view.project(at, WIDTH, HEIGHT)[0, :2], [WIDTH / 2, HEIGHT / 2], atol=1e-5)


def test_looking_straight_down_stops_short_of_the_pole() -> None:
    view = Camera(yaw=1.0)
    view.look(np.array([0.0, 0.0, 100.0]), np.zeros(3))
    assert view.yaw == 1.0
    assert math.degrees(view.pitch) == pytest.approx(-89.5)


def test_turn_keeps_the_eye_and_orbit_the_target() -> None:
    view = camera()
    eye, target = view.eye, view.target.copy()
    view.turn(0.3, 0.1)
    np.testing.assert_allclose(view.eye, eye, atol=1e-9)
    view = camera()
    view.orbit(0.3, 0.1)
    np.testing.assert_array_equal(view.target, target)
    assert np.linalg.norm(view.eye - target) == pytest.approx(250.0)


def test_pan_moves_the_target_with_the_pointer() -> None:
    view = camera()
    target = view.target.copy()
    view.pan(30.0, -20.0, HEIGHT)
    x, y, _ = view.project(target, WIDTH, HEIGHT)[0]
    assert (x, y) == (pytest.approx(WIDTH / 2 + 30), pytest.approx(HEIGHT / 2 - 20))


def test_dolly_keeps_the_anchor_in_its_place() -> None:
    view = camera()
    anchor = view.target + np.array([20.0, 10.0, -5.0])
    before = view.project(anchor, WIDTH, HEIGHT)[0, :2]
    view.dolly(0.5, anchor)
    assert view.distance == pytest.approx(125.0)
    np.testing.assert_allclose(view.project(anchor, WIDTH, HEIGHT)[0, :2], before, atol=1e-6)


@pytest.mark.parametrize("aspect", [0.5, 1.0, 1.6, 3.0])
@pytest.mark.parametrize("pitch", [-80.0, -30.0, 5.0])
def test_a_framed_box_fits_and_fills(aspect: float, pitch: float) -> None:
    view = Camera(yaw=0.7, pitch=math.radians(pitch))
    box = np.array([100.0, -300.0, -20.0, 900.0, 200.0, 180.0])
    view.frame(box, aspect)
    width, height = 400.0 * aspect, 400.0
    corners = np.array([[x, y, z] for x in box[[0, 3]] for y in box[[1, 4]] for z in box[[2, 5]]])
    x, y, depth = view.project(corners, width, height).T
    assert depth.min() > 0
    sides = np.array([[x.min(), x.max()], [y.min(), y.max()]]) / [[width], [height]]
    tight = int(np.ptp(sides, axis=1).argmax())
    np.testing.assert_allclose(sides[tight], [0.03, 0.97], atol=1e-9)
    np.testing.assert_allclose(sides[1 - tight].mean(), 0.5, atol=0.06)


def test_a_framed_point_is_seen_from_nearby() -> None:
    view = Camera()
    view.frame(np.array([3.0, 4.0, 5.0, 3.0, 4.0, 5.0]))
    assert view.distance == 0.05
    np.testing.assert_allclose(view.target, [3.0, 4.0, 5.0], atol=0.06)
