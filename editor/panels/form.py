"""ParamsForm: the form of a Params class; brushes, importers and exporters all use this one."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QMenu, QSizePolicy, QVBoxLayout, QWidget

from editor.panels import theme
from editor.panels.editors import Editor, make_editor
from editor.panels.fold import Fold
from editor.panels.icons import icon
from terrain.errors import SkerryError
from terrain.params import ParamInfo, Params, describe, from_mapping

Range = tuple[float, float]


class FieldLabel(QLabel):
    """The name of a field; a double click or its menu resets the field, and it shines while not at its default."""

    reset = Signal()

    def __init__(self, info: ParamInfo, parent: QWidget | None = None) -> None:
        super().__init__(title(info.name), parent)
        self.setToolTip(tooltip(info))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def mark(self, changed: bool) -> None:
        """Show whether the field differs from its default."""
        self.setStyleSheet(f"color: {theme.ACCENT if changed else theme.QUIET};")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Reset."""
        self.reset.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Offer to reset."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icon("backup-restore"), "Reset to default", self.reset.emit)
        menu.popup(event.globalPos())


class ParamsForm(QWidget):
    """One row a field: label, editor. `changed` carries the new Params whenever they are valid.

    soft: by field, the span of its slider where the allowed range is wider than anybody wants.
    hidden: fields that keep their value but are not shown.
    """

    changed = Signal(object)
    invalid = Signal(str)
    """Emitted with one line while some field cannot be understood."""

    def __init__(
        self,
        cls: type[Params],
        values: Params | None = None,
        *,
        soft: Mapping[str, Range] | None = None,
        hidden: frozenset[str] = frozenset(),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.cls = cls
        self._values = cls() if values is None else values
        self._setting = False
        self._editors: dict[str, Editor] = {}
        self._labels: dict[str, FieldLabel] = {}
        self._stack = QVBoxLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.setSpacing(0)
        self._grids: dict[str, QGridLayout] = {}
        for info in describe(cls):
            if info.name not in hidden:
                self._add_row(self._grid(info.group), info, (soft or {}).get(info.name) or soft_range(info))
        self._stack.addStretch(1)
        self.set_params(self._values)

    @property
    def params(self) -> Params:
        """The last valid values."""
        return self._values

    def set_params(self, params: Params) -> None:
        """Show these values; emits nothing."""
        self._setting = True
        self._values = params
        for name, editor in self._editors.items():
            editor.set_value(getattr(params, name))
        self._setting = False
        self._mark()

    def editor(self, name: str) -> Editor:
        """The editor of one field."""
        return self._editors[name]

    def focus_first(self) -> None:
        """Let the keyboard go to the first field."""
        for editor in list(self._editors.values())[:1]:
            editor.setFocus()

    def reset(self, name: str) -> None:
        """Put one field back to its default."""
        self._editors[name].set_value(getattr(self.cls(), name))
        self._take()

    def _grid(self, group: str) -> QGridLayout:
        """The rows of one group, which a heading folds away; those without a group are always in sight."""
        if group not in self._grids:
            body = QWidget()
            grid = QGridLayout(body)
            grid.setContentsMargins(10, 6, 10, 8)
            grid.setHorizontalSpacing(10)
            grid.setVerticalSpacing(7)
            grid.setColumnStretch(1, 1)
            self._stack.addWidget(Fold(group, body) if group else body)
            self._grids[group] = grid
        return self._grids[group]

    def _add_row(self, layout: QGridLayout, info: ParamInfo, soft: Range | None) -> None:
        row = layout.rowCount()
        label, editor = FieldLabel(info), make_editor(info, soft)
        editor.setToolTip(tooltip(info))
        label.setBuddy(editor)
        label.reset.connect(lambda name=info.name: self.reset(name))
        editor.edited.connect(self._take)
        layout.addWidget(label, row, 0)
        layout.addWidget(editor, row, 1)
        self._labels[info.name], self._editors[info.name] = label, editor

    def _take(self) -> None:
        if self._setting:
            return
        values: dict[str, Any] = {info.name: getattr(self._values, info.name) for info in describe(self.cls)}
        values.update({name: editor.value() for name, editor in self._editors.items()})
        try:
            params = from_mapping(self.cls, values)
        except SkerryError as error:
            self.invalid.emit(str(error))
            return
        if params != self._values:
            self._values = params
            self._mark()
            self.changed.emit(params)
        self.invalid.emit("")

    def _mark(self) -> None:
        plain = self.cls()
        for name, label in self._labels.items():
            label.mark(getattr(plain, name) != getattr(self._values, name))


def title(name: str) -> str:
    """`height_scale` becomes `Height scale`."""
    return name.replace("_", " ").capitalize()


def tooltip(info: ParamInfo) -> str:
    """What a field means, what it may be and what it is by default."""
    lines = [info.doc or title(info.name)]
    unit = f" {info.unit}" if info.unit else ""
    if info.low is not None and info.high is not None:
        lines.append(f"{info.low:g} to {info.high:g}{unit}")
    elif info.low is not None:
        lines.append(f"{info.low:g}{unit} or more")
    elif info.high is not None:
        lines.append(f"at most {info.high:g}{unit}")
    default = "automatic" if info.default is None else f"{info.default}{unit}" if info.default != "" else "empty"
    lines.append(f"Default: {default} (double-click the name to reset)")
    return "\n".join(lines)


def soft_range(info: ParamInfo) -> Range | None:
    """The slider's span of a number: its limits, or a span around its default if those are far apart."""
    if info.kind not in ("float", "int") or info.optional or info.low is None or info.high is None:
        return None
    default = float(info.default)
    if default > 0 and info.high > 100.0 * default:
        return (max(info.low, default / 50.0), min(info.high, default * 50.0))
    return (info.low, info.high)
