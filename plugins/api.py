"""The public door: the contracts that importers, exporters, operations and brushes fulfil.

A plugin is a class with an `id`, a `label`, a `Params` class and one or two methods, registered by the
decorators of `plugins.registry`. Its form, command-line options, recipe lines and docs come from that class.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.errors import Cancelled, SkerryError
from terrain.map import Array, TerrainMap
from terrain.params import Params, about
from terrain.tiles import Rect

__all__ = [
    "Brush",
    "BrushParams",
    "Cancelled",
    "Dab",
    "Exporter",
    "Guess",
    "Importer",
    "Job",
    "Operation",
    "Params",
    "Patch",
    "Rect",
    "Report",
    "Scene",
    "SkerryError",
    "Stroke",
    "TerrainMap",
    "Window",
    "about",
]


@dataclass
class Scene:
    """Everything that one map file holds."""

    terrain: TerrainMap
    stamp: str = ""
    """Names the saved state of the file that this scene was read from; set by the store only."""


class Job:
    """Progress and cancel of one piece of long work; plain calls are fine without a listener."""

    def __init__(self, on_progress: Callable[[float, str], None] | None = None) -> None:
        self._on_progress = on_progress
        self._cancelled = False

    def progress(self, share: float, doing: str = "") -> None:
        """Report the share done (0..1) and raise `Cancelled` if the person has asked to stop."""
        if self._cancelled:
            raise Cancelled
        if self._on_progress is not None:
            self._on_progress(min(1.0, max(0.0, share)), doing)

    @property
    def cancelled(self) -> bool:
        """True once somebody asked to stop."""
        return self._cancelled

    def cancel(self) -> None:
        """Ask the work to stop at its next report; may be called from any thread."""
        self._cancelled = True


@dataclass
class Patch:
    """What an operation wants changed: new values of parts of arrays, and settings."""

    arrays: Mapping[str, tuple[Rect, Array]] = field(default_factory=dict)
    """By array key: where, and the new values there (an absent array is created from its fill value)."""
    removed: tuple[str, ...] = ()
    """Keys of arrays to take away; one that is not there is no fault."""
    sea_level: float | None = None
    active_mask: str | None = None
    """Mask that limits edits from now on; None leaves it."""
    terrain: TerrainMap | None = None
    """A whole new map, of another size perhaps, in place of everything above."""


@dataclass(frozen=True)
class Guess:
    """What an importer makes of a file before reading it."""

    importer: str
    """Id of the importer."""
    summary: str
    """One line for a person: what the file seems to be."""
    confidence: float
    """0..1; the importer most sure of a file reads it."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Parameter values that this guess implies (a raw file's width, height, byte order, ...)."""


@dataclass(frozen=True)
class Report:
    """What an exporter wrote."""

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()
    """Lines a person should read: ranges, rules applied, warnings."""


class Importer(Protocol):
    """Reads a foreign file into a new scene.

    One with `last_resort = True` is asked only about files that no other importer knows.
    """

    id: ClassVar[str]
    label: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    """Lower-case name endings such as `.tif`; a hint for file dialogs, never proof."""
    Params: ClassVar[type[Params]]

    def probe(self, path: Path) -> list[Guess]:
        """What this file may be, likeliest first; empty if not this importer's. Never raises on content."""

    def read(self, path: Path, params: Any, job: Job) -> Scene:
        """The file as a new scene; raises `SkerryError` with one line for anything wrong with it."""


class Exporter(Protocol):
    """Writes a scene into a folder for another program."""

    id: ClassVar[str]
    label: ClassVar[str]
    Params: ClassVar[type[Params]]

    def write(self, scene: Scene, folder: Path, params: Any, job: Job) -> Report:
        """Write all files or none; raises `SkerryError` with one line."""

    def check(self, folder: Path) -> list[str]:
        """Read back what `write` made and return what is wrong with it, one line each; empty if sound."""


class Operation:
    """Changes a whole map at once; pure: reads a snapshot, returns a patch. Derive from this."""

    id: ClassVar[str]
    label: ClassVar[str]
    Params: ClassVar[type[Params]] = Params
    menu: ClassVar[str] = "Map"
    """The menu of the window in which it stands: `Map`, `Mask`, `Filter` or `Erosion`."""
    uses_mask: ClassVar[bool] = False
    """True if the operation applies the active mask itself, or no mask makes sense for it."""

    def run(self, scene: Scene, params: Any, job: Job) -> Patch:
        """The changes; raises `Cancelled` at a progress report if asked to stop, `SkerryError` with one line."""
        raise NotImplementedError
