"""Actions: every command of the window with its text, icon, shortcut and place, in one table."""

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from editor.panels.icons import icon

Key = QKeySequence.StandardKey


class ActionSpec(NamedTuple):
    """One action. keys: standard keys or texts such as `Ctrl+E`; group: only one of a group is checked."""

    id: str
    text: str
    icon: str = ""
    keys: tuple[QKeySequence.StandardKey | str, ...] = ()
    tip: str = ""
    checkable: bool = False
    group: str = ""


SPECS = (
    ActionSpec("new", "&New…", "file-plus-outline", (Key.New,), "New level map"),
    ActionSpec("open", "&Open…", "folder-open-outline", (Key.Open,), "Open a map"),
    ActionSpec("import", "&Import…", "import", ("Ctrl+I",), "Import heights from any other file"),
    ActionSpec("save", "&Save", "content-save-outline", (Key.Save,), "Save the map"),
    ActionSpec(
        "save-as", "Save &As…", "content-save-edit-outline", (Key.SaveAs, "Ctrl+Shift+S"), "Save under a new name"
    ),
    ActionSpec("export", "&Export…", "export", ("Ctrl+E",), "Export for a game or another program"),
    ActionSpec("sample", "Sample &Island", "island", (), "Start again from the ready-made island"),
    ActionSpec("quit", "&Quit", "exit-to-app", (Key.Quit, "Ctrl+Q")),
    ActionSpec("undo", "&Undo", "undo", (Key.Undo,)),
    ActionSpec("redo", "&Redo", "redo", (Key.Redo, "Ctrl+Shift+Z", "Ctrl+Y")),
    ActionSpec("smaller", "Smaller Brush", "", ("[",)),
    ActionSpec("larger", "Larger Brush", "", ("]",)),
    ActionSpec("weaker", "Weaker", "", ("{",)),
    ActionSpec("stronger", "Stronger", "", ("}",)),
    ActionSpec("drag-radius", "Drag Radius", "resize", (), "Move the pointer to change the radius, click to keep it"),
    ActionSpec("drag-strength", "Drag Strength", "arrow-up-down", (), "Move the pointer to change the strength"),
    ActionSpec(
        "axis", "Symmetry Axis &Here", "axis-z-arrow", ("Shift+A",), "Move the axis of symmetry under the pointer"
    ),
    ActionSpec("frame", "&Frame All", "fit-to-screen-outline", ("Home",), "See the whole map"),
    ActionSpec("walk", "&Walk", "walk", ("Shift+W",), "Walk on the ground, eye at 1.7 m", checkable=True),
    ActionSpec("view-top", "From &Above", "arrow-collapse-down", ("Num+7",)),
    ActionSpec("view-north", "Looking &North", "", ("Num+1",)),
    ActionSpec("view-east", "Looking &East", "", ("Ctrl+Num+3",)),
    ActionSpec("view-south", "Looking &South", "", ("Ctrl+Num+1",)),
    ActionSpec("view-west", "Looking &West", "", ("Num+3",)),
    ActionSpec("sea", "Show &Sea", "waves", ("Shift+O",), "Show the sea plane", checkable=True),
    ActionSpec("contours", "&Contour Lines", "chart-line-variant", ("Shift+C",), "Show lines of equal height", True),
    ActionSpec("tint-natural", "&Natural", "", (), "Beach, grass, rock and snow", True, "shading"),
    ActionSpec("tint-height", "By &Height", "", (), "Colours by height and depth", True, "shading"),
    ActionSpec("tint-slope", "By &Slope", "", (), "Colours by steepness", True, "shading"),
    ActionSpec("tint-matcap", "&Matcap", "", (), "A studio light that shows form", True, "shading"),
    ActionSpec("tint-normal", "N&ormals", "", (), "Which way the surface faces", True, "shading"),
    ActionSpec("tint-stretch", "S&tretch", "", (), "Grey where cells are even, red where stretched", True, "shading"),
    ActionSpec("tint-occlusion", "Sky &Light", "", (), "The baked sky light (Map > Bake Sky Light)", True, "shading"),
    ActionSpec("tint-clay", "&Clay", "", (), "One colour, to see the form alone", True, "shading"),
    *(ActionSpec(f"view-{n}", f"View &{n}", "", (f"F{n + 4}",), "Look through a kept view") for n in range(1, 5)),
    *(ActionSpec(f"keep-{n}", f"Keep as View {n}", "", (f"Ctrl+F{n + 4}",)) for n in range(1, 5)),
    ActionSpec("wire", "&Wireframe", "grid", ("Shift+Z",), "Show the cells' edges", True),
    ActionSpec("readout", "&Readout", "crosshairs-gps", ("Shift+H",), "Height and slope beside the pointer", True),
    ActionSpec("mask-show", "Show &Mask", "eye-outline", ("Shift+M",), "Lay the active mask over the land", True),
    ActionSpec("isolate", "&Isolate", "image-filter-center-focus", ("/",), "Hide all that the mask leaves out", True),
    ActionSpec("freeze", "&Freeze", "snowflake", ("Shift+X",), "Let the mask protect what it covers", True),
    ActionSpec("mask-none", "&No Mask", "selection-off", ("Ctrl+D",), "Let edits through everywhere"),
    ActionSpec("select-lasso", "&Lasso", "lasso", ("L",), "Draw around it. Shift adds, Ctrl takes away", True, "tool"),
    ActionSpec(
        "select-rectangle", "&Rectangle", "selection-drag", ("Shift+L",), "Drag from corner to corner", True, "tool"
    ),
    ActionSpec("select-flood", "&Flood", "auto-fix", ("U",), "Click: what is joined to it and alike", True, "tool"),
    ActionSpec("transform-move", "&Move", "cursor-move", (), "Move the selected vertices", True, "tool"),
    ActionSpec("transform-turn", "&Turn", "rotate-3d-variant", (), "Turn the selected vertices", True, "tool"),
    ActionSpec("transform-scale", "&Scale", "resize", (), "Scale the selected vertices", True, "tool"),
    ActionSpec("nav-blender", "&Blender", "", (), "Middle drag turns, Shift pans, wheel zooms", True, "navigation"),
    ActionSpec("nav-maya", "&Maya", "", (), "Alt with left turns, middle pans, right zooms", True, "navigation"),
    ActionSpec("keys", "&Keys and Mouse", "keyboard-outline", (Key.HelpContents,)),
    ActionSpec("about", "&About Skerry", "information-outline"),
)

MENUS: dict[str, tuple[str, ...]] = {
    "&File": ("new", "open", ">recent", "import", "", "save", "save-as", "export", "", "sample", "", "quit"),
    "&Edit": ("undo", "redo"),
    "&Map": ("transform-move", "transform-turn", "transform-scale", "", "*Map"),
    "Fi&lter": ("*Filter",),
    "E&rosion": ("*Erosion",),
    "Mas&k": (
        "select-lasso", "select-rectangle", "select-flood", "", "mask-none", "freeze", "", "mask-show", "isolate", "",
        "*Mask",
    ),
    "&Brush": (
        ">brushes", "", "smaller", "larger", "drag-radius", "", "weaker", "stronger", "drag-strength", "", "axis",
    ),
    "&View": (
        "frame", "view-top", "view-north", "view-east", "view-south", "view-west", "",
        "walk", "", "sea", "contours", "wire", "readout", ">shading", "", ">bookmarks", ">navigation", "", ">docks",
    ),
    "&Help": ("keys", "about"),
}  # fmt: skip
"""Menus by title: action ids, '' for a separator, '>name' for a submenu, '*name' for what `Actions.lists` has."""

TOOLS = (
    "new", "open", "import", "save", "export", "", "undo", "redo", "", "frame", "view-top", "walk", "sea", "wire", "",
    "select-lasso", "select-rectangle", "select-flood", "mask-show", "freeze", "isolate", "mask-none", "",
    "transform-move", "transform-turn", "transform-scale",
)  # fmt: skip
"""The upper tool bar."""


class Actions:
    """The QActions by id, and the submenus by name, of one window."""

    def __init__(self, window: QWidget) -> None:
        self.by_id: dict[str, QAction] = {}
        self.submenus: dict[str, QMenu] = {}
        self.lists: dict[str, list[str]] = {}
        """Action ids that other parts add to a menu, by the name that `MENUS` has for them."""
        self.families: dict[str, list[str]] = {}
        """Action ids of the brushes by family."""
        self._groups: dict[str, QActionGroup] = {}
        self._window = window
        for spec in SPECS:
            self.add(spec)

    def __getitem__(self, action_id: str) -> QAction:
        return self.by_id[action_id]

    def add(self, spec: ActionSpec) -> QAction:
        """Make one more action."""
        action = QAction(spec.text, self._window)
        action.setObjectName(spec.id)
        if spec.icon:
            action.setIcon(icon(spec.icon))
        if spec.keys:
            action.setShortcuts(sequences(spec.keys))
        plain = spec.text.replace("&", "").rstrip("…")
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{spec.tip or plain}  ({keys})" if keys else spec.tip or plain)
        action.setStatusTip("")
        action.setCheckable(spec.checkable)
        if spec.group:
            if spec.group not in self._groups:
                self._groups[spec.group] = QActionGroup(self._window)
                if spec.group == "tool":
                    # None of them: the brush is in hand.
                    self._groups[spec.group].setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
            self._groups[spec.group].addAction(action)
        self._window.addAction(action)
        self.by_id[spec.id] = action
        return action

    def fill(self, bar: QMenuBar) -> None:
        """Build the menus."""
        for title, ids in MENUS.items():
            menu = bar.addMenu(title)
            menu.setToolTipsVisible(True)
            for action_id in ids:
                if action_id == ">brushes":
                    self._brush_place(menu)
                elif action_id.startswith("*"):
                    for listed in self.lists.get(action_id[1:], ()):
                        menu.addAction(self.by_id[listed])
                elif action_id.startswith(">"):
                    self._submenu(menu, action_id[1:])
                elif action_id:
                    menu.addAction(self.by_id[action_id])
                else:
                    menu.addSeparator()

    def _brush_place(self, menu: QMenu) -> None:
        for family, ids in self.families.items():
            submenu = menu.addMenu(family)
            submenu.setToolTipsVisible(True)
            for action_id in ids:
                submenu.addAction(self.by_id[action_id])

    def _submenu(self, menu: QMenu, name: str) -> None:
        titles = {
            "recent": "Open &Recent", "navigation": "Mouse &Navigation", "docks": "&Panels", "shading": "S&hading",
            "bookmarks": "&Bookmarks",
        }  # fmt: skip
        self.submenus[name] = menu.addMenu(titles[name])
        self.submenus[name].setToolTipsVisible(True)
        if name == "bookmarks":
            for action_id in (*(f"view-{n}" for n in range(1, 5)), *(f"keep-{n}" for n in range(1, 5))):
                self.submenus[name].addAction(self.by_id[action_id])
        for action in self._groups[name].actions() if name in self._groups else ():
            self.submenus[name].addAction(action)


def sequences(keys: Iterable[QKeySequence.StandardKey | str]) -> list[QKeySequence]:
    """Each key once: the platform's own (its first) of a standard action, or what a text names.

    Where two are the same, as Ctrl+Q and Quit are on Linux, Qt would call the key ambiguous and do nothing.
    """
    found: list[QKeySequence] = []
    for key in keys:
        for sequence in [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key)[:1]:
            if sequence not in found:
                found.append(sequence)
    return found
