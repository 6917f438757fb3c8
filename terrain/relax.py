"""Springs between neighbours that even out how densely vertices lie on a surface; each vertex slides on that surface.

A vertex keeps its place on the surface as a *slide*: how many rows and columns it has gone from its own grid place.
It lies where the surface, with its two triangles a cell, lies at that row and column: the shape is kept without a
search for the nearest point, under overhangs too. Inside, arrays are planes (3, rows, cols): x, y, z displacements.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain.kernel import kernel
from terrain.relax_faults import refuse_faults
from terrain.relax_surface import drift_at, place_row
from terrain.tiles import Rect

_SHEAR = 0.5
"""Stiffness of the springs along both diagonals; those between neighbours have 1."""

_LONGEST_STEP = 0.45
"""Most cells that a vertex slides in one round."""

_SAFE = 0.45
"""Most way in one round as a share of the least width of the triangles around.

Ways below half the width of a triangle cannot turn it over, even if all three corners move at once.
"""

_DEEPEST_CUT = 0.3
"""Most cells by which the middle of a triangle or of its sides may lie off the surface, so that creases survive."""

NO_INTEREST = np.empty((0, 0), np.float32)

Planes = NDArray[np.float32]
Row = NDArray[Any]


class Border(NamedTuple):
    """Which edges of a window are the map's border, where vertices slide along it; on other edges they stay."""

    south: bool
    north: bool
    west: bool
    east: bool

    @classmethod
    def of(cls, rect: Rect, rows: int, cols: int) -> "Border":
        """Of a rectangle in a map of `rows` × `cols` vertices."""
        return cls(rect.row0 == 0, rect.row1 == rows, rect.col0 == 0, rect.col1 == cols)

    def free(self, weight: NDArray[np.float32]) -> NDArray[np.float32]:
        """The weights (rows, cols) with zero where vertices stay: corners, and edges inside the map."""
        out = weight.copy()
        for line, border in zip((out[0], out[-1], out[:, 0], out[:, -1]), self, strict=True):
            line[:: 1 if not border else max(len(line) - 1, 1)] = 0.0
        return out


class Scratch:
    """Memory to work in, kept from call to call, since fresh pages cost more than the work itself."""

    def __init__(self) -> None:
        self._memory = np.empty(0, np.float32)

    def planes(self, counts: tuple[int, ...], rows: int, cols: int) -> list[Planes]:
        """Arrays (count, rows, cols) side by side, holding anything; taken back by the next call."""
        ends = np.cumsum(counts) * (rows * cols)
        if self._memory.size < ends[-1]:
            self._memory = np.empty(ends[-1], np.float32)
        parts = np.split(self._memory[: ends[-1]], ends[:-1])
        return [part.reshape(count, rows, cols) for part, count in zip(parts, counts, strict=True)]


def relax_window(
    surface: NDArray[np.float32],
    offset: NDArray[np.float32],
    weight: NDArray[np.float32],
    cell: float,
    border: Border,
    *,
    rounds: int,
    stiffness: float,
    ease: float = 0.0,
    interest: NDArray[np.float32] = NO_INTEREST,
    slide: NDArray[np.float32] | None = None,
    scratch: Scratch | None = None,
    even: bool = False,
) -> None:
    """Slide vertices on `surface` until springs between neighbours pull alike; no triangle turns over.

    surface: float32 (rows, cols, 3), metres: displacements of the surface to stay on. offset: the same shape: those of
    the vertices, changed in place where weight (rows, cols; 0..1) is above zero. stiffness: share of the way to the
    balance that a vertex goes in a round, 0..1. ease: share of the pull across the surface that is followed too, which
    takes vertices off it. interest: float32 (rows, cols), above zero: where it is higher, vertices gather; empty for
    even. slide: float32 (2, rows, cols), rows and columns, changed in place: where on the surface `offset` lies;
    nowhere else than at home by default. A vertex whose slide leads out of the window stays. even: True to stay on the
    mean of both ways to fold a cell instead, so that a mirrored map gives the mirrored result.
    """
    rows, cols = weight.shape
    counts = (3, 6, 2, 3, 3, 3, 2, 2)
    ground, levers, width, here, there, drift, now, first = (scratch or Scratch()).planes(counts, rows, cols)
    ground[...], here[...] = surface.transpose(2, 0, 1), offset.transpose(2, 0, 1)
    first[...] = 0.0 if slide is None else slide
    now[...] = first
    free = border.free(weight)
    drifted = drift_at(ground, cell, even, now, here, free, drift)
    if not drifted and ease == 0.0:
        drift = drift[:0]
    _levers(ground, cell, border, levers)
    # In single precision, so that rows of arrays run through vector instructions.
    single: Any = np.float32(cell)
    for _ in range(rounds):
        _widths(here, single, width)
        _round(ground, levers, here, width, free, cell, even, np.float32(stiffness), ease, interest, now, drift, there)
        here, there = there, here
    deepest = _DEEPEST_CUT * cell if drift.shape[0] == 0 else np.inf
    refuse_faults(ground, single, even, offset, first, now, drift, levers.reshape(2, 3, rows, cols), here, deepest)
    _put(here, free, offset)
    if slide is not None:
        slide[...] = now


def slid(
    surface: NDArray[np.float32], slide: NDArray[np.float32], cell: float, even: bool = False
) -> NDArray[np.float32]:
    """Displacements (rows, cols, 3) of vertices that have slid on a surface (rows, cols, 3) by (2, rows, cols)."""
    ground = np.ascontiguousarray(surface.transpose(2, 0, 1))
    out = np.empty_like(ground)
    for row in range(ground.shape[1]):
        place_row(ground, cell, even, row, 0, ground.shape[2], slide, ground[:0], out)
    return np.ascontiguousarray(out.transpose(1, 2, 0))


@kernel
def _levers(ground: Planes, cell: float, border: Border, out: Planes) -> None:
    """What turns a way in space (x, y, z) into a slide: (6, rows, cols), three for rows, three for columns, per metre.

    The slide (p, q) is the least-squares answer to u·p + v·q = way, with u, v the slopes of the surface from row to row
    and from column to column (central differences; one of them left out on the map's border).
    """
    rows, cols = ground.shape[1], ground.shape[2]
    for i in range(rows):
        south, north = max(i - 1, 0), min(i + 1, rows - 1)
        along_col = 0.0 if (i == 0 and border.south) or (i == rows - 1 and border.north) else 1.0 / (north - south)
        x, y, z, dy = ground[0, i], ground[1, i], ground[2, i], (north - south) * cell
        sx, sy, sz = ground[0, south], ground[1, south], ground[2, south]
        nx, ny, nz = ground[0, north], ground[1, north], ground[2, north]
        for j in range(cols):
            west, east = max(j - 1, 0), min(j + 1, cols - 1)
            along_row = 0.0 if (j == 0 and border.west) or (j == cols - 1 and border.east) else 1.0 / (east - west)
            ux, uy, uz = along_col * (nx[j] - sx[j]), along_col * (ny[j] - sy[j] + dy), along_col * (nz[j] - sz[j])
            vx, vy, vz = x[east] - x[west] + (east - west) * cell, y[east] - y[west], z[east] - z[west]
            vx, vy, vz = along_row * vx, along_row * vy, along_row * vz
            uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
            little = 1e-6 * (uu + vv) + 1e-20
            uu, vv = uu + little, vv + little
            scale = 1.0 / (uu * vv - uv * uv)
            uu, uv, vv = scale * uu, scale * uv, scale * vv
            out[0, i, j], out[1, i, j], out[2, i, j] = vv * ux - uv * vx, vv * uy - uv * vy, vv * uz - uv * vz
            out[3, i, j], out[4, i, j], out[5, i, j] = uu * vx - uv * ux, uu * vy - uv * uy, uu * vz - uv * uz


@kernel
def _widths(here: Planes, cell: float, width: Planes) -> None:
    """Square of the least width of both triangles of each cell: (2, rows, cols), south-east, north-west.

    The last row and column stand for no triangle and are left wide.
    """
    rows, cols = here.shape[1], here.shape[2]
    width[:, rows - 1, :] = np.inf
    width[:, :, cols - 1] = np.inf
    for i in range(rows - 1):
        x, y, z, p, q, r = here[0, i], here[1, i], here[2, i], here[0, i + 1], here[1, i + 1], here[2, i + 1]
        for j in range(cols - 1):
            ex, ey, ez = x[j + 1] - x[j] + cell, y[j + 1] - y[j], z[j + 1] - z[j]
            nx, ny, nz = p[j] - x[j], q[j] - y[j] + cell, r[j] - z[j]
            dx, dy, dz = p[j + 1] - x[j] + cell, q[j + 1] - y[j] + cell, r[j + 1] - z[j]
            ee, nn, dd = ex * ex + ey * ey + ez * ez, nx * nx + ny * ny + nz * nz, dx * dx + dy * dy + dz * dz
            ed, nd = ex * dx + ey * dy + ez * dz, nx * dx + ny * dy + nz * dz
            tiny = np.float32(1e-30)
            # Square of twice the area over the longest side; the third side's square is ee - 2 ed + dd.
            width[0, i, j] = max(ee * dd - ed * ed, tiny) / max(max(ee, dd), max(ee - ed - ed + dd, tiny))
            width[1, i, j] = max(nn * dd - nd * nd, tiny) / max(max(nn, dd), max(nn - nd - nd + dd, tiny))


@kernel
def _two_springs(
    here: Planes, cell: float, interest: NDArray[np.float32], k: int, row: int, col: int, down: int, right: int
) -> float:
    """Component k of the way to where the springs to two opposite neighbours pull alike, metres."""
    a, b = here[k, row - down, col - right], here[k, row + down, col + right]
    if interest.shape[0] == 0:
        return float(0.5 * (a + b) - here[k, row, col])
    rest = (cell * right) if k == 0 else ((cell * down) if k == 1 else 0.0)
    ga = interest[row, col] + interest[row - down, col - right]
    gb = interest[row, col] + interest[row + down, col + right]
    return float((ga * (a - rest) + gb * (b + rest)) / (ga + gb) - here[k, row, col])


@kernel
def _springs_row(here: Planes, cell: float, interest: NDArray[np.float32], i: int, force: Row) -> None:
    """The way (3, cols) from each vertex of a row to where its springs pull alike, metres; on borders, along them."""
    rows, cols = here.shape[1], here.shape[2]
    at_edge = i == 0 or i == rows - 1
    for k in range(3):
        out = force[k]
        out[0] = out[cols - 1] = 0.0
        if at_edge:
            for j in range(1, cols - 1):
                out[j] = _two_springs(here, cell, interest, k, i, j, 0, 1)
            continue
        out[0] = _two_springs(here, cell, interest, k, i, 0, 1, 0)
        out[cols - 1] = _two_springs(here, cell, interest, k, i, cols - 1, 1, 0)
        s, m, n = here[k, i - 1], here[k, i], here[k, i + 1]
        if interest.shape[0] > 0:
            x, y = (cell if k == 0 else 0.0), (cell if k == 1 else 0.0)
            _uneven_springs(s, m, n, interest[i - 1], interest[i], interest[i + 1], x, y, out)
            continue
        # The rest places of opposite neighbours cancel, so that displacements may stand for positions.
        share = 1.0 / (4.0 + 4.0 * _SHEAR)
        for j in range(1, cols - 1):
            near = (m[j - 1] + m[j + 1]) + (s[j] + n[j])
            far = (s[j - 1] + n[j + 1]) + (s[j + 1] + n[j - 1])
            out[j] = share * (near + _SHEAR * far) - m[j]


@kernel
def _uneven_springs(s: Row, m: Row, n: Row, gs: Row, g: Row, gn: Row, x: float, y: float, out: Row) -> None:
    """Pull of springs whose stiffness is the interest at both ends; x, y: rest way east and north, metres."""
    for j in range(1, m.shape[0] - 1):
        east, west, north, south = g[j] + g[j + 1], g[j] + g[j - 1], g[j] + gn[j], g[j] + gs[j]
        ne, sw = _SHEAR * (g[j] + gn[j + 1]), _SHEAR * (g[j] + gs[j - 1])
        nw, se = _SHEAR * (g[j] + gn[j - 1]), _SHEAR * (g[j] + gs[j + 1])
        pull = (east * (m[j + 1] + x) + west * (m[j - 1] - x)) + (north * (n[j] + y) + south * (s[j] - y))
        pull += (ne * (n[j + 1] + (x + y)) + sw * (s[j - 1] - (x + y))) + (
            nw * (n[j - 1] - (x - y)) + se * (s[j + 1] + (x - y))
        )
        out[j] = pull / (((east + west) + (north + south)) + ((ne + sw) + (nw + se))) - m[j]


@kernel
def _room_row(width: Planes, i: int, room: Row) -> None:
    """Square of the least width of the up to six triangles around each vertex of a row (index -1 stands for none)."""
    a, b, c, d = width[0, i], width[1, i], width[0, i - 1], width[1, i - 1]
    room[0] = min(min(a[0], b[0]), d[0])
    for j in range(1, room.shape[0]):
        room[j] = min(min(min(a[j], b[j]), min(c[j - 1], d[j - 1])), min(a[j - 1], d[j]))


@kernel
def _levers_row(levers: Planes, slide: Planes, i: int, low: int, high: int, out: Planes) -> None:
    """Levers (6, cols) of the vertex of the surface nearest to where each vertex of a row is, the same to all sides."""
    rows, cols = levers.shape[1], levers.shape[2]
    out[:, low:high] = levers[:, i, low:high]
    half = np.float32(0.5)
    for j in range(low, high):
        u, v = slide[0, i, j], slide[1, i, j]
        if not (abs(u) < half and abs(v) < half):
            r = min(max(i + int(np.floor(u + half)), 0), rows - 1)
            c = min(max(j + int(np.floor(v + half)), 0), cols - 1)
            for k in range(6):
                out[k, j] = levers[k, r, c]


@kernel
def _turn(lever: Planes, k: int, force: Planes, low: int, high: int, out: Planes) -> None:
    a, b, c, f, g, h = lever[k], lever[k + 1], lever[k + 2], force[0], force[1], force[2]
    for j in range(low, high):
        out[j] = (a[j] * f[j] + b[j] * g[j]) + c[j] * h[j]


@kernel
def _hold(force: Planes, room: Planes, step: Planes, low: int, high: int, held: Planes) -> None:
    """The share of each step of a row for which there is room."""
    f, g, h, p, q = force[0], force[1], force[2], step[0], step[1]
    one, safe, longest = np.float32(1.0), np.float32(_SAFE * _SAFE), np.float32(_LONGEST_STEP)
    for j in range(low, high):
        way, most = (f[j] * f[j] + g[j] * g[j]) + h[j] * h[j], max(abs(p[j]), abs(q[j]))
        held[j] = one
        if way > safe * room[j]:
            held[j] = np.sqrt(safe * room[j] / way)
        if held[j] * most > longest:
            held[j] = longest / most


@kernel
def _drift_row(lever: Planes, force: Planes, ease: float, held: Planes, low: int, high: int, drift: Planes) -> None:
    """Add a share of each pull's part across the surface, which is where both levers have none."""
    for j in range(low, high):
        ax, ay, az, bx, by, bz = lever[0, j], lever[1, j], lever[2, j], lever[3, j], lever[4, j], lever[5, j]
        nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        square = nx * nx + ny * ny + nz * nz
        if square > 0.0:
            way = ease * held[j] * (nx * force[0, j] + ny * force[1, j] + nz * force[2, j]) / square
            drift[0, j] += way * nx
            drift[1, j] += way * ny
            drift[2, j] += way * nz


@kernel
def _round(
    ground: Planes, levers: Planes, here: Planes, width: Planes, free: NDArray[np.float32], cell: float, even: bool,
    stiffness: np.float32, ease: float, interest: NDArray[np.float32], slide: Planes, drift: Planes, there: Planes,
) -> None:  # fmt: skip
    """One round: every vertex goes a share of the way to its balance, all at once."""
    rows, cols = free.shape
    force, step = np.zeros((3, cols), np.float32), np.zeros((2, cols), np.float32)
    lever, room, held = np.zeros((6, cols), np.float32), np.zeros(cols, np.float32), np.zeros(cols, np.float32)
    for i in range(rows):
        low, high = cols, 0
        for j in range(cols):
            if free[i, j] > 0.0:
                low, high = min(low, j), j + 1
        there[:, i] = here[:, i]
        if low >= high:
            continue
        _springs_row(here, cell, interest, i, force)
        for k in range(3):
            for j in range(low, high):
                force[k, j] *= stiffness * free[i, j]
        _room_row(width, i, room)
        _levers_row(levers, slide, i, low, high, lever)
        _turn(lever, 0, force, low, high, step[0])
        _turn(lever, 3, force, low, high, step[1])
        _hold(force, room, step, low, high, held)
        for j in range(low, high):
            u, v = slide[0, i, j] + held[j] * step[0, j], slide[1, i, j] + held[j] * step[1, j]
            if 0.0 <= i + u <= rows - 1.0 and 0.0 <= j + v <= cols - 1.0:
                slide[0, i, j], slide[1, i, j] = u, v
        if ease > 0.0:
            _drift_row(lever, force, ease, held, low, high, drift[:, i])
        place_row(ground, cell, even, i, low, high, slide, drift, there)
        for j in range(low, high):
            if not free[i, j] > 0.0:
                there[0, i, j], there[1, i, j], there[2, i, j] = here[0, i, j], here[1, i, j], here[2, i, j]


@kernel
def _put(here: Planes, free: NDArray[np.float32], offset: NDArray[np.float32]) -> None:
    for i in range(free.shape[0]):
        for j in range(free.shape[1]):
            if free[i, j] > 0.0:
                offset[i, j, 0], offset[i, j, 1], offset[i, j, 2] = here[0, i, j], here[1, i, j], here[2, i, j]
