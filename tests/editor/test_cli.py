"""The command line: what each command does, its exit status, and that bad input is one line and leaves no map."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from editor.cli import main
from editor.cli.tokens import UsageError, params_from, read_options, read_point, read_size
from editor.store import load
from plugins.registry import find_brush

STROKE = {
    "format": "skerry-strokes",
    "strokes": [{"brush": "raise", "params": {"radius": 6, "strength": 5}, "points": [[8, 8, 0, 1], [12, 9, 0, 1]]}],
}


def run(*words: object) -> int:
    return main([str(word) for word in words])


@pytest.fixture
def flat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "flat map é.skerry"
    assert run("new", path, "--size", "33x21", "--cell", 2, "--height", 3, "--sea-level", -1.5) == 0
    capsys.readouterr()
    return path


def info(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    assert run("info", path, "--json") == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_new_counts_vertices_and_info_tells_all(flat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = info(flat, capsys)
    assert (record["cols"], record["rows"], record["cell"], record["sea_level"]) == (33, 21, 2.0, -1.5)
    assert record["height"] == {"min": 3.0, "max": 3.0}
    assert record["bounds"] == [0.0, 0.0, 3.0, 64.0, 40.0, 3.0]
    assert list(record["arrays"]) == ["offset"]
    assert record["arrays"]["offset"]["shape"] == [21, 33, 3]
    assert {"origin", "layers", "masks", "placements", "markers", "source"} < set(record)


def test_info_for_a_person(flat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("info", flat) == 0
    out = capsys.readouterr().out
    assert "33x21 vertices, 2 m apart" in out
    assert "sea level -1.5 m" in out


def test_checksum_is_of_the_little_endian_bytes(flat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import hashlib

    offset = load(flat).terrain.field.offset
    expected = hashlib.sha256(offset.astype("<f4").tobytes()).hexdigest()
    assert info(flat, capsys)["arrays"]["offset"]["sha256"] == expected


def test_stroke_changes_the_map_the_same_way_every_time(flat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twin = flat.with_name("twin.skerry")
    assert run("new", twin, "--size", "33x21", "--cell", 2, "--height", 3, "--sea-level", -1.5) == 0
    strokes = flat.with_name("strokes.json")
    strokes.write_text(json.dumps(STROKE))
    before = info(flat, capsys)["arrays"]["offset"]["sha256"]
    for path in (flat, twin):
        assert run("stroke", path, strokes) == 0
    after = info(flat, capsys)
    assert after["arrays"]["offset"]["sha256"] != before
    assert after["arrays"] == info(twin, capsys)["arrays"]
    assert after["height"]["max"] > 3.5


def test_a_stroke_that_fails_is_named_and_the_map_is_as_it_was(flat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strokes = flat.with_name("strokes.json")
    picture = {**STROKE["strokes"][0], "brush": "stamp", "params": {"radius": 6, "picture": "absent.png"}}
    strokes.write_text(json.dumps({**STROKE, "strokes": [*STROKE["strokes"], picture]}))
    before = flat.read_bytes()
    assert run("stroke", flat, strokes) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert f"{strokes}: stroke 2: absent.png: cannot be read" in line
    assert flat.read_bytes() == before


def test_export_and_check(flat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for target in ("height", "vdm", "gltf"):
        folder = tmp_path / "out" / target
        assert run("export", flat, target, folder) == 0
        assert run("check", folder) == 0
        assert "sound" in capsys.readouterr().out
        biggest = max(folder.iterdir(), key=lambda path: path.stat().st_size)
        biggest.write_bytes(biggest.read_bytes()[:-3])
        assert run("check", folder) == 1
        assert biggest.name in capsys.readouterr().out
    assert run("check", flat) == 0


def test_import_options_and_guess(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = tmp_path / "height.r16"
    row, col = np.mgrid[0:20, 0:30]
    values = (1000 + 40 * row + 3 * col).astype("<u2")
    raw.write_bytes(values.tobytes())
    assert run("import", raw, "--guess") == 0
    assert "30" in capsys.readouterr().out
    out = tmp_path / "map.skerry"
    words = ("--width", 30, "--height", 20, "--cell=5", "--min-height", -10, "--max-height", 645.35)
    assert run("import", raw, out, *words) == 0
    terrain = load(out).terrain
    assert (terrain.field.rows, terrain.field.cols, terrain.field.cell) == (20, 30, 5.0)
    expected = -10 + values[::-1] / 65535 * 655.35
    np.testing.assert_allclose(terrain.field.offset[..., 2], expected, atol=1e-3)


def test_brushes_and_formats_list_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("brushes") == 0
    assert "along-view" in capsys.readouterr().out
    assert run("brushes", "raise") == 0
    assert "--radius" in capsys.readouterr().out
    assert run("brushes", "raise", "--json") == 0
    params = {param["name"]: param for param in json.loads(capsys.readouterr().out)[0]["params"]}
    assert (params["radius"]["unit"], params["falloff"]["choices"][0]) == ("m", "smooth")
    assert run("formats") == 0
    out = capsys.readouterr().out
    assert all(target in out for target in ("height", "vdm", "gltf", ".tif", ".exr"))
    assert run("formats", "gltf") == 0


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["info", "absent.skerry"], 1),
        (["info", "."], 1),
        (["info", "garbage.skerry"], 1),
        (["import", "absent.tif", "out.skerry"], 1),
        (["import", "garbage.skerry", "out.skerry"], 1),
        (["import", "garbage.skerry"], 2),
        (["import", "garbage.skerry", "out.skerry", "--importer", "nope"], 1),
        (["stroke", "garbage.skerry", "absent.json"], 1),
        (["export", "garbage.skerry", "height", "folder"], 1),
        (["render", "garbage.skerry", "out.png"], 1),
        (["render", "garbage.skerry", "out.jpg"], 2),
        (["render", "garbage.skerry", "out.png", "--size", "0x0"], 2),
        (["render", "garbage.skerry", "out.png", "--eye", "1,2,3"], 2),
        (["check", "garbage.skerry"], 1),
        (["check", "."], 1),
        (["new", "out.skerry", "--size", "1x5", "--cell", "1"], 1),
        (["new", "out.skerry", "--size", "5x5", "--cell", "0"], 1),
        (["new", "out.skerry", "--size", "5x5", "--cell", "nan"], 1),
        (["new", "out.skerry", "--size", "five", "--cell", "1"], 2),
        (["new", "out.skerry", "--size", "99999x99999", "--cell", "1"], 1),
        (["new", "out.skerry", "--size", "5x5"], 2),
        (["new", "no/such/folder/out.skerry", "--size", "5x5", "--cell", "1"], 1),
        (["brushes", "nope"], 1),
        (["formats", "nope"], 1),
        (["formats", "nope", "--json"], 1),
        (["new", "out.skerry", "--size", "²x3", "--cell", "1"], 2),
        (["bench", "nope"], 1),
        (["exprot"], 2),
        (["info"], 2),
        (["info", "garbage.skerry", "--jsn"], 2),
    ],
)
def test_bad_input_is_one_line_with_the_right_status(
    words: list[str], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "garbage.skerry").write_bytes(b"not a map at all" * 50)
    before = sorted(tmp_path.iterdir())
    assert main(words) == status
    captured = capsys.readouterr()
    assert captured.err.startswith("skerry: ")
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    assert sorted(tmp_path.iterdir()) == before


def test_wrong_option_of_an_importer_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grid = tmp_path / "a.asc"
    grid.write_text("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n")
    assert run("import", grid, tmp_path / "a.skerry", "--cel", "3") == 2
    assert run("import", grid, tmp_path / "a.skerry", "--cell", "wide") == 2
    assert "unknown parameter 'cel'" in capsys.readouterr().err
    assert not (tmp_path / "a.skerry").exists()


def test_words() -> None:
    assert read_size("640x480") == (640, 480)
    assert read_options(["--cell", "2", "--crop=0,-1", "--flip", "--min-height", "-3"]) == {
        "cell": "2", "crop": "0,-1", "flip": "yes", "min_height": "-3",
    }  # fmt: skip
    np.testing.assert_array_equal(read_point("1,-2.5,3e2"), [1.0, -2.5, 300.0])
    assert params_from(find_brush("raise").Params, ["--radius", "3"]).radius == 3.0
    for wrong in ("", "5", "5x", "ax3", "-5x3"):
        with pytest.raises(UsageError):
            read_size(wrong)
    for wrong in ("1,2", "a,b,c", "1,2,nan"):
        with pytest.raises(UsageError):
            read_point(wrong)
    with pytest.raises(UsageError):
        read_options(["cell", "2"])
    with pytest.raises(UsageError, match="radius"):
        params_from(find_brush("raise").Params, ["--radius", "wide"])


def test_the_command_works_without_qt_and_without_a_display(flat: Path) -> None:
    """A server has no Qt libraries: nothing but `edit` may import PySide6."""
    code = (
        "import sys; sys.modules['PySide6'] = None\n"
        "from editor.cli import main\n"
        f"sys.exit(main(['info', {str(flat)!r}]) or main(['brushes']) or main(['formats']))"
    )
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_a_reader_that_has_seen_enough_is_no_error(flat: Path) -> None:
    done = subprocess.run(
        f'"{sys.executable}" -m editor.cli formats --json | head -1',
        shell=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
