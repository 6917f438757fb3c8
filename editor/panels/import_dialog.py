"""Import dialog: what the file may be, the importer's form, a preview and what was found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPixmap, QPolygonF
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from editor.commands import source_lines
from editor.document import Document
from editor.panels import theme
from editor.panels.form import ParamsForm
from editor.panels.later import Later
from editor.panels.relief import relief
from plugins.api import Guess, Job
from plugins.registry import find_importer
from terrain.errors import Cancelled, SkerryError
from terrain.params import from_mapping, to_mapping

Read = Callable[[Callable[[Job], Document], Callable[[Document], None], Callable[[Exception], None]], Job]
"""Starts work in the background: (work, done, failed) gives its job."""
Importing = Callable[[Path, str | None, dict[str, Any], Job], Document]

_SIDE = 280


class Preview(QWidget):
    """A relief of the map from above with an arrow to the north."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(_SIDE, _SIDE)
        self._picture: QPixmap | None = None
        self._text = ""

    def show_text(self, text: str) -> None:
        """Show a line instead of a picture."""
        self._picture, self._text = None, text
        self.update()

    def show_map(self, document: Document) -> None:
        """Show a map."""
        ratio = self.devicePixelRatioF()
        pixels = relief(document.scene.terrain, int(_SIDE * ratio))
        height, width = pixels.shape[:2]
        image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
        self._picture = QPixmap.fromImage(image)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Draw it as large as it fits."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), QColor(theme.BASE))
        if self._picture is None:
            painter.setPen(QColor(theme.QUIET))
            area = self.rect().adjusted(12, 12, -12, -12)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
        else:
            size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
            left, top = (self.width() - size.width()) // 2, (self.height() - size.height()) // 2
            painter.drawPixmap(left, top, size.width(), size.height(), self._picture)
            self._draw_north(painter)
        painter.end()

    def _draw_north(self, painter: QPainter) -> None:
        painter.translate(self.width() - 24, 28)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(18, 20, 24, 170))
        painter.drawEllipse(QRectF(-17, -20, 34, 40))
        painter.setBrush(QColor("#e06c60"))
        painter.drawPolygon(QPolygonF.fromList([QPointF(0, -16), QPointF(6, 0), QPointF(-6, 0)]))
        painter.setPen(QColor("#f2f5f8"))
        painter.drawText(QRectF(-12, 0, 24, 18), Qt.AlignmentFlag.AlignCenter, "N")
        painter.resetTransform()


class ImportDialog(QDialog):
    """Asks how to read a file; `document` is the map as last read with the values shown, or None."""

    def __init__(
        self, path: Path, guesses: list[Guess], read: Read, importing: Importing, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Import {path.name}")
        self.resize(860, 560)
        self.path, self.guesses = path, guesses
        self.document: Document | None = None
        self.form: ParamsForm | None = None
        self._read, self._importing = read, importing
        self._job: Job | None = None
        self._turn = 0
        self.later = Later(self._start, self, 250)
        self.kinds = QListWidget()
        self.kinds.setMaximumHeight(132)
        self.kinds.setTextElideMode(Qt.TextElideMode.ElideRight)
        for guess in guesses:
            theme.add_row(self.kinds, guess.summary).setToolTip(guess.summary)
        self.preview = Preview()
        self.found = QLabel()
        self.found.setWordWrap(True)
        self.found.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.found.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.found.setStyleSheet(f"color: {theme.QUIET};")
        self._area = QScrollArea()
        self._lay_out()
        self.kinds.currentRowChanged.connect(self._choose)
        self.kinds.setCurrentRow(0)

    @property
    def guess(self) -> Guess:
        """The chosen reading of the file."""
        return self.guesses[max(0, self.kinds.currentRow())]

    @property
    def values(self) -> dict[str, Any]:
        """Parameters to import with."""
        return {} if self.form is None else to_mapping(self.form.params)

    def done(self, result: int) -> None:
        """Close; work that nobody waits for any more is stopped."""
        self._stop()
        super().done(result)

    def _lay_out(self) -> None:
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        found = QScrollArea()
        found.setWidgetResizable(True)
        found.setFrameShape(QFrame.Shape.NoFrame)
        found.setFixedWidth(_SIDE)
        found.setWidget(self.found)
        left, right, middle = QVBoxLayout(), QVBoxLayout(), QHBoxLayout()
        heading = QLabel("Read as")
        heading.setStyleSheet("font-weight: 600;")
        left.addWidget(heading)
        left.addWidget(self.kinds)
        left.addWidget(self._area, 1)
        right.addWidget(self.preview)
        right.addWidget(found, 1)
        middle.addLayout(left, 1)
        middle.addLayout(right)
        middle.setSpacing(14)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self._ok.setText("Import")
        self._ok.setEnabled(False)
        theme.plain_buttons(buttons)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(middle, 1)
        layout.addWidget(buttons)

    def _choose(self) -> None:
        importer = find_importer(self.guess.importer)
        try:
            values = from_mapping(importer.Params, dict(self.guess.params))
        except SkerryError as error:
            self._failed(error)
            return
        self.form = ParamsForm(importer.Params, values)
        self.form.changed.connect(self._stale)
        self.form.invalid.connect(self._invalid)
        self._area.setWidget(self.form)
        self._stale()

    def _stale(self) -> None:
        self._stop()
        self.document = None
        self._ok.setEnabled(False)
        self.preview.show_text("Reading…")
        self.later.ask()

    def _invalid(self, text: str) -> None:
        if text:
            self._failed(SkerryError(text))

    def _start(self) -> None:
        self._turn += 1
        turn, importer, values = self._turn, self.guess.importer, self.values

        def done(document: Document) -> None:
            if turn == self._turn:
                self._show(document)

        def failed(error: Exception) -> None:
            if turn == self._turn:
                self._failed(error)

        self._job = self._read(lambda job: self._importing(self.path, importer, values, job), done, failed)

    def _stop(self) -> None:
        self._turn += 1
        self.later.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _show(self, document: Document) -> None:
        self.document = document
        self.preview.show_map(document)
        terrain = document.scene.terrain
        heights = terrain.field.offset[..., 2]
        lines = source_lines(document) or [
            f"{terrain.field.cols} × {terrain.field.rows} vertices",
            f"{float(np.min(heights)):.2f} … {float(np.max(heights)):.2f} m",
        ]
        self.found.setText("\n".join(lines))
        self._ok.setEnabled(True)
        self._ok.setDefault(True)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, Cancelled):
            return
        self.document = None
        self._ok.setEnabled(False)
        self.preview.show_text("This reading does not work")
        self.found.setText(str(error))
        if not isinstance(error, SkerryError):
            raise error
