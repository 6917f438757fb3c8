"""Every mask operation through the registry on the arch map, and masks out to pictures and back."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plugins.api import Cancelled, Job, Patch, Scene
from plugins.exporting import check_folder, export_scene
from plugins.registry import find_operation, operations
from terrain.errors import ParamError, SkerryError
from terrain.map import TerrainMap
from terrain.masks.combine import from_mask
from terrain.params import describe
from tests.fixtures import arch_map

GENERATORS: dict[str, dict[str, object]] = {
    "mask-height": {"low": 5.0, "high": 20.0},
    "mask-slope": {},
    "mask-aspect": {},
    "mask-curvature": {"radius": 3.0},
    "mask-cavity": {"radius": 6.0},
    "mask-coast": {"high": 3.0},
    "mask-noise": {"size": 10.0},
    "mask-layer": {"layer": "sand"},
    "mask-rectangle": {"west": 110.0, "south": -40.0, "east": 150.0, "north": -10.0},
    "mask-lasso": {"points": (110.0, -40.0, 150.0, -40.0, 130.0, 0.0), "feather": 2.0},
    "mask-flood": {"row": 50, "col": 40, "tolerance": 1.0},
}
EDITS: dict[str, dict[str, object]] = {
    "mask-fill": {"value": 0.25},
    "mask-invert": {},
    "mask-blur": {"radius": 2.0},
    "mask-grow": {"distance": -2.0},
    "mask-levels": {"gamma": 2.0},
    "mask-combine": {"other": "rock", "combine": "subtract"},
}
OTHERS = {"mask-copy", "mask-delete", "mask-load"}


def scene() -> Scene:
    """The arch with a layer and three masks."""
    terrain = arch_map()
    rng = np.random.default_rng(5)
    for key in ("layer/sand", "mask/beach", "mask/rock", "mask/a b: c?"):
        terrain.extras[key] = rng.integers(0, 65536, (65, 81)).astype(np.uint16)
    return Scene(terrain)


def run(operation: str, on: Scene, **values: object) -> Patch:
    found = find_operation(operation)
    return found.run(on, found.Params.of(**values), Job())


def only(patch: Patch, name: str) -> np.ndarray[Any, Any]:
    """The one mask that a patch changes, checked to fit the map."""
    (key,) = patch.arrays
    assert key == f"mask/{name}"
    rect, values = patch.arrays[key]
    assert (rect.rows, rect.cols) == values.shape
    scene().terrain.check(key, values)
    return values


def test_the_menu_is_complete_and_says_what_each_entry_does() -> None:
    mine = {name: found for name, found in operations().items() if found.menu == "Mask"}
    assert set(GENERATORS) | set(EDITS) | OTHERS <= set(mine)
    for found in mine.values():
        assert found.uses_mask
        assert (type(found).__doc__ or "").split("\n")[0].endswith(".")
        assert all(info.doc for info in describe(found.Params))


@pytest.mark.parametrize("name", GENERATORS)
def test_generators_make_a_mask_of_something_but_not_all(name: str) -> None:
    before = scene()
    told: list[float] = []
    found = find_operation(name)
    patch = found.run(before, found.Params.of(**GENERATORS[name]), Job(lambda share, _: told.append(share)))
    values = only(patch, "selection")
    assert told[0] == 0.0
    assert 0.005 < from_mask(values).mean() < 0.9
    assert values.max() > 60000
    assert set(before.terrain.extras) == set(scene().terrain.extras)


def test_generators_join_what_the_mask_holds() -> None:
    on = scene()
    beach = on.terrain.extras["mask/beach"].copy()
    made = only(run("mask-height", on, low=5.0), "selection")
    for how, expected in (
        ("replace", made),
        ("add", np.maximum(beach, made)),
        ("subtract", np.minimum(beach, 65535 - made)),
        ("intersect", np.minimum(beach, made)),
    ):
        found = only(run("mask-height", on, low=5.0, into="beach", combine=how), "beach")
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(on.terrain.extras["mask/beach"], beach)
    np.testing.assert_array_equal(only(run("mask-height", on, low=5.0, combine="add"), "selection"), made)
    assert not only(run("mask-height", on, low=5.0, into="new", combine="intersect"), "new").any()


def test_the_active_mask_is_meant_unless_another_is_named() -> None:
    on = scene()
    on.terrain.active_mask = "rock"
    only(run("mask-slope", on), "rock")
    only(run("mask-invert", on), "rock")
    only(run("mask-invert", on, into="beach"), "beach")
    assert run("mask-delete", on).removed == ("mask/rock",)


@pytest.mark.parametrize("name", EDITS)
def test_edits_change_the_mask_named(name: str) -> None:
    on = scene()
    beach = on.terrain.extras["mask/beach"].copy()
    values = only(run(name, on, into="beach", **EDITS[name]), "beach")
    assert not np.array_equal(values, beach)
    np.testing.assert_array_equal(on.terrain.extras["mask/beach"], beach)


def test_edits_do_what_their_parameters_say() -> None:
    on = scene()
    beach, rock = on.terrain.extras["mask/beach"], on.terrain.extras["mask/rock"]
    assert (only(run("mask-fill", on, into="new", value=0.2), "new") == 13107).all()
    np.testing.assert_array_equal(only(run("mask-invert", on, into="beach"), "beach"), 65535 - beach)
    combined = only(run("mask-combine", on, into="beach", other="rock", combine="intersect"), "beach")
    np.testing.assert_array_equal(combined, np.minimum(beach, rock))
    assert (only(run("mask-grow", on, into="beach", distance=2.0), "beach") >= beach).all()
    np.testing.assert_array_equal(only(run("mask-copy", on, source="beach", into="copy"), "copy"), beach)
    deleted = run("mask-delete", on, into="beach")
    assert deleted.removed == ("mask/beach",)
    assert not deleted.arrays


@pytest.mark.parametrize(
    ("operation", "values", "line"),
    [
        ("mask-invert", {}, "no mask 'selection'; the map has: a b: c[?], beach, rock"),
        ("mask-delete", {"into": "nope"}, "no mask 'nope'; the map has: "),
        ("mask-combine", {"into": "rock", "other": "nope"}, "no mask 'nope'"),
        ("mask-copy", {"source": "rock"}, "needs a name"),
        ("mask-layer", {"layer": "snow"}, "no layer 'snow'; the map has: sand"),
        ("mask-height", {"into": "a/b"}, "cannot be called 'a/b'"),
        ("mask-height", {"low": 5.0, "high": 4.0}, "lower limit first"),
        ("mask-lasso", {"points": (1.0, 2.0, 3.0)}, "three points"),
        ("mask-flood", {"row": 65}, "no vertex in row 65"),
        ("mask-levels", {"into": "rock", "black": 0.6, "white": 0.5}, "below white"),
        ("mask-load", {}, "name a picture"),
    ],
)
def test_faults_are_one_line(operation: str, values: dict[str, object], line: str) -> None:
    with pytest.raises(SkerryError, match=line) as caught:
        run(operation, scene(), **values)
    assert "\n" not in str(caught.value)


def test_parameters_are_read_as_from_a_command_line() -> None:
    params = find_operation("mask-lasso").Params.of(points="0,0, 10,0, 5,8")
    assert params.points == (0.0, 0.0, 10.0, 0.0, 5.0, 8.0)
    with pytest.raises(ParamError, match="combine"):
        find_operation("mask-height").Params.of(combine="multiply")


def test_a_cancelled_job_ends_at_its_start() -> None:
    job = Job()
    job.cancel()
    found = find_operation("mask-noise")
    with pytest.raises(Cancelled):
        found.run(scene(), found.Params(), job)


def test_masks_go_out_and_come_back_bit_for_bit(tmp_path: Path) -> None:
    on = scene()
    report = export_scene(on, "mask", tmp_path, {}, Job())
    assert {file.name for file in report.files} == {"beach.png", "rock.png", "a b_ c_.png", "masks.json"}
    assert check_folder(tmp_path) == []
    for name, file in (("beach", "beach.png"), ("rock", "rock.png"), ("a b: c?", "a b_ c_.png")):
        again = only(run("mask-load", on, file=tmp_path / file, into="again"), "again")
        np.testing.assert_array_equal(again, on.terrain.extras[f"mask/{name}"])


def test_one_mask_goes_out_with_its_northern_row_on_top(tmp_path: Path) -> None:
    from imagecodecs import png_decode

    on = scene()
    export_scene(on, "mask", tmp_path, {"mask": "rock"}, Job())
    assert not (tmp_path / "beach.png").exists()
    picture = png_decode((tmp_path / "rock.png").read_bytes())
    np.testing.assert_array_equal(picture, on.terrain.extras["mask/rock"][::-1])


def test_masks_whose_names_differ_in_case_do_not_share_a_file(tmp_path: Path) -> None:
    on = scene()
    on.terrain.extras["mask/Rock"] = on.terrain.extras["mask/beach"].copy()
    export_scene(on, "mask", tmp_path, {}, Job())
    assert {file.name for file in tmp_path.glob("*ock*.png")} == {"Rock.png", "rock 2.png"}
    assert check_folder(tmp_path) == []


def test_check_finds_a_picture_that_vouches_for_itself_but_is_another(tmp_path: Path) -> None:
    """The sidecar of one export with the values of another, its own checksums mended."""
    from imagecodecs import png_encode

    from plugins.sidecar import read_sidecar, write_sidecar

    on = scene()
    export_scene(on, "mask", tmp_path, {"mask": "rock"}, Job())
    record = read_sidecar(tmp_path / "masks.json")
    changed = np.ascontiguousarray(on.terrain.extras["mask/rock"][::-1])
    changed[3, 4] ^= 1
    (tmp_path / "rock.png").write_bytes(png_encode(changed))
    assert check_folder(tmp_path)
    facts = {"masks": record["masks"]}
    write_sidecar(tmp_path / "masks.json", "mask", on.terrain, [tmp_path / "rock.png"], facts)
    (fault,) = check_folder(tmp_path)
    assert "does not hold the mask 'rock'" in fault


def test_a_map_without_masks_exports_none(tmp_path: Path) -> None:
    with pytest.raises(SkerryError, match="no masks"):
        export_scene(Scene(arch_map()), "mask", tmp_path, {}, Job())
    with pytest.raises(SkerryError, match="no mask 'nope'; the map has: a b"):
        export_scene(scene(), "mask", tmp_path, {"mask": "nope"}, Job())
    assert not list(tmp_path.iterdir())


def small(path: Path, samples: np.ndarray[Any, Any]) -> Path:
    if path.suffix == ".png":
        from imagecodecs import png_encode

        path.write_bytes(png_encode(samples))
    elif path.suffix == ".tif":
        import tifffile

        tifffile.imwrite(path, samples)
    else:
        from plugins.exr import write_exr

        write_exr(path, {"Y": samples})
    return path


@pytest.mark.parametrize(
    ("name", "dtype", "full"),
    [
        ("a.png", np.uint8, 255),
        ("a.png", np.uint16, 65535),
        ("a.tif", np.uint8, 255),
        ("a.tif", np.uint16, 65535),
        ("a.tif", np.float32, 1),
        ("a.exr", np.float32, 1),
    ],
)
def test_pictures_are_spread_linearly_from_corner_to_corner(
    name: str, dtype: type, full: float, tmp_path: Path
) -> None:
    """A white north-western corner in 2 x 3 pixels."""
    samples = np.zeros((2, 3), dtype)
    samples[0, 0] = full
    values = from_mask(only(run("mask-load", scene(), file=small(tmp_path / name, samples)), "selection"))
    north, west = np.linspace(0.0, 1.0, 65)[:, None], np.clip(1.0 - np.linspace(0.0, 2.0, 81), 0.0, 1.0)
    np.testing.assert_allclose(values, north * west, atol=1e-5)


def test_coloured_and_odd_pictures(tmp_path: Path) -> None:
    colour = np.zeros((2, 2, 3), np.uint8)
    colour[..., 0] = 153
    values = only(run("mask-load", scene(), file=small(tmp_path / "c.png", colour)), "selection")
    assert (values == round(65535 * 0.2)).all()
    odd = np.array([[np.nan, 7.0], [-3.0, np.inf]], np.float32)
    values = only(run("mask-load", scene(), file=small(tmp_path / "o.exr", odd)), "selection")
    assert [values[-1, 0], values[-1, -1], values[0, 0], values[0, -1]] == [0, 65535, 0, 65535]
    single = small(tmp_path / "s.tif", np.full((1, 1), 51, np.uint8))
    assert (only(run("mask-load", scene(), file=single), "selection") == 13107).all()


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("absent.png", None, "cannot be read"),
        ("text.png", b"not a picture", "neither PNG, TIFF nor EXR"),
        ("cut.png", b"\x89PNG\r\n\x1a\n\x00", "cut off"),
        ("cut.tif", b"II*\x00\x08\x00\x00\x00", "damaged"),
        ("cut.exr", b"\x76\x2f\x31\x01\x02\x00\x00\x00", "damaged"),
    ],
)
def test_damaged_pictures_are_one_line_that_names_them(
    name: str, content: bytes | None, line: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SkerryError, match=line) as caught:
        run("mask-load", scene(), file=tmp_path / name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_map_is_only_read() -> None:
    on, again = scene(), scene()
    for name, values in (GENERATORS | EDITS).items():
        run(name, on, **({"into": "beach"} | values))
    before: TerrainMap = again.terrain
    for key, array in on.terrain.arrays().items():
        np.testing.assert_array_equal(array, before.array(key))
