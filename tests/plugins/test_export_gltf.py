"""The .glb read by the specification alone (struct, json, numpy), and by the Khronos validator."""

import json
import shutil
import struct
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plugins.bundled.export_gltf
from plugins.api import Job, Report, Scene
from plugins.bundled.export_gltf import GltfParams, bytes_needed
from plugins.exporting import check_folder, export_scene
from plugins.glb import MOST_BYTES
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.fixtures import arch_map

ROOT = Path(__file__).resolve().parents[2]
VALIDATOR = ROOT / ".venv" / "node"


def export(terrain: TerrainMap, folder: Path, **values: object) -> Report:
    return export_scene(Scene(terrain), "gltf", folder, values, Job())


def crumpled(rows: int, cols: int, seed: int = 3, origin: tuple[float, float] = (30.0, -70.0)) -> TerrainMap:
    rng = np.random.default_rng(seed)
    offset = rng.normal(0.0, 0.2, (rows, cols, 3)).astype(np.float32)
    offset[..., 2] += 3.0 * np.sin(np.arange(cols) / 9.0) + np.arange(rows)[:, None] / 5.0
    return TerrainMap(VectorField(offset, 1.5, origin))


def with_holes(terrain: TerrainMap) -> TerrainMap:
    holes = terrain.new_array("hole")
    holes[: holes.shape[0] // 2, : holes.shape[1] // 3] = True
    holes[-1, -1] = True
    terrain.extras["hole"] = holes
    return terrain


class Glb:
    """A .glb as the specification says to read it."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        json_length, json_kind = struct.unpack_from("<I4s", data, 12)
        assert json_kind == b"JSON"
        assert json_length % 4 == 0
        body_length, body_kind = struct.unpack_from("<I4s", data, 20 + json_length)
        assert body_kind == b"BIN\0"
        self.json: dict[str, Any] = json.loads(data[20 : 20 + json_length])
        self.body = data[28 + json_length :]
        assert self.json["buffers"] == [{"byteLength": body_length}]
        assert body_length == len(self.body)

    def values(self, number: int) -> np.ndarray:
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        dtype = {5126: "<f4", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]]
        size = accessor["count"] * width * np.dtype(dtype).itemsize
        assert view["byteLength"] == size
        assert view["byteOffset"] % 4 == 0
        part = self.body[view["byteOffset"] : view["byteOffset"] + size]
        return np.frombuffer(part, dtype).reshape(-1, width)

    def primitives(self) -> list[dict[str, Any]]:
        return [primitive for mesh in self.json["meshes"] for primitive in mesh["primitives"]]

    def corners(self) -> np.ndarray:
        """Corners (triangles, 3, 3) of every triangle, before the node's translation."""
        parts = []
        for primitive in self.primitives():
            positions = self.values(primitive["attributes"]["POSITION"])
            parts.append(positions[self.values(primitive["indices"]).reshape(-1, 3).astype(np.int64)])
        return np.concatenate(parts)


def expected_corners(terrain: TerrainMap, translation: list[float]) -> np.ndarray:
    """The map's triangles, Y up, from the conventions alone: diagonal (r, c)–(r+1, c+1), holes left out."""
    x, y, z = np.moveaxis(terrain.field.positions(), -1, 0)
    p = (np.stack([x, z, -y], axis=-1) - translation).astype(np.float32)
    a, b, c, d = p[:-1, :-1], p[:-1, 1:], p[1:, 1:], p[1:, :-1]
    cells = np.stack([np.stack([a, b, c], axis=-2), np.stack([a, c, d], axis=-2)], axis=2)
    return cells[~terrain.extras["hole"]].reshape(-1, 3, 3) if "hole" in terrain.extras else cells.reshape(-1, 3, 3)


def as_rows(corners: np.ndarray) -> Counter[bytes]:
    return Counter(corner.tobytes() for corner in np.ascontiguousarray(corners, np.float32))


@settings(max_examples=25)
@given(
    rows=st.integers(2, 40),
    cols=st.integers(2, 40),
    options=st.fixed_dictionaries(
        {
            "layout": st.sampled_from(["tiles", "one"]),
            "tile_cells": st.sampled_from([1, 7, 16, 64]),
            "uv": st.booleans(),
        }
    ),
    holes=st.booleans(),
)
def test_every_triangle_is_there_once_to_the_last_bit(
    rows: int, cols: int, options: dict[str, object], holes: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    terrain, folder = crumpled(rows, cols), tmp_path_factory.mktemp("gltf")
    if holes and rows * cols > 6:
        with_holes(terrain)
    export(terrain, folder, **options)
    glb = Glb(folder / "terrain.glb")
    assert as_rows(glb.corners()) == as_rows(expected_corners(terrain, glb.json["nodes"][0]["translation"]))
    assert all(("TEXCOORD_0" in p["attributes"]) == options["uv"] for p in glb.primitives())
    assert check_folder(folder) == []


@pytest.mark.parametrize("layout", ["tiles", "one"])
def test_bounds_normals_and_indices_obey_the_specification(tmp_path: Path, layout: str) -> None:
    export(with_holes(arch_map()), tmp_path, layout=layout, tile_cells=20)
    glb = Glb(tmp_path / "terrain.glb")
    for primitive in glb.primitives():
        positions = glb.values(primitive["attributes"]["POSITION"])
        accessor = glb.json["accessors"][primitive["attributes"]["POSITION"]]
        np.testing.assert_array_equal(np.array(accessor["min"]), positions.min(axis=0).astype(np.float64))
        np.testing.assert_array_equal(np.array(accessor["max"]), positions.max(axis=0).astype(np.float64))
        assert np.isfinite(positions).all()
        normals = glb.values(primitive["attributes"]["NORMAL"]).astype(np.float64)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-6)
        uv = glb.values(primitive["attributes"]["TEXCOORD_0"])
        assert uv.min() >= 0.0
        assert uv.max() <= 1.0
        indices = glb.values(primitive["indices"])
        assert indices.max() < len(positions)
        assert glb.json["accessors"][primitive["indices"]]["componentType"] == (5123 if layout == "tiles" else 5125)


def test_the_surface_is_closed_across_tiles_and_faces_up(tmp_path: Path) -> None:
    """Every edge has two triangles that walk it in opposite senses, but for those round the map."""
    rows, cols = 50, 70
    export(crumpled(rows, cols), tmp_path, tile_cells=16)
    corners = Glb(tmp_path / "terrain.glb").corners()
    _, number = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    triangles = number.reshape(-1, 3)
    assert number.max() + 1 == rows * cols
    edges = Counter((int(t[k]), int(t[k - 2])) for t in triangles for k in range(3))
    assert set(edges.values()) == {1}
    alone = sum((b, a) not in edges for a, b in edges)
    assert alone == 2 * (rows - 1 + cols - 1)
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (facing[:, 1] > 0.0).mean() > 0.99


def test_directions(tmp_path: Path) -> None:
    """East is +x, up is +y, north is -z; the picture's upper left corner lies over the north-west."""
    terrain = TerrainMap(VectorField.flat(3, 4, 10.0, height=2.0, origin=(100.0, 200.0)))
    terrain.field.offset[2, 0, 2] = 50.0
    export(terrain, tmp_path)
    glb = Glb(tmp_path / "terrain.glb")
    [primitive] = glb.primitives()
    world = glb.values(primitive["attributes"]["POSITION"]) + np.array(glb.json["nodes"][0]["translation"])
    assert world[8].tolist() == [100.0, 50.0, -220.0]
    assert world[3].tolist() == [130.0, 2.0, -200.0]
    uv = glb.values(primitive["attributes"]["TEXCOORD_0"])
    assert uv[8].tolist() == [0.0, 0.0]
    assert uv[3].tolist() == [1.0, 1.0]
    assert "TEXCOORD_0" in primitive["attributes"]


def test_a_map_far_from_zero_keeps_its_millimetres(tmp_path: Path) -> None:
    """At six million metres a float32 counts in halves of a metre; the node's translation carries that part."""
    near, far = crumpled(20, 30, origin=(0.0, 0.0)), crumpled(20, 30, origin=(500_000.25, 6_100_000.5))
    export(near, tmp_path / "near")
    export(far, tmp_path / "far")
    a, b = Glb(tmp_path / "near" / "terrain.glb"), Glb(tmp_path / "far" / "terrain.glb")
    np.testing.assert_allclose(a.corners(), b.corners(), atol=1e-5)
    moved = np.subtract(b.json["nodes"][0]["translation"], a.json["nodes"][0]["translation"])
    np.testing.assert_allclose(moved, [500_000.25, 0.0, -6_100_000.5], atol=1e-6)


def test_no_16_bit_index_reaches_its_reserved_value(tmp_path: Path) -> None:
    export(TerrainMap(VectorField.flat(256, 257, 1.0)), tmp_path, tile_cells=254)
    glb = Glb(tmp_path / "terrain.glb")
    counts = [len(glb.values(p["attributes"]["POSITION"])) for p in glb.primitives()]
    assert max(counts) == 255 * 255
    assert max(int(glb.values(p["indices"]).max()) for p in glb.primitives()) == 255 * 255 - 1
    with pytest.raises(SkerryError, match="tile_cells"):
        export(TerrainMap(VectorField.flat(4, 4, 1.0)), tmp_path / "no", tile_cells=255)


def test_too_large_a_mesh_is_refused_before_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins.bundled.export_gltf, "MOST_BYTES", 100_000)
    with pytest.raises(SkerryError, match=r"needs 0\.\d GiB, a \.glb holds 4 at most"):
        export(TerrainMap(VectorField.flat(80, 80, 1.0)), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("layout", ["tiles", "one"])
def test_the_size_foretold_is_the_size_written(tmp_path: Path, layout: str) -> None:
    export(crumpled(200, 330), tmp_path, layout=layout)
    written = (tmp_path / "terrain.glb").stat().st_size
    foretold = bytes_needed(200, 330, 0, GltfParams.of(layout=layout))
    assert written <= foretold <= 1.02 * written
    # So the largest map, 8192² vertices, fits: no map is refused but one cut very small.
    assert bytes_needed(8192, 8192, 0, GltfParams.of(layout=layout)) < MOST_BYTES
    assert bytes_needed(8192, 8192, 0, GltfParams.of(tile_cells=1)) > MOST_BYTES


def test_a_map_of_holes_alone_is_refused(tmp_path: Path) -> None:
    terrain = TerrainMap(VectorField.flat(5, 5, 1.0))
    terrain.extras["hole"] = ~terrain.new_array("hole")
    for layout in ("tiles", "one"):
        with pytest.raises(SkerryError, match="every cell is a hole"):
            export(terrain, tmp_path / layout, layout=layout)
        assert not (tmp_path / layout).exists()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("arch", {}),
        ("arch with holes", {"tile_cells": 13}),
        ("smallest", {"uv": False}),
        ("one", {"layout": "one"}),
        ("one with holes", {"layout": "one"}),
        ("far", {"tile_cells": 254}),
    ],
)
def test_the_khronos_validator_has_nothing_to_say(tmp_path: Path, name: str, options: dict[str, object]) -> None:
    if shutil.which("node") is None or not (VALIDATOR / "node_modules" / "gltf-validator").is_dir():
        pytest.skip("Node's gltf-validator is not installed (tools/setup.sh test installs it where npm is)")
    terrain = {
        "arch": arch_map,
        "arch with holes": lambda: with_holes(arch_map()),
        "smallest": lambda: TerrainMap(VectorField.flat(2, 2, 0.25)),
        "one": lambda: crumpled(300, 260),
        "one with holes": lambda: with_holes(crumpled(70, 66)),
        "far": lambda: crumpled(256, 300, origin=(5e5, -6e6)),
    }[name]()
    export(terrain, tmp_path, **options)
    script = ROOT / "tests" / "tools" / "validate_gltf.mjs"
    done = subprocess.run(
        ["node", script, VALIDATOR, tmp_path / "terrain.glb"], capture_output=True, text=True, check=True
    )
    issues = json.loads(done.stdout)
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]
