"""NetCDF grids, classic and NetCDF-4: GEBCO, ETOPO, GMT and GDAL write them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from plugins.api import Guess, Job, Scene, SkerryError, about
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.registry import importer

_CLASSIC, _HDF5 = (b"CDF\x01", b"CDF\x02"), b"\x89HDF\r\n\x1a\n"
_WIDE = b"CDF\x05"
_HEIGHT_NAMES = ("elevation", "z", "band1", "topo", "topography", "bathymetry", "altitude", "height", "depth", "dem")
_X_NAMES, _Y_NAMES = ("lon", "longitude", "x", "easting"), ("lat", "latitude", "y", "northing")


class NetcdfParams(ImportParams, frozen=True, kw_only=True):
    """Which variable."""

    variable: Annotated[str, about("Variable with the heights; default: the one called like heights")] | None = None


@importer
class ImportNetcdf:
    """A variable of two dimensions, whichever way its latitudes run."""

    id = "netcdf"
    label = "NetCDF grid"
    suffixes = (".nc", ".grd", ".nc4", ".cdf")
    Params = NetcdfParams

    def probe(self, path: Path) -> list[Guess]:
        """By its magic number."""
        with path.open("rb") as file:
            start = file.read(8)
        if start[:4] in _CLASSIC:
            return [Guess(self.id, "NetCDF classic grid", 0.95)]
        if start[:4] == _WIDE:
            return [Guess(self.id, "NetCDF of the 64-bit data kind", 0.9)]
        return [Guess(self.id, "NetCDF-4 grid", 0.9)] if start == _HDF5 else []

    def read(self, path: Path, params: NetcdfParams, job: Job) -> Scene:
        """Choose the variable, read it and hand over."""
        with path.open("rb") as file:
            magic = file.read(4)
        if magic == _WIDE:
            raise SkerryError("NetCDF of the 64-bit data kind (CDF-5) is not read; convert it with nccopy -k nc4")
        classic = magic in _CLASSIC
        grid = (_read_classic if classic else _read_hdf5)(path, params)
        job.progress(0.2, "read")
        return to_scene(_raster(grid, "NetCDF classic" if classic else "NetCDF-4"), params, job)


class _Grid:
    """A variable with its coordinates, whichever library read it."""

    def __init__(
        self, name: str, values: NDArray[Any], x: NDArray[Any] | None, y: NDArray[Any] | None, about: Mapping[str, Any],
        x_unit: str, y_unit: str,
    ) -> None:  # fmt: skip
        self.name, self.values, self.x, self.y, self.about = name, values, x, y, about
        self.x_unit, self.y_unit = x_unit, y_unit  # name and unit, 'lon degrees_east'


def _read_classic(path: Path, params: NetcdfParams) -> _Grid:
    from scipy.io import netcdf_file

    # Mapped: nothing is read before its size is known, and of several variables only the one that is wanted.
    with netcdf_file(path, "r", mmap=True) as file:
        shapes = {name: variable.shape for name, variable in file.variables.items()}
        name = _choose(shapes, params.variable)
        variable = file.variables[name]
        rows, cols = shapes[name][-2:]
        refuse_beyond(params.memory_limit, rows, cols, variable.itemsize(), path)
        y_name, x_name = variable.dimensions[-2:]
        coordinates = {n: file.variables[n] for n in (x_name, y_name) if n in file.variables}
        return _Grid(
            name, np.array(variable[:]), _array(coordinates.get(x_name)), _array(coordinates.get(y_name)),
            {k: _plain(getattr(variable, k)) for k in _ATTRIBUTES if hasattr(variable, k)},
            *(f"{n} {_plain(getattr(coordinates.get(n), 'units', b''))}" for n in (x_name, y_name)),
        )  # fmt: skip


def _read_hdf5(path: Path, params: NetcdfParams) -> _Grid:
    import h5py

    with h5py.File(path, "r") as file:
        data: dict[str, Any] = {}
        file.visititems(lambda name, item: data.update({name: item} if isinstance(item, h5py.Dataset) else {}))
        name = _choose({name: item.shape for name, item in data.items()}, params.variable)
        variable = data[name]
        rows, cols = variable.shape[-2:]
        refuse_beyond(params.memory_limit, rows, cols, variable.dtype.itemsize, path)
        x_name, y_name = (_scale_name(file, variable, axis) for axis in (-1, -2))
        x_unit, y_unit = (
            f"{n} {_plain(data[n].attrs.get('units', b''))}" if n in data else "" for n in (x_name, y_name)
        )
        return _Grid(
            name, variable[...], _array(data.get(x_name)), _array(data.get(y_name)),
            {k: _plain(variable.attrs[k]) for k in _ATTRIBUTES if k in variable.attrs}, x_unit, y_unit,
        )  # fmt: skip


_ATTRIBUTES = ("_FillValue", "missing_value", "scale_factor", "add_offset", "units", "positive")


def _scale_name(file: Any, variable: Any, axis: int) -> str:
    """The name of the dimension scale of an axis, or of a coordinate of that length with a usual name."""
    dimension = variable.dims[variable.ndim + axis]
    if len(dimension):
        return str(dimension[0].name).lstrip("/")
    names = _X_NAMES if axis == -1 else _Y_NAMES
    length = variable.shape[axis]
    return next((n for n in file if n.lower() in names and file[n].shape == (length,)), "")


def _array(values: Any) -> NDArray[Any] | None:
    return None if values is None else np.array(values[:], np.float64)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return np.asarray(value).ravel()[0] if isinstance(value, np.ndarray) and value.size else value


def _choose(shapes: Mapping[str, tuple[int, ...]], wanted: str | None) -> str:
    """The variable asked for, the one called like heights, or the only one with two long axes."""
    grids = [n for n, s in shapes.items() if len(s) >= 2 and min(s[-2:]) >= 2 and all(k == 1 for k in s[:-2])]
    if wanted is not None:
        if wanted not in grids:
            raise SkerryError(f"there is no grid '{wanted}'; the file has {', '.join(grids) or 'none'}")
        return wanted
    for name in _HEIGHT_NAMES:
        for grid in grids:
            if grid.lower().rsplit("/", 1)[-1] == name:
                return grid
    if len(grids) == 1:
        return grids[0]
    if grids:
        raise SkerryError(f"the file has several grids ({', '.join(grids)}); say which with --variable")
    raise SkerryError("the file has no variable with two dimensions")


def _raster(grid: _Grid, label: str) -> Raster:
    values = grid.values.reshape(grid.values.shape[-2:])
    values = values.astype(values.dtype.newbyteorder("="))
    if values.dtype.kind not in "uif":
        raise SkerryError(f"variable {grid.name} holds {values.dtype}, no heights")
    if _called(grid.x_unit, _Y_NAMES) and _called(grid.y_unit, _X_NAMES):
        values, grid.x, grid.y = values.T, grid.y, grid.x
        grid.x_unit, grid.y_unit = grid.y_unit, grid.x_unit
    if grid.x is not None and _in_degrees(grid):
        # Across the dateline longitudes leap from 180 to -180.
        grid.x = np.unwrap(grid.x, period=360.0)
    rising = grid.y is None or grid.y[-1] >= grid.y[0]
    if grid.x is not None and grid.x[-1] < grid.x[0]:
        values = values[:, ::-1]
    raster = Raster(
        np.ascontiguousarray(values if rising else values[::-1]),
        f"{label}, variable {grid.name}",
        orientation=f"first row in the file is {'south' if rising else 'north'}",
        flipped=not rising,
    )
    fills = [float(grid.about[name]) for name in ("_FillValue", "missing_value") if name in grid.about]
    raster.nodata_value = fills[0] if fills else None
    if fills[1:] and fills[1] != fills[0]:
        raster.nodata = raster.values == fills[1]
    _scale(raster, grid)
    if grid.x is not None and grid.y is not None and len(grid.x) > 1 and len(grid.y) > 1:
        metres = 1000.0 if grid.x_unit.lower().split()[-1] in ("km", "kilometer", "kilometre") else 1.0
        raster.pixel = _step(grid.x) * metres, _step(grid.y) * metres
        raster.unit = "deg" if _in_degrees(grid) else "m"
        raster.latitude = float(0.5 * (grid.y[0] + grid.y[-1]))
    return raster


def _scale(raster: Raster, grid: _Grid) -> None:
    """Apply scale_factor and add_offset (CF conventions 8.1); positive-down depths become negative heights."""
    factor, offset = float(grid.about.get("scale_factor", 1.0)), float(grid.about.get("add_offset", 0.0))
    if (factor, offset) != (1.0, 0.0):
        if raster.nodata_value is not None:
            packed = raster.values == raster.nodata_value
            raster.nodata = packed if raster.nodata is None else raster.nodata | packed
            raster.nodata_value = None
        raster.values = raster.values * factor + offset
    if str(grid.about.get("positive", "")).lower() == "down":
        # An unsigned depth, or the lowest of its type, has no negative of its own type.
        raster.values = -raster.values.astype(np.float64)
        raster.nodata_value = None if raster.nodata_value is None else -raster.nodata_value
        raster.notes.append("depths, positive downwards, became negative heights")


def _in_degrees(grid: _Grid) -> bool:
    return "degree" in grid.x_unit.lower() or _called(grid.x_unit, ("lon", "longitude"))


def _called(unit: str, names: tuple[str, ...]) -> bool:
    return unit.lower().split(" ")[0] in names


def _step(values: NDArray[Any]) -> float:
    return float(abs(values[-1] - values[0]) / (len(values) - 1))
