"""The form made from a Params class: every kind of field, limits, resets, and what is announced when."""

from pathlib import Path
from typing import Annotated, Literal

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLabel
from pytestqt.qtbot import QtBot

from editor.panels.editors import BoolEditor, ChoiceEditor, NumberEditor, OptionalEditor, TextEditor
from editor.panels.form import FieldLabel, ParamsForm, soft_range, title, tooltip
from editor.panels.number import NumberEdit
from plugins.registry import brushes
from terrain.params import Params, about, describe


class Sample(Params, frozen=True, kw_only=True):
    """One of everything."""

    height: Annotated[float, about("How high", unit="m", ge=-10, le=10)] = 2.5
    scale: Annotated[float, about("A wide range", ge=0.001, le=1000)] = 1.0
    rounds: Annotated[int, about("How often", ge=1, le=9)] = 3
    kind: Annotated[Literal["nearest", "sea-level"], about("What to do")] = "nearest"
    loud: Annotated[bool, about("Whether to shout")] = False
    ceiling: Annotated[float, about("Not above this", unit="m", ge=5)] | None = None
    name: Annotated[str, about("A name")] = ""
    crop: Annotated[tuple[float, ...], about("Four numbers")] = ()
    file: Annotated[Path, about("A file")] | None = None
    free: Annotated[float, about("Anything")] = 0.1


@pytest.fixture
def form(qtbot: QtBot) -> ParamsForm:
    form = ParamsForm(Sample)
    qtbot.addWidget(form)
    form.show()
    return form


def number(form: ParamsForm, name: str) -> NumberEdit:
    editor = form.editor(name)
    assert isinstance(editor, NumberEditor)
    return editor.number


def label(form: ParamsForm, text: str) -> FieldLabel:
    return next(found for found in form.findChildren(FieldLabel) if found.text() == text)


def test_every_field_has_a_row_and_the_right_editor(form: ParamsForm) -> None:
    kinds = {info.name: type(form.editor(info.name)) for info in describe(Sample)}
    assert kinds == {
        "height": NumberEditor,
        "scale": NumberEditor,
        "rounds": NumberEditor,
        "kind": ChoiceEditor,
        "loud": BoolEditor,
        "ceiling": OptionalEditor,
        "name": TextEditor,
        "crop": TextEditor,
        "file": TextEditor,
        "free": NumberEditor,
    }
    assert len(form.findChildren(FieldLabel)) == len(kinds)


def test_the_form_starts_at_the_defaults_or_the_given_values(form: ParamsForm, qtbot: QtBot) -> None:
    assert form.params == Sample()
    other = ParamsForm(Sample, Sample(height=-3.0, loud=True, crop=(1.0, 2.5), ceiling=7.0))
    qtbot.addWidget(other)
    assert number(other, "height").value() == -3.0
    assert other.editor("crop").value() == "1, 2.5"
    assert other.editor("ceiling").value() == 7.0
    assert other.params.height == -3.0  # type: ignore[attr-defined]


@pytest.mark.parametrize("brush_id", sorted(brushes()))
def test_every_brush_has_a_form(brush_id: str, qtbot: QtBot) -> None:
    form = ParamsForm(brushes()[brush_id].Params)
    qtbot.addWidget(form)
    assert form.params == brushes()[brush_id].Params()


def test_setting_params_from_code_announces_nothing(form: ParamsForm, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(form.changed):
        form.set_params(Sample(height=1.0, kind="sea-level", loud=True))
    assert number(form, "height").value() == 1.0


def test_typing_announces_valid_params(form: ParamsForm, qtbot: QtBot) -> None:
    box = number(form, "height").box
    with qtbot.waitSignal(form.changed) as caught:
        box.selectAll()
        qtbot.keyClicks(box, "4.25")
        qtbot.keyClick(box, Qt.Key.Key_Return)
    assert caught.args == [Sample(height=4.25)]


def test_a_number_outside_its_limits_cannot_be_entered(form: ParamsForm) -> None:
    edit = number(form, "height")
    edit.set_value(99.0)
    assert edit.value() == 10.0
    assert form.params.height == 10.0  # type: ignore[attr-defined]


def test_values_a_slider_or_box_cannot_show_survive_other_edits(form: ParamsForm) -> None:
    exact = 1.0 / 3.0 * 1e-3 + 1.0
    form.set_params(Sample(free=exact))
    number(form, "height").set_value(1.0)
    assert form.params.free == exact  # type: ignore[attr-defined]


def test_the_slider_moves_the_number_and_the_number_the_slider(form: ParamsForm) -> None:
    edit = number(form, "height")
    assert edit.slider is not None
    edit.slider.setValue(750)
    assert edit.value() == pytest.approx(5.0)
    edit.set_value(-10.0)
    assert edit.slider.value() == 0


def test_a_wide_range_has_a_logarithmic_slider(form: ParamsForm) -> None:
    edit = number(form, "scale")
    assert edit.log
    assert edit.slider is not None
    assert edit.slider.value() == 500
    edit.slider.setValue(1000)
    assert edit.value() == 50.0
    edit.slider.setValue(0)
    assert edit.value() == 0.02
    assert not number(form, "height").log


def test_a_wish_for_another_span_bounds_the_slider_but_not_the_box(qtbot: QtBot) -> None:
    form = ParamsForm(Sample, soft={"scale": (1.0, 5.0)})
    qtbot.addWidget(form)
    edit = number(form, "scale")
    edit.set_value(800.0)
    assert edit.value() == 800.0
    assert edit.slider is not None
    assert edit.slider.value() == edit.slider.maximum()


@pytest.mark.parametrize(
    ("value", "text"),
    [(40.0, "40"), (0.35, "0.35"), (1250.5, "1250.5"), (0.001, "0.001"), (-7.25, "-7.25"), (123456.789, "123457")],
)
def test_numbers_are_as_short_as_they_are(value: float, text: str, qtbot: QtBot) -> None:
    edit = NumberEdit(None, None, "m")
    qtbot.addWidget(edit)
    edit.set_value(value)
    assert edit.box.text() == f"{text} m"


def test_choices_show_words_and_keep_ids(form: ParamsForm) -> None:
    box = form.findChild(QComboBox)
    assert box is not None
    assert [box.itemText(i) for i in range(box.count())] == ["Nearest", "Sea level"]
    box.setCurrentIndex(1)
    assert form.params.kind == "sea-level"  # type: ignore[attr-defined]


def test_an_optional_number_is_automatic_until_ticked(form: ParamsForm) -> None:
    editor = form.editor("ceiling")
    assert isinstance(editor, OptionalEditor)
    assert not editor.inner.isEnabled()
    editor.box.setChecked(True)
    assert form.params.ceiling == 5.0  # type: ignore[attr-defined]
    editor.box.setChecked(False)
    assert form.params.ceiling is None  # type: ignore[attr-defined]


def test_texts_numbers_and_paths(form: ParamsForm) -> None:
    for name, text, value in (
        ("name", "Øya", "Øya"),
        ("crop", "1, 2,3", (1.0, 2.0, 3.0)),
        ("file", "a b", Path("a b")),
    ):
        editor = form.editor(name)
        assert isinstance(editor, TextEditor)
        editor.line.setText(text)
        editor.line.editingFinished.emit()
        assert getattr(form.params, name) == value
    editor.line.setText("")
    editor.line.editingFinished.emit()
    assert form.params.file is None  # type: ignore[attr-defined]


def test_what_cannot_be_understood_is_said_and_not_taken(form: ParamsForm, qtbot: QtBot) -> None:
    editor = form.editor("crop")
    assert isinstance(editor, TextEditor)
    editor.line.setText("1, x")
    with qtbot.waitSignal(form.invalid) as caught, qtbot.assertNotEmitted(form.changed):
        editor.line.editingFinished.emit()
    assert "crop" in caught.args[0]
    assert form.params == Sample()


def test_double_click_on_the_name_resets_and_the_name_shines_until_then(form: ParamsForm, qtbot: QtBot) -> None:
    name = label(form, "Height")
    plain = name.styleSheet()
    number(form, "height").set_value(7.0)
    assert name.styleSheet() != plain
    with qtbot.waitSignal(form.changed) as caught:
        qtbot.mouseDClick(name, Qt.MouseButton.LeftButton)
    assert caught.args == [Sample()]
    assert name.styleSheet() == plain


def test_hidden_fields_keep_their_values(qtbot: QtBot) -> None:
    form = ParamsForm(Sample, Sample(name="kept"), hidden=frozenset({"name"}))
    qtbot.addWidget(form)
    assert "Name" not in [found.text() for found in form.findChildren(QLabel)]
    number(form, "height").set_value(0.0)
    assert form.params == Sample(name="kept", height=0.0)


def test_the_wheel_scrolls_the_panel_and_changes_no_number(form: ParamsForm) -> None:
    form.setFocus()
    for widget in (number(form, "height").box, number(form, "height").slider, form.findChild(QComboBox)):
        wheel = QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, wheel)
    assert form.params == Sample()


def test_tooltips_tell_meaning_range_and_default() -> None:
    infos = {info.name: info for info in describe(Sample)}
    assert tooltip(infos["height"]).split("\n")[:2] == ["How high", "-10 to 10 m"]
    assert "Default: 2.5 m" in tooltip(infos["height"])
    assert "5 m or more" in tooltip(infos["ceiling"])
    assert "Default: automatic" in tooltip(infos["ceiling"])
    assert title("sea_level") == "Sea level"


def test_a_limit_far_from_the_default_does_not_stretch_the_slider() -> None:
    infos = {info.name: info for info in describe(brushes()["raise"].Params)}
    assert soft_range(infos["strength"]) == (0.4, 1000.0)
    assert soft_range(infos["spacing"]) == (0.02, 1.0)
