"""The hand: lazy pointers, pressure curves, lines from the last stroke, the clone's source, selections."""

import math

import msgspec
import numpy as np
import pytest

from editor.commands import choose_mask, new_document
from editor.tools.brushes import BrushChoice
from editor.tools.context import ToolContext
from editor.tools.events import Phase, PointerEvent
from editor.tools.gesture import Gesture, Tool
from editor.tools.pen import LazyPointer, PenParams
from editor.tools.sculpt import sculpt
from editor.tools.select import flood, lasso, rectangle
from terrain.brushes.symmetry import Symmetry
from terrain.tiles import Rect

EYE = np.array([80.0, 80.0, 300.0])


def ray(x: float, y: float) -> tuple[np.ndarray, np.ndarray]:
    """From one eye above the middle; a pixel is as wide as a metre of the flat map."""
    away = np.array([x, y, 0.0]) - EYE
    return EYE, away / np.linalg.norm(away)


def event(phase: Phase, x: float, y: float, *modifiers: str, pressure: float = 1.0, time: float = 0.0) -> PointerEvent:
    return PointerEvent(phase, x, y, *ray(x, y), pressure, frozenset({"left"}), frozenset(modifiers), time)


@pytest.fixture
def context() -> ToolContext:
    choice = BrushChoice()
    choice.adjust(radius=8.0, strength=5.0)
    return ToolContext(new_document(81, 81, 2.0), choice, ray=ray)


def drag(
    context: ToolContext, tool: Tool, places: list[tuple[float, float]], *modifiers: str, pressure: float = 1.0
) -> None:
    gesture = Gesture(tool, context, event("press", *places[0], *modifiers, pressure=pressure))
    for place in places[1:]:
        gesture.send(event("move", *place, *modifiers, pressure=pressure))
    gesture.send(event("release", *places[-1], *modifiers, pressure=pressure))
    assert not gesture.running


def height(context: ToolContext, x: float, y: float) -> float:
    return float(context.document.scene.terrain.field.offset[round(y / 2), round(x / 2), 2])


def test_a_string_pulls_only_when_it_is_taut() -> None:
    hand = LazyPointer(10.0, 0.0, 0.0)
    assert hand.follow(6.0, 8.0) == (0.0, 0.0)
    assert hand.follow(0.0, 25.0) == pytest.approx((0.0, 15.0))
    x, y = hand.follow(30.0, 15.0)
    assert (x, y) == pytest.approx((20.0, 15.0))


def test_a_lazy_hand_draws_a_smoother_line(context: ToolContext) -> None:
    shaky = [(20.0 + 2.0 * n, 80.0 + 6.0 * (-1) ** n) for n in range(60)]
    widths = {}
    for lazy in (0.0, 20.0):
        context.brush.set_pen(PenParams(lazy=lazy))
        drag(context, sculpt, shaky)
        raised = np.argwhere(context.document.scene.terrain.field.offset[..., 2] > 0.5)
        widths[lazy] = int(np.ptp(raised[:, 0]))
        context.document.undo()
    assert widths[20.0] <= widths[0.0] - 2


def test_the_pressure_curve_is_what_the_brush_hears(context: ToolContext) -> None:
    pen = PenParams(curve=(0.0, 0.0, 0.2, 0.6, 1.0))
    assert [pen.pressed(p) for p in (0.0, 0.25, 0.5, 0.625, 1.0, 2.0)] == pytest.approx([0.0, 0.0, 0.2, 0.4, 1.0, 1.0])
    heights = []
    for curve in (PenParams().curve, (0.0, 0.0, 0.25, 0.6, 1.0)):
        context.brush.set_pen(PenParams(curve=curve))
        drag(context, sculpt, [(80.0, 80.0)], pressure=0.5)
        heights.append(height(context, 80.0, 80.0))
        context.document.undo()
    assert heights[1] == pytest.approx(0.5 * heights[0])


def test_shift_click_draws_a_line_from_where_the_last_stroke_ended(context: ToolContext) -> None:
    drag(context, sculpt, [(20.0, 80.0), (30.0, 80.0)])
    drag(context, sculpt, [(120.0, 80.0)], "shift")
    assert height(context, 76.0, 80.0) > 3.0
    assert [step.label for step in context.document.history.done] == ["Raise", "Raise"]
    drag(context, sculpt, [(120.0, 30.0)], "shift")
    assert height(context, 120.0, 56.0) > 3.0
    assert len(context.document.history.done) == 3


def test_shift_clicks_may_join_into_one_curve(context: ToolContext) -> None:
    context.brush.set_pen(PenParams(line="curved"))
    drag(context, sculpt, [(20.0, 40.0)])
    for place in ((80.0, 120.0), (140.0, 40.0)):
        drag(context, sculpt, [place], "shift")
    assert len(context.document.history.done) == 2, "the curve is one step, drawn anew with every click"
    # A curve through three points is round at the top, where straight lines would meet in a corner.
    assert height(context, 80.0, 120.0) > 1.5
    assert height(context, 70.0, 118.0) > 1.0


def test_ctrl_click_takes_the_clones_source(context: ToolContext) -> None:
    drag(context, sculpt, [(40.0, 40.0)])
    context.brush.take("clone")
    drag(context, sculpt, [(40.0, 40.0)], "ctrl")
    assert (context.brush.params.x, context.brush.params.y) == pytest.approx((40.0, 40.0), abs=0.2)
    drag(context, sculpt, [(120.0, 120.0), (120.5, 120.0)])
    assert height(context, 120.0, 120.0) == pytest.approx(height(context, 40.0, 40.0), abs=2.0)
    assert len(context.document.history.done) == 2


def test_an_airbrush_hears_the_clock(context: ToolContext) -> None:
    context.brush.set(msgspec.structs.replace(context.brush.params, airbrush=20.0))
    gesture = Gesture(sculpt, context, event("press", 80.0, 80.0, time=5.0))
    for tick in range(1, 31):
        gesture.send(event("move", 80.0, 80.0, time=5.0 + tick / 30.0))
    gesture.send(event("release", 80.0, 80.0, time=6.0))
    assert height(context, 80.0, 80.0) == pytest.approx(5.0, rel=0.12)


def test_rings_are_shown_for_every_image_of_the_brush(context: ToolContext) -> None:
    context.brush.set_symmetry(Symmetry(mirror_x=True, turns=3))
    context.show_ring(event("move", 100.0, 90.0))
    assert len(context.images) == 5
    middle = np.array([80.0, 80.0])
    away = {round(math.dist(ring.centre[:2], middle), 6) for ring in context.images}
    assert away == {round(math.dist((100.0, 90.0), middle), 6)}


def test_symmetry_reaches_the_stroke(context: ToolContext) -> None:
    context.brush.set_symmetry(Symmetry(mirror_x=True))
    drag(context, sculpt, [(100.0, 90.0), (110.0, 90.0)])
    offset = context.document.scene.terrain.field.offset[..., 2]
    np.testing.assert_array_equal(offset, offset[:, ::-1])
    assert offset.max() > 1.0


def mask(context: ToolContext) -> np.ndarray:
    return context.document.scene.terrain.extras["mask/selection"]


def test_a_lasso_makes_the_active_mask_in_one_step(context: ToolContext) -> None:
    drag(context, lasso, [(40.0, 40.0), (120.0, 40.0), (120.0, 120.0), (40.0, 120.0)])
    assert context.document.scene.terrain.active_mask == "selection"
    assert [step.label for step in context.document.history.done] == ["Mask: lasso"]
    assert mask(context)[40, 40] == 65535
    assert mask(context)[10, 40] == 0
    drag(context, lasso, [(60.0, 60.0), (100.0, 60.0), (100.0, 100.0), (60.0, 100.0)], "ctrl")
    assert mask(context)[40, 40] == 0
    assert mask(context)[25, 25] == 65535
    context.document.undo()
    context.document.undo()
    assert context.document.scene.terrain.active_mask == ""


def test_a_rectangle_adds_and_a_flood_stops_at_a_step(context: ToolContext) -> None:
    drag(context, rectangle, [(20.0, 20.0), (50.0, 60.0)])
    drag(context, rectangle, [(100.0, 100.0), (130.0, 120.0)], "shift")
    assert mask(context)[15, 15] == mask(context)[55, 55] == 65535
    assert mask(context)[40, 40] == 0
    choose_mask(context.document, "")
    with context.document.edit("step") as edit:
        edit.write("offset", Rect(0, 81, 50, 81))[..., 2] += 50.0
    drag(context, flood, [(20.0, 80.0)])
    assert mask(context)[40, 10] == 65535
    assert mask(context)[40, 70] == 0


def test_the_axis_is_shown_and_moves_under_the_pointer(context: ToolContext) -> None:
    context.show_ring(event("move", 100.0, 90.0))
    assert context.marks == ()
    context.brush.set_symmetry(Symmetry(mirror_x=True, turns=2))
    context.show_ring(event("move", 100.0, 90.0))
    assert len(context.marks) == 2
    np.testing.assert_allclose(context.marks[0].points[:, :2], 80.0)
    context.move_axis(event("move", 100.0, 90.0))
    assert (context.brush.symmetry.x, context.brush.symmetry.y) == pytest.approx((100.0, 90.0), abs=1e-6)
    context.show_ring(event("move", 120.0, 90.0))
    np.testing.assert_allclose(context.marks[0].points[0, :2], (100.0, 90.0), atol=1e-6)
