"""GLB, the binary form of glTF 2.0 (Khronos specification), streamed mesh by mesh."""

import os
import shutil
import struct
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from plugins.meshing import Mesh
from terrain.errors import SkerryError

_MAGIC, _JSON, _BIN = 0x46546C67, 0x4E4F534A, 0x004E4942
_FLOAT, _USHORT, _UINT = 5126, 5123, 5125
_VERTEX_BUFFER, _INDEX_BUFFER = 34962, 34963
_MOST_SHORT_VERTICES = 65535


class GlbWriter:
    """Adds meshes to a .glb; only the JSON and one mesh are ever in memory."""

    def __init__(self, path: Path, translation: tuple[float, float, float]) -> None:
        x, y, z = translation
        self._path = path
        self._translation = [x, z, -y]
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._size = 0
        self.vertices = self.triangles = 0

    @property
    def meshes(self) -> int:
        """Meshes added so far."""
        return len(self._meshes)

    def __enter__(self) -> "GlbWriter":
        self._body: BinaryIO = self._path.with_suffix(".bin.part").open("w+b")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._body.close()
            os.unlink(self._body.name)

    def add(self, mesh: Mesh) -> None:
        """Append one mesh of one primitive."""
        count = len(mesh.positions)
        attributes = {
            "POSITION": self._accessor(mesh.positions, "VEC3", _VERTEX_BUFFER, bounds=True),
            "NORMAL": self._accessor(mesh.normals, "VEC3", _VERTEX_BUFFER),
            "TEXCOORD_0": self._accessor(mesh.uv, "VEC2", _VERTEX_BUFFER),
        }
        short = count <= _MOST_SHORT_VERTICES
        indices = mesh.triangles.reshape(-1).astype(np.uint16 if short else np.uint32)
        primitive = {
            "attributes": attributes,
            "indices": self._accessor(indices, "SCALAR", _INDEX_BUFFER),
            "material": 0,
        }
        self._meshes.append({"name": mesh.name, "primitives": [primitive]})
        self.vertices += count
        self.triangles += len(mesh.triangles)

    def _accessor(self, values: NDArray[Any], kind: str, target: int, bounds: bool = False) -> int:
        component = {"f": _FLOAT, "u": _USHORT if values.dtype.itemsize == 2 else _UINT}[values.dtype.kind]
        data = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        self._views.append({"buffer": 0, "byteOffset": self._size, "byteLength": data.nbytes, "target": target})
        accessor: dict[str, Any] = {
            "bufferView": len(self._views) - 1, "componentType": component, "count": len(values), "type": kind,
        }  # fmt: skip
        if bounds:
            accessor["min"] = [float(v) for v in values.min(axis=0)]
            accessor["max"] = [float(v) for v in values.max(axis=0)]
        self._accessors.append(accessor)
        self._body.write(data.data)
        padding = -data.nbytes % 4
        self._body.write(bytes(padding))
        self._size += data.nbytes + padding
        return len(self._accessors) - 1

    def _finish(self) -> None:
        if not self._meshes:
            raise SkerryError("the map has no surface to export: every cell is a hole")
        header = msgspec.json.encode(self._document())
        header += b" " * (-len(header) % 4)
        total = 12 + 8 + len(header) + 8 + self._size
        if total > 0xFFFFFFFF:
            raise SkerryError(f"the mesh needs {total / 2**30:.1f} GiB; a .glb holds 4 at most")
        self._body.seek(0)
        with self._path.open("wb") as file:
            file.write(struct.pack("<III", _MAGIC, 2, total))
            file.write(struct.pack("<II", len(header), _JSON) + header)
            file.write(struct.pack("<II", self._size, _BIN))
            shutil.copyfileobj(self._body, file, 1 << 22)

    def _document(self) -> dict[str, Any]:
        children = [{"mesh": number, "name": mesh["name"]} for number, mesh in enumerate(self._meshes)]
        root = {
            "name": "terrain",
            "translation": self._translation,
            "children": list(range(1, len(children) + 1)),
        }
        material = {
            "name": "ground",
            "pbrMetallicRoughness": {"baseColorFactor": [0.45, 0.42, 0.36, 1.0], "metallicFactor": 0.0},
        }
        return {
            "asset": {"version": "2.0", "generator": "skerry"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [root, *children],
            "meshes": self._meshes,
            "materials": [material],
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": self._size}],
        }


def read_glb(path: Path) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary part; raises `SkerryError` for a file that is not a whole GLB."""
    data = path.read_bytes()
    try:
        magic, version, total = struct.unpack_from("<III", data)
        length, kind = struct.unpack_from("<II", data, 12)
        body_length, body_kind = struct.unpack_from("<II", data, 20 + length)
        document = msgspec.json.decode(data[20 : 20 + length])
    except (struct.error, msgspec.DecodeError) as error:
        raise SkerryError(f"{path}: damaged: {error}") from None
    whole = total == len(data) == 28 + length + body_length
    if (magic, version, kind, body_kind) != (_MAGIC, 2, _JSON, _BIN) or not whole:
        raise SkerryError(f"{path}: is not a whole binary glTF 2.0 file")
    return document, data[28 + length :]


def accessor_values(document: dict[str, Any], body: bytes, number: int) -> NDArray[Any]:
    """The values of one accessor, (count, components)."""
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    dtype = {_FLOAT: "<f4", _USHORT: "<u2", _UINT: "<u4"}[accessor["componentType"]]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]]
    return np.frombuffer(body, dtype, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)


def check_glb(path: Path) -> list[str]:
    """What is wrong with a file of ours, one line each."""
    try:
        document, body = read_glb(path)
    except SkerryError as error:
        return [str(error)]
    faults = []
    for mesh in document["meshes"]:
        primitive = mesh["primitives"][0]
        positions = accessor_values(document, body, primitive["attributes"]["POSITION"])
        indices = accessor_values(document, body, primitive["indices"])
        if not np.isfinite(positions).all():
            faults.append(f"mesh {mesh['name']} has positions that are not finite")
        if indices.max() >= len(positions):
            faults.append(f"mesh {mesh['name']} has an index beyond its vertices")
        bounds = document["accessors"][primitive["attributes"]["POSITION"]]
        if [float(v) for v in positions.min(axis=0)] != bounds["min"]:
            faults.append(f"mesh {mesh['name']} reaches lower than its bounds say")
    return faults
