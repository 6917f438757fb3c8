"""Stitch: the edge is the neighbour's bit for bit, its slope goes on, and the far land stays."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.stitch import Edge, stitch
from tests.terrain.filters.laws import land

EDGES: tuple[Edge, ...] = ("west", "east", "south", "north")


def inwards(offset: np.ndarray, edge: Edge) -> np.ndarray:
    turned = offset if edge in ("west", "east") else offset.swapaxes(0, 1)
    return turned if edge in ("west", "south") else turned[:, ::-1]


def facing(edge: Edge) -> Edge:
    return EDGES[EDGES.index(edge) ^ 1]


def neighbour(cell: float = 1.0) -> VectorField:
    field = land(cell)
    y, x = np.mgrid[0 : field.rows, 0 : field.cols] * cell
    field.offset[..., 2] = 8.0 * np.cos(x / 21.0 + y / 9.0) + 3.0
    field.offset[..., 0] *= -0.5
    return field


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("width", [0.0, 20.0, 1e4])
def test_the_edge_is_the_neighbours_bit_for_bit(edge: Edge, width: float) -> None:
    field, other = land(1.0), neighbour()
    out = stitch(field, other, edge, width)
    np.testing.assert_array_equal(inwards(out, edge)[:, 0], inwards(other.offset, facing(edge))[:, 0])
    np.testing.assert_array_equal(inwards(out, facing(edge))[:, 0], inwards(field.offset, facing(edge))[:, 0])
    if width < 100.0:
        first = max(1, int(width))
        np.testing.assert_array_equal(inwards(out, edge)[:, first:], inwards(field.offset, edge)[:, first:])


@pytest.mark.parametrize("edge", EDGES)
def test_slopes_go_on_across_the_edge(edge: Edge) -> None:
    field, other = land(0.25), neighbour(0.25)
    theirs = inwards(other.offset, facing(edge)).astype(np.float64)
    goal = (theirs[:, 0] - theirs[:, 1]) / 0.25
    bends = []
    for slopes in (True, False):
        ours = inwards(stitch(field, other, edge, 20.0, slopes=slopes), edge).astype(np.float64)
        bends.append(np.abs((ours[:, 1] - ours[:, 0]) / 0.25 - goal)[10:-10].max())
    assert bends[0] < 0.15
    assert bends[1] > 0.5


def test_fine_detail_fades_sooner_than_the_rest() -> None:
    field, other = VectorField.flat(129, 65, 1.0), VectorField.flat(129, 65, 1.0)
    along = np.pi * np.arange(129) / 128.0
    other.offset[..., 2] = (np.cos(2.0 * along) + np.cos(32.0 * along))[:, None]
    out = stitch(field, other, "west", 40.0, slopes=False)[..., 2].astype(np.float64)
    weight = np.where(np.isin(np.arange(129), (0, 128)), 0.5, 1.0)
    coarse, fine = (2.0 / 128.0 * (weight * np.cos(waves * along)) @ out for waves in (2, 32))
    assert coarse[0] == pytest.approx(1.0)
    assert fine[0] == pytest.approx(1.0)
    # A wave of 8 m is all but gone after 6 m, one of 128 m has hardly begun to fade.
    assert fine[6] < 0.06
    assert coarse[6] > 0.8
    k, t = 32.0 * np.pi / 128.0, 3.0 / 40.0
    law = np.exp(-3.0 * k) * ((1.0 + 2.0 * t) * (1.0 - t) ** 2 + 40.0 * k * t * (1.0 - t) ** 2)
    assert fine[3] == pytest.approx(law, abs=1e-5)


def test_other_cells_are_read_between_vertices() -> None:
    field, fine = land(1.0), neighbour(0.5)
    out = stitch(field, fine, "west", 10.0)
    np.testing.assert_array_equal(out[:, 0], fine.offset[::2, -1])
    coarse = neighbour(2.0)
    out = stitch(field, coarse, "west", 10.0)
    np.testing.assert_array_equal(out[::2, 0], coarse.offset[:, -1])
    np.testing.assert_allclose(out[1::2, 0], 0.5 * (coarse.offset[:-1, -1] + coarse.offset[1:, -1]), atol=1e-6)


def test_a_neighbour_that_lies_farther_on_is_met_where_it_is() -> None:
    field, other = land(1.0), neighbour()
    moved = VectorField(other.offset, 1.0, (field.origin[0] + 96.0, field.origin[1] + 30.0))
    out = stitch(field, moved, "east", 10.0)
    np.testing.assert_array_equal(out[30:, -1], other.offset[:35, 0])
    np.testing.assert_array_equal(out[:15, -1], field.offset[:15, -1])
    assert np.abs(np.diff(out[:, -1, 2])).max() < 4.0
    np.testing.assert_array_equal(stitch(field, other, "east", 10.0, shift=30.0), out)
    with pytest.raises(SkerryError, match="the neighbour's edge lies 36 m beyond the east edge; give another shift"):
        stitch(field, other, "east", 10.0, shift=100.0)


def test_edges_stitched_before_can_be_kept() -> None:
    field, other = land(1.0), neighbour()
    first = VectorField(stitch(field, other, "east", 15.0), 1.0, field.origin)
    out = stitch(first, other, "north", 15.0, keep_sides=True)
    np.testing.assert_array_equal(out[:-1, -1], first.offset[:-1, -1])
    np.testing.assert_array_equal(out[:-1, 0], first.offset[:-1, 0])
    np.testing.assert_array_equal(out[-1], other.offset[0])


def test_bad_values_are_one_line() -> None:
    with pytest.raises(SkerryError, match="stitch needs an edge of west, east, south, north"):
        stitch(land(2.0), land(2.0), "up")  # type: ignore[arg-type]
    with pytest.raises(SkerryError, match="width of 0 m or more"):
        stitch(land(2.0), land(2.0), "west", -1.0)
