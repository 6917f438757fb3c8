"""Dialogs: what they ask, what they refuse, and the importer's preview."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from PySide6.QtWidgets import QDialogButtonBox, QLabel
from pytestqt.qtbot import QtBot

from editor.commands import new_document
from editor.document import Document
from editor.panels.editors import NumberEditor, TextEditor
from editor.panels.export_dialog import ExportDialog
from editor.panels.import_dialog import ImportDialog
from editor.panels.new_dialog import NewDialog
from editor.panels.relief import relief
from plugins.api import Guess, Job, Scene
from terrain.errors import Cancelled, SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.params import Params, about


class Values(Params, frozen=True, kw_only=True):
    """What the fake plugins take."""

    cell: Annotated[float, about("Metres", unit="m", ge=0.1, le=100)] = 1.0
    order: Annotated[Literal["little", "big"], about("Byte order")] = "little"
    crop: Annotated[tuple[float, ...], about("Edges")] = ()


class Fake:
    """Writes nothing.

    Not shown.
    """

    id = "fake"
    label = "Fake target"
    Params = Values


class Other(Fake):
    """Another."""

    id = "other"
    label = "Other target"


def ok(dialog: Any) -> Any:
    return dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)


def test_new_map_says_how_large_it_will_be(qtbot: QtBot) -> None:
    dialog = NewDialog()
    qtbot.addWidget(dialog)
    columns = dialog.form.editor("columns")
    assert isinstance(columns, NumberEditor)
    columns.number.set_value(1001)
    assert dialog.values.columns == 1001
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert "2 km × 1.024 km, 6.16 MB in memory" in texts


def test_sliders_of_a_fresh_dialog_stand_where_their_numbers_are(qtbot: QtBot) -> None:
    dialog = NewDialog()
    qtbot.addWidget(dialog)
    sea = dialog.form.editor("sea_level")
    assert isinstance(sea, NumberEditor)
    assert sea.number.slider is not None
    assert sea.number.slider.value() == 500


@pytest.fixture
def export_dialog(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., ExportDialog]:
    monkeypatch.setattr("editor.panels.export_dialog.exporters", lambda: {"fake": Fake(), "other": Other()})

    def make(target: str = "", remembered: dict[str, Any] | None = None) -> ExportDialog:
        dialog = ExportDialog(tmp_path, target, remembered)
        qtbot.addWidget(dialog)
        return dialog

    return make


def test_export_offers_every_target_and_the_one_used_last(export_dialog: Callable[..., ExportDialog]) -> None:
    assert export_dialog().target == "fake"
    dialog = export_dialog("other", {"other": {"cell": 4.0}})
    assert dialog.target == "other"
    assert dialog.values == {"cell": 4.0, "order": "little", "crop": ()}
    assert [dialog.targets.item(row).text() for row in range(2)] == ["Fake target", "Other target"]


def test_export_forgets_values_that_no_longer_fit(export_dialog: Callable[..., ExportDialog]) -> None:
    assert export_dialog("fake", {"fake": {"cell": -4.0, "old": 1}}).values["cell"] == 1.0


def test_export_refuses_what_cannot_be_understood(export_dialog: Callable[..., ExportDialog]) -> None:
    dialog = export_dialog()
    assert dialog.form is not None
    crop = dialog.form.editor("crop")
    assert isinstance(crop, TextEditor)
    crop.line.setText("x")
    crop.line.editingFinished.emit()
    assert not ok(dialog).isEnabled()
    crop.line.setText("1, 2")
    crop.line.editingFinished.emit()
    assert ok(dialog).isEnabled()


def test_export_without_any_target_cannot_be_accepted(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("editor.panels.export_dialog.exporters", dict)
    dialog = ExportDialog(tmp_path)
    qtbot.addWidget(dialog)
    assert not ok(dialog).isEnabled()


class Reader:
    """Imports at once instead of in a worker, and notes with which values."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def start(
        self,
        work: Callable[[Job], Document],
        done: Callable[[Document], None],
        failed: Callable[[Exception], None],
    ) -> Job:
        job = Job()
        try:
            done(work(job))
        except SkerryError as error:
            failed(error)
        return job

    def read(self, path: Path, importer: str | None, values: dict[str, Any], job: Job) -> Document:
        self.calls.append(values)
        if values["order"] == "big":
            raise SkerryError("a.raw: these heights are noise in this byte order")
        return new_document(9, 5, float(values["cell"]))


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def import_dialog(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, reader: Reader) -> ImportDialog:
    monkeypatch.setattr("editor.panels.import_dialog.find_importer", lambda importer_id: Fake())
    guesses = [
        Guess("fake", "9 × 5, 16 bit, little-endian", 0.9, {"order": "little", "cell": 2.0}),
        Guess("fake", "9 × 5, 16 bit, big-endian", 0.1, {"order": "big"}),
    ]
    dialog = ImportDialog(Path("a.raw"), guesses, reader.start, reader.read)
    qtbot.addWidget(dialog)
    return dialog


def test_import_reads_the_likeliest_guess_first(import_dialog: ImportDialog, reader: Reader) -> None:
    assert not ok(import_dialog).isEnabled()
    import_dialog.later.flush()
    assert reader.calls == [{"cell": 2.0, "order": "little", "crop": ()}]
    assert import_dialog.document is not None
    assert ok(import_dialog).isEnabled()
    assert "9 × 5 vertices" in import_dialog.found.text()


def test_another_reading_can_be_chosen_and_its_failure_is_shown(import_dialog: ImportDialog) -> None:
    import_dialog.later.flush()
    import_dialog.kinds.setCurrentRow(1)
    import_dialog.later.flush()
    assert import_dialog.document is None
    assert not ok(import_dialog).isEnabled()
    assert "noise" in import_dialog.found.text()
    import_dialog.kinds.setCurrentRow(0)
    import_dialog.later.flush()
    assert import_dialog.document is not None


def test_a_changed_value_reads_again_once(import_dialog: ImportDialog, reader: Reader) -> None:
    import_dialog.later.flush()
    assert import_dialog.form is not None
    cell = import_dialog.form.editor("cell")
    assert isinstance(cell, NumberEditor)
    for value in (3.0, 4.0, 5.0):
        cell.number.set_value(value)
        assert import_dialog.document is None
    import_dialog.later.flush()
    assert [call["cell"] for call in reader.calls] == [2.0, 5.0]


def test_a_stale_answer_is_dropped(import_dialog: ImportDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    late: list[Callable[[Document], None]] = []
    jobs: list[Job] = []

    def slow(work: Any, done: Callable[[Document], None], failed: Any) -> Job:
        late.append(done)
        jobs.append(Job())
        return jobs[-1]

    monkeypatch.setattr(import_dialog, "_read", slow)
    import_dialog.later.flush()
    import_dialog.kinds.setCurrentRow(1)
    late[0](new_document(9, 5, 1.0))
    assert import_dialog.document is None
    assert jobs[0].cancelled


def test_closing_stops_the_reading(import_dialog: ImportDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job()
    monkeypatch.setattr(import_dialog, "_read", lambda work, done, failed: job)
    import_dialog.later.flush()
    import_dialog.reject()
    with pytest.raises(Cancelled):
        job.progress(0.5)


def test_the_preview_has_north_up_and_the_sea_blue(import_dialog: ImportDialog) -> None:
    heights = np.full((40, 20), -10.0, np.float32)
    heights[30:, :5] = 20.0
    picture = relief(TerrainMap(VectorField.from_heights(heights, 1.0)), 40)
    assert picture.shape == (40, 20, 3)
    north_west, south_east = picture[2, 1].astype(int), picture[-3, -2].astype(int)
    assert north_west.sum() > south_east.sum() + 150
    assert south_east[2] > south_east[0]
    import_dialog.preview.show_map(Document(Scene(TerrainMap(VectorField.from_heights(heights, 1.0)))))
    image = import_dialog.preview.grab().toImage()
    middle = image.width() // 2
    corner = image.pixelColor(middle - image.width() // 5, image.height() // 16)
    assert corner.lightness() > 180


@pytest.mark.parametrize("shape", [(2, 2), (2, 700), (301, 3), (1000, 900)])
def test_a_preview_of_any_shape_fits_and_is_finite(shape: tuple[int, int]) -> None:
    heights = np.zeros(shape, np.float32)
    picture = relief(TerrainMap(VectorField.from_heights(heights, 5.0)), 256)
    assert max(picture.shape[:2]) <= 256
    assert min(picture.shape[:2]) >= 1
