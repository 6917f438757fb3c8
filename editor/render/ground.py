"""Ground: the programs and meshes that draw a map's surface, shared by all views of maps in one picture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy import gloo

from editor.render.glsl import load
from editor.render.patch_meshes import PatchMeshes
from editor.render.rings import Rings


class Ground:
    """GL objects that belong to no map; made and used while a vispy context is current."""

    def __init__(self) -> None:
        self.meshes = PatchMeshes()
        self.rings = Rings()
        self.noise: Any = gloo.Texture2D(
            noise_tile()[..., None], format="red", internalformat="r8", interpolation="linear", wrapping="repeat"
        )
        self._programs: dict[tuple[int, ...], Any] = {}

    def program(self, switches: dict[str, int]) -> Any:
        """The program that does what these switches of the shader ask for and nothing else."""
        key = tuple(switches.values())
        if key not in self._programs:
            program = gloo.Program(load("terrain.vert.glsl"), load("terrain.frag.glsl", switches))
            program["u_noise"] = self.noise
            program["u_rings"] = self.rings.texture
            self._programs[key] = program
        return self._programs[key]

    def release(self) -> None:
        """Delete everything."""
        self.meshes.release()
        self.noise.delete()
        self.rings.release()
        for program in self._programs.values():
            program.delete()


def noise_tile(side: int = 256) -> NDArray[np.uint8]:
    """A repeating fractal pattern, uint8 (side, side), the same every time: what breaks up the ground's colours."""
    spectrum = np.fft.rfft2(np.random.default_rng(7).normal(size=(side, side)))
    row, col = np.fft.fftfreq(side)[:, None] * side, np.fft.rfftfreq(side)[None] * side
    wave = np.maximum(np.hypot(row, col), 1.0)
    pattern = np.fft.irfft2(np.where(wave < 3.0, 0.0, spectrum / wave**1.3), s=(side, side))
    pattern = 0.5 + 0.22 * (pattern - pattern.mean()) / pattern.std()
    return np.asarray(255.0 * np.clip(pattern, 0.0, 1.0), np.uint8)
