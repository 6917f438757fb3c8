"""Mask dock: the map's masks; the one chosen limits every edit."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from editor import commands
from editor.document import Document
from editor.panels import theme
from editor.panels.actions import Actions
from editor.panels.icons import icon
from editor.panels.later import Later

_NONE = "No mask: edits everywhere"
_MAKERS = (
    "mask-height", "mask-slope", "mask-aspect", "mask-curvature", "mask-cavity", "mask-coast", "mask-noise",
    "mask-layer", "mask-rectangle", "mask-flood", "mask-load",
)  # fmt: skip


class MaskDock(QDockWidget):
    """A list to choose from, and buttons for what is done to masks most."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__("Masks", parent)
        self.setObjectName("masks")
        self.document: Document | None = None
        self.later = Later(self.refresh, self)
        self.list = QListWidget()
        self.list.currentItemChanged.connect(self._choose)
        self._note = QLabel()
        self._note.setWordWrap(True)
        self._note.setStyleSheet(f"color: {theme.QUIET}; padding: 2px 8px 6px 8px;")
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(6, 6, 6, 4)
        layout.setSpacing(4)
        layout.addLayout(self._buttons(actions))
        layout.addWidget(self.list, 1)
        layout.addWidget(self._note)
        self.setWidget(body)

    def set_document(self, document: Document) -> None:
        """Show another document."""
        if self.document is not None:
            self.document.edited.disconnect(self.later.ask)
        self.document = document
        document.edited.connect(self.later.ask)
        self.refresh()

    def refresh(self) -> None:
        """List the masks there are, and mark the active one."""
        if self.document is None:
            return
        terrain = self.document.scene.terrain
        names = ["", *terrain.names("mask")]
        if names != [self._name(self.list.item(row)) for row in range(self.list.count())]:
            self.list.blockSignals(True)
            self.list.clear()
            for name in names:
                theme.add_row(self.list, name or _NONE).setData(Qt.ItemDataRole.UserRole, name)
            self.list.blockSignals(False)
        self.list.blockSignals(True)
        self.list.setCurrentRow(names.index(terrain.active_mask) if terrain.active_mask in names else 0)
        self.list.blockSignals(False)
        if not terrain.active_mask:
            self._note.setText("Paint with the Mask brush, draw a lasso (L), or make one with +")
        elif terrain.frozen:
            self._note.setText("Frozen: what is blue is protected from every edit")
        else:
            self._note.setText("Edits act on what is red, and nowhere else")

    def _buttons(self, actions: Actions) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        row.addWidget(self._menu_button("plus", "Make a mask", actions, _MAKERS))
        more = [name for name in actions.lists.get("Mask", []) if name.removeprefix("op-") not in _MAKERS]
        row.addWidget(self._menu_button("tune-variant", "Change the active mask", actions, more))
        for action_id in ("freeze", "mask-show", "isolate", "mask-none"):
            row.addWidget(self._button(actions, action_id))
        row.addStretch(1)
        rename = QToolButton()
        rename.setIcon(icon("content-save-outline"))
        rename.setToolTip("Keep a copy of the active mask under a name")
        rename.clicked.connect(self._keep)
        row.addWidget(rename)
        return row

    def _menu_button(self, name: str, tip: str, actions: Actions, ids: Iterable[str]) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name))
        button.setToolTip(tip)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        for action_id in ids:
            full = action_id if action_id.startswith("op-") else f"op-{action_id}"
            if full in actions.by_id:
                menu.addAction(actions[full])
        button.setMenu(menu)
        return button

    @staticmethod
    def _button(actions: Actions, action_id: str) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(actions[action_id])
        return button

    def _choose(self, item: QListWidgetItem | None) -> None:
        if self.document is not None and item is not None and not self.document.editing:
            commands.choose_mask(self.document, self._name(item))

    def _keep(self) -> None:
        if self.document is None or not self.document.scene.terrain.active_mask:
            return
        name, wanted = QInputDialog.getText(self, "Keep mask", "Name of the copy")
        if wanted and name.strip():
            commands.keep_mask(self.document, name.strip())

    @staticmethod
    def _name(item: QListWidgetItem) -> str:
        return str(item.data(Qt.ItemDataRole.UserRole))
