"""Any other raster that GDAL reads, and reprojection; needs the extra `skerry[geo]` (rasterio)."""

import importlib.util
import os
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from plugins.api import Guess, Job, Scene, SkerryError, about
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.raster.geodesy import WEB_MERCATOR, web_mercator_latitude
from plugins.registry import importer


class GdalParams(ImportParams, frozen=True, kw_only=True):
    """Which band, and in which projection."""

    band: Annotated[int, about("Band of heights, from 1", ge=1)] = 1
    epsg: Annotated[int, about("Reproject to this coordinate system (EPSG code), e.g. a UTM zone", ge=1)] | None = None


class ImportGdal:
    """The last resort of the importers, and the only one that reprojects."""

    id = "gdal"
    label = "any raster that GDAL reads"
    suffixes = (".img", ".dt0", ".dt1", ".dt2", ".dem", ".vrt", ".jp2", ".adf")
    Params = GdalParams
    last_resort = True

    def probe(self, path: Path) -> list[Guess]:
        """By asking GDAL."""
        rasterio = _rasterio()
        try:
            with rasterio.open(path) as source:
                summary = f"{source.driver} {source.width}x{source.height}, {source.dtypes[0]} (GDAL)"
        except Exception:
            return []
        return [Guess(self.id, summary, 0.2)]

    def read(self, path: Path, params: GdalParams, job: Job) -> Scene:
        """Read one band, reprojected if asked, and hand over."""
        rasterio = _rasterio()
        with rasterio.open(path) as source:
            if params.band > source.count:
                raise SkerryError(f"there is no band {params.band}; the file has {source.count} (from 1)")
            itemsize = np.dtype(source.dtypes[params.band - 1]).itemsize
            refuse_beyond(params.memory_limit, source.height, source.width, itemsize, path)
            if params.epsg is None:
                values, transform, crs = source.read(params.band), source.transform, source.crs
            else:
                values, transform, crs = _reproject(source, params)
            rising = transform.e > 0.0
            raster = Raster(
                np.ascontiguousarray(values if rising else values[::-1]), f"{source.driver} (GDAL)",
                nodata_value=source.nodata, flipped=not rising,
                orientation=f"first row in the file is {'south' if rising else 'north'}",
            )  # fmt: skip
        if crs is not None:
            raster.crs = str(crs)
            raster.unit = "deg" if crs.is_geographic else "m"
            metres = 1.0 if crs.is_geographic else float(crs.linear_units_factor[1])
            raster.pixel = abs(transform.a) * metres, abs(transform.e) * metres
            raster.latitude = float(transform.f + 0.5 * values.shape[0] * transform.e)
            if crs.to_epsg() == WEB_MERCATOR:
                raster.latitude = web_mercator_latitude(raster.latitude)
                shrink = float(np.cos(np.radians(raster.latitude)))
                raster.pixel = raster.pixel[0] * shrink, raster.pixel[1] * shrink
        elif not transform.is_identity:
            raster.unit, raster.pixel = "m", (abs(transform.a), abs(transform.e))
        elif values.dtype.kind == "u":
            raster.full_range = (0.0, float(np.iinfo(values.dtype).max))
        return to_scene(raster, params, job)


def _rasterio() -> Any:
    """rasterio without GDAL's NetCDF and HDF5 drivers: damaged files make them end the process, and we read those."""
    os.environ.setdefault("GDAL_SKIP", "netCDF,HDF5,HDF5Image,BAG")
    import rasterio

    return rasterio


def _reproject(source: Any, params: GdalParams) -> tuple[Any, Any, Any]:
    from rasterio.crs import CRS
    from rasterio.errors import CRSError
    from rasterio.warp import Resampling, calculate_default_transform, reproject

    if source.crs is None:
        raise SkerryError("the file names no coordinate system, so it cannot be reprojected")
    try:
        crs = CRS.from_epsg(params.epsg)
    except CRSError:
        raise SkerryError(f"there is no coordinate system EPSG:{params.epsg}") from None
    transform, width, height = calculate_default_transform(source.crs, crs, source.width, source.height, *source.bounds)
    nodata = source.nodata if source.nodata is not None else np.nan
    refuse_beyond(params.memory_limit, height, width, 8, Path(source.name))
    values = np.full((height, width), nodata, np.float32)
    band = source.read(params.band).astype(np.float32)
    reproject(
        band, values, src_transform=source.transform, src_crs=source.crs, src_nodata=source.nodata,
        dst_transform=transform, dst_crs=crs, dst_nodata=nodata, resampling=Resampling.bilinear,
    )  # fmt: skip
    return values, transform, crs


if importlib.util.find_spec("rasterio") is not None:
    importer(ImportGdal)
