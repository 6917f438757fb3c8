"""Writes the sample data of the demo: a GeoTIFF of a generated island with its seabed."""

from pathlib import Path

import numpy as np

from terrain.sample import sample_island

EXTENT = 1280.0
UTM_28N = 32628
WEST, NORTH = 389_000.0, 7_120_000.0


def write_island(path: Path, side: int = 641) -> None:
    """A float32 GeoTIFF in UTM zone 28N, north up, heights in metres above and below the sea; side: pixels."""
    import tifffile

    cell = EXTENT / (side - 1)
    heights = sample_island(side, side, cell, seed=12).offset[::-1, :, 2]
    # GeoTIFF 1.1: projected, pixel is point, the zone, metres.
    keys = (1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, UTM_28N, 3076, 0, 1, 9001)
    tifffile.imwrite(
        path,
        np.ascontiguousarray(heights),
        photometric="minisblack",
        software=False,
        metadata=None,
        extratags=[
            (33550, 12, 3, (cell, cell, 0.0), True),
            (33922, 12, 6, (0.0, 0.0, 0.0, WEST, NORTH, 0.0), True),
            (34735, 3, len(keys), keys, True),
        ],
    )
