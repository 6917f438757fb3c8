"""Pictures that brushes and masks use: any common format as float32, brightness 0..1, EXR as it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plugins.exr import read_exr
from terrain.errors import SkerryError
from terrain.params import Params, describe

MOST_PIXELS = 1 << 26
"""Larger pictures are refused; none of this size is a brush."""

SUFFIXES = (".png", ".tif", ".tiff", ".jpg", ".jpeg", ".bmp", ".webp", ".exr")
_COLOURS = (("R", "G", "B"), ("X", "Y", "Z"), ("x", "y", "z"))


def load_picture(path: Path) -> NDArray[np.float32]:
    """Float32 (height, width, channels: 1 grey or 3 colour), top row first.

    Whole numbers become 0..1; floats stay. Raises `SkerryError` with one line if it is no picture.
    """
    try:
        size = path.stat().st_size
        if not size:
            raise SkerryError(f"{path}: the picture is empty")
        samples = _exr(path) if path.suffix.lower() == ".exr" else _plain(path)
    except SkerryError:
        raise
    except OSError as error:
        raise SkerryError(f"{path}: cannot be read: {error.strerror or error}") from None
    except Exception as error:
        raise SkerryError(f"{path}: not a picture that can be read ({' '.join(str(error).split())[:80]})") from None
    if samples.size > 3 * MOST_PIXELS:
        raise SkerryError(f"{path}: {samples.shape[1]}x{samples.shape[0]} pixels are too many for a brush picture")
    if not np.isfinite(samples).all():
        raise SkerryError(f"{path}: the picture holds values that are not finite")
    return np.ascontiguousarray(samples, np.float32)


def pictures_of(params: Params) -> Mapping[str, NDArray[np.float32]]:
    """The picture of every parameter that names one."""
    paths = {info.name: getattr(params, info.name) for info in describe(type(params)) if info.kind == "path"}
    return {name: load_picture(path) for name, path in paths.items() if path is not None}


def _exr(path: Path) -> NDArray[Any]:
    channels = read_exr(path)
    for names in _COLOURS:
        if all(name in channels for name in names):
            return np.stack([channels[name] for name in names], axis=-1)
    if not channels:
        raise SkerryError(f"{path}: the EXR has no channels")
    return np.asarray(next(channels[name] for name in (*("Y", "Z"), *channels) if name in channels))[..., None]


def _plain(path: Path) -> NDArray[Any]:
    from imagecodecs import imread

    samples = np.asarray(imread(path))
    if samples.ndim == 2:
        samples = samples[..., None]
    if samples.ndim != 3 or samples.shape[2] > 4:
        raise SkerryError(f"{path}: a picture of shape {samples.shape} cannot be used")
    scale = np.float32(1.0) if samples.dtype.kind == "f" else np.float32(1.0 / np.iinfo(samples.dtype).max)
    # A last channel of transparency says nothing about heights.
    colours = samples[..., :3] if samples.shape[2] >= 3 else samples[..., :1]
    return colours.astype(np.float32) * scale
