"""What the colours of a picture mean as heights."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Encoding = Literal["grey", "terrarium", "mapbox"]

_LOWEST, _HIGHEST = -11100.0, 9000.0
"""From the Challenger Deep to Everest, metres."""

_LEAP = 200.0
_LEAPS_ALLOWED = 0.02
"""Share of neighbours that may differ by more than `_LEAP` metres in a real elevation tile."""


def terrarium(samples: NDArray[Any]) -> NDArray[np.float64]:
    """Metres of a Terrarium tile: R·256 + G + B/256 - 32768."""
    red, green, blue = (samples[..., k].astype(np.float64) for k in range(3))
    return red * 256.0 + green + blue / 256.0 - 32768.0


def mapbox(samples: NDArray[Any]) -> NDArray[np.float64]:
    """Metres of a Mapbox Terrain-RGB tile: -10000 + (R·65536 + G·256 + B)·0.1."""
    red, green, blue = (samples[..., k].astype(np.float64) for k in range(3))
    return -10000.0 + (red * 65536.0 + green * 256.0 + blue) * 0.1


def likely_encoding(samples: NDArray[Any]) -> Encoding:
    """The encoding under which a picture looks like land on this earth; grey unless a tile's colours say otherwise."""
    if samples.ndim != 3 or samples.shape[2] < 3 or samples.dtype != np.uint8 or _spread(samples) <= 8:
        return "grey"
    candidates: list[tuple[float, Encoding]] = []
    decoders: tuple[tuple[Encoding, Any], ...] = (("terrarium", terrarium), ("mapbox", mapbox))
    for name, decode in decoders:
        metres = decode(samples)
        steps = np.abs(np.diff(metres, axis=1))
        if metres.min() >= _LOWEST and metres.max() <= _HIGHEST and (steps > _LEAP).mean() <= _LEAPS_ALLOWED:
            candidates.append((float(steps.mean()), name))
    return min(candidates)[1] if candidates else "grey"


def heights_of(samples: NDArray[Any], encoding: Encoding) -> tuple[NDArray[Any], list[str]]:
    """Codes or metres (height, width), and what a person should know of how they were taken."""
    if encoding == "terrarium":
        return terrarium(samples), []
    if encoding == "mapbox":
        return mapbox(samples), []
    if samples.ndim == 2:
        return samples, []
    if samples.shape[2] <= 2:
        return samples[..., 0], ["the alpha channel was left aside"]
    spread = _spread(samples)
    if spread == 0:
        return samples[..., 0], []
    if spread <= 8:
        return samples[..., 0], [f"red, green and blue differ by up to {spread} levels; red was taken as the height"]
    mean = samples[..., :3].astype(np.float64).mean(axis=2)
    return mean, ["the picture is coloured; the mean of red, green and blue was taken as the height"]


def _spread(samples: NDArray[Any]) -> int:
    """Largest difference between the colours of a pixel."""
    colours = samples[..., :3].astype(np.int64)
    return int((colours.max(axis=2) - colours.min(axis=2)).max())
