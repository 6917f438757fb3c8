"""An asymmetric grid, and how to write it in every format, for the import tests."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

ROWS, COLS = 23, 31


def letter_f() -> np.ndarray:
    """An 'F' with a tilt, top row first, whole numbers: no mirroring or turning leaves it as it is."""
    row, col = np.mgrid[0:ROWS, 0:COLS]
    stem = (col >= 4) & (col < 8) & (row >= 3) & (row < 20)
    bars = ((row >= 3) & (row < 6) & (col >= 4) & (col < 24)) | ((row >= 10) & (row < 12) & (col >= 4) & (col < 15))
    return (40 + row + 2 * col + 60 * (stem | bars)).astype(np.int64)


def tiff(path: Path, dtype: str, **options: object) -> Path:
    import tifffile

    tifffile.imwrite(path, letter_f().astype(dtype), photometric="minisblack", **options)
    return path


def geotiff(
    path: Path, values: np.ndarray, pixel: tuple[float, float], geographic: bool, north: float, **tags: object
) -> Path:
    import tifffile

    model = 2 if geographic else 1
    code = (2048, 0, 1, 4326) if geographic else (3072, 0, 1, 32633)
    keys = (1, 1, 0, 3, 1024, 0, 1, model, 1025, 0, 1, 2, *code)
    extra = [
        (33550, 12, 3, (*pixel, 0.0), True),
        (33922, 12, 6, (0.0, 0.0, 0.0, 10.0, north, 0.0), True),
        (34735, 3, len(keys), keys, True),
    ]
    if "nodata" in tags:
        text = str(tags["nodata"])
        extra.append((42113, "s", len(text) + 1, text, True))
    tifffile.imwrite(path, values, photometric="minisblack", metadata=None, extratags=extra)
    return path


def ascii_grid(path: Path, header: str) -> Path:
    lines = [" ".join(str(v) for v in row) for row in letter_f()]
    path.write_text(header.format(cols=COLS, rows=ROWS) + "\n".join(lines) + "\n")
    return path


def png(path: Path, samples: np.ndarray) -> Path:
    from imagecodecs import png_encode

    path.write_bytes(png_encode(samples))
    return path


def exr(path: Path, channels: dict[str, np.ndarray]) -> Path:
    import OpenEXR

    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, {name: np.ascontiguousarray(values) for name, values in channels.items()}).write(str(path))
    return path


def tga(path: Path, kind: int, bits: int, descriptor: int, body: bytes) -> Path:
    header = bytes([0, 0, kind]) + bytes(9) + COLS.to_bytes(2, "little") + ROWS.to_bytes(2, "little")
    path.write_bytes(header + bytes([bits, descriptor]) + body)
    return path


def bmp(path: Path, bottom_up: bool) -> Path:
    """24 bit, as Windows programs write it."""
    rows = letter_f().astype(np.uint8)[:: -1 if bottom_up else 1]
    stride = (COLS * 3 + 3) // 4 * 4
    body = b"".join(np.repeat(row, 3).tobytes().ljust(stride, b"\0") for row in rows)
    height = ROWS if bottom_up else -ROWS
    info = (40).to_bytes(4, "little") + COLS.to_bytes(4, "little") + height.to_bytes(4, "little", signed=True)
    info += (1).to_bytes(2, "little") + (24).to_bytes(2, "little") + bytes(24)
    path.write_bytes(
        b"BM" + (54 + len(body)).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little") + info + body
    )
    return path


def bil(path: Path, dtype: str, extra: str = "") -> Path:
    path.write_bytes(letter_f().astype(dtype).tobytes())
    order = "M" if dtype.startswith(">") else "I"
    bits = np.dtype(dtype).itemsize * 8
    kind = {"f": "FLOAT", "i": "SIGNEDINT", "u": "UNSIGNEDINT"}[np.dtype(dtype).kind]
    path.with_suffix(".hdr").write_text(
        f"BYTEORDER {order}\nLAYOUT BIL\nNROWS {ROWS}\nNCOLS {COLS}\nNBANDS 1\nNBITS {bits}\nPIXELTYPE {kind}\n"
        f"ULXMAP 500000\nULYMAP 4000000\nXDIM 30\nYDIM 30\n{extra}"
    )
    return path


def netcdf_classic(path: Path, rising: bool, **attributes: object) -> Path:
    from scipy.io import netcdf_file

    values = letter_f()[::-1] if rising else letter_f()
    latitude = np.linspace(50.0, 50.0 + (ROWS - 1) * 0.01, ROWS)
    with netcdf_file(path, "w") as file:
        file.createDimension("lat", ROWS)
        file.createDimension("lon", COLS)
        file.createVariable("lat", "f8", ("lat",))[:] = latitude if rising else latitude[::-1]
        file.createVariable("lon", "f8", ("lon",))[:] = 10.0 + 0.01 * np.arange(COLS)
        variable = file.createVariable("elevation", "i2", ("lat", "lon"))
        variable[:] = values
        for name, value in attributes.items():
            setattr(variable, name, value)
    return path


def netcdf4(path: Path) -> Path:
    import h5py

    with h5py.File(path, "w") as file:
        for name, values in (("y", 100.0 * np.arange(ROWS)[::-1]), ("x", 100.0 * np.arange(COLS))):
            file.create_dataset(name, data=values)
            file[name].make_scale(name)
        variable = file.create_dataset("z", data=letter_f().astype(np.float32))
        variable.dims[0].attach_scale(file["y"])
        variable.dims[1].attach_scale(file["x"])
        variable.attrs["_FillValue"] = np.float32(-9999.0)
    return path


_ESRI = "ncols {cols}\nnrows {rows}\nxllcorner 500000\nyllcorner 4000000\ncellsize 30\nNODATA_value -9999\n"
_REVERSED = "{cols} ncols\n{rows} nrows\n500000 xlower\n4000000 ylower\n30 cellsize\n-9999 nodata_value\n"

WRITERS: dict[str, Callable[[Path], Path]] = {
    **{
        f"tiff {dtype}": lambda folder, dtype=dtype: tiff(folder / "f.tif", dtype)
        for dtype in ("uint8", "int16", "uint16", "int32", "uint32", "float32", "float64", "float16", ">i2")
    },
    **{
        f"tiff {name}": lambda folder, options=options: tiff(folder / "f.tif", "float32", **options)
        for name, options in {
            "lzw": {"compression": "lzw"},
            "zstd tiled": {"compression": "zstd", "tile": (16, 16)},
            "zstd predictor": {"compression": "zstd", "predictor": True},
            "lerc": {"compression": "lerc"},
            "deflate": {"compression": "deflate"},
            "bigtiff": {"bigtiff": True},
        }.items()
    },
    "tiff of another name": lambda folder: tiff(folder / "f.dem", "int16"),
    "asc": lambda folder: ascii_grid(folder / "f.asc", _ESRI),
    "asc reversed": lambda folder: ascii_grid(folder / "f.asc", _REVERSED),
    "asc centre": lambda folder: ascii_grid(
        folder / "f.asc", _ESRI.replace("corner", "center").replace("ncols", "NCOLS")
    ),
    **{
        f"bil {dtype}": lambda folder, dtype=dtype: bil(folder / "f.bil", dtype)
        for dtype in ("<i2", ">i2", "<u2", "<f4", ">i4", "u1")
    },
    "flt": lambda folder: bil(folder / "f.flt", "<f4"),
    "netcdf rising": lambda folder: netcdf_classic(folder / "f.nc", True),
    "netcdf falling": lambda folder: netcdf_classic(folder / "f.nc", False),
    "netcdf-4": lambda folder: netcdf4(folder / "f.nc"),
    "png 8": lambda folder: png(folder / "f.png", letter_f().astype(np.uint8)),
    "png 16": lambda folder: png(folder / "f.png", letter_f().astype(np.uint16)),
    "png rgb": lambda folder: png(folder / "f.png", np.repeat(letter_f().astype(np.uint8)[..., None], 3, 2)),
    "png rgb 16": lambda folder: png(folder / "f.png", np.repeat(letter_f().astype(np.uint16)[..., None], 3, 2)),
    **{
        f"exr {name}": lambda folder, name=name: exr(folder / "f.exr", {name: letter_f().astype(np.float32)})
        for name in ("Y", "Z", "R", "height", "layer.height", "anything")
    },
    "exr half": lambda folder: exr(folder / "f.exr", {"Y": letter_f().astype(np.float16)}),
    "exr uint": lambda folder: exr(folder / "f.exr", {"Y": letter_f().astype(np.uint32)}),
    "exr grey rgb": lambda folder: exr(folder / "f.exr", dict.fromkeys("RGB", letter_f().astype(np.float32))),
    "bmp bottom-up": lambda folder: bmp(folder / "f.bmp", True),
    "bmp top-down": lambda folder: bmp(folder / "f.bmp", False),
    "tga 8": lambda folder: tga(folder / "f.tga", 3, 8, 0x20, letter_f().astype(np.uint8).tobytes()),
    "tga bottom-up": lambda folder: tga(folder / "f.tga", 3, 8, 0, letter_f().astype(np.uint8)[::-1].tobytes()),
    "tga 16": lambda folder: tga(folder / "f.tga", 3, 16, 0x20, letter_f().astype("<u2").tobytes()),
    "tga from the right": lambda folder: tga(
        folder / "f.tga", 3, 8, 0x30, letter_f().astype(np.uint8)[:, ::-1].tobytes()
    ),
    "tga colour": lambda folder: tga(
        folder / "f.tga", 2, 24, 0x20, np.repeat(letter_f().astype(np.uint8)[..., None], 3, 2).tobytes()
    ),
    "tga run-length": lambda folder: tga(
        folder / "f.tga", 11, 8, 0x20, b"".join(bytes([128, v]) for v in letter_f().astype(np.uint8).ravel())
    ),
}
