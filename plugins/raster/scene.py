"""to_scene: crop, fill, scale, square and measure a raster, and report what was found."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plugins.api import Job, Scene
from plugins.raster.cleaning import fill_nearest, fill_smooth, find_nodata
from plugins.raster.decoded import ImportParams, Raster
from plugins.raster.geodesy import metres_per_degree
from plugins.raster.resample import keep_extremes, resample
from terrain.errors import SkerryError
from terrain.field import MAX_SIDE, VectorField
from terrain.map import TerrainMap

_OBLONG = 1e-3
"""Pixels whose sides differ by a smaller share than this are square."""

_DEFAULT_RELIEF = 0.125
"""Height range given to pictures that know none, as a share of the ground's shorter side."""


def to_scene(raster: Raster, params: ImportParams, job: Job) -> Scene:
    """A new scene from decoded heights. Raises `SkerryError` with one line if no map can be made of them."""
    raster = _cropped(raster, params.crop)
    _check_shape(raster)
    values = raster.values.astype(np.float64)
    missing, nodata_value = _missing(values, raster, params)
    job.progress(0.3, "looking at the heights")
    _refuse_empty(missing)
    source = _found(raster, values, missing, nodata_value)
    notes: list[str] = source["notes"]

    ground = _ground_pixel(raster, params.cell)
    source["ground"] = [(values.shape[1] - 1) * ground[0], (values.shape[0] - 1) * ground[1]]
    heights = _heights(values, raster, params, ground, source)
    _fill(heights, missing, params)
    job.progress(0.6, "filling and resampling")
    heights = _flipped(heights, params.flip)
    heights, cell = _on_square_cells(heights, ground, params, notes)
    source["imported"] = {"cols": heights.shape[1], "rows": heights.shape[0], "cell": cell}
    job.progress(0.9, "making the map")
    field = VectorField.from_heights(heights, cell)
    if not np.isfinite(field.offset).all():
        raise SkerryError("the heights are too large for a map; give --height-scale")
    return Scene(TerrainMap(field, sea_level=params.sea_level, source=source))


def _cropped(raster: Raster, crop: tuple[float, float, float, float] | None) -> Raster:
    if crop is None:
        return raster
    rows, cols = raster.values.shape
    col0, row0, col1, row1 = (int(value) for value in crop)
    if not (0 <= col0 < col1 < cols and 0 <= row0 < row1 < rows):
        raise SkerryError(
            f"crop {col0},{row0},{col1},{row1} does not lie inside {cols}x{rows} pixels; it is first column, row, "
            f"last column, row from the top left, at most 0,0,{cols - 1},{rows - 1}"
        )
    part = np.s_[rows - 1 - row1 : rows - row0, col0 : col1 + 1]
    raster.values = raster.values[part]
    raster.nodata = None if raster.nodata is None else raster.nodata[part]
    if raster.unit == "deg":
        # The middle moves; degrees are measured there.
        raster.latitude += (0.5 * (rows - 1) - 0.5 * (row0 + row1)) * raster.pixel[1]
    raster.notes.append(f"cropped to columns {col0}..{col1}, rows {row0}..{row1} of {cols}x{rows}")
    return raster


def _check_shape(raster: Raster) -> None:
    if raster.values.ndim != 2 or min(raster.values.shape) < 2:
        shape = "x".join(str(n) for n in raster.values.shape[::-1])
        raise SkerryError(f"a grid of {shape} is no map: it needs at least 2x2 samples")


def _missing(
    values: NDArray[np.float64], raster: Raster, params: ImportParams
) -> tuple[NDArray[np.bool_], float | None]:
    declared = params.nodata if params.nodata is not None else raster.nodata_value
    trust = params.nodata is not None or raster.full_range is not None
    missing, suspects = find_nodata(values, declared, raster.values.dtype, trust)
    for value in suspects:
        raster.notes.append(
            f"{value:g} stands far from all other values and was taken as 'no data'; --nodata names another value"
        )
    if raster.nodata is not None:
        missing |= raster.nodata
    return missing, suspects[0] if declared is None and suspects else declared


def _refuse_empty(missing: NDArray[np.bool_]) -> None:
    if missing.all():
        raise SkerryError("the file holds no height at all: every sample is 'no data' or not a number")


def _found(
    raster: Raster, values: NDArray[np.float64], missing: NDArray[np.bool_], nodata_value: float | None
) -> dict[str, Any]:
    """The facts of the file as plain JSON; places count from the top left, as picture programs do."""
    rows, cols = values.shape
    there = values[~missing] if missing.any() else values.ravel()
    facts: dict[str, Any] = {
        "format": raster.format,
        "cols": cols,
        "rows": rows,
        "dtype": str(raster.values.dtype.newbyteorder("=")),
        "min": float(there.min()),
        "max": float(there.max()),
        "peak": _place(np.where(missing, -np.inf, values)[::-1].argmax(), cols),
        "lowest": _place(np.where(missing, np.inf, values)[::-1].argmin(), cols),
        "nodata": int(missing.sum()),
        "nodata_value": nodata_value,
        "levels": len(np.unique(there)),
        "below_sea": float((there < 0.0).mean()),
        "at_zero": float((there == 0.0).mean()),
        "orientation": raster.orientation,
        "crs": raster.crs,
        "pixel": list(raster.pixel),
        "pixel_unit": raster.unit,
        "byte_order": raster.byte_order,
        "notes": list(raster.notes),
    }
    facts["notes"] += _warnings(raster, facts)
    return facts


def _place(index: Any, cols: int) -> list[int]:
    return list(divmod(int(index), cols))


def _warnings(raster: Raster, facts: dict[str, Any]) -> list[str]:
    notes = []
    if raster.full_range is None and facts["min"] >= 0.0 and 0.0 < facts["max"] <= 1.1 and facts["levels"] > 2:
        notes.append("the heights look normalised to 0..1; give --height-scale to make them metres")
    if 2 < facts["levels"] <= 256 and facts["rows"] * facts["cols"] > 65536:
        notes.append(f"only {facts['levels']} distinct heights: expect terraces; the smooth brush helps")
    return notes


def _ground_pixel(raster: Raster, cell: float | None) -> tuple[float, float]:
    """Size of a pixel in metres along x and y; a given cell keeps the proportions of the pixel."""
    x, y = raster.pixel
    if raster.unit == "deg":
        east, north = metres_per_degree(raster.latitude)
        x, y = x * east, y * north
    if cell is not None:
        x, y = cell * x / min(x, y), cell * y / min(x, y)
    return x, y


def _heights(
    values: NDArray[np.float64],
    raster: Raster,
    params: ImportParams,
    ground: tuple[float, float],
    facts: dict[str, Any],
) -> NDArray[np.float64]:
    """Metres from codes: min/max given, else as they are, else a plausible relief for a picture that knows none."""
    if (params.min_height is None) != (params.max_height is None):
        raise SkerryError("min-height and max-height go together")
    if params.min_height is not None and params.max_height is not None:
        low, high = raster.full_range or _codes(raster, facts)
        share = (values - low) / max(high - low, 1e-300)
        values = params.min_height + share * (params.max_height - params.min_height)
    elif raster.full_range is not None and params.height_scale is None:
        relief = _DEFAULT_RELIEF * min((values.shape[1] - 1) * ground[0], (values.shape[0] - 1) * ground[1])
        scale = relief / (raster.full_range[1] - raster.full_range[0])
        facts["notes"].append(
            f"the picture does not say how high it is: codes {raster.full_range[0]:g}..{raster.full_range[1]:g} became "
            f"0..{relief:g} m; give --min-height and --max-height, or --height-scale"
        )
        values = (values - raster.full_range[0]) * scale
    return values * (1.0 if params.height_scale is None else params.height_scale) + params.height_offset


def _codes(raster: Raster, facts: dict[str, Any]) -> tuple[float, float]:
    """What min-height and max-height stand for: the ends of an unsigned type, else of what was found."""
    if raster.values.dtype.kind == "u":
        return 0.0, float(np.iinfo(raster.values.dtype).max)
    return facts["min"], facts["max"]


def _fill(heights: NDArray[np.float64], missing: NDArray[np.bool_], params: ImportParams) -> None:
    if not missing.any():
        return
    heights[missing] = 0.0
    if params.fill == "sea-level":
        heights[missing] = params.sea_level
    elif params.fill == "smooth":
        fill_smooth(heights, missing)
    else:
        fill_nearest(heights, missing)


def _flipped(heights: NDArray[np.float64], flip: str) -> NDArray[np.float64]:
    if flip == "north-south":
        return heights[::-1]
    return heights[:, ::-1] if flip == "east-west" else heights


def _on_square_cells(
    heights: NDArray[np.float64], ground: tuple[float, float], params: ImportParams, notes: list[str]
) -> tuple[NDArray[np.float64], float]:
    """Heights on square cells and the cell's size, metres."""
    rows, cols = heights.shape
    x, y = ground
    oblong = abs(x - y) > _OBLONG * max(x, y)
    if params.pixels == "keep" and oblong:
        notes.append(f"oblong pixels of {x:g} x {y:g} m were kept as square cells")
        x = y = min(x, y)
        oblong = False
    if not oblong and params.columns is None and params.rows is None:
        _refuse_size(cols, rows, cols, rows)
        return heights, 0.5 * (x + y)
    new_cols, new_rows, cell = _target((cols - 1) * x, (rows - 1) * y, min(x, y), params)
    _refuse_size(new_cols, new_rows, cols, rows)
    squared = resample(heights, new_rows, new_cols)
    keep_extremes(squared, heights)
    why = f"pixels of {x:.6g} x {y:.6g} m are oblong" if oblong else "as asked"
    notes.append(f"resampled from {cols}x{rows} to {new_cols}x{new_rows} vertices, {cell:.6g} m apart ({why})")
    height = (rows - 1) * y
    if abs((new_rows - 1) * cell - height) > 0.5 * cell:
        notes.append(f"{height:.6g} m from south to north became {(new_rows - 1) * cell:.6g} m; give only one side")
    return squared, cell


def _target(width: float, height: float, finest: float, params: ImportParams) -> tuple[int, int, float]:
    """Columns, rows and cell that keep the ground's size to half a cell; one or both counts may be given."""
    if params.columns is not None:
        cell = width / (params.columns - 1)
    elif params.rows is not None:
        cell = height / (params.rows - 1)
    else:
        cell = finest
    cols = params.columns or max(2, round(width / cell) + 1)
    return cols, params.rows or max(2, round(height / cell) + 1), cell


def _refuse_size(new_cols: int, new_rows: int, cols: int, rows: int) -> None:
    if max(new_cols, new_rows) > MAX_SIDE:
        raise SkerryError(
            f"{cols}x{rows} samples would become {new_cols}x{new_rows} vertices, more than {MAX_SIDE} a side; "
            f"give --columns, --rows or --crop"
        )
