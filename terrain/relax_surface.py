"""Where a vertex that has slid on a surface lies: planes (3, rows, cols) of x, y, z displacements, slides in cells."""

import numpy as np
from numpy.typing import NDArray

from terrain.kernel import kernel

Planes = NDArray[np.float32]


@kernel
def surface_at(
    ground: Planes, cell: float, even: bool, row: int, col: int, along_row: float, along_col: float
) -> tuple[float, float, float]:
    """Displacement from the rest place of (row, col) to the surface at a slide from there, metres.

    even: True for the mean of both ways to fold a cell, which a mirrored map has too.
    """
    rows, cols = ground.shape[1], ground.shape[2]
    u, v = row + along_row, col + along_col
    r = min(max(row + int(np.floor(along_row)), 0), rows - 2)
    c = min(max(col + int(np.floor(along_col)), 0), cols - 2)
    fu, fv = u - r, v - c
    first, last, most = max(fu, fv), min(fu, fv), fu + fv
    mr, mc = r + (0 if fu <= fv else 1), c + (1 if fu <= fv else 0)
    a, b, d = 1.0 - first, first - last, last
    x = a * ground[0, r, c] + b * ground[0, mr, mc] + d * ground[0, r + 1, c + 1]
    y = a * ground[1, r, c] + b * ground[1, mr, mc] + d * ground[1, r + 1, c + 1]
    z = a * ground[2, r, c] + b * ground[2, mr, mc] + d * ground[2, r + 1, c + 1]
    if even:
        mr = 0 if most <= 1.0 else 1
        a, b, d = (fv, fu, 1.0 - most) if mr == 0 else (1.0 - fu, 1.0 - fv, most - 1.0)
        mr, mc = r + mr, c + mr
        x = 0.5 * (x + (a * ground[0, r, c + 1] + b * ground[0, r + 1, c] + d * ground[0, mr, mc]))
        y = 0.5 * (y + (a * ground[1, r, c + 1] + b * ground[1, r + 1, c] + d * ground[1, mr, mc]))
        z = 0.5 * (z + (a * ground[2, r, c + 1] + b * ground[2, r + 1, c] + d * ground[2, mr, mc]))
    x, y = x + (v - col) * cell, y + (u - row) * cell
    return x, y, z


@kernel
def place_row(
    ground: Planes, cell: float, even: bool, row: int, low: int, high: int, slide: Planes, drift: Planes, out: Planes
) -> None:
    """Displacements of vertices of a row that have slid on the surface and drifted off it."""
    for j in range(low, high):
        out[0, row, j], out[1, row, j], out[2, row, j] = surface_at(
            ground, cell, even, row, j, slide[0, row, j], slide[1, row, j]
        )
    if drift.shape[0] > 0:
        for k in range(3):
            for j in range(low, high):
                out[k, row, j] += drift[k, row, j]


@kernel
def drift_at(
    ground: Planes, cell: float, even: bool, slide: Planes, here: Planes, free: NDArray[np.float32], drift: Planes
) -> bool:
    """How far vertices lie off the surface at their slide; True if that is more than rounding.

    Vertices out of the window are at rest: their weight is made zero.
    """
    rows, cols, off = free.shape[0], free.shape[1], 0.0
    for i in range(rows):
        for j in range(cols):
            if not free[i, j] > 0.0:
                # It stays where it is, so nobody asks how far off that is.
                drift[0, i, j], drift[1, i, j], drift[2, i, j] = 0.0, 0.0, 0.0
                continue
            u, v = slide[0, i, j], slide[1, i, j]
            x, y, z = ground[0, i, j], ground[1, i, j], ground[2, i, j]
            if u != 0.0 or v != 0.0:
                if not (0.0 <= i + u <= rows - 1.0 and 0.0 <= j + v <= cols - 1.0):
                    free[i, j] = 0.0
                x, y, z = surface_at(ground, cell, even, i, j, u, v)
            drift[0, i, j], drift[1, i, j], drift[2, i, j] = here[0, i, j] - x, here[1, i, j] - y, here[2, i, j] - z
            if free[i, j] > 0.0:
                off = max(off, max(abs(drift[0, i, j]), max(abs(drift[1, i, j]), abs(drift[2, i, j]))))
    return off > 1e-5 * cell
