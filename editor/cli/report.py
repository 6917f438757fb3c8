"""What `skerry info` says of a map."""

import hashlib
from typing import Any

import numpy as np

from terrain.map import Array, TerrainMap


def info_record(terrain: TerrainMap) -> dict[str, Any]:
    """The stable JSON record of a map (docs/formats/info.md)."""
    low, high = terrain.field.height_range()
    return {
        "rows": terrain.field.rows,
        "cols": terrain.field.cols,
        "cell": terrain.field.cell,
        "origin": list(terrain.field.origin),
        "sea_level": terrain.sea_level,
        "height": {"min": low, "max": high},
        "bounds": terrain.bounds.whole.tolist(),
        "arrays": {key: _array_record(array) for key, array in terrain.arrays().items()},
        "layers": terrain.names("layer"),
        "masks": terrain.names("mask"),
        "placements": [],
        "markers": [],
        "source": terrain.source,
    }


def info_lines(record: dict[str, Any]) -> list[str]:
    """The record for a person."""
    cols, rows, cell = record["cols"], record["rows"], record["cell"]
    low, high, sea = record["height"]["min"], record["height"]["max"], record["sea_level"]
    lines = [
        f"  size       {cols}x{rows} vertices, {cell:g} m apart: {_km((cols - 1) * cell)} x {_km((rows - 1) * cell)}",
        f"  heights    {low:g} .. {high:g} m, sea level {sea:g} m",
        f"  origin     {record['origin'][0]:g}, {record['origin'][1]:g}",
    ]
    for key, array in record["arrays"].items():
        shape = " x ".join(str(n) for n in array["shape"])
        lines.append(f"  {key:<10} {array['dtype']} {shape}  {array['sha256'][:12]}")
    if record["source"]:
        from plugins.importing import describe_source

        lines += ["  from", *(f"    {line}" for line in describe_source(record["source"]))]
    return lines


def _array_record(array: Array) -> dict[str, Any]:
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return {
        "shape": list(array.shape),
        "dtype": str(array.dtype),
        "sha256": hashlib.sha256(plain.data).hexdigest(),
    }


def _km(metres: float) -> str:
    return f"{metres / 1000:,.4g} km" if metres >= 1000 else f"{metres:g} m"
