"""TIFF and GeoTIFF of any sample type, tiling and compression that imagecodecs knows."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from plugins.api import Guess, Job, Scene, SkerryError, about
from plugins.raster import ImportParams, Raster, refuse_beyond, to_scene
from plugins.raster.crs import FEET, unit_of_wkt
from plugins.raster.geodesy import WEB_MERCATOR, web_mercator_latitude
from plugins.registry import importer

_MAGICS = (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")
_GEOGRAPHIC, _PROJECTED = 2, 1


class TiffParams(ImportParams, frozen=True, kw_only=True):
    """Which picture of the file."""

    page: Annotated[int, about("Page (image) of the file, from 0", ge=0)] = 0
    band: Annotated[int, about("Band of a page with several, from 1", ge=1)] = 1


@importer
class ImportTiff:
    """Heights as they are; size and coordinates from the GeoTIFF tags, no-data from GDAL's tag."""

    id = "tiff"
    label = "GeoTIFF or TIFF heights"
    suffixes = (".tif", ".tiff", ".gtif")
    Params = TiffParams

    def probe(self, path: Path) -> list[Guess]:
        """By its magic number, whatever the name says."""
        with path.open("rb") as file:
            if file.read(4) not in _MAGICS:
                return []
        import tifffile

        try:
            with tifffile.TiffFile(path) as tiff:
                page = _page(tiff, 0)
                kind = "GeoTIFF" if page.is_geotiff else "TIFF"
                summary = f"{kind} {page.imagewidth}x{page.imagelength}, {page.dtype}"
        except Exception:
            return [Guess(self.id, "a TIFF that is damaged", 0.9)]
        return [Guess(self.id, summary, 0.95)]

    def read(self, path: Path, params: TiffParams, job: Job) -> Scene:
        """Decode one band and hand over."""
        import tifffile

        with tifffile.TiffFile(path) as tiff:
            page = _page(tiff, params.page)
            if page.dtype is None:
                raise SkerryError("the TIFF has a sample type that is not read")
            bands = page.samplesperpixel
            refuse_beyond(params.memory_limit, page.imagelength, page.imagewidth, page.dtype.itemsize * bands, path)
            values = _band(page.asarray(), page, params.band)
            geo = dict(page.geotiff_tags) if page.is_geotiff else {}
            nodata = _nodata(page)
        job.progress(0.2, "decoded")
        raster = Raster(np.ascontiguousarray(values[::-1]), "GeoTIFF" if geo else "TIFF", nodata_value=nodata)
        if bands > 1:
            raster.notes.append(f"band {params.band} of {bands} was read")
        if geo:
            _locate(raster, geo)
        if not raster.unit and values.dtype.kind == "u":
            raster.full_range = (0.0, float(np.iinfo(values.dtype).max))
        return to_scene(raster, params, job)


def _page(tiff: Any, number: int) -> Any:
    if number >= len(tiff.pages):
        raise SkerryError(f"there is no page {number}; the file has {len(tiff.pages)} (from 0)")
    return tiff.pages[number]


def _band(values: Any, page: Any, band: int) -> Any:
    values = np.squeeze(values) if values.ndim > 3 else values
    if values.ndim == 2:
        count, taken = 1, values
    else:
        planes_first = values.shape[-2:] == (page.imagelength, page.imagewidth)
        count = values.shape[0] if planes_first else values.shape[-1]
        taken = values[min(band, count) - 1] if planes_first else values[..., min(band, count) - 1]
    if band > count:
        raise SkerryError(f"there is no band {band}; the page has {count} (from 1)")
    if taken.dtype.kind not in "uif":
        raise SkerryError(f"samples of type {taken.dtype} are no heights")
    return taken


def _nodata(page: Any) -> float | None:
    tag = page.tags.get(42113)
    try:
        return None if tag is None else float(str(tag.value).strip("\x00 "))
    except ValueError:
        return None


def _locate(raster: Raster, geo: dict[str, Any]) -> None:
    """Pixel size, its unit and the latitude from the GeoTIFF tags (OGC 19-008r4)."""
    rows = raster.values.shape[0]
    scale, tie, matrix = geo.get("ModelPixelScale"), geo.get("ModelTiepoint"), geo.get("ModelTransformation")
    if scale is not None and scale[0] and scale[1]:
        raster.pixel = abs(float(scale[0])), abs(float(scale[1]))
        top = float(tie[4]) + float(tie[1]) * raster.pixel[1] if tie is not None else 0.0
    elif matrix is not None:
        grid = np.asarray(matrix, np.float64).reshape(4, 4)
        raster.pixel = float(np.hypot(*grid[:2, 0])), float(np.hypot(*grid[:2, 1]))
        top = float(grid[1, 3])
        if grid[1, 1] > 0.0:
            top += rows * raster.pixel[1]
            raster.values, raster.flipped = np.ascontiguousarray(raster.values[::-1]), False
            raster.orientation = "first row in the file is south"
        if grid[0, 1] or grid[1, 0]:
            raster.notes.append("the grid is turned against north; its rows were taken as running from west to east")
    else:
        return
    citation = str(geo.get("GTCitationGeoKey") or geo.get("GeogCitationGeoKey") or "").strip("| ")
    if int(geo.get("GTModelTypeGeoKey") or 0) == _GEOGRAPHIC:
        raster.unit, raster.latitude = "deg", top - 0.5 * (rows - 1) * raster.pixel[1]
        code = geo.get("GeographicTypeGeoKey")
    else:
        raster.unit = "m"
        code = geo.get("ProjectedCSTypeGeoKey")
        _in_metres(raster, geo, citation)
    if code == WEB_MERCATOR:
        raster.latitude = web_mercator_latitude(top - 0.5 * rows * raster.pixel[1])
        shrink = float(np.cos(np.radians(raster.latitude)))
        raster.pixel = raster.pixel[0] * shrink, raster.pixel[1] * shrink
        raster.notes.append(f"web Mercator metres are {shrink:.4f} m on the ground at {raster.latitude:.2f} degrees")
    if int(geo.get("VerticalUnitsGeoKey") or 0) in FEET:
        raster.notes.append("the file says that its heights are feet; give --height-scale 0.3048")
    name = f"EPSG:{int(code)}" if code is not None and int(code) < 32767 else ""
    raster.crs = " ".join(part for part in (name, citation) if part)


def _in_metres(raster: Raster, geo: dict[str, Any], citation: str) -> None:
    """Feet become metres where the file says feet."""
    code = int(geo.get("ProjLinearUnitsGeoKey") or 0)
    metres = FEET.get(code, float(geo.get("ProjLinearUnitSizeGeoKey") or 1.0) if code == 32767 else 1.0)
    if code == 0 and unit_of_wkt(citation)[0] == "m":
        metres = unit_of_wkt(citation)[1]
    if metres != 1.0:
        raster.pixel = raster.pixel[0] * metres, raster.pixel[1] * metres
        raster.notes.append(f"the ground is measured in units of {metres:g} m; heights were left as they are")
