"""TerrainView: the displaced surface as instanced patches that fetch their positions from a texture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy import gloo

from editor.render.frame import Frame
from editor.render.glsl import load
from editor.render.map_textures import MapTextures
from editor.render.patch_meshes import PatchMeshes
from editor.render.rings import Rings
from editor.render.style import LANDSCAPE, SHADED_BY_AO, TINTS, Style
from terrain.lod import LevelChooser, PatchErrors
from terrain.map import TerrainMap
from terrain.tiles import Rect

_MASK, _FROZEN = (0.90, 0.12, 0.10), (0.13, 0.42, 0.96)


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
        self._rings = Rings()
        self._programs: dict[tuple[int, ...], Any] = {}

    def changed(self, key: str, rect: Rect) -> None:
        """Note that part of an array changed."""
        self.textures.changed(key, rect)

    def draw(self, frame: Frame) -> None:
        """Draw with depth into whatever is bound."""
        self.uploaded, moved = self.textures.upload(_arrays(frame.style))
        for rect in moved:
            self.errors.update(self.terrain.field, rect)
        program = self._program(frame.style)
        values = {**frame.light(), **self._place(frame), **self._look(frame.style)}
        values |= self._rings.of(frame.style, frame.camera.eye)
        for name, value in values.items():
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
        self._rings.release()
        for program in self._programs.values():
            program.delete()

    def _program(self, style: Style) -> Any:
        """The program that does what this style needs and nothing else, with the map's textures."""
        switches = self._switches(style)
        key = tuple(switches.values())
        if key not in self._programs:
            program = gloo.Program(load("terrain.vert.glsl"), load("terrain.frag.glsl", switches))
            program["u_noise"] = self.noise
            program["u_rings"] = self._rings.texture
            self._programs[key] = program
        program = self._programs[key]
        program["u_offset"] = self.textures["offset"]
        for name, switch, array in (
            ("u_holes", "HOLES", "hole"),
            ("u_alpha", "ALPHA", "alpha"),
            ("u_ao", "AO", "ao"),
            ("u_mask", "MASK", f"mask/{style.mask}"),
        ):
            if switches[switch]:
                program[name] = self.textures[array]
        return program

    def _switches(self, style: Style) -> dict[str, int]:
        mask = style.mask != "" and f"mask/{style.mask}" in self.textures
        return {
            "HOLES": int("hole" in self.textures),
            "ALPHA": int("alpha" in self.textures),
            "AO": int("ao" in self.textures),
            "VIEW": 0 if style.tint in LANDSCAPE else TINTS.index(style.tint),
            "WIRE": int(style.wire),
            "MASK": int(mask),
            "OUTLINE": int(mask and style.outline),
            "ISOLATE": int(mask and style.isolate),
        }

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

    def _look(self, style: Style) -> dict[str, object]:
        look: dict[str, object] = {
            "u_tint": TINTS.index(style.tint),
            "u_relief": self.relief,
            "u_clarity": clarity(self.relief),
            "u_contours": style.contours,
        }
        if style.mask:
            look["u_mask_colour"] = (*(_FROZEN if style.mask_frozen else _MASK), style.mask_opacity)
            look["u_phase"] = style.phase % 1.0
        return look


def _arrays(style: Style) -> list[str]:
    """Keys of the arrays that a style shows besides those of every picture."""
    keys = [f"mask/{style.mask}"] if style.mask else []
    if style.tint == "occlusion" or (style.use_ao and style.tint in SHADED_BY_AO):
        keys.append("ao")
    return keys


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
