"""The vertex widget: handles hit and dragged through a real camera, numbers, snapping, one undo step."""

import math
from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from editor.commands import new_document
from editor.document import Document
from editor.render.camera import Camera
from editor.tools.brushes import BrushChoice
from editor.tools.context import ToolContext
from editor.tools.events import Phase, PointerEvent
from editor.tools.gesture import Gesture
from editor.tools.handles import Mode, handle_lines, nearest_handle
from editor.tools.widget import Widget
from terrain.errors import SkerryError
from terrain.transform import TransformParams

WIDE, HIGH = 900, 700


class Stage:
    """A document with a selected block, a camera, and hands."""

    def __init__(self, mode: Mode) -> None:
        self.document: Document = new_document(81, 81, 2.0)
        with self.document.edit("mask") as edit:
            edit.add("mask/a")[30:51, 30:51] = 65535
            edit.set("active_mask", "a")
        self.document.history.clear()
        self.camera = Camera(np.array([80.0, 80.0, 0.0]), math.radians(25.0), math.radians(-38.0), 240.0)
        self.context = ToolContext(
            self.document, BrushChoice(), self.scale, lambda x, y: self.camera.ray(x, y, WIDE, HIGH),
            lambda points: self.camera.project(points, WIDE, HIGH),
        )  # fmt: skip
        self.widget = Widget(self.document, mode, self.camera.rotation().astype(np.float64))

    def scale(self, point: np.ndarray) -> float:
        return float((point - self.camera.eye) @ self.camera.forward) / self.camera.focal(HIGH)

    def event(self, phase: Phase, x: float, y: float, *keys: str) -> PointerEvent:
        return PointerEvent(phase, x, y, *self.camera.ray(x, y, WIDE, HIGH), modifiers=frozenset(keys))

    def pixel(self, point: np.ndarray) -> np.ndarray:
        return self.camera.project(point, WIDE, HIGH)[0, :2]

    def drag(self, start: np.ndarray, end: np.ndarray, *keys: str) -> None:
        gesture = Gesture(self.widget.drag, self.context, self.event("press", *start, *keys))
        for share in (0.3, 0.7, 1.0):
            gesture.send(self.event("move", *(start + share * (end - start)), *keys))
        gesture.send(self.event("release", *end, *keys))

    def tip(self, handle: str) -> np.ndarray:
        return handle_lines(self.context, self.widget.place, self.widget.mode)[handle][1]

    @property
    def heights(self) -> np.ndarray:
        return self.document.scene.terrain.field.offset


@pytest.fixture
def stage() -> Callable[[Mode], Stage]:
    return Stage


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_dragging_an_arrow_moves_along_its_axis_alone(stage: Callable[[Mode], Stage], axis: str) -> None:
    hands = stage("move")
    tip, k = hands.tip(f"move-{axis}"), "xyz".index(axis)
    goal = tip + 10.0 * np.eye(3)[k]
    hands.drag(hands.pixel(tip), hands.pixel(goal))
    params = hands.widget.params
    assert getattr(params, axis) == pytest.approx(10.0, rel=0.01)
    assert [getattr(params, other) for other in "xyz" if other != axis] == [0.0, 0.0]
    np.testing.assert_allclose(hands.heights[40, 40, k], 10.0, rtol=0.01)
    assert hands.heights[10, 10].tolist() == [0.0, 0.0, 0.0]


def test_a_square_moves_in_its_plane_and_the_middle_before_the_camera(stage: Callable[[Mode], Stage]) -> None:
    hands = stage("move")
    corner = hands.tip("move-xy")
    hands.drag(hands.pixel(corner), hands.pixel(corner + np.array([6.0, -4.0, 0.0])))
    assert (hands.widget.params.x, hands.widget.params.y) == pytest.approx((6.0, -4.0), abs=0.05)
    assert hands.widget.params.z == 0.0
    middle = hands.widget.place.middle
    goal = middle + 5.0 * hands.camera.up
    hands.drag(hands.pixel(middle), hands.pixel(goal))
    way = hands.widget.place.middle - middle
    assert way @ hands.camera.up == pytest.approx(5.0, rel=0.02)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_dragging_a_ring_turns_by_the_angle(stage: Callable[[Mode], Stage], axis: str) -> None:
    hands = stage("turn")
    ring = handle_lines(hands.context, hands.widget.place, "turn")[f"turn-{axis}"]
    # A twelfth of the ring on; where rings cross the first one found would be taken, so start between.
    start = next(k for k in range(3, 40) if nearest(hands, ring[k]) == f"turn-{axis}")
    middle = hands.widget.place.middle
    a, b = ring[start] - middle, ring[(start + 4) % 48] - middle
    hands.drag(hands.pixel(ring[start]), hands.pixel(middle + b))
    expected = math.degrees(math.atan2(np.cross(a, b) @ np.eye(3)["xyz".index(axis)], a @ b))
    assert getattr(hands.widget.params, f"turn_{axis}") == pytest.approx(expected, abs=0.5)
    assert abs(expected) == pytest.approx(30.0, abs=0.01)


def nearest(hands: Stage, point: np.ndarray) -> str:
    return nearest_handle(hands.context, hands.widget.place, hands.widget.mode, *hands.pixel(point))


def test_scaling_by_a_box_and_by_the_middle(stage: Callable[[Mode], Stage]) -> None:
    hands = stage("scale")
    tip, middle = hands.tip("scale-x"), hands.widget.place.middle
    hands.drag(hands.pixel(tip), hands.pixel(tip + 0.5 * (tip - middle)))
    assert hands.widget.params.scale_x == pytest.approx(1.5, abs=0.03)
    assert hands.widget.params.scale_y == 1.0
    spot = hands.pixel(middle)
    hands.drag(spot, spot + np.array([45.0, 0.0]))
    assert hands.widget.params.scale_y == pytest.approx(1.5, abs=0.01)


def test_ctrl_snaps(stage: Callable[[Mode], Stage]) -> None:
    hands = stage("move")
    tip = hands.tip("move-x")
    hands.drag(hands.pixel(tip), hands.pixel(tip + np.array([6.8, 0.0, 0.0])), "ctrl")
    assert hands.widget.params.x == 6.0
    hands = stage("scale")
    tip, middle = hands.tip("scale-z"), hands.widget.place.middle
    hands.drag(hands.pixel(tip), hands.pixel(tip + 0.37 * (tip - middle)), "ctrl")
    assert hands.widget.params.scale_z == pytest.approx(1.4)


def test_many_drags_and_numbers_are_one_undo_step_without_drift(stage: Callable[[Mode], Stage]) -> None:
    hands = stage("move")
    before = hands.heights.copy()
    for number in range(30):
        hands.widget.set(TransformParams(x=float(number), turn_z=12.0 * number, soft=float(number % 3)))
    hands.widget.set(TransformParams(z=4.0))
    assert len(hands.document.history.done) == 1
    np.testing.assert_array_equal(hands.heights[30:51, 30:51, 2], 4.0)
    np.testing.assert_array_equal(hands.heights[:30], before[:30])
    hands.document.undo()
    np.testing.assert_array_equal(hands.heights, before)
    hands.document.redo()
    assert hands.heights[40, 40, 2] == 4.0


def test_cancel_gives_the_very_bytes_back(stage: Callable[[Mode], Stage]) -> None:
    hands = stage("turn")
    before = hands.heights.tobytes()
    hands.widget.set(TransformParams(turn_x=33.0, scale_y=2.0))
    assert hands.heights.tobytes() != before
    hands.widget.cancel()
    assert hands.heights.tobytes() == before
    assert not hands.document.history.done
    assert not hands.document.history.undone


def test_axes_of_the_view_follow_the_camera(stage: Callable[[Mode], Stage]) -> None:
    hands = stage("move")
    hands.widget.set(msgspec.structs.replace(hands.widget.params, axes="view", x=5.0))
    np.testing.assert_allclose(hands.heights[40, 40], 5.0 * hands.camera.right, atol=1e-4)


def test_handles_keep_their_size_on_the_screen_and_away_from_them_nothing_is_hit(
    stage: Callable[[Mode], Stage],
) -> None:
    hands = stage("move")
    for distance in (60.0, 240.0, 2000.0):
        hands.camera.distance = distance
        away = hands.pixel(hands.tip("move-z")) - hands.pixel(hands.widget.place.middle)
        assert 50.0 < np.hypot(*away) < 95.0
        assert nearest_handle(hands.context, hands.widget.place, "move", 20.0, 20.0) == ""
        assert nearest(hands, hands.tip("move-z")) == "move-z"


def test_after_an_undo_the_same_drag_gives_the_same_heights() -> None:
    stage = Stage("move")
    tip = stage.pixel(stage.tip("move-z"))
    stage.drag(tip, tip - np.array([0.0, 40.0]))
    once = stage.heights.copy()
    stage.document.undo()
    stage.widget.start()
    assert stage.widget.params == TransformParams()
    stage.drag(tip, tip - np.array([0.0, 40.0]))
    np.testing.assert_array_equal(stage.heights, once)


def test_a_start_without_a_selection_says_so() -> None:
    stage = Stage("move")
    with stage.document.edit("mask") as edit:
        edit.remove("mask/a")
        edit.set("active_mask", "")
    with pytest.raises(SkerryError, match="select"):
        stage.widget.start()
