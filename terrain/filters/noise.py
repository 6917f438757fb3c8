"""Noise: rolling, ridged or billowing heights over the whole map."""

from typing import Literal

import numpy as np
from numba import prange
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.blend import MODES, Blend, blended
from terrain.filters.fractal import MOST_OCTAVES, billow2, fractal2, ridges2
from terrain.kernel import kernel, parallel_kernel

Kind = Literal["fbm", "ridged", "billow"]
_KINDS: dict[Kind, int] = {"fbm": 0, "ridged": 1, "billow": 2}


def noise(
    field: VectorField,
    kind: Kind = "fbm",
    amplitude: float = 20.0,
    size: float = 120.0,
    octaves: int = 6,
    gain: float = 0.5,
    lacunarity: float = 2.0,
    seed: int = 1,
    blend: Blend | None = None,
) -> NDArray[np.float32]:
    """Offsets (rows, cols, 3) with fractal noise blended into the heights; nothing moves sideways.

    amplitude: metres. fBm has a root mean square of a third of it, so that nearly all lies within ± amplitude;
    ridged and billow lie within 0 .. amplitude. size: metres, of the largest features; from hill to hill it is about
    1.8 of it. Places are those of the displaced surface, so what is folded over gets the noise of the ground beneath.
    Raises `SkerryError` for sizes and numbers of octaves that make no noise.
    """
    check_octaves("noise", size, octaves, gain, lacunarity)
    blend = blend or Blend()
    out = field.offset.copy()
    if amplitude == 0.0 and blend.mode in ("add", "multiply"):
        return out
    x0, y0 = field.origin
    _noise(
        field.offset, field.cell, x0, y0, _KINDS[kind], amplitude, size, octaves, gain, lacunarity, seed,
        MODES[blend.mode], blend.base, blend.relief, out,
    )  # fmt: skip
    return out


def check_octaves(what: str, size: float, octaves: int, gain: float, lacunarity: float) -> None:
    """Raise unless the numbers describe a sum of octaves."""
    if not (size > 0.0 and 1 <= octaves <= MOST_OCTAVES):
        raise SkerryError(
            f"{what} needs a size above zero and 1 to {MOST_OCTAVES} octaves, not {size:g} m and {octaves}"
        )
    if not (gain >= 0.0 and lacunarity > 1.0):
        raise SkerryError(f"{what} needs a gain of 0 or more and a lacunarity above 1, not {gain:g} and {lacunarity:g}")


@kernel
def _value(x: float, y: float, kind: int, octaves: int, gain: float, lacunarity: float, seed: int) -> float:
    if kind == 0:
        return fractal2(x, y, octaves, gain, lacunarity, seed) / 3.0
    if kind == 1:
        return ridges2(x, y, octaves, gain, lacunarity, seed)
    return billow2(x, y, octaves, gain, lacunarity, seed)


@parallel_kernel
def _noise(
    offset: NDArray[np.float32],
    cell: float,
    x0: float,
    y0: float,
    kind: int,
    amplitude: float,
    size: float,
    octaves: int,
    gain: float,
    lacunarity: float,
    seed: int,
    mode: int,
    base: float,
    relief: float,
    out: NDArray[np.float32],
) -> None:
    for row in prange(offset.shape[0]):
        for col in range(offset.shape[1]):
            x = (x0 + col * cell + offset[row, col, 0]) / size
            y = (y0 + row * cell + offset[row, col, 1]) / size
            made = amplitude * _value(x, y, kind, octaves, gain, lacunarity, seed)
            out[row, col, 2] = blended(float(offset[row, col, 2]), made, mode, base, relief)
