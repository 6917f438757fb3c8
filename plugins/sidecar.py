"""The JSON beside exported files: exact ranges, sizes and row order, and checksums to check them by."""

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from terrain.errors import SkerryError
from terrain.map import TerrainMap

VERSION = 1
GENERATOR = "skerry"


def write_sidecar(path: Path, target: str, terrain: TerrainMap, files: list[Path], facts: dict[str, Any]) -> None:
    """Write what another program must know of `files`, which lie beside `path`; the same bytes every time."""
    low, high = terrain.field.height_range()
    record = {
        "format": "skerry-export",
        "version": VERSION,
        "generator": GENERATOR,
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
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")


def read_sidecar(path: Path) -> dict[str, Any]:
    """The record; raises `SkerryError` if it is none of ours."""
    try:
        record = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise SkerryError(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SkerryError(f"{path}: is not JSON: {error}") from None
    if not isinstance(record, dict) or record.get("format") != "skerry-export":
        raise SkerryError(f"{path}: is not the sidecar of a Skerry export")
    return record


def check_files(folder: Path, record: dict[str, Any]) -> list[str]:
    """What is wrong with the files that a sidecar lists, one line each."""
    faults = []
    for entry in record.get("files", ()):
        file = folder / str(entry.get("name"))
        if not file.is_file():
            faults.append(f"{file}: is missing")
        elif file.stat().st_size != entry.get("bytes"):
            faults.append(f"{file}: has {file.stat().st_size:,} bytes instead of {entry.get('bytes'):,}")
        elif _digest(file) != entry.get("sha256"):
            faults.append(f"{file}: its contents are not what was exported (checksum)")
    return faults


def _file_record(file: Path) -> dict[str, Any]:
    return {"name": file.name, "bytes": file.stat().st_size, "sha256": _digest(file)}


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
