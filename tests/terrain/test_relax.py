"""Springs of Unify and Relax: even edges, the same shape, nothing turned over, borders and masks kept."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from terrain.brushes.contract import Dab, Stroke, Window
from terrain.brushes.relax import Relax
from terrain.brushes.unify import Springs, Unify
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.relax import Border, relax_window, slid
from terrain.tiles import Rect

Points = NDArray[np.float64]

DOWN = np.array([0.0, 0.0, -1.0])
BRUSHES = pytest.mark.parametrize("brush", [Unify(), Relax()], ids=["unify", "relax"])


def inside(field: VectorField) -> NDArray[np.float32]:
    """Weight 1, and 0 on the outer ring."""
    weight = np.zeros((field.rows, field.cols), np.float32)
    weight[1:-1, 1:-1] = 1.0
    return weight


def stroke(
    field: VectorField,
    brush: Unify,
    dabs: int = 10,
    weight: NDArray[np.float32] | None = None,
    rect: Rect | None = None,
    **params: object,
) -> Springs:
    """Dab the same window again and again, as a stroke does; a pass is ten dabs."""
    state = brush.begin(Stroke(brush.Params.of(**params), field.cell, 1.0, 0.0))
    rect = rect or Rect.of(field.offset)
    first, view = field.offset[rect.slices].copy(), field.offset[rect.slices]
    weight = inside(field) if weight is None else weight
    for index in range(dabs):
        before = view.copy() if brush.live else first
        window = Window(
            rect=rect, offset=view, before=before, weight=weight, field=field, painted=view, earlier=lambda _: first
        )
        brush.dab(window, Dab(np.zeros(3), DOWN, 1.0, 0.1, index=index), state)
    return state


def flat(rows: int, cols: int, cell: float = 1.0) -> VectorField:
    return VectorField.flat(rows, cols, cell, 3.0, (10.0, 20.0))


def sheared_cap(side: int = 61, cell: float = 2.0) -> VectorField:
    """A steep round hill, almost a hemisphere, whose vertices are moved sideways along its surface."""
    field = flat(side, side, cell)
    row, col = np.mgrid[0:side, 0:side].astype(float)
    x, y = col - 0.5 * (side - 1), row - 0.5 * (side - 1)
    fade = np.clip(1.0 - np.hypot(x, y) / (0.46 * side), 0.0, None) ** 0.5
    turns = 18.0 / side
    x2, y2 = x + 0.07 * side * fade * np.sin(turns * y), y + 0.035 * side * fade * np.sin(0.8 * turns * x)
    field.offset[..., 0], field.offset[..., 1] = cell * (x2 - x), cell * (y2 - y)
    field.offset[..., 2] = cell * cap_height(x2, y2, 0.36 * side)
    return field


def cap_height(x: Points, y: Points, radius: float) -> Points:
    """A sphere's top, rounded off into the plain at its foot; cells."""
    square = np.minimum((x * x + y * y) / radius**2, 1.0)
    return 0.6 * radius * (1.0 - square) ** 1.5


def bumpy(rows: int, cols: int, seed: int = 3) -> VectorField:
    """Smooth waves and displaced vertices, on the border too, where they move along it only."""
    field = flat(rows, cols)
    rng = np.random.default_rng(seed)
    row, col = np.mgrid[0:rows, 0:cols].astype(float)
    field.offset[..., 2] = 2.0 * np.sin(0.3 * col) * np.cos(0.25 * row)
    field.offset[..., :2] += rng.uniform(-0.3, 0.3, (rows, cols, 2)).astype(np.float32)
    field.offset[[0, -1], :, 1] = 0.0
    field.offset[:, [0, -1], 0] = 0.0
    field.offset[[0, 0, -1, -1], [0, -1, 0, -1], :2] = 0.0
    return field


def edges(field: VectorField) -> Points:
    p = field.positions()
    return np.concatenate([np.linalg.norm(np.diff(p, axis=axis), axis=2).ravel() for axis in (0, 1)])


def triangles(p: Points) -> Points:
    """Corners (2, rows-1, cols-1, 3, 3): south-east, then north-west; counter-clockwise."""
    a, b, c, d = p[:-1, :-1], p[:-1, 1:], p[1:, 1:], p[1:, :-1]
    return np.stack([np.stack([a, b, c], axis=-2), np.stack([a, c, d], axis=-2)])


def normals(p: Points) -> Points:
    t = triangles(p)
    return np.cross(t[..., 1, :] - t[..., 0, :], t[..., 2, :] - t[..., 0, :])


def distance(points: Points, p: Points) -> Points:
    """From points (n, 3) to the nearest of the triangles around each, metres."""
    t = triangles(p).reshape(-1, 3, 3)
    near = t[cKDTree(t.mean(axis=1)).query(points, 12)[1]]
    a, ab, ac = near[..., 0, :], near[..., 1, :] - near[..., 0, :], near[..., 2, :] - near[..., 0, :]
    normal = np.cross(ab, ac)
    way = points[:, None] - a
    square = np.maximum((normal**2).sum(-1), 1e-12)
    beta = (np.cross(way, ac) * normal).sum(-1) / square
    gamma = (np.cross(ab, way) * normal).sum(-1) / square
    within = (beta >= 0) & (gamma >= 0) & (beta + gamma <= 1)
    best = np.where(within, np.abs((way * normal).sum(-1)) / np.sqrt(square), np.inf)
    for k in range(3):
        start, side = near[..., k, :], near[..., (k + 1) % 3, :] - near[..., k, :]
        along = ((points[:, None] - start) * side).sum(-1) / np.maximum((side**2).sum(-1), 1e-12)
        foot = start + np.clip(along, 0.0, 1.0)[..., None] * side
        best = np.minimum(best, np.linalg.norm(points[:, None] - foot, axis=-1))
    return best.min(axis=1)


def shape_error(a: Points, b: Points) -> Points:
    """Both ways: from middles of triangles and of sides of one surface's triangles to the other surface, metres."""

    def spots(p: Points) -> Points:
        t = triangles(p).reshape(-1, 3, 3)
        return np.concatenate([t.mean(axis=1), *(0.5 * (t[k::3, k] + t[k::3, k - 1]) for k in range(3))])

    return np.concatenate([distance(spots(a), b), distance(spots(b), a)])


def turned_over(field: VectorField, before: Points, springs: Springs) -> int:
    """Triangles that face away from the old surface at their middle, or have the other order of corners on it."""
    rows, cols = field.rows, field.cols
    home = np.zeros((rows, cols, 2), np.float32)
    slides = springs.slides.read(home, Rect.of(home))
    place = slides.astype(float) + np.stack(np.mgrid[0:rows, 0:cols], axis=-1)
    t = triangles(place)
    one, two = t[..., 1, :] - t[..., 0, :], t[..., 2, :] - t[..., 0, :]
    area = one[..., 1] * two[..., 0] - one[..., 0] * two[..., 1]
    middle = t.mean(axis=-2)
    cell = np.minimum(middle.astype(int), [rows - 2, cols - 2])
    part = middle - cell
    truth = normals(before)[(part[..., 0] > part[..., 1]).astype(int), cell[..., 0], cell[..., 1]]
    agree = (normals(field.positions()) * truth).sum(axis=-1)
    return int(((area <= 0.0) | (agree <= 0.0)).sum())


def test_unify_evens_edges_and_keeps_the_shape() -> None:
    field = sheared_cap()
    before, spread = field.positions(), edges(field).var()
    assert (normals(before)[..., 2] > 0.0).all()
    state = stroke(field, Unify(), 20)
    assert edges(field).var() < 0.4 * spread
    error = shape_error(field.positions(), before) / field.cell
    assert np.quantile(error, 0.99) <= 0.15
    assert error.max() <= 0.7
    assert (normals(field.positions())[..., 2] > 0.0).all()
    assert turned_over(field, before, state) == 0


def test_every_vertex_stays_on_the_surface() -> None:
    field = sheared_cap(49)
    before = field.positions()
    assert (normals(before)[..., 2] > 0.0).all()
    stroke(field, Unify(), 5)
    moved = np.linalg.norm(field.positions() - before, axis=2)
    assert moved.max() > 0.3 * field.cell
    assert distance(field.positions().reshape(-1, 3), before).max() < 1e-4 * field.cell


@BRUSHES
def test_even_ground_stays(brush: Unify) -> None:
    field = flat(33, 41, 2.5)
    before = field.offset.copy()
    stroke(field, brush, 3)
    assert np.abs(field.offset - before).max() < 1e-4 * field.cell


@BRUSHES
def test_an_even_slope_stays(brush: Unify) -> None:
    field = flat(33, 41)
    field.offset[..., 2] = 0.8 * np.arange(41) + 0.5 * np.arange(33)[:, None]
    before = field.offset.copy()
    stroke(field, brush, 3)
    assert np.abs(field.offset - before).max() < 1e-4


@BRUSHES
def test_masked_vertices_keep_every_bit(brush: Unify) -> None:
    field = bumpy(41, 37)
    before = field.offset.copy()
    weight = inside(field) * np.random.default_rng(0).integers(0, 2, (41, 37)).astype(np.float32)
    stroke(field, brush, 5, weight)
    assert (field.offset != before).any()
    still = weight == 0.0
    assert np.array_equal(field.offset[still].view(np.uint32), before[still].view(np.uint32))


@BRUSHES
def test_the_border_slides_along_itself_and_corners_stay(brush: Unify) -> None:
    field = bumpy(41, 37)
    before = field.positions()
    stroke(field, brush, 10, np.ones((41, 37), np.float32))
    after = field.positions()
    assert (after[[0, -1], :, 1] == before[[0, -1], :, 1]).all()
    assert (after[:, [0, -1], 0] == before[:, [0, -1], 0]).all()
    assert np.array_equal(after[::40, ::36], before[::40, ::36])
    gaps = np.diff(after[0, :, 0])
    assert (gaps > 0.0).all()
    assert gaps.var() < 0.5 * np.diff(before[0, :, 0]).var()
    for line in (0, -1):
        heights = np.interp(after[line, :, 0], before[line, :, 0], before[line, :, 2])
        # Relax takes the border of each dab anew, which cuts its bends a little.
        assert np.abs(after[line, :, 2] - heights).max() < (0.05 if brush.live else 1e-4)


@BRUSHES
def test_a_window_inside_the_map_has_no_border(brush: Unify) -> None:
    field = bumpy(41, 37)
    before = field.offset.copy()
    rect = Rect(8, 30, 0, 25)
    stroke(field, brush, 5, np.ones((22, 25), np.float32), rect)
    changed = (field.offset != before).any(axis=2)
    assert changed[9:29, 0].any()
    assert not changed[[8, 29], :].any()
    assert not changed[:, 24:].any()
    assert not changed[:8].any()


def test_an_arch_survives(arch: TerrainMap) -> None:
    field = arch.field
    before, spread = field.positions(), edges(field).var()
    state = stroke(field, Unify(), 20)
    assert np.isfinite(field.offset).all()
    assert edges(field).var() < 0.75 * spread
    assert turned_over(field, before, state) == 0
    # Where a fold has stretched cells to several metres, a new triangle cuts off more.
    assert np.quantile(shape_error(field.positions(), before), 0.99) < 0.4


def test_a_dab_of_relax_turns_nothing_over(arch: TerrainMap) -> None:
    before = arch.field.positions()
    stroke(arch.field, Relax(), 1)
    assert ((normals(arch.field.positions()) * normals(before)).sum(axis=-1) > 0.0).all()


def test_no_rough_ground_is_turned_over() -> None:
    field = flat(49, 49)
    rng = np.random.default_rng(5)
    field.offset[...] += rng.normal(0.0, 1.0, field.offset.shape) * [0.15, 0.15, 1.0]
    before = field.positions()
    state = stroke(field, Unify(), 10)
    assert turned_over(field, before, state) == 0


def test_relax_takes_noise_away_and_unify_does_not() -> None:
    rough, fields = {}, {}
    for brush in (Unify(), Relax()):
        field = flat(41, 41)
        field.offset[..., 2] += np.random.default_rng(1).normal(0.0, 0.2, (41, 41))
        stroke(field, brush, 10)
        rough[brush.id], fields[brush.id] = field.offset[5:-5, 5:-5, 2].std(), field
    assert not np.array_equal(fields["unify"].offset, fields["relax"].offset)
    assert rough["relax"] < 0.4 * 0.2
    assert rough["unify"] > 0.7 * 0.2


def twistless(rows: int, cols: int) -> VectorField:
    """Uneven ground whose cells are all flat, so that the diagonal makes no difference."""
    field = flat(rows, cols)
    row, col = np.arange(rows)[:, None] * np.ones(cols), np.arange(cols) * np.ones((rows, 1))
    field.offset[..., 0] = 0.7 * np.sin(0.3 * col) + 0.6 * np.sin(0.2 * row)
    field.offset[..., 1] = 0.5 * np.sin(0.25 * row) + 0.8 * np.sin(0.15 * col)
    field.offset[..., 2] = 3.0 * np.sin(0.15 * col) + 2.0 * np.cos(0.2 * row)
    return field


@BRUSHES
def test_mirrored_ground_gives_a_mirrored_result(brush: Unify) -> None:
    field, other = twistless(41, 37), twistless(41, 37)
    other.offset[...] = field.offset[:, ::-1] * [-1.0, 1.0, 1.0]
    for each in (field, other):
        stroke(each, brush, 1)
    assert np.abs(field.offset - twistless(41, 37).offset).max() > 0.02
    assert np.abs(other.offset[:, ::-1] * [-1.0, 1.0, 1.0] - field.offset).max() < 1e-5


@BRUSHES
def test_mirrored_in_the_diagonal(brush: Unify) -> None:
    """Exchanging rows and columns keeps each cell's diagonal, so any ground must do."""
    field, other = bumpy(41, 37), flat(37, 41)
    other.offset[...] = field.offset.transpose(1, 0, 2)[..., [1, 0, 2]]
    for each in (field, other):
        stroke(each, brush, 4)
    assert np.abs(other.offset.transpose(1, 0, 2)[..., [1, 0, 2]] - field.offset).max() < 1e-5


@BRUSHES
def test_the_same_bytes_again(brush: Unify) -> None:
    results = []
    for _ in range(2):
        field = bumpy(41, 37)
        stroke(field, brush, 3)
        results.append(field.offset.tobytes())
    assert results[0] == results[1]


def test_no_strength_changes_nothing() -> None:
    field = bumpy(41, 37)
    before = field.offset.copy()
    stroke(field, Unify(), 3, strength=0.0)
    assert np.array_equal(field.offset, before)


def test_vertices_gather_where_interest_is_high() -> None:
    """On a line between fixed ends the springs' balance is known: length × stiffness is the same for all."""
    field = flat(9, 65)
    interest = np.ones((9, 65), np.float32)
    interest[:, 32:] = 3.0
    border = Border(True, True, True, True)
    slide = np.zeros((2, 9, 65), np.float32)
    ground = field.offset.copy()
    relax_window(
        ground, field.offset, np.ones((9, 65), np.float32), 1.0, border, rounds=4000, stiffness=0.8,
        interest=interest, slide=slide,
    )  # fmt: skip
    gaps = np.diff(field.positions()[4, :, 0])
    assert gaps[40:60].mean() * 3.0 == pytest.approx(gaps[5:25].mean(), rel=0.05)
    assert np.abs(slid(ground, slide, 1.0) - field.offset).max() < 1e-5
