"""Kept pictures: what the eye approved once stays so, to 3/255 in all but 0.1 % of the pixels."""

import ctypes.util
from pathlib import Path

import numpy as np
import pytest
from imagecodecs import png_decode, png_encode

from tests.images.pictures import HERE, PICTURES


@pytest.mark.skipif(ctypes.util.find_library("EGL") is None, reason="no libEGL on this machine")
@pytest.mark.parametrize("name", PICTURES)
def test_a_kept_picture_looks_the_same(name: str, tmp_path: Path) -> None:
    kept = png_decode((HERE / f"{name}.png").read_bytes()).astype(int)
    drawn = PICTURES[name]()
    (tmp_path / f"{name}.png").write_bytes(png_encode(drawn))
    over = np.abs(kept - drawn).max(axis=-1) > 3
    assert over.mean() <= 0.001, f"{over.mean():.2%} of the pixels differ: see {tmp_path / name}.png"
