"""Heightfield: the top of the surface as R16, 16-bit PNG and float EXR."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from plugins.api import Job, Params, Report, Scene, SkerryError, about
from plugins.exr import read_exr, write_exr
from plugins.registry import exporter
from plugins.sidecar import read_sidecar, write_sidecar
from terrain.map import TerrainMap
from terrain.rasterise import fill_uncovered, top_surface

NAME = "height"
OVERHANG_RULE = "the highest surface in each column"
_BLOCK = 256
"""Rows turned into codes between two reports of progress."""


class HeightParams(Params, frozen=True, kw_only=True):
    """Which files, and how heights become codes."""

    formats: Annotated[Literal["all", "r16", "png16", "exr"], about("Which files to write")] = "all"
    byte_order: Annotated[Literal["little", "big"], about("Byte order of the R16 file")] = "little"
    first_row: Annotated[Literal["north", "south"], about("Which edge the first row of the files is")] = "north"
    min_height: Annotated[float, about("Height of code 0; default: the lowest", unit="m", ge=-1e9, le=1e9)] | None = (
        None
    )
    max_height: (
        Annotated[float, about("Height of code 65535; default: the highest", unit="m", ge=-1e9, le=1e9)] | None
    ) = None
    columns: Annotated[int, about("Samples from west to east; default: to match rows", ge=2, le=16384)] | None = None
    rows: Annotated[int, about("Samples from south to north; default: to match columns", ge=2, le=16384)] | None = None
    channels: Annotated[Literal["y", "rgb"], about("Channels of the EXR: one, or three alike")] = "y"


@dataclass
class _Grid:
    """Sampled heights with what must be told of them."""

    heights: NDArray[np.float32]
    cell: tuple[float, float]
    low: float
    high: float
    overhangs: int
    uncovered: int
    clamped: int


@exporter
class ExportHeight:
    """v = round((h - min) / (max - min) · 65535), so that the highest point decodes to exactly its height."""

    id = "height"
    label = "Heightfield: R16, PNG16, EXR"
    Params = HeightParams

    def write(self, scene: Scene, folder: Path, params: HeightParams, job: Job) -> Report:
        """Sample the top surface and write the files asked for."""
        grid = _sample(scene.terrain, params, job)
        rows_first = grid.heights[::-1] if params.first_row == "north" else grid.heights
        files = _write_files(np.ascontiguousarray(rows_first), grid, folder, params, job)
        sidecar = folder / f"{NAME}.json"
        write_sidecar(sidecar, self.id, scene.terrain, files, _facts(grid, params))
        job.progress(1.0, "written")
        return Report((*files, sidecar), tuple(_notes(grid)))

    def check(self, sidecar: Path) -> list[str]:
        """Decode every file and hold it against the sidecar."""
        record = read_sidecar(sidecar)
        shape = (record["samples"]["rows"], record["samples"]["cols"])
        low, high = record["encoding"]["min"], record["encoding"]["max"]
        for entry in record["files"]:
            name = entry["name"]
            found = _decode(sidecar.with_name(name), shape, record["encoding"]["byte_order"])
            if found.shape[:2] != shape:
                return [f"{name} holds {found.shape[1]}x{found.shape[0]} samples, not {shape[1]}x{shape[0]}"]
            metres = found.dtype == np.float32 and not record["clamped"]
            if metres and not (low <= found.min() and found.max() <= high):
                return [f"{name} holds heights outside {low:g}..{high:g} m"]
        return []


def _sample(terrain: TerrainMap, params: HeightParams, job: Job) -> _Grid:
    field = terrain.field
    rows, cols = _size(terrain, params)
    if (rows, cols) == (field.rows, field.cols):
        cell = (field.cell, field.cell)
    else:
        cell = (field.rest_size[0] / (cols - 1), field.rest_size[1] / (rows - 1))
    heights, sheets = top_surface(
        field,
        rows,
        cols,
        cell,
        field.origin,
        terrain.extras.get("hole"),
        lambda share: job.progress(0.5 * share, "sampling"),
    )
    overhangs = int((sheets > 1).sum())
    # Filling needs several arrays of this size, so this one goes first.
    del sheets
    uncovered = fill_uncovered(heights)
    if uncovered == heights.size:
        raise SkerryError("no part of the surface lies over the map's ground; nothing to export")
    low = float(heights.min()) if params.min_height is None else params.min_height
    high = float(heights.max()) if params.max_height is None else params.max_height
    if high < low:
        raise SkerryError(f"max-height {high:g} m lies below min-height {low:g} m; limits not given are the map's own")
    clamped = int(((heights < low) | (heights > high)).sum())
    return _Grid(heights, cell, low, high, overhangs, uncovered, clamped)


def _size(terrain: TerrainMap, params: HeightParams) -> tuple[int, int]:
    """Rows and columns of samples; where one is given, the other makes the spacing as square as it can be."""
    rows, cols = terrain.field.rows, terrain.field.cols
    if params.rows is None and params.columns is None:
        return rows, cols
    if params.rows is None:
        return max(2, round((rows - 1) / (cols - 1) * ((params.columns or cols) - 1)) + 1), params.columns or cols
    if params.columns is None:
        return params.rows, max(2, round((cols - 1) / (rows - 1) * (params.rows - 1)) + 1)
    return params.rows, params.columns


def _write_files(heights: NDArray[np.float32], grid: _Grid, folder: Path, params: HeightParams, job: Job) -> list[Path]:
    files = []
    codes = np.empty((0, 0), np.uint16) if params.formats == "exr" else _codes(heights, grid, job)
    if params.formats in ("all", "r16"):
        files.append(folder / f"{NAME}.r16")
        files[-1].write_bytes(codes.astype("<u2" if params.byte_order == "little" else ">u2").tobytes())
        job.progress(0.65, "R16")
    if params.formats in ("all", "png16"):
        from imagecodecs import png_encode

        files.append(folder / f"{NAME}.png")
        files[-1].write_bytes(png_encode(codes))
        job.progress(0.8, "PNG16")
    if params.formats in ("all", "exr"):
        files.append(folder / f"{NAME}.exr")
        write_exr(files[-1], dict.fromkeys(("Y",) if params.channels == "y" else ("R", "G", "B"), heights))
        job.progress(0.95, "EXR")
    return files


def _codes(heights: NDArray[np.float32], grid: _Grid, job: Job) -> NDArray[np.uint16]:
    """uint16 codes; a flat map is all zeros."""
    codes = np.zeros(heights.shape, np.uint16)
    span = grid.high - grid.low
    if span <= 0.0:
        return codes
    for row in range(0, len(heights), _BLOCK):
        # Clipped first: divided by a very small span, a height beyond it would overflow.
        above = np.clip(heights[row : row + _BLOCK].astype(np.float64), grid.low, grid.high) - grid.low
        codes[row : row + _BLOCK] = np.rint(above / span * 65535.0)
        job.progress(0.5 + 0.1 * row / len(heights), "coding")
    return codes


def _facts(grid: _Grid, params: HeightParams) -> dict[str, Any]:
    rows, cols = grid.heights.shape
    return {
        "samples": {"rows": rows, "cols": cols, "cell": list(grid.cell)},
        "first_row": params.first_row,
        "encoding": {
            "min": grid.low,
            "max": grid.high,
            "formula": "height = min + v / 65535 * (max - min) for R16 and PNG; EXR holds metres",
            "byte_order": params.byte_order,
        },
        "overhangs": {"rule": OVERHANG_RULE, "columns": grid.overhangs},
        "uncovered": {"rule": "the nearest surface", "columns": grid.uncovered},
        "clamped": grid.clamped,
    }


def _notes(grid: _Grid) -> list[str]:
    rows, cols = grid.heights.shape
    notes = [f"{cols}x{rows} samples, {grid.low:.9g} .. {grid.high:.9g} m"]
    if abs(grid.cell[0] - grid.cell[1]) > 1e-9 * grid.cell[0]:
        notes.append(f"samples lie {grid.cell[0]:.9g} m apart east-west and {grid.cell[1]:.9g} m north-south")
    if grid.overhangs:
        notes.append(f"{grid.overhangs:,} columns have an overhang; {OVERHANG_RULE} was taken")
    if grid.uncovered:
        notes.append(f"{grid.uncovered:,} columns have no surface; the nearest was taken")
    if grid.clamped:
        notes.append(f"{grid.clamped:,} heights lay outside the range given and were clamped in R16 and PNG")
    return notes


def _decode(file: Path, shape: tuple[int, int], byte_order: str) -> NDArray[Any]:
    if file.suffix == ".r16":
        codes = np.fromfile(file, "<u2" if byte_order == "little" else ">u2")
        return codes.reshape(shape) if codes.size == shape[0] * shape[1] else codes[None]
    if file.suffix == ".png":
        from plugins.decode import png

        return png.decode(file.read_bytes())
    return next(iter(read_exr(file).values()))
