"""From mouse to pixel, in a real window on software GL."""

import pytest

from tests.viewport.conftest import Scenario


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_picking_hits_the_vertex_under_the_pointer_at_any_pixel_ratio(scenario: Scenario, scale: float) -> None:
    found = scenario("picking", scale)
    assert found["ratio"] == pytest.approx(scale)
    assert found["picture"] == [round(side * scale) for side in reversed(found["size"])]
    for row, col in found["misses"]:
        assert abs(row) < 1.0
        assert abs(col) < 1.0


def test_a_click_changes_heights_and_pixels_where_it_was(scenario: Scenario) -> None:
    found = scenario("hands")
    assert found["colours"] > 1
    assert found["click_height"] > 0.1
    assert found["click_peak"] == [32, 32]
    assert found["click_pixels"] > 50
    assert max(map(abs, found["click_centre"])) < 12.0


def test_ctrl_lowers(scenario: Scenario) -> None:
    found = scenario("hands")
    assert found["ctrl_lowest"] < -1.0
    assert found["ctrl_highest"] <= 0.0


def test_the_ring_is_drawn_and_goes_when_the_pointer_leaves(scenario: Scenario) -> None:
    found = scenario("hands")
    assert found["ring_on"]
    assert found["ring_off"]
    assert found["ring_pixels"] > 50


def test_escape_takes_the_stroke_back(scenario: Scenario) -> None:
    assert scenario("hands")["escaped"] == [0.0, 0]


def test_undo_in_mid_stroke_ends_it_first(scenario: Scenario) -> None:
    assert scenario("hands")["undone_in_stroke"] == [0.0, 0, 1]


def test_a_pen_presses_as_hard_as_it_does_and_makes_no_mouse_events(scenario: Scenario) -> None:
    found = scenario("hands")
    assert found["accepted"]
    assert 0.0 < found["light"] < 0.5 * found["firm"]
    assert found["steps"] == [1, 1]


def test_many_changes_make_one_frame_and_rest_makes_none(scenario: Scenario) -> None:
    found = scenario("hands")
    assert 1 <= found["frames_for_40_edits"] <= 3
    assert found["idle_frames"] == 0
    assert found["idle_share"] < 0.05


def test_the_picture_survives_a_floating_dock(scenario: Scenario) -> None:
    assert scenario("hands")["after_floating"] == 0


def test_middle_drag_turns_the_view(scenario: Scenario) -> None:
    found = scenario("hands")
    assert found["turned"] == pytest.approx(0.48, abs=0.01)
    assert found["turned_pixels"] > 500


def test_another_document_is_drawn_instead(scenario: Scenario) -> None:
    assert scenario("hands")["other_scene"]


def test_another_document_has_contours_of_its_own_step(scenario: Scenario) -> None:
    found = scenario("hands")
    low, high = found["contours"]
    assert 0.0 < low < high == 200.0


def test_what_a_lasso_selects_is_lifted_by_a_handle(scenario: Scenario) -> None:
    found = scenario("selecting")
    assert 20 < found["selected"] < 1000
    assert found["dock"]
    first, undone, again, _ = found["lifts"]
    assert first[0] > 5.0
    assert first[0] == pytest.approx(first[1], abs=0.01)
    assert undone == [0.0, 0.0], "the numbers go back with the surface"
    assert again == first, "nothing adds up"
    assert found["escaped"] == [0.0, 1]
    assert found["gone"]
    assert found["gone_with_the_mask"]
    assert found["gone_with_the_map"]


def test_an_operation_is_seen_before_it_is_applied(scenario: Scenario) -> None:
    found = scenario("previewing")
    assert found["previewed"] > 5000
    assert found["idle_frames"] == 0
    assert found["refused"] == [0, True, True], "what is shown is not what would be sculpted"
    assert found["before"] == 0
    assert found["after"] == found["previewed"]
    assert found["escaped"] == [0, 0]
    assert found["another_tool"] == [0, 0]
    assert found["edited"] == "", "what was shown is not true any more"
    assert (found["steps"], found["height"]) == (0, 0.0)
    pixels, steps, same = found["applied"]
    assert steps == 1
    assert same == found["previewed"]
    assert pixels == pytest.approx(same, rel=0.01)
