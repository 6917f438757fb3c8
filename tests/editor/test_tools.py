"""Tools: gestures of fake pointer events against a flat map; no Qt anywhere."""

import numpy as np
import pytest

from editor.commands import new_document
from editor.document import Document
from editor.tools.adjust import adjust_radius, adjust_strength, number_text, radius_text, strength_text
from editor.tools.brushes import BrushChoice
from editor.tools.context import ToolContext
from editor.tools.events import Phase, PointerEvent
from editor.tools.gesture import Gesture, GestureCancelled, Steps
from editor.tools.sculpt import sculpt
from terrain.errors import SkerryError
from terrain.tiles import Rect

CELL = 2.0


def event(
    phase: Phase, x: float, y: float, *modifiers: str, px: float | None = None, pressure: float = 1.0
) -> PointerEvent:
    """A ray straight down on (x, y); a pixel is as wide as a metre."""
    start, down = np.array([x, y, 100.0]), np.array([0.0, 0.0, -1.0])
    return PointerEvent(
        phase,
        x if px is None else px,
        y if px is None else 0.0,
        start,
        down,
        pressure,
        frozenset({"left"}),
        frozenset(modifiers),
    )


@pytest.fixture
def context() -> ToolContext:
    choice = BrushChoice()
    choice.adjust(radius=16.0, strength=5.0)
    return ToolContext(new_document(65, 65, CELL), choice, lambda point: 0.5)


def heights(document: Document) -> np.ndarray:
    """dz of every vertex."""
    return document.scene.terrain.field.offset[..., 2]


def draw(context: ToolContext, *modifiers: str) -> Gesture:
    """Press in the middle and move a little; not yet released."""
    gesture = Gesture(sculpt, context, event("press", 64.0, 64.0, *modifiers))
    for step in range(1, 6):
        gesture.send(event("move", 64.0 + 2.0 * step, 64.0, *modifiers))
    return gesture


def test_a_stroke_raises_under_the_pointer_only_and_is_one_undo_step(context: ToolContext) -> None:
    gesture = draw(context)
    gesture.send(event("release", 74.0, 64.0))
    assert not gesture.running
    raised = heights(context.document)
    assert raised[32, 34] > 1.0
    assert raised[32, 5] == 0.0
    assert [step.label for step in context.document.history.done] == ["Raise"]
    context.document.undo()
    assert not raised.any()


def test_ctrl_lowers(context: ToolContext) -> None:
    draw(context, "ctrl").finish()
    assert heights(context.document).min() < -1.0
    assert heights(context.document).max() <= 0.0


def test_shift_smooths_while_held_and_leaves_the_brush_in_hand(context: ToolContext) -> None:
    draw(context).finish()
    peak = heights(context.document).max()
    draw(context, "shift").finish()
    assert heights(context.document).max() < peak
    assert context.document.history.done[-1].label == "Smooth"
    assert context.brush.current == "raise"


def test_cancel_leaves_no_trace_in_map_or_history(context: ToolContext) -> None:
    gesture = draw(context)
    assert heights(context.document).any()
    gesture.cancel()
    assert not gesture.running
    assert not heights(context.document).any()
    assert not context.document.history.done
    assert not context.document.history.undone


def test_an_error_inside_a_stroke_takes_it_back(context: ToolContext) -> None:
    gesture = draw(context)
    with pytest.raises(SkerryError):
        gesture.send(event("move", float("nan"), 0.0))
    assert not gesture.running
    assert not heights(context.document).any()


def test_finish_ends_where_the_pointer_was(context: ToolContext) -> None:
    one, two = draw(context), ToolContext(new_document(65, 65, CELL), context.brush)
    one.finish()
    other = draw(two)
    other.send(event("release", 74.0, 64.0))
    np.testing.assert_array_equal(heights(context.document), heights(two.document))


def test_pressure_weakens_a_stroke(context: ToolContext) -> None:
    Gesture(sculpt, context, event("press", 64.0, 64.0, pressure=0.25)).finish()
    light = heights(context.document).max()
    context.document.undo()
    Gesture(sculpt, context, event("press", 64.0, 64.0)).finish()
    assert 0.0 < light < heights(context.document).max()


def test_the_ring_lies_on_the_surface_and_tells_what_will_happen(context: ToolContext) -> None:
    context.show_ring(event("move", 30.0, 40.0))
    assert context.ring is not None
    np.testing.assert_allclose(context.ring.centre, [30.0, 40.0, 0.0], atol=1e-9)
    assert (context.ring.radius, context.ring.inverted, context.ring.smoothing) == (16.0, False, False)
    context.show_ring(event("move", 30.0, 40.0, "ctrl"))
    assert context.ring.inverted
    context.show_ring(event("move", 30.0, 40.0, "shift"))
    assert context.ring.smoothing
    context.show_ring(event("move", -50.0, 40.0))
    assert context.ring is None


def test_the_ring_takes_the_side_of_an_overhang_that_the_ray_meets(context: ToolContext) -> None:
    field = context.document.scene.terrain.field
    with context.document.edit("shelf") as edit:
        # Columns 20 to 30 are lifted and pushed 20 m east: a shelf over the ground beyond.
        shelf = edit.write("offset", Rect(0, field.rows, 20, 31))
        shelf[..., 2] += 30.0
        shelf[..., 0] += 20.0
    above = event("move", 75.0, 64.0)
    context.show_ring(above)
    assert context.ring is not None
    assert context.ring.centre[2] == pytest.approx(30.0)
    low = np.array([110.0, 64.0, 4.0])
    ray = np.array([75.0, 64.0, 0.0]) - low
    context.show_ring(PointerEvent("move", 0.0, 0.0, low, ray / np.linalg.norm(ray)))
    assert context.ring.centre[2] < 4.0


def test_dragging_the_radius_moves_the_rim_with_the_pointer(context: ToolContext) -> None:
    gesture = Gesture(adjust_radius, context, event("move", 64.0, 64.0, px=100.0))
    gesture.send(event("move", 64.0, 64.0, px=140.0))
    # 40 pixels of half a metre each.
    assert context.brush.params.radius == pytest.approx(36.0)
    assert context.hud == "Radius 36.0 m"
    assert context.ring is not None
    assert context.ring.radius == context.brush.params.radius
    gesture.send(event("press", 64.0, 64.0, px=140.0))
    assert not gesture.running
    assert context.hud == ""
    assert context.brush.params.radius == pytest.approx(36.0)


def test_a_cancelled_drag_restores_radius_and_strength(context: ToolContext) -> None:
    for tool in (adjust_radius, adjust_strength):
        before = context.brush.params
        gesture = Gesture(tool, context, event("move", 64.0, 64.0))
        gesture.send(event("move", 64.0, 64.0, px=75.0))
        assert context.brush.params != before
        gesture.cancel()
        assert context.brush.params == before


def test_dragging_strength_is_multiplicative_and_stays_in_its_limits(context: ToolContext) -> None:
    gesture = Gesture(adjust_strength, context, event("move", 64.0, 64.0, px=0.0))
    gesture.send(event("move", 64.0, 64.0, px=150.0))
    assert context.brush.params.strength == pytest.approx(5.0 * np.e, rel=1e-3)
    assert strength_text(context) == "Strength 13.6 m"
    gesture.send(event("move", 64.0, 64.0, px=1e4))
    assert context.brush.params.strength == 10000.0
    gesture.cancel()


def test_no_radius_of_zero_can_be_dragged(context: ToolContext) -> None:
    gesture = Gesture(adjust_radius, context, event("move", 64.0, 64.0))
    gesture.send(event("move", 64.0, 64.0, px=-1e6))
    assert context.brush.params.radius > 0.0
    gesture.cancel()


def test_radius_is_shared_strength_is_each_brushs_own() -> None:
    choice = BrushChoice()
    choice.adjust(radius=7.0, strength=3.0)
    choice.take("smooth")
    assert choice.params.radius == 7.0
    assert choice.params.strength != 3.0
    with pytest.raises(SkerryError, match="no brush 'broom'"):
        choice.take("broom")


def test_the_brushes_come_in_the_order_of_their_keys() -> None:
    assert BrushChoice().ids[:4] == ["raise", "along-normal", "along-view", "smooth"]


def test_brushes_are_remembered_and_bad_memories_dropped() -> None:
    choice, later = BrushChoice(), BrushChoice()
    choice.adjust(radius=9.0, strength=2.5)
    memory = choice.remembered()
    memory["smooth"]["strength"] = 99.0
    memory["gone"] = {}
    later.recall(memory)
    assert later.params.strength == 2.5
    assert later.params_of("smooth").strength == 0.7
    assert later.params_of("smooth").radius == 9.0


def test_a_change_is_announced_once_and_equal_values_are_not() -> None:
    choice, calls = BrushChoice(), []
    choice.changed.connect(lambda: calls.append(1))
    choice.adjust(radius=11.0)
    choice.adjust(radius=11.0)
    choice.take(choice.current)
    assert len(calls) == 1


def test_a_gesture_that_ignores_cancel_is_closed() -> None:
    def stubborn(context: ToolContext, event: PointerEvent) -> Steps:
        while True:
            try:
                yield
            except GestureCancelled:
                yield

    gesture = Gesture(stubborn, ToolContext(new_document(3, 3, 1.0), BrushChoice()), event("press", 0.0, 0.0))
    gesture.cancel()
    assert not gesture.running


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (1234.5, "1234"), (12.345, "12.3"), (0.5, "0.500"), (0.01234, "0.0123"), (1e-9, "0.000000")],
)
def test_numbers_have_three_digits_and_no_exponent(value: float, text: str) -> None:
    assert number_text(value) == text


def test_radius_text_has_its_unit(context: ToolContext) -> None:
    assert radius_text(context) == "Radius 16.0 m"


def test_a_brush_lost_on_a_large_map_or_larger_than_a_small_one_is_fitted() -> None:
    choice = BrushChoice()
    start = choice.params.radius
    choice.fit(cell=2.0, extent=1000.0, relief=200.0)
    assert choice.params.radius == start
    choice.fit(cell=3474.0, extent=1.03e6, relief=10134.0)
    assert 3 * 3474.0 <= choice.params.radius <= 0.5e6
    assert choice.params.strength == pytest.approx(0.12 * 10134.0, rel=1e-3)
    assert choice.params_of("smooth").strength <= 1.0
    choice.fit(cell=0.1, extent=12.0, relief=0.0)
    assert choice.params.radius <= 6.0
