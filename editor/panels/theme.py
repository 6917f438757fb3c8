"""Theme: Fusion in calm dark greys with one accent."""

from PySide6.QtCore import QLocale, QSize
from PySide6.QtGui import QColor, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QListWidget, QListWidgetItem, QMessageBox

ACCENT = "#4fa3c7"
TEXT = "#d7dce2"
QUIET = "#939ca8"
WINDOW = "#25292f"
PANEL = "#2c3138"
BASE = "#1d2025"
BUTTON = "#363c45"
LINE = "#15181c"
WARN = "#e0a458"

_ROLES = {
    QPalette.ColorRole.Window: WINDOW,
    QPalette.ColorRole.WindowText: TEXT,
    QPalette.ColorRole.Base: BASE,
    QPalette.ColorRole.AlternateBase: PANEL,
    QPalette.ColorRole.Text: TEXT,
    QPalette.ColorRole.PlaceholderText: "#6d7682",
    QPalette.ColorRole.Button: BUTTON,
    QPalette.ColorRole.ButtonText: TEXT,
    QPalette.ColorRole.BrightText: "#ffffff",
    QPalette.ColorRole.ToolTipBase: "#3a414b",
    QPalette.ColorRole.ToolTipText: TEXT,
    QPalette.ColorRole.Highlight: "#35708c",
    QPalette.ColorRole.HighlightedText: "#ffffff",
    QPalette.ColorRole.Accent: ACCENT,
    QPalette.ColorRole.Link: ACCENT,
    QPalette.ColorRole.LinkVisited: ACCENT,
    QPalette.ColorRole.Light: "#464e59",
    QPalette.ColorRole.Midlight: "#3c434d",
    QPalette.ColorRole.Mid: "#2a2e35",
    QPalette.ColorRole.Dark: "#17191d",
    QPalette.ColorRole.Shadow: "#0e1013",
}

_SHEET = f"""
QToolTip {{ color: {TEXT}; background: #3a414b; border: 1px solid {LINE}; padding: 4px 6px; }}
QMainWindow::separator {{ background: {LINE}; width: 3px; height: 3px; }}
QMainWindow::separator:hover {{ background: {ACCENT}; }}
QDockWidget {{ font-weight: 600; color: {QUIET}; }}
QDockWidget::title {{ background: {WINDOW}; padding: 7px 10px 5px 10px; text-align: left; }}
QToolBar {{ background: {WINDOW}; border: 0; spacing: 3px; padding: 4px; }}
QToolBar::separator {{ background: #3a4049; width: 1px; height: 1px; margin: 5px; }}
QToolBar QToolButton {{ border: 1px solid transparent; border-radius: 5px; padding: 5px; }}
QToolBar QToolButton:hover {{ background: #3a414b; }}
QToolBar QToolButton:checked {{ background: #2f5d74; border-color: {ACCENT}; }}
QMenuBar {{ background: {WINDOW}; padding: 2px; }}
QMenuBar::item {{ padding: 4px 9px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: #3a414b; }}
QMenu {{ background: {PANEL}; border: 1px solid {LINE}; padding: 5px; }}
QMenu::item {{ padding: 5px 26px 5px 10px; border-radius: 4px; }}
QMenu::item:selected {{ background: #35708c; }}
QMenu::item:disabled {{ color: #6d7682; }}
QMenu::icon {{ padding-left: 8px; }}
QMenu::separator {{ height: 1px; background: #3a4049; margin: 5px 8px; }}
QStatusBar {{ background: {WINDOW}; border-top: 1px solid {LINE}; }}
QStatusBar::item {{ border: 0; }}
QStatusBar QLabel {{ padding: 2px 7px; }}
QListView {{ border: 0; background: {BASE}; outline: 0; }}
QListView::item {{ padding: 0 8px; border-radius: 3px; }}
QListView::item:selected {{ background: #2f4a5a; color: #ffffff; }}
QDialogButtonBox QPushButton, QMessageBox QPushButton {{ padding: 5px 16px; min-width: 64px; }}
QScrollArea {{ border: 0; }}
"""


def apply_theme(app: QApplication) -> None:
    """Dress an application. Numbers are written with a point everywhere, as in the files."""
    app.setStyle("Fusion")
    palette = QPalette()
    for role, colour in _ROLES.items():
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor("#6d7682"))
    palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Highlight, QColor("#3a4049"))
    app.setPalette(palette)
    app.setStyleSheet(_SHEET)
    QLocale.setDefault(QLocale.c())


def plain_buttons(box: QDialogButtonBox | QMessageBox) -> None:
    """Take the style's own coloured icons off the buttons of a dialog; they fit no theme."""
    for button in box.buttons():
        button.setIcon(QIcon())


def add_row(rows: QListWidget, text: str) -> QListWidgetItem:
    """Add a row with room around its text; the style sheet's padding is not part of what Qt measures."""
    item = QListWidgetItem(text)
    item.setSizeHint(QSize(0, rows.fontMetrics().height() + 10))
    rows.addItem(item)
    return item
