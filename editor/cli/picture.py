"""Writes a picture as a PNG, whole or not at all."""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError


def write_png(path: Path, image: NDArray[np.uint8]) -> None:
    """Write uint8 (rows, cols, 3), top row first; raises `SkerryError` if the file cannot be written."""
    from imagecodecs import png_encode

    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_bytes(png_encode(image))
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise SkerryError(f"{path}: cannot be written: {error.strerror}") from None
