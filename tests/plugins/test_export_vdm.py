"""Vector displacement: three float channels, bit for bit, and what the file leaves out is said."""

import json
from pathlib import Path

import numpy as np
import pytest

from plugins.api import Job, Report, Scene
from plugins.exporting import export_scene
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.fixtures import arch_map


def export(terrain: TerrainMap, folder: Path, **values: object) -> Report:
    return export_scene(Scene(terrain), "vdm", folder, values, Job())


def channels(folder: Path) -> dict[str, np.ndarray]:
    import OpenEXR

    found = OpenEXR.File(str(folder / "displacement.exr"), separate_channels=True).channels()
    return {name: channel.pixels for name, channel in found.items()}


@pytest.mark.parametrize("first", ["north", "south"])
def test_the_arch_bit_for_bit(tmp_path: Path, first: str) -> None:
    terrain = arch_map()
    export(terrain, tmp_path, first_row=first)
    found = channels(tmp_path)
    rows = terrain.field.offset[::-1] if first == "north" else terrain.field.offset
    assert sorted(found) == ["B", "G", "R"]
    for k, name in enumerate("RGB"):
        assert found[name].dtype == np.float32
        assert found[name].tobytes() == np.ascontiguousarray(rows[..., k]).tobytes()


def test_the_sidecar_s_formula_gives_the_world_positions(tmp_path: Path) -> None:
    terrain = arch_map()
    export(terrain, tmp_path)
    record = json.loads((tmp_path / "displacement.json").read_text())
    found = {name: values[::-1].astype(np.float64) for name, values in channels(tmp_path).items()}
    assert record["first_row"] == "north"
    row, col = np.mgrid[0 : record["rows"], 0 : record["cols"]]
    x = record["origin"][0] + col * record["cell"] + found["R"]
    y = record["origin"][1] + row * record["cell"] + found["G"]
    np.testing.assert_array_equal(np.stack([x, y, found["B"]], axis=-1), terrain.field.positions())


def test_the_smallest_map(tmp_path: Path) -> None:
    export(TerrainMap(VectorField.flat(2, 2, 1e-3, -11_000.0)), tmp_path)
    np.testing.assert_array_equal(channels(tmp_path)["B"], np.full((2, 2), -11_000.0))


def test_holes_are_said_to_be_left_out(tmp_path: Path) -> None:
    terrain = arch_map()
    assert not any("holes" in note for note in export(terrain, tmp_path).notes)
    terrain.extras["hole"] = terrain.new_array("hole")
    terrain.extras["hole"][1, 1:4] = True
    assert "3 cells are holes, which this file cannot say" in export(terrain, tmp_path).notes
