"""Rings: the brush's ring and its images as one small texture that the ground's shader reads."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy import gloo

from editor.render.style import MOST_RINGS, BrushRing, Style

_FAINT = 0.45
"""Strength of a ring that symmetry adds; the brush's own has 1."""


def ring_table(rings: tuple[BrushRing, ...], eye: NDArray[np.float64]) -> NDArray[np.float32]:
    """Float32 (2, 16, 4): centre relative to the eye and radius, metres; sRGB colour and strength, 0..1."""
    table = np.zeros((2, MOST_RINGS, 4), np.float32)
    for column, ring in enumerate(rings[:MOST_RINGS]):
        table[0, column] = (*(ring.centre - eye), max(ring.radius, 1e-6))
        table[1, column] = (*ring.shown_colour, 1.0 if ring.primary else _FAINT)
    return table


class Rings:
    """The texture, sent anew only while there are rings."""

    def __init__(self) -> None:
        self.texture: Any = gloo.Texture2D(
            (2, MOST_RINGS, 4), format="rgba", internalformat="rgba32f", interpolation="nearest"
        )
        self.texture.set_data(np.zeros((2, MOST_RINGS, 4), np.float32))

    def of(self, style: Style, eye: NDArray[np.float64]) -> dict[str, object]:
        """Send a style's rings; returns the uniforms that go with them."""
        rings = style.rings
        if rings:
            self.texture.set_data(ring_table(rings, eye))
        return {"u_ring_count": len(rings)}

    def release(self) -> None:
        """Delete the texture."""
        self.texture.delete()
