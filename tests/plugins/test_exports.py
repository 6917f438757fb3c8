"""Exports decoded by other means: exact values, the right way up, all files or none, and a check that finds faults."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugins.api import Cancelled, Job, Report, Scene
from plugins.exporting import check_folder, export_scene
from plugins.glb import accessor_values, read_glb
from plugins.importing import import_file
from plugins.registry import exporters
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.fixtures import arch_map

ROOT = Path(__file__).resolve().parents[2]


def export(terrain: TerrainMap, target: str, folder: Path, **values: object) -> Report:
    return export_scene(Scene(terrain), target, folder, values, Job())


def sidecar(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(folder.glob("*.json")).read_text())
    return found


def land(rows: int, cols: int, seed: int = 1) -> TerrainMap:
    """Asymmetric heights below and above the sea."""
    rng = np.random.default_rng(seed)
    heights = rng.normal(0.0, 30.0, (rows, cols)) + np.arange(cols) * 2.0 - np.arange(rows)[:, None]
    return TerrainMap(VectorField.from_heights(heights.astype(np.float32), 2.0, (10.0, -5.0)), sea_level=1.5)


sizes = st.tuples(st.integers(2, 40), st.integers(2, 40))


@settings(max_examples=25)
@given(size=sizes, order=st.sampled_from(["little", "big"]), first=st.sampled_from(["north", "south"]))
def test_height_files_decode_to_the_heights(
    size: tuple[int, int], order: str, first: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    import OpenEXR
    from imagecodecs import png_decode

    terrain, folder = land(*size), tmp_path_factory.mktemp("height")
    export(terrain, "height", folder, byte_order=order, first_row=first)
    heights = terrain.field.offset[:: -1 if first == "north" else 1, :, 2]
    facts = sidecar(folder)
    low, high = facts["encoding"]["min"], facts["encoding"]["max"]
    assert (low, high) == (float(heights.min()), float(heights.max()))
    codes = np.fromfile(folder / "height.r16", "<u2" if order == "little" else ">u2").reshape(size)
    np.testing.assert_array_equal(png_decode((folder / "height.png").read_bytes()), codes)
    decoded = low + codes / 65535.0 * (high - low)
    assert np.abs(decoded - heights).max() <= 0.5 * (high - low) / 65535.0 + 1e-9
    assert decoded.max() == high
    assert decoded.min() == low
    exr = OpenEXR.File(str(folder / "height.exr"), separate_channels=True).channels()["Y"].pixels
    np.testing.assert_array_equal(exr, heights)
    assert check_folder(folder) == []


@settings(max_examples=20)
@given(size=sizes, seed=st.integers(0, 99))
def test_vector_displacement_round_trips_bit_for_bit(
    size: tuple[int, int], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    terrain, folder = land(*size, seed), tmp_path_factory.mktemp("vdm")
    terrain.field.offset[..., :2] = np.random.default_rng(seed).normal(0.0, 3.0, (*size, 2))
    terrain.field.offset[0, 0] = (-0.0, 1e-38, -1e30)
    export(terrain, "vdm", folder)
    again = import_file(folder / "displacement.exr", None, {"content": "displacement", "cell": 2.0}, Job()).terrain
    assert again.field.offset.tobytes() == terrain.field.offset.tobytes()
    assert again.field.cell == terrain.field.cell


@settings(max_examples=20)
@given(size=sizes, name=st.sampled_from(["height.r16", "height.png", "height.exr"]))
def test_what_is_exported_imports_as_it_was(
    size: tuple[int, int], name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The EXR to the last bit; 16 bit to half a step, and again to the very same codes."""
    terrain, folder = land(*size), tmp_path_factory.mktemp("round")
    export(terrain, "height", folder)
    encoding = sidecar(folder)["encoding"]
    values: dict[str, object] = {"cell": terrain.field.cell}
    if name != "height.exr":
        values |= {"min_height": encoding["min"], "max_height": encoding["max"]}
    if name == "height.r16":
        values |= {"width": size[1], "height": size[0], "kind": "u16", "byte_order": "little", "header": 0}
    again = import_file(folder / name, None, values, Job()).terrain
    assert again.field.offset.shape == terrain.field.offset.shape
    if name == "height.exr":
        np.testing.assert_array_equal(again.field.offset, terrain.field.offset)
        return
    step = (encoding["max"] - encoding["min"]) / 65535.0
    assert np.abs(again.field.offset - terrain.field.offset).max() <= 0.5 * step + 1e-5
    export(again, "height", folder / "again", min_height=encoding["min"], max_height=encoding["max"])
    assert (folder / "again" / "height.r16").read_bytes() == (folder / "height.r16").read_bytes()


def test_flat_maps_have_a_defined_code(tmp_path: Path) -> None:
    export(TerrainMap(VectorField.flat(5, 7, 1.0, -3.5)), "height", tmp_path)
    assert (np.fromfile(tmp_path / "height.r16", "<u2") == 0).all()
    assert sidecar(tmp_path)["encoding"]["min"] == -3.5
    assert check_folder(tmp_path) == []


def test_overhang_columns_take_the_top_and_are_counted(tmp_path: Path) -> None:
    import OpenEXR

    terrain = arch_map()
    notes = " ".join(export(terrain, "height", tmp_path).notes)
    facts = sidecar(tmp_path)
    assert facts["overhangs"]["columns"] > 50
    assert "overhang" in notes
    exr = OpenEXR.File(str(tmp_path / "height.exr"), separate_channels=True).channels()["Y"].pixels[::-1]
    positions = terrain.field.positions()
    lowest = positions[..., 2].min(axis=0)
    assert (exr.max(axis=0) >= lowest).all()
    assert exr.max() <= positions[..., 2].max() + 1e-4


def test_given_range_clamps_and_says_so(tmp_path: Path) -> None:
    terrain = land(20, 20)
    report = export(terrain, "height", tmp_path, min_height=-10.0, max_height=10.0)
    codes = np.fromfile(tmp_path / "height.r16", "<u2").reshape(20, 20)[::-1]
    assert (codes[terrain.field.offset[..., 2] >= 10.0] == 65535).all()
    assert (codes[terrain.field.offset[..., 2] <= -10.0] == 0).all()
    assert "clamped" in " ".join(report.notes)
    assert check_folder(tmp_path) == []


def test_a_range_too_small_to_divide_by_only_tells_above_from_below(tmp_path: Path) -> None:
    terrain = land(20, 20)
    export(terrain, "height", tmp_path, formats="r16", min_height=-1e-310, max_height=1e-310)
    codes = np.fromfile(tmp_path / "height.r16", "<u2").reshape(20, 20)[::-1]
    np.testing.assert_array_equal(codes, np.where(terrain.field.offset[..., 2] > 0.0, 65535, 0))


@pytest.mark.parametrize("name", ["min_height", "max_height"])
@pytest.mark.parametrize("value", [1e308, -1e308, float("nan"), float("inf")])
def test_ranges_beyond_any_map_are_refused(tmp_path: Path, name: str, value: float) -> None:
    with pytest.raises(SkerryError, match=f"parameter {name}: "):
        export(land(4, 4), "height", tmp_path / "out", **{name: value})
    assert list(tmp_path.iterdir()) == []


def test_codes_do_not_depend_on_the_blocks_they_are_made_in(tmp_path: Path) -> None:
    """More rows than a block, and not a multiple of one."""
    terrain = land(601, 7)
    export(terrain, "height", tmp_path, formats="r16")
    heights = terrain.field.offset[::-1, :, 2].astype(np.float64)
    expected = np.rint((heights - heights.min()) / (heights.max() - heights.min()) * 65535.0)
    np.testing.assert_array_equal(np.fromfile(tmp_path / "height.r16", "<u2").reshape(601, 7), expected)


def test_other_sizes_sample_the_surface(tmp_path: Path) -> None:
    row, col = np.mgrid[0:21, 0:31]
    terrain = TerrainMap(VectorField.from_heights((2.0 * col - 3.0 * row).astype(np.float32), 2.0))
    export(terrain, "height", tmp_path, formats="exr", columns=61, rows=41, channels="rgb")
    import OpenEXR

    channels = OpenEXR.File(str(tmp_path / "height.exr"), separate_channels=True).channels()
    row, col = np.mgrid[0:41, 0:61]
    np.testing.assert_allclose(channels["G"].pixels[::-1], col - 1.5 * row, atol=1e-4)


def test_one_size_brings_the_other_and_two_may_be_oblong(tmp_path: Path) -> None:
    row, col = np.mgrid[0:21, 0:31]
    terrain = TerrainMap(VectorField.from_heights((2.0 * col - 3.0 * row).astype(np.float32), 2.0))
    export(terrain, "height", tmp_path / "one", columns=16)
    assert sidecar(tmp_path / "one")["samples"] == {"rows": 11, "cols": 16, "cell": [4.0, 4.0]}
    export(terrain, "height", tmp_path / "other", rows=41)
    assert sidecar(tmp_path / "other")["samples"] == {"rows": 41, "cols": 61, "cell": [1.0, 1.0]}
    report = export(terrain, "height", tmp_path / "both", columns=13, rows=11)
    assert sidecar(tmp_path / "both")["samples"] == {"rows": 11, "cols": 13, "cell": [5.0, 4.0]}
    assert "samples lie 5 m apart east-west and 4 m north-south" in report.notes
    codes = np.fromfile(tmp_path / "both" / "height.r16", "<u2").reshape(11, 13)[::-1]
    row, col = np.mgrid[0:11, 0:13]
    np.testing.assert_allclose(-60.0 + codes / 65535.0 * 120.0, 5.0 * col - 6.0 * row, atol=1e-3)


@pytest.mark.parametrize("layout", ["tiles", "one"])
def test_gltf_is_the_displaced_mesh_with_y_up(tmp_path: Path, layout: str) -> None:
    terrain = arch_map()
    terrain.extras["hole"] = terrain.new_array("hole")
    terrain.extras["hole"][3:6, 7:9] = True
    export(terrain, "gltf", tmp_path, layout=layout)
    document, body = read_glb(tmp_path / "terrain.glb")
    translation = np.array(document["nodes"][0]["translation"])
    triangles, seen = 0, set()
    for mesh in document["meshes"]:
        primitive = mesh["primitives"][0]
        positions = accessor_values(document, body, primitive["attributes"]["POSITION"])
        normals = accessor_values(document, body, primitive["attributes"]["NORMAL"])
        indices = accessor_values(document, body, primitive["indices"]).reshape(-1, 3)
        assert indices.max() < min(len(positions), 65535)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-5)
        faces = positions[indices.astype(np.int64)]
        facing = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
        vertex_normal = normals[indices.astype(np.int64)].sum(axis=1)
        assert ((facing * vertex_normal).sum(axis=1) > 0).mean() > 0.97
        triangles += len(indices)
        seen |= {tuple(np.round(p + translation, 3)) for p in positions.astype(np.float64)}
    world = terrain.field.positions().reshape(-1, 3)
    expected = {tuple(np.round((x, z, -y), 3)) for x, y, z in world}
    assert triangles == 2 * (64 * 80 - 6)
    assert len(seen ^ expected) < 0.01 * len(expected)


def test_gltf_tiles_share_their_border_vertices_exactly(tmp_path: Path) -> None:
    terrain = land(140, 150)
    terrain.field.offset[..., :2] = np.random.default_rng(0).normal(0.0, 0.5, (140, 150, 2))
    export(terrain, "gltf", tmp_path, tile_cells=128)
    document, body = read_glb(tmp_path / "terrain.glb")
    assert len(document["meshes"]) == 4
    west, east = (
        accessor_values(document, body, document["meshes"][k]["primitives"][0]["attributes"]["POSITION"])
        for k in (0, 1)
    )
    west, east = west.reshape(129, 129, 3), east.reshape(129, 22, 3)
    np.testing.assert_array_equal(west[:, -1], east[:, 0])


def test_gltf_passes_the_khronos_validator(tmp_path: Path) -> None:
    package = ROOT / ".venv" / "node"
    if not (package / "node_modules" / "gltf-validator").is_dir():
        pytest.skip("Node's gltf-validator is not installed (tools/setup.sh test installs it where npm is)")
    for number, terrain in enumerate((arch_map(), land(2, 2), land(300, 290))):
        export(terrain, "gltf", tmp_path / str(number), layout="one" if number == 2 else "tiles")
        done = subprocess.run(
            ["node", ROOT / "tests/tools/validate_gltf.mjs", package, tmp_path / str(number) / "terrain.glb"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        issues = json.loads(done.stdout)
        assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]


@pytest.mark.parametrize("target", ["height", "vdm", "gltf"])
def test_same_map_same_bytes(tmp_path: Path, target: str) -> None:
    for name in ("a", "b"):
        export(land(30, 20), target, tmp_path / name)
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


@pytest.mark.parametrize("target", ["height", "vdm", "gltf"])
def test_check_finds_what_was_done_to_the_files(tmp_path: Path, target: str) -> None:
    export(land(30, 20), target, tmp_path)
    assert check_folder(tmp_path) == []
    data = max(tmp_path.iterdir(), key=lambda path: path.stat().st_size)
    whole = data.read_bytes()
    data.write_bytes(whole[:-1])
    assert any("bytes instead of" in fault for fault in check_folder(tmp_path))
    data.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert any("checksum" in fault for fault in check_folder(tmp_path))
    data.unlink()
    assert any("is missing" in fault for fault in check_folder(tmp_path))
    next(tmp_path.glob("*.json")).write_text('{"format": "skerry-export", "broken')
    [fault] = check_folder(tmp_path)
    assert "not JSON" in fault


def test_all_files_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure on the way leaves the folder as it was, and removes one that was made for it."""
    keep = tmp_path / "there"
    keep.mkdir()
    (keep / "notes.txt").write_text("mine")
    exporter = exporters()["height"]

    def fails(scene: Scene, folder: Path, params: object, job: Job) -> Report:
        (folder / "half.r16").write_bytes(b"x")
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(exporter, "write", fails)
    for folder in (keep, tmp_path / "made"):
        with pytest.raises(SkerryError, match="No space left"):
            export(land(5, 5), "height", folder)
    assert [path.name for path in keep.iterdir()] == ["notes.txt"]
    assert not (tmp_path / "made").exists()


def test_cancelled_exports_leave_nothing(tmp_path: Path) -> None:
    job = Job()
    job.cancel()
    for target in ("height", "vdm", "gltf"):
        with pytest.raises(Cancelled):
            export_scene(Scene(land(30, 30)), target, tmp_path / target, {}, job)
        assert not (tmp_path / target).exists()


def test_bad_wishes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for values, complaint in (
        ({"formats": "jpg"}, "formats"),
        ({"min_height": 5.0, "max_height": -5.0}, "lies below"),
        ({"columns": 1}, "columns"),
        ({"colour": "red"}, "unknown parameter"),
    ):
        with pytest.raises(SkerryError, match=complaint):
            export(land(9, 9), "height", tmp_path / "out", **values)
    with pytest.raises(SkerryError, match="is a file; name a folder"):
        export(land(9, 9), "height", tmp_path / "file")
    with pytest.raises(SkerryError, match="no exporter 'obj'"):
        export(land(9, 9), "obj", tmp_path / "out")
    with pytest.raises(SkerryError, match="holds no export"):
        check_folder(tmp_path)
    assert not (tmp_path / "out").exists()


def test_map_without_any_ground_under_its_grid(tmp_path: Path) -> None:
    terrain = TerrainMap(VectorField.flat(5, 5, 1.0))
    terrain.field.offset[..., 0] = 100.0
    with pytest.raises(SkerryError, match="nothing to export"):
        export(terrain, "height", tmp_path / "out")
