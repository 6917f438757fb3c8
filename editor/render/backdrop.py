"""Backdrop: sky and open sea as far as the horizon, or a studio's paper, wherever the map left the picture empty."""

from typing import Any

import numpy as np
from vispy import gloo

from editor.render.frame import Frame
from editor.render.glsl import load
from editor.render.terrain_view import clarity


class Backdrop:
    """One triangle at the far end of the depth range."""

    def __init__(self, noise: Any) -> None:
        corners = np.array([[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]], np.float32)
        self._corners: Any = gloo.VertexBuffer(corners)
        self._program: Any = gloo.Program(load("backdrop.vert.glsl"), load("backdrop.frag.glsl"))
        self._program["a_corner"] = self._corners
        self._program["u_noise"] = noise

    def draw(self, frame: Frame, relief: tuple[float, float]) -> None:
        """Fill what is empty."""
        spread = 0.5 * frame.width / frame.focal, 0.5 * frame.height / frame.focal
        uniforms = {
            **frame.light(),
            "u_rotation": frame.camera.rotation().T,
            "u_spread": spread,
            "u_background": frame.style.background,
            "u_clarity": clarity(relief),
            "u_show_sea": int(frame.style.show_sea and not frame.style.studio),
        }
        for name, value in uniforms.items():
            self._program[name] = value
        self._program.draw("triangles")

    def release(self) -> None:
        """Delete everything GL holds for this."""
        self._corners.delete()
        self._program.delete()
