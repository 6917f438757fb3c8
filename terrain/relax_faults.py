"""What sliding must not do: turn a triangle over, or let one cut through a crease; such ways are shortened."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from terrain.kernel import kernel
from terrain.relax_surface import place_row, surface_at

_LEAST_AREA = 1e-4
"""Least double area of a triangle in slides; 1 when even."""

_LEAST_COSINE = 0.02
"""A triangle counts as turned over when its normal and the surface's there have a cosine below this."""

_BENT = 0.97
"""Below this cosine of a triangle's normal and the surface's, it is measured how far the triangle cuts the surface."""

_HALVINGS = 3
"""How often the way of a vertex that would turn a triangle over is halved before it is given up."""

Planes = NDArray[np.float32]
Row = NDArray[Any]


@kernel
def facets_row(here: Planes, cell: float, i: int, low: int, high: int, south_east: Planes, north_west: Planes) -> None:
    """Normals (3, cols), not of unit length, of both triangles of a row's cells."""
    x, y, z, p, q, r = here[0, i], here[1, i], here[2, i], here[0, i + 1], here[1, i + 1], here[2, i + 1]
    ax, ay, az, bx, by, bz = south_east[0], south_east[1], south_east[2], north_west[0], north_west[1], north_west[2]
    for j in range(low, high):
        ex, ey, ez = x[j + 1] - x[j] + cell, y[j + 1] - y[j], z[j + 1] - z[j]
        nx, ny, nz = p[j] - x[j], q[j] - y[j] + cell, r[j] - z[j]
        dx, dy, dz = p[j + 1] - x[j] + cell, q[j + 1] - y[j] + cell, r[j + 1] - z[j]
        ax[j], ay[j], az[j] = ey * dz - ez * dy, ez * dx - ex * dz, ex * dy - ey * dx
        bx[j], by[j], bz[j] = dy * nz - dz * ny, dz * nx - dx * nz, dx * ny - dy * nx


@kernel
def _bend(truth: NDArray[np.float32], facet: Planes, i: int, j: int, u: float, v: float) -> int:
    """2 if a triangle's normal, column j of `facet`, opposes the surface's at (i + u, j + v); 1 if it is bent away."""
    down, right = int(np.floor(u)), int(np.floor(v))
    r, c = min(max(i + down, 0), truth.shape[2] - 2), min(max(j + right, 0), truth.shape[3] - 2)
    t = 1 if u - down > v - right else 0
    nx, ny, nz = truth[t, 0, r, c], truth[t, 1, r, c], truth[t, 2, r, c]
    mx, my, mz = facet[0, j], facet[1, j], facet[2, j]
    dot = nx * mx + ny * my + nz * mz
    square = (nx * nx + ny * ny + nz * nz) * (mx * mx + my * my + mz * mz)
    if dot < 0.0 or dot * dot < np.float32(_LEAST_COSINE * _LEAST_COSINE) * square:
        return 2
    return 1 if dot * dot < np.float32(_BENT * _BENT) * square else 0


@kernel
def _cut(
    ground: Planes, truth: NDArray[np.float32], cell: float, even: bool, slide: Planes, here: Planes,
    i: int, j: int, corners: tuple[tuple[int, int], tuple[int, int], tuple[int, int]],
) -> float:  # fmt: skip
    """The farthest that a triangle's middle and those of its sides lie off the surface, along its normal, metres."""
    worst = 0.0
    rows, cols = ground.shape[1], ground.shape[2]
    for skip in range(4):
        count = 3.0 if skip == 3 else 2.0
        u, v, x, y, z = 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            if k != skip:
                r, c = corners[k]
                u, v = u + (r + slide[0, i + r, j + c]), v + (c + slide[1, i + r, j + c])
                x, y = x + (here[0, i + r, j + c] + c * cell), y + (here[1, i + r, j + c] + r * cell)
                z += here[2, i + r, j + c]
        u, v = u / count, v / count
        sx, sy, sz = surface_at(ground, cell, even, i, j, u, v)
        down, right = int(np.floor(u)), int(np.floor(v))
        r, c = min(max(i + down, 0), rows - 2), min(max(j + right, 0), cols - 2)
        t = 1 if u - down > v - right else 0
        nx, ny, nz = truth[t, 0, r, c], truth[t, 1, r, c], truth[t, 2, r, c]
        square = nx * nx + ny * ny + nz * nz
        if square > 0.0:
            off = nx * (x / count - sx) + ny * (y / count - sy) + nz * (z / count - sz)
            worst = max(worst, abs(off) / np.sqrt(square))
    return worst


@kernel
def _mark_faults(
    ground: Planes, truth: NDArray[np.float32], cell: float, even: bool, slide: Planes, here: Planes, deepest: float,
    box: tuple[int, int, int, int], moved: NDArray[np.bool_], guilty: NDArray[np.bool_],
) -> bool:  # fmt: skip
    """Mark the moved corners of faulty triangles in a box of cells; False if there are none.

    At fault is what is turned over, for it faces away from the surface at its middle or has its corners in the other
    order, and what cuts too deep.
    """
    found = False
    south_east, north_west = np.empty((3, here.shape[2]), np.float32), np.empty((3, here.shape[2]), np.float32)
    one, third, least = np.float32(1.0), np.float32(1.0 / 3.0), np.float32(_LEAST_AREA)
    for i in range(box[0], box[1]):
        facets_row(here, cell, i, box[2], box[3], south_east, north_west)
        su, sv, nu, nv = slide[0, i], slide[1, i], slide[0, i + 1], slide[1, i + 1]
        for j in range(box[2], box[3]):
            au, av = su[j], sv[j]
            eu, ev, pu, pv = su[j + 1] - au, sv[j + 1] - av + one, nu[j] - au + one, nv[j] - av
            du, dv = nu[j + 1] - au + one, nv[j + 1] - av + one
            below, above = 2, 2
            if du * ev - eu * dv > least:
                below = _bend(truth, south_east, i, j, au + third * (eu + du), av + third * (ev + dv))
            if pu * dv - du * pv > least:
                above = _bend(truth, north_west, i, j, au + third * (pu + du), av + third * (pv + dv))
            if below == 0 and above == 0:
                continue
            for k in range(2):
                bend, down, right = (below, 0, 1) if k == 0 else (above, 1, 0)
                moving = moved[i, j] or moved[i + 1, j + 1] or moved[i + down, j + right]
                if bend == 0 or not moving:
                    continue
                corners = ((0, 0), (down, right), (1, 1))
                if bend == 1 and not _cut(ground, truth, cell, even, slide, here, i, j, corners) > deepest:
                    continue
                found = True
                guilty[i, j] |= moved[i, j]
                guilty[i + 1, j + 1] |= moved[i + 1, j + 1]
                guilty[i + down, j + right] |= moved[i + down, j + right]
    return found


@kernel
def refuse_faults(
    ground: Planes, cell: float, even: bool, offset: NDArray[np.float32], first: Planes, slide: Planes, drift: Planes,
    truth: NDArray[np.float32], here: Planes, deepest: float,
) -> None:  # fmt: skip
    """Shorten the ways of vertices that turned a triangle over, or made it cut, until none does; at last to nothing.

    offset: where they were. truth: scratch (2, 3, rows, cols).
    """
    rows, cols = slide.shape[1], slide.shape[2]
    moved, guilty = np.zeros((rows, cols), np.bool_), np.zeros((rows, cols), np.bool_)
    for i in range(rows):
        if i < rows - 1:
            facets_row(ground, cell, i, 0, cols - 1, truth[0, :, i], truth[1, :, i])
        for j in range(cols):
            still = here[0, i, j] == offset[i, j, 0] and here[1, i, j] == offset[i, j, 1]
            moved[i, j] = not (still and here[2, i, j] == offset[i, j, 2])
    box, tries = (0, rows - 1, 0, cols - 1), 0
    while _mark_faults(ground, truth, cell, even, slide, here, deepest, box, moved, guilty):
        tries += 1
        row0, row1, col0, col1 = rows, 0, cols, 0
        for i in range(box[0], box[1] + 1):
            for j in range(box[2], box[3] + 1):
                if guilty[i, j]:
                    guilty[i, j] = False
                    row0, row1, col0, col1 = min(row0, i), max(row1, i), min(col0, j), max(col1, j)
                    moved[i, j] = tries <= _HALVINGS
                    _halve(ground, cell, even, i, j, offset[i, j], first, slide, drift, here, moved[i, j])
        box = (max(row0 - 1, 0), min(row1 + 1, rows - 1), max(col0 - 1, 0), min(col1 + 1, cols - 1))


@kernel
def _halve(
    ground: Planes, cell: float, even: bool, i: int, j: int, offset: Row, first: Planes, slide: Planes, drift: Planes,
    here: Planes, moving: bool,
) -> None:  # fmt: skip
    """Take back half of a vertex's way, or all of it once it is not moving."""
    if not moving:
        slide[0, i, j], slide[1, i, j] = first[0, i, j], first[1, i, j]
        here[0, i, j], here[1, i, j], here[2, i, j] = offset[0], offset[1], offset[2]
        return
    half = np.float32(0.5)
    if drift.shape[0] > 0:
        x, y, z = surface_at(ground, cell, even, i, j, first[0, i, j], first[1, i, j])
        drift[0, i, j] = half * (drift[0, i, j] + (offset[0] - x))
        drift[1, i, j] = half * (drift[1, i, j] + (offset[1] - y))
        drift[2, i, j] = half * (drift[2, i, j] + (offset[2] - z))
    slide[0, i, j] = half * (slide[0, i, j] + first[0, i, j])
    slide[1, i, j] = half * (slide[1, i, j] + first[1, i, j])
    place_row(ground, cell, even, i, j, j + 1, slide, drift, here)
