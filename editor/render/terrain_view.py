"""TerrainView: the displaced surface as instanced patches that fetch their positions from a texture."""

from typing import Any

import numpy as np

from editor.render.frame import Frame
from editor.render.ground import Ground
from editor.render.map_textures import MapTextures
from editor.render.style import LANDSCAPE, SHADED_BY_AO, TINTS, Style
from terrain.lod import LevelChooser, PatchErrors
from terrain.map import TerrainMap
from terrain.tiles import Rect

_MASK, _FROZEN = (0.90, 0.12, 0.10), (0.13, 0.42, 0.96)


class TerrainView:
    """Draws one map; keeps its patch errors and textures up to date."""

    def __init__(self, terrain: TerrainMap, ground: Ground) -> None:
        self.terrain = terrain
        self._ground = ground
        self.textures = MapTextures(terrain)
        self.errors = PatchErrors.of(terrain.field)
        self.chooser = LevelChooser(terrain.bounds, self.errors)
        self.patches = 0
        self.triangles = 0
        self.uploaded = 0
        self.relief = relief(terrain)

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
        values |= self._ground.rings.of(frame.style, frame.camera.eye)
        for name, value in values.items():
            program[name] = value
        self.chooser.bounds = self.terrain.bounds
        tolerance = max(frame.style.tolerance or 0.0, 1e-6)
        instances = self.chooser.choose(frame.camera.eye, frame.focal, frame.planes, tolerance)
        self.patches = len(instances.patches)
        self.triangles = self._ground.meshes.draw(program, instances)

    def release(self) -> None:
        """Delete what GL holds of this map."""
        self.textures.release()

    def _program(self, style: Style) -> Any:
        """The program that does what this style needs and nothing else, with the map's textures."""
        switches = self._switches(style)
        program = self._ground.program(switches)
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
