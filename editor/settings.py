"""Settings: what the editor remembers of its user between sessions, as one JSON file."""

import logging
import os
from pathlib import Path
from typing import Any, Literal

import msgspec

MOST_RECENT = 10
"""How many recent files are kept."""

Navigation = Literal["blender", "maya"]

_log = logging.getLogger(__name__)


class Settings(msgspec.Struct):
    """Everything remembered; unknown fields of newer versions are ignored, absent ones take these defaults."""

    recent: list[str] = []
    """Absolute paths of map files, newest first."""
    navigation: Navigation = "blender"
    geometry: str = ""
    """Size and place of the window, base64 of Qt's own record."""
    docks: str = ""
    """Places of docks and toolbars, likewise."""
    folder: str = ""
    """Where the last file dialog was."""
    brushes: dict[str, dict[str, Any]] = {}
    """Parameters of each brush by id."""
    exports: dict[str, dict[str, Any]] = {}
    """Parameters last used with each export target."""
    target: str = ""
    """Export target last used."""

    views: dict[str, list[float]] = {}
    """Kept views by the number of their key: target (3), yaw, pitch, distance."""

    def used(self, path: Path) -> None:
        """Put a map at the top of the recent files."""
        text = str(path.resolve())
        self.recent = [text, *(other for other in self.recent if other != text)][:MOST_RECENT]
        self.folder = str(path.resolve().parent)

    def forget(self, path: Path) -> None:
        """Take a map off the recent files."""
        self.recent = [other for other in self.recent if other != str(path)]


def settings_path() -> Path:
    """The file, in the folder that the system gives to user settings."""
    import platformdirs

    return Path(platformdirs.user_config_dir("skerry", appauthor=False)) / "settings.json"


def load_settings(path: Path) -> Settings:
    """Settings from a file; the defaults where it is absent or cannot be understood (that is logged)."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Settings)
    except FileNotFoundError:
        return Settings()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        _log.warning("settings in %s are not readable, starting with defaults: %s", path, error)
        return Settings()


def save_settings(path: Path, settings: Settings) -> None:
    """Write the settings beside the old file and put them in its place; a failure is logged, never raised."""
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(settings), indent=2))
        os.replace(beside, path)
    except OSError as error:
        _log.warning("settings could not be kept in %s: %s", path, error)
