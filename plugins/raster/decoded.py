"""Raster: what an importer decodes, and the parameters that all importers share."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from plugins.api import Params, about
from terrain.errors import SkerryError

Unit = Literal["m", "deg", ""]


class ImportParams(Params, frozen=True, kw_only=True):
    """What can be said about any grid of heights."""

    cell: (
        Annotated[float, about("Metres between vertices; default: as the file says, or 1", unit="m", ge=1e-6)] | None
    ) = None
    height_scale: (
        Annotated[float, about("Heights are multiplied by this; default: 1, or a plausible relief for pictures")] | None
    ) = None
    height_offset: Annotated[float, about("then this is added", unit="m")] = 0.0
    min_height: Annotated[float, about("Height of the lowest code (with max-height)", unit="m")] | None = None
    max_height: Annotated[float, about("Height of the highest code (with min-height)", unit="m")] | None = None
    nodata: Annotated[float, about("Value that means 'no data', if the file does not say")] | None = None
    fill: Annotated[
        Literal["nearest", "smooth", "sea-level"],
        about("What stands where there is no data: the nearest value, a smooth membrane, or the sea level"),
    ] = "nearest"
    columns: Annotated[int, about("Resample to so many vertices from west to east", ge=2)] | None = None
    rows: Annotated[int, about("Resample to so many vertices from south to north", ge=2)] | None = None
    crop: (
        Annotated[
            tuple[float, float, float, float],
            about("Only these pixels: first column, first row, last column, last row, from the top left, inclusive"),
        ]
        | None
    ) = None
    sea_level: Annotated[float, about("Height of the still sea", unit="m")] = 0.0
    flip: Annotated[Literal["none", "north-south", "east-west"], about("Mirror the grid")] = "none"
    pixels: Annotated[
        Literal["square", "keep"],
        about("Oblong pixels: 'square' resamples the coarser axis, 'keep' takes every pixel as one vertex"),
    ] = "square"
    memory_limit: Annotated[int, about("Refuse files that need more memory than this", unit="MiB", ge=1)] = 4096


@dataclass
class Raster:
    """Decoded heights with what the file says of them.

    values: (rows, cols) of any integer or float dtype, **row 0 south**: files whose first row is north are flipped by
    their importer. nodata: bool (rows, cols), True where there is no value, or None. pixel: size along x and y.
    """

    values: NDArray[Any]
    format: str
    """What a person would call the format: 'GeoTIFF', 'PNG 16-bit grey'."""
    pixel: tuple[float, float] = (1.0, 1.0)
    unit: Unit = ""
    """Of `pixel`: metres, degrees, or empty where the file does not know."""
    latitude: float = 0.0
    """Of the middle, degrees; used where the pixel is in degrees."""
    nodata: NDArray[np.bool_] | None = None
    nodata_value: float | None = None
    full_range: tuple[float, float] | None = None
    """Lowest and highest code of an integer picture without a unit of height; None where values are metres."""
    crs: str = ""
    orientation: str = "first row in the file is north"
    flipped: bool = True
    """True if the file's first row is this raster's last."""
    byte_order: str = ""
    notes: list[str] = dataclasses.field(default_factory=list)


def refuse_beyond(limit_mib: int, rows: int, cols: int, itemsize: int, path: Path) -> None:
    """Raise before allocation if decoding rows × cols samples would need more than the limit.

    Counted, as measured: the samples as decoded and once more as they are turned, and 26 bytes a sample at the peak of
    the work on them (float64 copies, the mask of what is missing, the displacements).
    """
    needed = rows * cols * (2 * itemsize + 26) / 2**20
    if needed > limit_mib:
        raise SkerryError(
            f"{path}: {cols}x{rows} samples need about {needed:,.0f} MiB, more than the limit of {limit_mib:,} MiB; "
            f"crop it elsewhere or give --memory-limit {int(needed) + 1}"
        )
