"""Pictures of land without a display: shaded relief with water, and masks."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""(rows, cols, 3), row 0 north."""

_LIGHTS = ((315.0, 1.0), (270.0, 0.35), (0.0, 0.35))
"""Azimuths, clockwise from north, and shares of the lights; the main one stands in the north-west, as on maps."""

_LOW, _HIGH = np.array([0.55, 0.62, 0.44]), np.array([0.90, 0.87, 0.82])
_SHOAL, _DEEP = np.array([0.52, 0.76, 0.78]), np.array([0.10, 0.22, 0.36])


def relief(height: NDArray[np.float32], cell: float, sea: float = -np.inf, exaggerate: float = 1.0) -> Picture:
    """Shaded relief of heights (rows, cols) in metres, row 0 south; the water is tinted by its depth."""
    shade = _shade(np.maximum(height, sea), cell, exaggerate)
    land = height > sea
    low, high = np.percentile(height[land], (2.0, 99.5)) if land.any() else (0.0, 1.0)
    up = np.clip((height - low) / max(high - low, 1e-6), 0.0, 1.0)[..., None]
    colour = (_LOW + (_HIGH - _LOW) * up) * shade[..., None]
    if not land.all():
        depth = np.clip((sea - height) / max(sea - float(height.min()), 1e-6), 0.0, 1.0)[..., None] ** 0.5
        bed = 0.75 + 0.25 * _shade(height, cell, exaggerate)[..., None]
        colour = np.where(land[..., None], colour, (_SHOAL + (_DEEP - _SHOAL) * depth) * bed)
    return _bytes(colour)


def grey(mask: NDArray[np.float32]) -> Picture:
    """A mask (rows, cols), 0..1, row 0 south."""
    return _bytes(np.repeat(mask[..., None], 3, axis=2))


def beside(*pictures: Picture) -> Picture:
    """Pictures of one height in a row, with a white line between them."""
    line = np.full((pictures[0].shape[0], 6, 3), 255, np.uint8)
    parts = [part for picture in pictures for part in (picture, line)]
    return np.concatenate(parts[:-1], axis=1)


def write(path: Path, picture: Picture) -> None:
    """Save a picture as PNG."""
    import imagecodecs

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(imagecodecs.png_encode(picture))


def _shade(height: NDArray[np.float32], cell: float, exaggerate: float) -> NDArray[np.float64]:
    north, east = np.gradient(height.astype(np.float64) * exaggerate, cell)
    length = np.sqrt(1.0 + north * north + east * east)
    total = np.zeros(height.shape)
    for azimuth, share in _LIGHTS:
        x, y = np.sin(np.radians(azimuth)), np.cos(np.radians(azimuth))
        total += share * np.maximum(0.0, (0.7 * (-east * x - north * y) + 0.71) / length)
    return np.clip(0.2 + 0.8 * total / 1.25, 0.0, 1.1)


def _bytes(colour: NDArray[np.float64]) -> Picture:
    return np.ascontiguousarray((255.0 * np.clip(colour[::-1], 0.0, 1.0)).astype(np.uint8))
