"""History dock: every step; a click travels to the state after it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QDockWidget, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from editor.commands import bytes_text, travel
from editor.document import Document
from editor.panels import theme
from editor.panels.icons import icon
from editor.panels.later import Later

_ICONS = {
    "Raise / lower": "arrow-up-bold-outline",
    "Along normal": "arrow-expand-all",
    "Along view": "eye-arrow-right-outline",
    "Smooth": "blur",
    "Sea level": "waves",
}


class HistoryDock(QDockWidget):
    """A list of done steps, then the undone ones in grey; below it the memory they hold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("History", parent)
        self.setObjectName("history")
        self.document: Document | None = None
        self.later = Later(self.refresh, self)
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setIconSize(QSize(16, 16))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.itemClicked.connect(self._clicked)
        self.memory = QLabel()
        self.memory.setStyleSheet(f"color: {theme.QUIET}; padding: 5px 10px;")
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.list)
        layout.addWidget(self.memory)
        self.setWidget(body)

    def set_document(self, document: Document) -> None:
        """Show another document's steps."""
        if self.document is not None:
            self.document.edited.disconnect(self.later.ask)
        self.document = document
        document.edited.connect(self.later.ask)
        self.refresh()

    def refresh(self) -> None:
        """Bring the list up to date, touching only rows that changed."""
        if self.document is None:
            return
        history = self.document.history
        labels = ["Start", *(step.label for step in history.done), *(step.label for step in reversed(history.undone))]
        while self.list.count() > len(labels):
            self.list.takeItem(self.list.count() - 1)
        for row, label in enumerate(labels):
            self._show_row(row, label, undone=row > len(history.done))
        here = self.list.item(len(history.done))
        self.list.setCurrentItem(here)
        self.list.scrollToItem(here)
        self.memory.setText(f"{bytes_text(history.nbytes)} of {bytes_text(history.budget)} for undo")

    def _show_row(self, row: int, label: str, undone: bool) -> None:
        item = self.list.item(row)
        if item is None:
            item = theme.add_row(self.list, "")
        if item.text() != label:
            item.setText(label)
            name = "flag-outline" if row == 0 else _ICONS.get(label, "pencil-outline")
            item.setIcon(icon(name, theme.QUIET))
        item.setForeground(QBrush(QColor("#6d7682" if undone else theme.TEXT)))
        font = item.font()
        if font.italic() != undone:
            font.setItalic(undone)
            item.setFont(font)

    def _clicked(self, item: QListWidgetItem) -> None:
        if self.document is not None and not self.document.editing:
            travel(self.document, self.list.row(item))
