"""Grids with a place on earth: odd headers, rows that run the other way, units, sizes that cannot be."""

from pathlib import Path

import numpy as np
import pytest

from plugins.api import Job, Scene
from plugins.importing import import_file, probe_all
from terrain.errors import SkerryError
from tests.plugins import formats
from tests.plugins.formats import COLS, ROWS, letter_f


def read(path: Path, importer: str | None = None, **values: object) -> Scene:
    return import_file(path, importer, values, Job())


def heights(scene: Scene) -> np.ndarray:
    """Top row first."""
    return scene.terrain.field.offset[::-1, :, 2]


def geokeys(path: Path, values: np.ndarray, place: tuple[object, ...], *keys: tuple[int, int]) -> Path:
    import tifffile

    directory = (1, 1, 0, len(keys), *(n for code, value in sorted(keys) for n in (code, 0, 1, value)))
    extra = [place, (34735, 3, len(directory), directory, True)]
    tifffile.imwrite(path, values, photometric="minisblack", metadata=None, extratags=extra)
    return path


def test_geotiff_whose_rows_run_north_is_turned(tmp_path: Path) -> None:
    """ModelTransformation with a northing that grows with the row."""
    matrix = (30.0, 0, 0, 5e5, 0, 30.0, 0, 4e6, 0, 0, 0, 0, 0, 0, 0, 1.0)
    path = geokeys(tmp_path / "s.tif", letter_f()[::-1].astype(np.float32), (34264, 12, 16, matrix, True), (1024, 1))
    scene = read(path)
    np.testing.assert_array_equal(heights(scene), letter_f())
    assert scene.terrain.field.cell == 30.0


def test_web_mercator_is_measured_on_the_ground(tmp_path: Path) -> None:
    """At 60° N a metre of EPSG:3857 is half a metre on the ground."""
    import tifffile

    keys = (1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 3857)
    north = 6378137.0 * np.log(np.tan(np.pi / 4 + np.radians(60.0) / 2)) + 0.5 * ROWS * 10.0
    extra = [
        (33550, 12, 3, (10.0, 10.0, 0.0), True), (33922, 12, 6, (0.0, 0, 0, 0, float(north), 0), True),
        (34735, 3, len(keys), keys, True),
    ]  # fmt: skip
    tifffile.imwrite(tmp_path / "w.tif", letter_f().astype(np.float32), metadata=None, extratags=extra)
    assert read(tmp_path / "w.tif").terrain.field.cell == pytest.approx(5.0, rel=1e-4)


def test_feet_on_the_ground_become_metres_and_feet_of_height_are_pointed_out(tmp_path: Path) -> None:
    matrix = (10.0, 0, 0, 5e5, 0, -10.0, 0, 4e6, 0, 0, 0, 0, 0, 0, 0, 1.0)
    place = (34264, 12, 16, matrix, True)
    path = geokeys(tmp_path / "f.tif", letter_f().astype(np.int16), place, (1024, 1), (3076, 9003), (4099, 9003))
    scene = read(path)
    assert scene.terrain.field.cell == pytest.approx(10.0 * 1200 / 3937)
    assert any("--height-scale 0.3048" in note for note in scene.terrain.source["notes"])


def test_ascii_with_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "c.asc"
    path.write_text("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2,5\n1,5 2\n-3,25 4e1\n")
    scene = read(path)
    np.testing.assert_array_equal(heights(scene), [[1.5, 2.0], [-3.25, 40.0]])
    assert scene.terrain.field.cell == 2.5


@pytest.mark.parametrize(
    "text",
    [
        "ncols 2\r\nnrows 2\r\ncellsize 3\r\n1 2\r\n3 4\r\n",
        "ncols 2\rnrows 2\rcellsize 3\r1 2\r3 4\r",
        "\ufeffncols 2\nnrows 2\ncellsize 3\n1 2\n3 4\n",
        "\n\nncols 2\nnrows 2\n\ncellsize 3\n\n1 2\n3 4\n",
        "ncols 2\nnrows 2\ncellsize 3\nbyteorder LSBFIRST\n1 2\n3 4\n",
        "NCOLS 2\nNROWS 2\nCELLSIZE 3\n1\n2 3\n4",
    ],
)
def test_ascii_as_every_editor_leaves_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "e.asc"
    path.write_bytes(text.encode("utf-8"))
    scene = read(path)
    np.testing.assert_array_equal(heights(scene), [[1, 2], [3, 4]])
    assert (scene.terrain.field.cell, scene.terrain.source["importer"]) == (3.0, "ascii")


def test_ascii_of_a_local_grid_stays_in_metres(tmp_path: Path) -> None:
    header = "ncols {cols}\nnrows {rows}\nxllcorner 0\nyllcorner 0\ncellsize 0.5\n"
    assert read(formats.ascii_grid(tmp_path / "l.asc", header)).terrain.field.cell == 0.5


def test_ascii_says_which_word_is_no_number(tmp_path: Path) -> None:
    path = tmp_path / "w.asc"
    path.write_text("ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 oops 6\n")
    with pytest.raises(SkerryError, match="row 2, column 2: 'oops'"):
        read(path)


def test_ascii_is_refused_by_its_header_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = formats.ascii_grid(tmp_path / "h.asc", "ncols 90000\nnrows 90000\ncellsize 1\n")
    monkeypatch.setattr("plugins.bundled.import_ascii._numbers", lambda *_: pytest.fail("the whole file was read"))
    with pytest.raises(SkerryError, match="90000x90000 samples need"):
        read(path)


@pytest.mark.parametrize("shape", [(1201, 601), (601, 601)])
def test_hgt_tiles_of_other_sizes_are_one_degree_all_the_same(tmp_path: Path, shape: tuple[int, int]) -> None:
    values = np.add.outer(np.arange(shape[0]), np.arange(shape[1])).astype(">i2")
    path = tmp_path / "N60W007.hgt"
    path.write_bytes(values.tobytes())
    source = read(path, pixels="keep").terrain.source
    assert (source["rows"], source["cols"]) == shape
    assert source["ground"] == pytest.approx([54_975, 111_421], rel=1e-3)


def test_hgt_cut_short_is_refused_not_sheared(tmp_path: Path) -> None:
    path = tmp_path / "N43E007.hgt"
    path.write_bytes(bytes(1_442_401))
    for importer in (None, "hgt"):
        with pytest.raises(SkerryError, match="no whole SRTM tile"):
            read(path, importer)


def test_gtopo30_dem_with_a_header_beside(tmp_path: Path) -> None:
    path = formats.bil(tmp_path / "W020N90.bil", ">i2")
    path = path.rename(path.with_suffix(".dem"))
    assert probe_all(path)[0].summary == "GTOPO30 tile"
    np.testing.assert_array_equal(heights(read(path)), letter_f())


def netcdf(path: Path, order: tuple[str, str], unit: bytes, **attributes: object) -> Path:
    from scipy.io import netcdf_file

    with netcdf_file(path, "w") as file:
        for name, count in (("x", COLS), ("y", ROWS)):
            file.createDimension(name, count)
            axis = file.createVariable(name, "f8", (name,))
            axis[:] = 0.25 * np.arange(count)
            axis.units = unit
        variable = file.createVariable("z", "f4", order)
        variable[:] = letter_f()[::-1] if order == ("y", "x") else letter_f()[::-1].T
        for name, value in attributes.items():
            setattr(variable, name, value)
    return path


@pytest.mark.parametrize("order", [("y", "x"), ("x", "y")])
def test_netcdf_in_either_order_of_axes_and_in_kilometres(tmp_path: Path, order: tuple[str, str]) -> None:
    scene = read(netcdf(tmp_path / "k.nc", order, b"km"))
    np.testing.assert_array_equal(heights(scene), letter_f())
    assert scene.terrain.field.cell == 250.0


def test_netcdf_with_two_values_for_no_data(tmp_path: Path) -> None:
    low, high = float(letter_f().min()), float(letter_f().max())
    path = netcdf(tmp_path / "v.nc", ("y", "x"), b"m", _FillValue=low, missing_value=high)
    expected = int((letter_f() == low).sum() + (letter_f() == high).sum())
    assert read(path).terrain.source["nodata"] == expected


def test_netcdf4_in_a_group_is_found_and_cdf5_named(tmp_path: Path) -> None:
    import h5py

    with h5py.File(tmp_path / "g.nc", "w") as file:
        file["model/elevation"] = letter_f().astype(np.int16)
        file["model/quality"] = letter_f().astype(np.int16)
    np.testing.assert_array_equal(heights(read(tmp_path / "g.nc"))[::-1], letter_f())
    (tmp_path / "w.nc").write_bytes(b"CDF\x05" + bytes(100))
    with pytest.raises(SkerryError, match="CDF-5"):
        read(tmp_path / "w.nc")


def test_netcdf_is_refused_before_it_is_read(tmp_path: Path) -> None:
    from scipy.io import netcdf_file

    with netcdf_file(tmp_path / "b.nc", "w") as file:
        file.createDimension("y", 600)
        file.createDimension("x", 600)
        file.createVariable("z", "f4", ("y", "x"))[:] = 1.0
    with pytest.raises(SkerryError, match="600x600 samples need about"):
        read(tmp_path / "b.nc", memory_limit=1)


def test_epsg_sends_a_geotiff_to_the_importer_that_reprojects(tmp_path: Path) -> None:
    pytest.importorskip("rasterio", reason="the extra 'geo' is not installed")
    values = np.tile(np.arange(60, dtype=np.float32), (50, 1))
    path = formats.geotiff(tmp_path / "g.tif", values, (0.001, 0.001), True, 45.0)
    assert read(path).terrain.source["importer"] == "tiff"
    assert read(path, epsg=32632).terrain.source["importer"] == "gdal"
    with pytest.raises(SkerryError, match="no coordinate system EPSG:999999"):
        read(path, epsg=999999)


def test_gdal_is_asked_last_and_never_about_netcdf(tmp_path: Path) -> None:
    """Its NetCDF driver ends the process on some damaged files."""
    pytest.importorskip("rasterio", reason="the extra 'geo' is not installed")
    path = formats.netcdf_classic(tmp_path / "d.nc", True)
    assert [guess.importer for guess in probe_all(path)] == ["netcdf"]
    with pytest.raises(SkerryError, match="not recognized"):
        read(path, "gdal")
    # An XYZ list is nobody else's.
    (tmp_path / "p.xyz").write_text("".join(f"{x} {y} {x + 10 * y}\n" for y in (3, 2, 1) for x in (1, 2, 3, 4)))
    scene = read(tmp_path / "p.xyz")
    assert scene.terrain.source["importer"] == "gdal"
    np.testing.assert_array_equal(heights(scene), [[31, 32, 33, 34], [21, 22, 23, 24], [11, 12, 13, 14]])


def test_gdal_extra_measures_as_the_base_install_does(tmp_path: Path) -> None:
    """Without a coordinate system, and with rows that run north."""
    pytest.importorskip("rasterio", reason="the extra 'geo' is not installed")
    header = "ncols {cols}\nnrows {rows}\nxllcorner 500000\nyllcorner 4000000\ncellsize 30\n"
    path = formats.ascii_grid(tmp_path / "a.asc", header)
    by_gdal, by_us = read(path, "gdal"), read(path)
    assert by_gdal.terrain.field.cell == by_us.terrain.field.cell == 30.0
    np.testing.assert_array_equal(heights(by_gdal), heights(by_us))
    matrix = (30.0, 0, 0, 5e5, 0, 30.0, 0, 4e6, 0, 0, 0, 0, 0, 0, 0, 1.0)
    path = geokeys(
        tmp_path / "s.tif", letter_f()[::-1].astype(np.float32), (34264, 12, 16, matrix, True), (1024, 1), (3072, 32633)
    )
    np.testing.assert_array_equal(heights(read(path, "gdal")), letter_f())
    np.testing.assert_array_equal(heights(read(path)), letter_f())
