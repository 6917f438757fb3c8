"""Every format gives the same asymmetric grid, the right way up; odd and broken ones are answered in a line."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugins.api import Job, Scene
from plugins.importing import import_file, probe_all
from plugins.registry import importers
from terrain.errors import SkerryError
from tests.plugins import formats
from tests.plugins.formats import COLS, ROWS, WRITERS, letter_f


def read(path: Path, importer: str | None = None, **values: object) -> Scene:
    return import_file(path, importer, values, Job())


def heights(scene: Scene) -> np.ndarray:
    """Top row first."""
    return scene.terrain.field.offset[::-1, :, 2]


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_reads_the_letter_the_right_way_up(tmp_path: Path, name: str) -> None:
    scene = read(
        WRITERS[name](tmp_path), pixels="keep", **({} if "exr" in name or "nc" in name else {"height_scale": 2})
    )
    factor = 1.0 if "exr" in name or "nc" in name else 2.0
    np.testing.assert_array_equal(heights(scene), factor * letter_f())
    assert scene.terrain.source["peak"] == list(np.unravel_index(letter_f().argmax(), (ROWS, COLS)))


@pytest.mark.parametrize("kind", ["u8", "u16", "i16", "u32", "i32", "f32"])
@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("header", [0, 37])
def test_raw_as_told(tmp_path: Path, kind: str, order: str, header: int) -> None:
    dtype = np.dtype({"u": "u", "i": "i", "f": "f"}[kind[0]] + str(int(kind[1:]) // 8))
    body = letter_f().astype(dtype.newbyteorder("<" if order == "little" else ">")).tobytes()
    path = tmp_path / "f.raw"
    path.write_bytes(bytes(header) + body)
    told = {"width": COLS, "height": ROWS, "kind": kind, "byte_order": order, "header": header, "height_scale": 2}
    np.testing.assert_array_equal(heights(read(path, **told)), 2 * letter_f())
    south = read(path, first_row="south", **told)
    np.testing.assert_array_equal(heights(south), 2 * letter_f()[::-1])


@pytest.mark.parametrize("dtype", ["<u2", ">u2", "<f4"])
def test_raw_guess_finds_size_depth_and_order_of_smooth_land(tmp_path: Path, dtype: str) -> None:
    row, col = np.mgrid[0:65, 0:129]
    land = 20000 + 9000 * np.sin(row / 17.0) * np.cos(col / 23.0) + 40.0 * row
    path = tmp_path / "f.raw"
    path.write_bytes(land.astype(dtype).tobytes())
    guess = probe_all(path)[0]
    assert (guess.params["width"], guess.params["height"]) == (129, 65)
    assert guess.params["kind"] == ("f32" if "f" in dtype else "u16")
    assert guess.params["byte_order"] == ("big" if dtype[0] == ">" else "little")


def test_user_values_win_over_the_guess_and_the_wrong_order_is_pointed_out(tmp_path: Path) -> None:
    path = tmp_path / "f.r16"
    row, col = np.mgrid[0:64, 0:64]
    path.write_bytes((9000 + 100 * row + 50 * col).astype("<u2").tobytes())
    notes = read(path, byte_order="big").terrain.source["notes"]
    assert any("other byte order" in note for note in notes)


def test_degrees_become_metres_at_the_latitude(tmp_path: Path) -> None:
    """One degree at 60° N: 55.80 km of longitude, 111.41 km of latitude (WGS 84)."""
    values = np.zeros((101, 101), np.float32) + np.arange(101)
    path = formats.geotiff(tmp_path / "g.tif", values, (0.01, 0.01), True, 60.5)
    width, height = read(path).terrain.source["ground"]
    assert width == pytest.approx(55_802, rel=1e-3)
    assert height == pytest.approx(111_415, rel=1e-3)


def test_oblong_pixels_are_squared_without_shaving_the_summit(tmp_path: Path) -> None:
    row, col = np.mgrid[0:40, 0:40]
    values = np.exp(-((row - 13.0) ** 2 + (col - 21.0) ** 2) / 30.0).astype(np.float32) * 100 - 20
    path = formats.geotiff(tmp_path / "g.tif", values, (10.0, 27.0), False, 5e6)
    terrain = read(path).terrain
    assert terrain.field.rest_size == pytest.approx((390.0, 1053.0), abs=5.0)
    assert terrain.field.height_range() == pytest.approx((values.min(), values.max()))
    kept = read(path, pixels="keep").terrain
    np.testing.assert_array_equal(kept.field.offset[::-1, :, 2], values)


def test_declared_no_data_is_filled_and_counted(tmp_path: Path) -> None:
    values = letter_f().astype(np.float32)
    values[5:9, 12:15] = -9999.0
    values[0, 0] = np.nan
    path = formats.geotiff(tmp_path / "g.tif", values, (5.0, 5.0), False, 5e6, nodata="-9999")
    scene = read(path)
    assert scene.terrain.source["nodata"] == 13
    assert scene.terrain.source["nodata_value"] == -9999.0
    np.testing.assert_array_equal(heights(scene)[letter_f() == values], values[letter_f() == values])
    assert heights(scene).min() >= letter_f().min()
    assert heights(read(path, fill="sea-level", sea_level=-7.0))[6, 13] == -7.0


@pytest.mark.parametrize(("value", "text"), [(-3.4028235e38, "-3.40282347e+38"), (-9999.9, "-9999.9"), (9.97e36, "-1")])
def test_no_data_that_text_cannot_hold_exactly_is_found_all_the_same(tmp_path: Path, value: float, text: str) -> None:
    values = letter_f().astype(np.float32)
    values[2, 3] = value
    scene = read(formats.geotiff(tmp_path / "g.tif", values, (5.0, 5.0), False, 5e6, nodata=text))
    assert scene.terrain.source["nodata"] == 1
    assert heights(scene).max() == letter_f().max()
    assert heights(scene).min() >= letter_f().min()


def test_smooth_fill_solves_laplace(tmp_path: Path) -> None:
    """A hole in a plane is filled with the plane."""
    row, col = np.mgrid[0:30, 0:30]
    plane = (3.0 * col - 2.0 * row).astype(np.float32)
    holed = plane.copy()
    holed[8:20, 10:22] = np.nan
    path = formats.tiff(tmp_path / "p.tif", "float32")
    import tifffile

    tifffile.imwrite(path, holed)
    np.testing.assert_allclose(heights(read(path, fill="smooth")), plane, atol=1e-3)


def test_crop_flip_resample_scale_and_range(tmp_path: Path) -> None:
    path = formats.tiff(tmp_path / "f.tif", "float32")
    f = letter_f()
    np.testing.assert_array_equal(heights(read(path, crop="4,3,23,19")), f[3:20, 4:24])
    np.testing.assert_array_equal(heights(read(path, flip="north-south")), f[::-1])
    np.testing.assert_array_equal(heights(read(path, flip="east-west")), f[:, ::-1])
    np.testing.assert_array_equal(heights(read(path, height_scale=0.5, height_offset=-3.0)), 0.5 * f - 3.0)
    finer = read(path, columns=61, cell=4.0).terrain.field
    assert (finer.cols, finer.rows, finer.cell) == (61, 45, 2.0)
    np.testing.assert_allclose(finer.offset[::-2, ::2, 2], f, atol=1e-4)
    coarser = read(path, rows=12).terrain.field
    assert (coarser.cols, coarser.rows) == (16, 12)
    ranged = heights(read(path, min_height=-5.0, max_height=5.0))
    assert (ranged.min(), ranged.max()) == (-5.0, 5.0)


def test_sixteen_bit_decodes_by_65535_so_that_the_top_is_exact(tmp_path: Path) -> None:
    samples = np.array([[0, 65535], [1, 32768]], np.uint16)
    scene = read(formats.png(tmp_path / "p.png", samples), min_height=0.0, max_height=28.0)
    assert heights(scene)[0, 1] == 28.0
    assert heights(scene)[1, 1] == pytest.approx(28.0 * 32768 / 65535)


def test_bathymetry_stays_signed(tmp_path: Path) -> None:
    import tifffile

    values = np.array([[-4327, 5], [892, -1]], np.int16)
    tifffile.imwrite(tmp_path / "s.tif", values)
    np.testing.assert_array_equal(heights(read(tmp_path / "s.tif")), values)


def test_scaled_netcdf_and_positive_down(tmp_path: Path) -> None:
    path = formats.netcdf_classic(tmp_path / "a.nc", True, scale_factor=0.5, add_offset=10.0)
    np.testing.assert_allclose(heights(read(path, pixels="keep")), 0.5 * letter_f() + 10.0)
    deep = formats.netcdf_classic(tmp_path / "b.nc", True, positive=b"down")
    np.testing.assert_allclose(heights(read(deep, pixels="keep")), -letter_f().astype(float))


def test_tiles_of_elevation_decode_to_metres(tmp_path: Path) -> None:
    metres = letter_f() * 0.5 - 20.0
    code = np.round((metres + 32768.0) * 256.0).astype(np.int64)
    terrarium = np.stack([code >> 16, (code >> 8) & 255, code & 255], axis=-1).astype(np.uint8)
    np.testing.assert_allclose(heights(read(formats.png(tmp_path / "t.png", terrarium))), metres, atol=1 / 256)
    code = np.round((metres + 10000.0) * 10.0).astype(np.int64)
    mapbox = np.stack([code >> 16, (code >> 8) & 255, code & 255], axis=-1).astype(np.uint8)
    np.testing.assert_allclose(heights(read(formats.png(tmp_path / "m.png", mapbox))), metres, atol=0.051)


def test_palettes_of_every_depth_give_indices(tmp_path: Path) -> None:
    import struct
    import zlib

    from plugins.decode import png

    index = np.array([[0, 1, 1, 0, 1], [1, 0, 1, 1, 0]], np.uint8)
    for bits in (1, 2, 4, 8):
        rows = np.zeros((2, 1 + (5 * bits + 7) // 8), np.uint8)
        for r in range(2):
            packed = "".join(format(v, f"0{bits}b") for v in index[r]).ljust((5 * bits + 7) // 8 * 8, "0")
            rows[r, 1:] = [int(packed[k : k + 8], 2) for k in range(0, len(packed), 8)]

        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        data = png.SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 5, 2, bits, 3, 0, 0, 0))
        data += chunk(b"PLTE", bytes(6)) + chunk(b"IDAT", zlib.compress(rows.tobytes())) + chunk(b"IEND", b"")
        np.testing.assert_array_equal(png.decode(data), index)


BAD_TEXTS = {
    "short.asc": "ncols 3\nnrows 3\ncellsize 1\n1 2 3\n4 5 6\n",
    "word.asc": "ncols 2\nnrows 2\ncellsize 1\n1 2\n3 four\n",
    "zero.asc": "ncols 0\nnrows 2\ncellsize 1\n",
    "cell.asc": "ncols 2\nnrows 2\ncellsize -1\n1 2\n3 4\n",
    "one.asc": "ncols 1\nnrows 2\ncellsize 1\n1\n2\n",
    "void.asc": "ncols 2\nnrows 2\ncellsize 1\nnodata_value -1\n-1 -1\n-1 -1\n",
    "huge.asc": "ncols 900000\nnrows 900000\ncellsize 1\n1 2\n",
    "lonely.bil": "xx",
    "text.png": "this is no picture",
    "text.tif": "this is no picture",
    "text.hgt": "this is no tile",
}


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_bad_files_are_refused_in_one_line_naming_them(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(BAD_TEXTS[name])
    with pytest.raises(SkerryError, match=name) as caught:
        read(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"crop": "0,0,99,99"}, "crop"),
        ({"crop": "5,5,5,9"}, "crop"),
        ({"min_height": 1.0}, "go together"),
        ({"columns": 9000}, "8192"),
        ({"cell": 0}, "cell"),
        ({"memory_limit": 0}, "memory_limit"),
        ({"height_scale": 1e39}, "too large"),
        ({"page": 7}, "no page 7"),
        ({"band": 2}, "no band 2"),
        ({"colour": "red"}, "unknown parameter"),
    ],
)
def test_bad_values_are_refused(tmp_path: Path, values: dict[str, object], complaint: str) -> None:
    path = formats.tiff(tmp_path / "f.tif", "float32")
    with pytest.raises(SkerryError, match=complaint):
        read(path, **values)


def test_too_large_a_file_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    """A PNG header that promises 4 gigapixels, a raw size that needs more than the limit."""
    import struct
    import zlib

    head = struct.pack(">IIBBBBB", 65500, 65500, 16, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    (tmp_path / "bomb.png").write_bytes(data)
    with pytest.raises(SkerryError, match="MiB, more than the limit"):
        read(tmp_path / "bomb.png")
    path = formats.tiff(tmp_path / "f.tif", "float32")
    import tifffile

    tifffile.imwrite(path, np.zeros((400, 400), np.float32))
    with pytest.raises(SkerryError, match="--memory-limit 6"):
        read(path, memory_limit=1)


def test_missing_empty_and_folders_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty.tif").touch()
    for path, complaint in (
        (tmp_path / "absent.tif", "cannot be read"),
        (tmp_path / "empty.tif", "empty"),
        (tmp_path, "is a folder"),
    ):
        with pytest.raises(SkerryError, match=complaint):
            read(path)


def test_names_in_any_script_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "København ναός 島 🌊"
    folder.mkdir()
    for name in ("tiff int16", "exr Y", "png 16", "netcdf-4", "bil <i2"):
        read(WRITERS[name](folder))


def test_names_quoted_from_a_damaged_file_break_no_line(tmp_path: Path) -> None:
    path = WRITERS["png 16"](tmp_path)
    path.write_bytes(path.read_bytes().replace(b"IDAT", b"IDA\n"))
    with pytest.raises(SkerryError, match=r"IDA\?") as caught:
        read(path)
    assert str(caught.value).isprintable()


@settings(max_examples=60)
@given(data=st.data())
def test_damage_never_gives_more_than_a_line(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    name = data.draw(
        st.sampled_from([key for key in WRITERS if "tiff" not in key or key in ("tiff lzw", "tiff int16")])
    )
    path = WRITERS[name](tmp_path_factory.mktemp("damage"))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    try:
        scene = read(path)
    except SkerryError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert np.isfinite(scene.terrain.field.offset).all()


@pytest.mark.parametrize("importer", importers())
@given(st.binary(min_size=1, max_size=400))
def test_garbage_never_gives_more_than_a_line(
    importer: str, tmp_path_factory: pytest.TempPathFactory, garbage: bytes
) -> None:
    path = tmp_path_factory.mktemp("garbage") / f"g{importers()[importer].suffixes[0]}"
    path.write_bytes(garbage)
    try:
        scene = read(path, importer)
    except SkerryError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert np.isfinite(scene.terrain.field.offset).all()


def test_gdal_extra_reads_and_reprojects(tmp_path: Path) -> None:
    pytest.importorskip("rasterio", reason="the extra 'geo' is not installed")
    values = np.tile(np.arange(60, dtype=np.float32), (50, 1))
    path = formats.geotiff(tmp_path / "g.tif", values, (0.001, 0.001), True, 45.0)
    source = read(path, "gdal", epsg=32632).terrain.source
    assert source["pixel_unit"] == "m"
    assert source["crs"] == "EPSG:32632"
    assert source["ground"][0] == pytest.approx(59 * 0.001 * 78_850, rel=0.05)
    np.testing.assert_allclose(heights(read(path, "gdal", pixels="keep")), values)


@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16])
def test_the_highest_code_of_a_grey_picture_of_any_depth_is_max_height(tmp_path: Path, bits: int) -> None:
    import struct
    import zlib

    row = {1: b"\x40", 2: b"\x30", 4: b"\x0f", 8: b"\x00\xff", 16: b"\x00\x00\xff\xff"}[bits]

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, bits, 0, 0, 0, 0))
    data += chunk(b"IDAT", zlib.compress((b"\0" + row) * 2)) + chunk(b"IEND", b"")
    (tmp_path / "g.png").write_bytes(data)
    scene = read(tmp_path / "g.png", min_height=0.0, max_height=15.0)
    np.testing.assert_array_equal(heights(scene), [[0.0, 15.0], [0.0, 15.0]])


def test_unsigned_depths_become_negative_heights(tmp_path: Path) -> None:
    import h5py

    path = formats.netcdf4(tmp_path / "d.nc")
    with h5py.File(path, "r+") as file:
        del file["z"]
        file["z"] = letter_f().astype(np.uint16)
        file["z"].attrs["positive"] = b"down"
    np.testing.assert_array_equal(heights(read(path, pixels="keep")), -letter_f().astype(float))


def test_a_grid_across_the_dateline_is_neither_mirrored_nor_stretched(tmp_path: Path) -> None:
    import h5py

    path = tmp_path / "d.nc"
    with h5py.File(path, "w") as file:
        file["lat"], file["lon"] = np.arange(4.0) * 0.5, np.array([178.0, 179.0, 180.0, -179.0, -178.0])
        file["lat"].make_scale("lat")
        file["lon"].make_scale("lon")
        file["lon"].attrs["units"] = "degrees_east"
        file["z"] = np.arange(20.0).reshape(4, 5)
        file["z"].dims[0].attach_scale(file["lat"])
        file["z"].dims[1].attach_scale(file["lon"])
    scene = read(path, pixels="keep")
    np.testing.assert_array_equal(heights(scene)[::-1], np.arange(20.0).reshape(4, 5))
    assert scene.terrain.source["pixel"] == [1.0, 0.5]


@pytest.mark.parametrize("header", [0, 128])
def test_a_raw_file_of_given_size_finds_where_its_heights_begin(tmp_path: Path, header: int) -> None:
    row, col = np.mgrid[0:199, 0:301]
    land = (9000 + 40 * row + 30 * col).astype("<u2")
    path = tmp_path / "f.raw"
    path.write_bytes(b"\x37\x91" * (header // 2) + land.tobytes() + bytes(128 - header))
    scene = read(path, width=301, height=199, height_scale=1.0)
    np.testing.assert_array_equal(heights(scene), land)
    assert any("bytes at the end" in note for note in scene.terrain.source["notes"]) == (header == 0)


def test_rows_too_short_for_their_samples_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SkerryError, match="totalrowbytes"):
        read(formats.bil(tmp_path / "f.bil", "<i2", "TOTALROWBYTES 4\n"))
