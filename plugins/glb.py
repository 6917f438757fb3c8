"""GLB, the binary form of glTF 2.0 (Khronos specification), streamed part by part."""

import os
import shutil
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from plugins.meshing import Mesh
from terrain.errors import SkerryError

MOST_BYTES = 0xFFFFFFFF
"""Size of the largest .glb: its length is a uint32."""

_MAGIC, _JSON, _BIN = 0x46546C67, 0x4E4F534A, 0x004E4942
_FLOAT, _USHORT, _UINT = 5126, 5123, 5125
_DTYPES: dict[int, np.dtype[Any]] = {_FLOAT: np.dtype("<f4"), _USHORT: np.dtype("<u2"), _UINT: np.dtype("<u4")}
_VERTEX_BUFFER, _INDEX_BUFFER = 34962, 34963
# One less than the type can count: its highest value is reserved as an index.
_MOST_SHORT_VERTICES = 65535
# Component and kind of each kind of values, in the order in which they lie in the buffer.
_STREAMS = {
    "POSITION": (_FLOAT, "VEC3"),
    "NORMAL": (_FLOAT, "VEC3"),
    "TEXCOORD_0": (_FLOAT, "VEC2"),
    "indices": (_UINT, "SCALAR"),
}


@dataclass
class _Accessor:
    """Values in one of the streams; `start` bytes from its beginning."""

    stream: str
    start: int
    component: int
    kind: str
    count: int = 0
    size: int = 0
    low: NDArray[np.float32] | None = None
    high: NDArray[np.float32] | None = None

    def widen(self, values: NDArray[np.float32]) -> None:
        """Let the bounds hold these values too."""
        low, high = values.min(axis=0), values.max(axis=0)
        self.low = low if self.low is None else np.minimum(self.low, low)
        self.high = high if self.high is None else np.maximum(self.high, high)


class GlbWriter:
    """Adds meshes to a .glb; only the JSON and one part of a mesh are ever in memory.

    Each kind of values is spooled to a file of its own beside the target; the .glb is put together at the end.
    """

    def __init__(self, path: Path, translation: tuple[float, float, float], uv: bool = True) -> None:
        x, y, z = translation
        self._path = path
        self._translation = [x, z, -y]
        self._streams = {name: _STREAMS[name] for name in _STREAMS if uv or name != "TEXCOORD_0"}
        self._spools: dict[str, BinaryIO] = {}
        self._meshes: list[tuple[str, dict[str, _Accessor]]] = []
        self.vertices = self.triangles = 0

    @property
    def meshes(self) -> int:
        """Meshes added so far."""
        return len(self._meshes)

    def __enter__(self) -> "GlbWriter":
        for name in self._streams:
            self._spools[name] = self._path.with_suffix(f".{name}.part").open("w+b")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            for spool in self._spools.values():
                spool.close()
                os.unlink(spool.name)

    def add(self, mesh: Mesh) -> None:
        """Append a mesh of one primitive; at most 65535 vertices get 16-bit indices."""
        self._begin(mesh.name, np.uint16 if len(mesh.positions) <= _MOST_SHORT_VERTICES else np.uint32)
        self._append(mesh)

    def add_parts(self, name: str, parts: Iterable[Mesh]) -> None:
        """Append one mesh with 32-bit indices from parts whose triangles count vertices from the first part's first."""
        self._begin(name, np.uint32)
        for part in parts:
            self._append(part)

    def _begin(self, name: str, index: type[np.unsignedinteger[Any]]) -> None:
        accessors = {}
        for stream, (component, kind) in self._streams.items():
            if stream == "indices":
                component = _USHORT if index is np.uint16 else _UINT
            accessors[stream] = _Accessor(stream, self._spools[stream].tell(), component, kind)
        self._meshes.append((name, accessors))

    def _append(self, mesh: Mesh) -> None:
        accessors = self._meshes[-1][1]
        values = {"POSITION": mesh.positions, "NORMAL": mesh.normals, "TEXCOORD_0": mesh.uv, "indices": mesh.triangles}
        for name, accessor in accessors.items():
            data = np.ascontiguousarray(values[name], _DTYPES[accessor.component])
            if name == "POSITION":
                accessor.widen(data)
            accessor.count += data.size if name == "indices" else len(data)
            accessor.size += data.nbytes
            self._spools[name].write(data.data if data.size else b"")
            # Only 16-bit indices can end off a multiple of 4, and those meshes have one part.
            self._spools[name].write(bytes(-data.nbytes % 4))
        self.vertices += len(mesh.positions)
        self.triangles += len(mesh.triangles)

    def _finish(self) -> None:
        if not self.triangles:
            raise SkerryError("the map has no surface to export: every cell is a hole")
        body = sum(spool.tell() for spool in self._spools.values())
        header = msgspec.json.encode(self._document(body))
        header += b" " * (-len(header) % 4)
        total = 12 + 8 + len(header) + 8 + body
        if total > MOST_BYTES:
            raise SkerryError(f"the mesh needs {total / 2**30:.1f} GiB; a .glb holds 4 at most")
        with self._path.open("wb") as file:
            file.write(struct.pack("<III", _MAGIC, 2, total))
            file.write(struct.pack("<II", len(header), _JSON) + header)
            file.write(struct.pack("<II", body, _BIN))
            for spool in self._spools.values():
                spool.seek(0)
                shutil.copyfileobj(spool, file, 1 << 22)

    def _document(self, body: int) -> dict[str, Any]:
        root = {
            "name": "terrain",
            "translation": self._translation,
            "children": list(range(1, len(self._meshes) + 1)),
        }
        material = {
            "name": "ground",
            "pbrMetallicRoughness": {"baseColorFactor": [0.45, 0.42, 0.36, 1.0], "metallicFactor": 0.0},
        }
        meshes, accessors, views = self._tables()
        return {
            "asset": {"version": "2.0", "generator": "skerry"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [root, *({"mesh": number, "name": mesh["name"]} for number, mesh in enumerate(meshes))],
            "meshes": meshes,
            "materials": [material],
            "accessors": accessors,
            "bufferViews": views,
            "buffers": [{"byteLength": body}],
        }

    def _tables(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
        """Meshes, accessors and buffer views; the streams follow one another in the buffer."""
        bases, base = {}, 0
        for name, spool in self._spools.items():
            bases[name] = base
            base += spool.tell()
        meshes: list[dict[str, Any]] = []
        accessors: list[dict[str, Any]] = []
        views: list[dict[str, Any]] = []
        for name, own in self._meshes:
            numbers = {}
            for stream, accessor in own.items():
                numbers[stream] = len(accessors)
                target = _INDEX_BUFFER if stream == "indices" else _VERTEX_BUFFER
                start = bases[stream] + accessor.start
                views.append({"buffer": 0, "byteOffset": start, "byteLength": accessor.size, "target": target})
                accessors.append(_described(accessor, len(views) - 1))
            indices = numbers.pop("indices")
            meshes.append({"name": name, "primitives": [{"attributes": numbers, "indices": indices, "material": 0}]})
        return meshes, accessors, views


def _described(accessor: _Accessor, view: int) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "bufferView": view,
        "componentType": accessor.component,
        "count": accessor.count,
        "type": accessor.kind,
    }
    if accessor.low is not None and accessor.high is not None:
        entry["min"] = [float(v) for v in accessor.low]
        entry["max"] = [float(v) for v in accessor.high]
    return entry


def read_glb(path: Path) -> tuple[dict[str, Any], NDArray[np.uint8]]:
    """The JSON and the binary part (mapped, not read); raises `SkerryError` for a file that is not a whole GLB."""
    size = path.stat().st_size
    if size < 28:
        raise SkerryError(f"{path}: is not a whole binary glTF 2.0 file")
    data = np.memmap(path, np.uint8, "r")
    magic, version, total, length, kind = struct.unpack("<5I", data[:20].tobytes())
    whole = total == size and 28 + length <= size
    if (magic, version, kind) != (_MAGIC, 2, _JSON) or not whole:
        raise SkerryError(f"{path}: is not a whole binary glTF 2.0 file")
    body_length, body_kind = struct.unpack("<2I", data[20 + length : 28 + length].tobytes())
    if body_kind != _BIN or total != 28 + length + body_length:
        raise SkerryError(f"{path}: is not a whole binary glTF 2.0 file")
    try:
        document = msgspec.json.decode(data[20 : 20 + length].tobytes())
    except msgspec.DecodeError as error:
        raise SkerryError(f"{path}: damaged: {error}") from None
    return document, data[28 + length :]


def accessor_values(document: dict[str, Any], body: NDArray[np.uint8], number: int) -> NDArray[Any]:
    """The values of one accessor, (count, components)."""
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]]
    dtype = _DTYPES[accessor["componentType"]]
    values = np.frombuffer(body, dtype, accessor["count"] * width, view["byteOffset"])
    return values.reshape(-1, width)


def check_glb(path: Path) -> list[str]:
    """What is wrong with a file of ours, one line each."""
    try:
        document, body = read_glb(path)
    except SkerryError as error:
        return [str(error)]
    faults = []
    for mesh in document["meshes"]:
        primitive = mesh["primitives"][0]
        attributes = primitive["attributes"]
        positions = accessor_values(document, body, attributes["POSITION"])
        normals = accessor_values(document, body, attributes["NORMAL"])
        indices = accessor_values(document, body, primitive["indices"])
        bounds = document["accessors"][attributes["POSITION"]]
        name = f"mesh {mesh['name']}"
        if not np.isfinite(positions).all():
            faults.append(f"{name} has positions that are not finite")
        elif [positions.min(axis=0).tolist(), positions.max(axis=0).tolist()] != [bounds["min"], bounds["max"]]:
            faults.append(f"{name} does not reach as far as its bounds say")
        if not (np.abs(np.linalg.norm(normals, axis=1) - 1.0) < 1e-4).all():
            faults.append(f"{name} has normals that are not of unit length")
        if indices.max() >= len(positions):
            faults.append(f"{name} has an index beyond its vertices")
    return faults
