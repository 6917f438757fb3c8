"""TerrainView: the displaced surface as instanced patches that fetch their positions from a texture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy import gloo

from editor.render.frame import Frame
from editor.render.glsl import load
from editor.render.map_textures import MapTextures
from editor.render.patch_meshes import PatchMeshes
from editor.render.style import TINTS, BrushRing
from terrain.lod import LevelChooser, PatchErrors
from terrain.map import TerrainMap
from terrain.tiles import Rect

_RING, _RING_INVERTED = (1.0, 0.86, 0.36), (0.42, 0.80, 1.0)


class TerrainView:
    """Draws one map; keeps its patch errors and textures up to date."""

    def __init__(self, terrain: TerrainMap) -> None:
        self.terrain = terrain
        self.textures = MapTextures(terrain)
        self.errors = PatchErrors.of(terrain.field)
        self.chooser = LevelChooser(terrain.bounds, self.errors)
        self.patches = 0
        self.triangles = 0
        self.uploaded = 0
        self.relief = relief(terrain)
        self._meshes = PatchMeshes()
        self.noise: Any = gloo.Texture2D(
            noise_tile()[..., None], format="red", internalformat="r8", interpolation="linear", wrapping="repeat"
        )
        self._programs: dict[tuple[bool, bool], Any] = {}

    def changed(self, key: str, rect: Rect) -> None:
        """Note that part of an array changed."""
        self.textures.changed(key, rect)

    def draw(self, frame: Frame) -> None:
        """Draw with depth into whatever is bound."""
        self.uploaded, moved = self.textures.upload()
        for rect in moved:
            self.errors.update(self.terrain.field, rect)
        program = self._program()
        for name, value in {**frame.light(), **self._place(frame), **self._look(frame)}.items():
            program[name] = value
        self.chooser.bounds = self.terrain.bounds
        tolerance = max(frame.style.tolerance or 0.0, 1e-6)
        instances = self.chooser.choose(frame.camera.eye, frame.focal, frame.planes, tolerance)
        self.patches = len(instances.patches)
        self.triangles = self._meshes.draw(program, instances)

    def release(self) -> None:
        """Delete everything GL holds for this view."""
        self.textures.release()
        self._meshes.release()
        self.noise.delete()
        for program in self._programs.values():
            program.delete()

    def _program(self) -> Any:
        holes, alpha = "hole" in self.textures, "alpha" in self.textures
        if (holes, alpha) not in self._programs:
            switches = {"HOLES": int(holes), "ALPHA": int(alpha)}
            program = gloo.Program(load("terrain.vert.glsl"), load("terrain.frag.glsl", switches))
            program["u_noise"] = self.noise
            self._programs[holes, alpha] = program
        program = self._programs[holes, alpha]
        program["u_offset"] = self.textures["offset"]
        if holes:
            program["u_holes"] = self.textures["hole"]
        if alpha:
            program["u_alpha"] = self.textures["alpha"]
        return program

    def _place(self, frame: Frame) -> dict[str, object]:
        field, eye = self.terrain.field, frame.camera.eye
        x0, y0 = field.origin
        col = int(np.clip(round((eye[0] - x0) / field.cell), 0, field.cols - 1))
        row = int(np.clip(round((eye[1] - y0) / field.cell), 0, field.rows - 1))
        return {
            "u_last": (field.cols - 1, field.rows - 1),
            "u_cell": field.cell,
            "u_anchor": (col, row),
            "u_anchor_place": (x0 + col * field.cell - eye[0], y0 + row * field.cell - eye[1], -eye[2]),
            "u_rotation": frame.camera.rotation().T,
            "u_projection": frame.projection,
        }

    def _look(self, frame: Frame) -> dict[str, object]:
        style = frame.style
        return {
            "u_tint": TINTS.index(style.tint),
            "u_relief": self.relief,
            "u_clarity": clarity(self.relief),
            "u_contours": style.contours,
            **_ring(style.brush, frame.camera.eye),
        }


def _ring(brush: BrushRing | None, eye: NDArray[np.float64]) -> dict[str, object]:
    if brush is None:
        return {"u_ring": (0.0, 0.0, 0.0), "u_ring_radius": 0.0, "u_ring_colour": _RING}
    colour = _RING_INVERTED if brush.inverted else _RING
    return {"u_ring": brush.centre - eye, "u_ring_radius": max(brush.radius, 1e-6), "u_ring_colour": colour}


def relief(terrain: TerrainMap) -> tuple[float, float]:
    """Metres from the sea down to the deepest and up to the highest point that the colours reckon with.

    Taken once a view, so that sculpting a peak does not recolour the rest; never so little that a flat new map
    would turn to snow at its first hill.
    """
    low, high = float(terrain.bounds.whole[2]), float(terrain.bounds.whole[5])
    least = 0.04 * min(terrain.field.rest_size)
    return max(terrain.sea_level - low, least), max(high - terrain.sea_level, least)


def clarity(relief: tuple[float, float]) -> float:
    """Metres of water through which the ground shows: those of a clear sea, more where the map is far larger."""
    return min(max(0.10 * relief[0], 6.0), 60.0)


def noise_tile(side: int = 256) -> NDArray[np.uint8]:
    """A repeating fractal pattern, uint8 (side, side), the same every time: what breaks up the ground's colours."""
    spectrum = np.fft.rfft2(np.random.default_rng(7).normal(size=(side, side)))
    row, col = np.fft.fftfreq(side)[:, None] * side, np.fft.rfftfreq(side)[None] * side
    wave = np.maximum(np.hypot(row, col), 1.0)
    pattern = np.fft.irfft2(np.where(wave < 3.0, 0.0, spectrum / wave**1.3), s=(side, side))
    pattern = 0.5 + 0.22 * (pattern - pattern.mean()) / pattern.std()
    return np.asarray(255.0 * np.clip(pattern, 0.0, 1.0), np.uint8)
