"""Noise: breaks the surface up with fractal noise."""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, Dab, Stroke, Vector, Window
from terrain.brushes.moves import move_along, move_each
from terrain.brushes.raise_lower import MoveParams
from terrain.field import normals_of
from terrain.kernel import kernel
from terrain.noise import noise3
from terrain.params import about

Kind = Literal["fbm", "ridged", "billow"]
_KINDS: dict[Kind, int] = {"fbm": 0, "ridged": 1, "billow": 2}


class NoiseParams(MoveParams, frozen=True, kw_only=True):
    """Which noise, how large, and which way it moves the surface."""

    strength: Annotated[float, about("How far one pass moves the surface at most", unit="m", ge=0, le=10000)] = 6.0
    kind: Annotated[Kind, about("Rolling (fbm), sharp crests (ridged) or round bumps (billow)")] = "fbm"
    size: Annotated[float, about("Size of the largest features", unit="m", ge=0.01, le=100000)] = 30.0
    octaves: Annotated[int, about("Layers of finer and finer detail", ge=1, le=8)] = 4
    roughness: Annotated[float, about("Height of each layer as a share of the one before", ge=0.1, le=0.9)] = 0.5
    direction: Annotated[Literal["normal", "up"], about("Which way the surface moves")] = "normal"
    seed: Annotated[int, about("Another seed, another noise", ge=0, le=65535)] = 1


class Noise(Brush):
    """Moves the surface by noise that is fixed in space, so that overhangs are broken up as well as hills."""

    id = "noise"
    label = "Noise"
    Params = NoiseParams
    icon = "grain"
    family = "Land"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Add a share of the noise."""
        params = state.params
        amount = np.zeros(window.weight.shape, np.float32)
        # Seen from the axis of symmetry, so that every image gets the same noise.
        places = window.relative(dab.axis)
        _noise(
            places, window.weight, np.ascontiguousarray(dab.matrix.T), dab.axis, 1.0 / params.size,
            _KINDS[params.kind], params.octaves, params.roughness, params.seed, amount,
        )  # fmt: skip
        scale = state.sign * params.strength * dab.step
        if params.direction == "normal":
            move_each(window.offset, amount, normals_of(window.before, state.cell), scale)
        else:
            move_along(window.offset, amount, np.array([0.0, 0.0, scale]))


@kernel
def fractal3(x: float, y: float, z: float, kind: int, octaves: int, roughness: float, seed: int) -> float:
    """Fractal noise about -1..1: 0 fbm, 1 ridged, 2 billow (Musgrave, "Texturing and Modeling", ch. 16)."""
    total, height, most = 0.0, 1.0, 0.0
    for octave in range(octaves):
        value = noise3(x, y, z, seed + octave)
        if kind == 1:
            value = 1.0 - 2.0 * abs(value)
        elif kind == 2:
            value = 2.0 * abs(value) - 1.0
        total += height * value
        most += height
        height *= roughness
        x, y = 2.0 * (0.8 * x - 0.6 * y) + 13.7, 2.0 * (0.6 * x + 0.8 * y) - 7.3
        y, z = 0.8 * y - 1.2 * z, 0.6 * y + 1.6 * z
    return total / most


@kernel
def _noise(
    places: NDArray[np.float32],
    weight: NDArray[np.float32],
    inverse: Vector,
    axis: Vector,
    frequency: float,
    kind: int,
    octaves: int,
    roughness: float,
    seed: int,
    out: NDArray[np.float32],
) -> None:
    for i in range(weight.shape[0]):
        for j in range(weight.shape[1]):
            w = weight[i, j]
            if w > 0.0:
                a, b, c = places[i, j, 0], places[i, j, 1], places[i, j, 2]
                x = (inverse[0, 0] * a + inverse[0, 1] * b + inverse[0, 2] * c + axis[0]) * frequency
                y = (inverse[1, 0] * a + inverse[1, 1] * b + inverse[1, 2] * c + axis[1]) * frequency
                z = (inverse[2, 0] * a + inverse[2, 1] * b + inverse[2, 2] * c + axis[2]) * frequency
                out[i, j] = w * fractal3(x, y, z, kind, octaves, roughness, seed)
