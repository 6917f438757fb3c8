"""The sidecar tells what the files cannot, and `check` names each thing done to it or to them in one line."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from plugins.api import Job, Scene
from plugins.exporting import check_folder, export_scene
from plugins.registry import exporters
from plugins.sidecar import read_sidecar, write_sidecar
from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap

NAMES = {"height": "height.json", "vdm": "displacement.json", "gltf": "terrain.json"}


def land() -> TerrainMap:
    heights = np.random.default_rng(8).normal(0.0, 40.0, (9, 14)).astype(np.float32)
    return TerrainMap(VectorField.from_heights(heights, 0.3, (1e6, -2.5)), sea_level=-1.25)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Every file of all three targets, which share a folder."""
    folder = tmp_path_factory.mktemp("exported")
    for target in NAMES:
        export_scene(Scene(land()), target, folder, {}, Job())
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def folder(exported: dict[str, bytes], tmp_path: Path) -> Path:
    for name, data in exported.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))


def test_three_targets_share_a_folder_and_are_sound(folder: Path) -> None:
    assert check_folder(folder) == []
    assert set(NAMES) <= set(exporters())


@pytest.mark.parametrize("target", NAMES)
def test_the_map_and_its_files_are_described_exactly(folder: Path, target: str) -> None:
    record = json.loads((folder / NAMES[target]).read_text())
    field = land().field
    assert (record["format"], record["version"], record["target"]) == ("skerry-export", 1, target)
    assert record["generator"].startswith("skerry ")
    assert (record["rows"], record["cols"], record["cell"]) == (9, 14, 0.3)
    assert (record["origin"], record["sea_level"]) == ([1e6, -2.5], -1.25)
    assert np.float32(record["height"]["min"]) == field.offset[..., 2].min()
    assert np.float32(record["height"]["max"]) == field.offset[..., 2].max()
    for entry in record["files"]:
        data = (folder / entry["name"]).read_bytes()
        assert entry == {"name": entry["name"], "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def test_height_states_how_to_decode_it(folder: Path) -> None:
    record = json.loads((folder / "height.json").read_text())
    assert record["first_row"] == "north"
    assert record["encoding"]["byte_order"] == "little"
    assert "min + v / 65535 * (max - min)" in record["encoding"]["formula"]
    assert record["overhangs"] == {"rule": "the highest surface in each column", "columns": 0}
    assert record["uncovered"]["columns"] == 0
    codes = np.fromfile(folder / "height.r16", "<u2").reshape(9, 14)
    low, high = record["encoding"]["min"], record["encoding"]["max"]
    heights = land().field.offset[::-1, :, 2]
    assert np.abs(low + codes / 65535 * (high - low) - heights).max() <= 0.5001 * (high - low) / 65535


def test_vdm_states_the_rest_grid(folder: Path) -> None:
    record = json.loads((folder / "displacement.json").read_text())
    assert record["displacement"]["min"][:2] == record["displacement"]["max"][:2] == [0.0, 0.0]
    assert record["formula"].startswith("position = (origin.x + col*cell + R")


def test_a_tidied_sidecar_is_still_sound(folder: Path) -> None:
    """Indentation and the order of keys say nothing."""
    path = folder / "height.json"
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True))
    assert check_folder(folder) == []


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a wider range": lambda record: record["height"].update(max=9999.0),
    "another cell": lambda record: record.update(cell=1.0),
    "a file less": lambda record: record["files"].pop(),
    "no files": lambda record: record.pop("files"),
    "another size": lambda record: record["files"][0].update(bytes=1),
    "nonsense for files": lambda record: record.update(files=7),
    "no digest": lambda record: record.pop("sha256"),
    "another target": lambda record: record.update(target="other"),
}


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("change", CHANGES)
def test_an_edited_sidecar_is_one_fault(folder: Path, target: str, change: str) -> None:
    edit(folder / NAMES[target], CHANGES[change])
    [fault] = check_folder(folder)
    assert fault == f"{folder / NAMES[target]}: was changed after the export; export again"


@pytest.mark.parametrize("version", [2, "1", None])
def test_a_newer_sidecar_is_left_alone(folder: Path, version: object) -> None:
    edit(folder / "height.json", lambda record: record.update(version=version))
    [fault] = check_folder(folder)
    assert fault.endswith(f"has version {version}; this Skerry knows up to 1")


def test_a_truncated_sidecar_is_one_fault_and_hides_no_other(folder: Path) -> None:
    path = folder / "height.json"
    path.write_bytes(path.read_bytes()[:-20])
    (folder / "terrain.glb").unlink()
    faults = check_folder(folder)
    assert len(faults) == 2
    assert "height.json: is not JSON" in faults[0]
    assert faults[1] == f"{folder / 'terrain.glb'}: is missing"
    assert all("\n" not in fault for fault in faults)


@pytest.mark.parametrize("name", ["height.r16", "height.png", "height.exr", "displacement.exr", "terrain.glb"])
def test_every_kind_of_damage_to_a_file_is_one_fault(folder: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    damages = {
        "is missing": None,
        f"has {len(whole) - 1:,} bytes instead of {len(whole):,}": whole[:-1],
        f"has {len(whole) + 2:,} bytes instead of {len(whole):,}": whole + b"\0\0",
        "its contents are not what was exported (checksum)": whole[:40] + bytes([whole[40] ^ 4]) + whole[41:],
        "has 0 bytes instead": b"",
    }
    for complaint, data in damages.items():
        (folder / name).unlink()
        if data is not None:
            (folder / name).write_bytes(data)
        [fault] = check_folder(folder)
        assert fault.startswith(f"{folder / name}: {complaint}")
        (folder / name).write_bytes(whole)


FORGERIES = {
    "height.r16": lambda data: data[:-2],
    "height.png": lambda data: data[:60],
    "height.exr": lambda data: b"not an EXR file at all",
    "displacement.exr": lambda data: b"",
    "terrain.glb": lambda data: data[:24],
}


@pytest.mark.parametrize("name", FORGERIES)
def test_files_that_do_not_decode_are_faults_even_with_matching_checksums(
    folder: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """A sidecar rewritten to vouch for a broken file: only decoding finds it."""
    file = folder / name
    file.write_bytes(FORGERIES[name](file.read_bytes()))
    path = next(path for path in folder.glob("*.json") if name in path.read_text())
    record = json.loads(path.read_text())
    facts = {key: value for key, value in record.items() if key not in ("files", "sha256")}
    write_sidecar(path, record["target"], land(), [folder / entry["name"] for entry in record["files"]], facts)
    [fault] = check_folder(folder)
    assert fault.startswith(f"{path}: ")
    assert "\n" not in fault


@pytest.mark.parametrize("forge", ["a file less its name", "nonsense for files", "no files", "no target"])
def test_nonsense_that_vouches_for_itself_is_one_fault(folder: Path, forge: str) -> None:
    path = folder / "height.json"

    def change(record: dict[str, Any]) -> None:
        {
            "a file less its name": lambda: record["files"][0].pop("name"),
            "nonsense for files": lambda: record.update(files=7),
            "no files": lambda: record.pop("files"),
            "no target": lambda: record.pop("target"),
        }[forge]()
        record.pop("sha256")
        record["sha256"] = hashlib.sha256(msgspec.json.encode(record, order="deterministic")).hexdigest()

    edit(path, change)
    [fault] = check_folder(folder)
    assert fault.startswith(f"{path}: ")
    assert "\n" not in fault


def test_other_json_is_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "a game"}')
    with pytest.raises(SkerryError, match="holds no export of Skerry"):
        check_folder(tmp_path)
    with pytest.raises(SkerryError, match="is not the sidecar of a Skerry export"):
        read_sidecar(tmp_path / "package.json")
    with pytest.raises(SkerryError, match="cannot be read: No such file"):
        read_sidecar(tmp_path / "none.json")
    with pytest.raises(SkerryError, match="holds no export of Skerry"):
        check_folder(tmp_path / "nowhere")


def test_a_target_that_nobody_here_knows_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"123")
    write_sidecar(tmp_path / "x.json", "stranger", land(), [tmp_path / "x.bin"], {})
    [fault] = check_folder(tmp_path)
    assert "nobody here knows the target 'stranger'" in fault
