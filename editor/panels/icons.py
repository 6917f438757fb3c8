"""Icons: Material Design glyphs from the font that qtawesome carries.

They are drawn here, because importing qtawesome (with qtpy) costs a third of a second of every start.
"""

import importlib.util
import json
import logging
from functools import cache
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPixmap

from editor.panels.theme import TEXT

_SIZES = (16, 20, 24, 32, 48, 64)
_DIM = "#565e69"
_log = logging.getLogger(__name__)


@cache
def icon(name: str, colour: str = TEXT) -> QIcon:
    """An icon by its Material Design name, such as `terrain`; empty (and logged) if there is none."""
    family, glyphs = _font()
    if name not in glyphs:
        _log.warning("there is no icon '%s'", name)
        return QIcon()
    made = QIcon()
    for size in _SIZES:
        made.addPixmap(_draw(family, glyphs[name], size, colour), QIcon.Mode.Normal)
        made.addPixmap(_draw(family, glyphs[name], size, _DIM), QIcon.Mode.Disabled)
    return made


@cache
def _font() -> tuple[str, dict[str, str]]:
    """The font's family name and its glyphs by name."""
    spec = importlib.util.find_spec("qtawesome")
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        fonts = Path(place) / "fonts"
        for font in sorted(fonts.glob("materialdesignicons6-webfont*.ttf")):
            table = fonts / font.name.replace("webfont", "webfont-charmap").replace(".ttf", ".json")
            families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(font)))
            if families and table.exists():
                codes = json.loads(table.read_text(encoding="utf-8"))
                return families[0], {name: chr(int(code, 16)) for name, code in codes.items()}
    _log.warning("the icon font was not found; buttons have names only")
    return "", {}


def _draw(family: str, glyph: str, size: int, colour: str) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    font = QFont(family)
    font.setPixelSize(size)
    painter = QPainter(pixmap)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(QRectF(QPointF(0, 0), QPointF(size, size)), Qt.AlignmentFlag.AlignCenter, glyph)
    painter.end()
    return pixmap
