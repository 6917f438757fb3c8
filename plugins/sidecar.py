"""The JSON beside exported files: exact ranges, sizes and row order, and checksums to check them by."""

import hashlib
import importlib.metadata
from pathlib import Path
from typing import Any

import msgspec

from terrain.errors import SkerryError
from terrain.map import TerrainMap

VERSION = 1
"""Of the record's layout; a reader refuses what is newer."""

_OWN_DIGEST = "sha256"


def write_sidecar(path: Path, target: str, terrain: TerrainMap, files: list[Path], facts: dict[str, Any]) -> None:
    """Write what another program must know of `files`, which lie beside `path`; the same bytes every time."""
    low, high = terrain.field.height_range()
    record = {
        "format": "skerry-export",
        "version": VERSION,
        "generator": f"skerry {importlib.metadata.version('skerry')}",
        "target": target,
        "rows": terrain.field.rows,
        "cols": terrain.field.cols,
        "cell": terrain.field.cell,
        "origin": list(terrain.field.origin),
        "sea_level": terrain.sea_level,
        "height": {"min": low, "max": high},
        **facts,
        "files": [_file_record(file) for file in files],
    }
    # Through JSON and back, so that the digest is of what a reader will decode.
    record[_OWN_DIGEST] = _record_digest(msgspec.json.decode(msgspec.json.encode(record)))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")


def read_sidecar(path: Path) -> dict[str, Any]:
    """The record, exactly as exported; raises `SkerryError` if it is none of ours, too new, or was changed since."""
    try:
        record = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise SkerryError(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SkerryError(f"{path}: is not JSON: {error}") from None
    if not isinstance(record, dict) or record.get("format") != "skerry-export":
        raise SkerryError(f"{path}: is not the sidecar of a Skerry export")
    version = record.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise SkerryError(f"{path}: has version {version}; this Skerry knows up to {VERSION}")
    if record.get(_OWN_DIGEST) != _record_digest(record):
        raise SkerryError(f"{path}: was changed after the export; export again")
    return record


def is_sidecar(path: Path) -> bool:
    """True if a file is a sidecar of ours, sound or not."""
    try:
        return path.is_file() and b'"skerry-export"' in path.read_bytes()
    except OSError:
        return False


def check_files(folder: Path, record: dict[str, Any]) -> list[str]:
    """What is wrong with the files that a sidecar lists, one line each."""
    faults = []
    for entry in record["files"]:
        file, size = folder / entry["name"], entry["bytes"]
        try:
            if not file.is_file():
                faults.append(f"{file}: is missing")
            elif file.stat().st_size != size:
                faults.append(f"{file}: has {file.stat().st_size:,} bytes instead of {size:,}")
            elif _digest(file) != entry["sha256"]:
                faults.append(f"{file}: its contents are not what was exported (checksum)")
        except OSError as error:
            faults.append(f"{file}: cannot be read: {error.strerror}")
    return faults


def _file_record(file: Path) -> dict[str, Any]:
    return {"name": file.name, "bytes": file.stat().st_size, "sha256": _digest(file)}


def _record_digest(record: dict[str, Any]) -> str:
    """Of the record without its digest, in a form that layout and order of keys do not change."""
    rest = {key: value for key, value in record.items() if key != _OWN_DIGEST}
    return hashlib.sha256(msgspec.json.encode(rest, order="deterministic")).hexdigest()


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
