"""A raster from the samples of a picture, whatever file they came in."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from plugins.decode.colour import Encoding, heights_of, likely_encoding
from plugins.raster.decoded import Raster


def picture_raster(samples: NDArray[Any], label: str, bits: int, encoding: Encoding | Literal["auto"]) -> Raster:
    """A raster from picture samples (height, width[, channels]), top row first."""
    if encoding == "auto":
        encoding = likely_encoding(samples)
    values, notes = heights_of(samples, encoding)
    return Raster(
        np.ascontiguousarray(values[::-1]),
        label if encoding == "grey" else f"{label}, {encoding.capitalize()} elevation tile",
        full_range=(0.0, float(2**bits - 1)) if encoding == "grey" else None,
        notes=notes,
    )
