"""Rectangles and first-touch tile copies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain.tiles import TILE, Rect, TileCopies, tile_rect, tiles_in

corner = st.integers(-150, 300)
rects = st.builds(Rect, corner, corner, corner, corner)


def painted(rect: Rect, rows: int = 200, cols: int = 150) -> np.ndarray:
    """True where an array's elements lie in `rect`, by comparing indices."""
    row, col = np.mgrid[0:rows, 0:cols]
    return (row >= rect.row0) & (row < rect.row1) & (col >= rect.col0) & (col < rect.col1)


@given(rects)
def test_a_clipped_rectangle_selects_exactly_its_elements(rect: Rect) -> None:
    # Rect(-10, -5, ...) clips to an end of -5, which as a slice would count from behind.
    got = np.zeros((200, 150), bool)
    got[rect.clip(200, 150).slices] = True
    np.testing.assert_array_equal(got, painted(rect))


@given(rects, rects)
def test_union_holds_both_and_clip_their_common_part(a: Rect, b: Rect) -> None:
    both = painted(a) | painted(b)
    assert (painted(a.union(b)) >= both).all()
    np.testing.assert_array_equal(painted(a.clip_to(b)), painted(a) & painted(b))


def test_sizes_and_margins() -> None:
    rect = Rect(2, 5, 10, 20)
    assert (rect.rows, rect.cols, rect.empty) == (3, 10, False)
    assert rect.grown(2) == Rect(0, 7, 8, 22)
    assert rect.within(Rect(1, 9, 4, 30)) == Rect(1, 4, 6, 16)
    assert Rect(5, 2, 0, 4).rows == 0
    assert Rect(5, 2, 0, 4).empty
    assert Rect(0, 0, 0, 0).union(rect) == rect == rect.union(Rect(3, 3, 0, 9))
    assert Rect.of(np.zeros((4, 7, 3))) == Rect(0, 4, 0, 7)


@given(rects, st.sampled_from([64, 256]))
def test_tiles_in_are_those_that_hold_an_element(rect: Rect, side: int) -> None:
    rect = rect.clip(200, 150)
    held = np.argwhere(painted(rect)) // side
    expected = {(int(row), int(col)) for row, col in np.unique(held, axis=0)}
    assert set(tiles_in(rect, side)) == expected


def test_border_tiles_are_clipped() -> None:
    assert tile_rect((3, 2), (200, 150, 3)) == Rect(192, 200, 128, 150)
    assert tile_rect((0, 0), (200, 150), 256) == Rect(0, 200, 0, 150)


@pytest.mark.parametrize("shape", [(200, 150, 3), (64, 64), (65, 1)])
@given(data=st.data())
def test_copies_keep_the_state_of_the_first_touch(shape: tuple[int, ...], data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    array = rng.standard_normal(shape).astype(np.float32)
    array[rng.random(shape) < 0.2] = -0.0
    first, copies, touched = array.copy(), TileCopies(array), np.zeros(shape[:2], bool)
    for _ in range(data.draw(st.integers(1, 4))):
        rect = data.draw(rects).clip(*shape[:2])
        copies.touch(array, rect)
        array[rect.slices] = rng.standard_normal(array[rect.slices].shape)
        touched |= painted(rect, *shape[:2])
    window = data.draw(rects).clip(*shape[:2])
    assert copies.read(array, window).tobytes() == first[window.slices].tobytes()

    now = array.copy()
    copies.trim()
    copies.swap(array)
    assert array.tobytes() == first.tobytes()
    copies.swap(array)
    assert array.tobytes() == now.tobytes()
    assert not touched.any() or (painted(copies.rect(), *shape[:2]) >= touched).all()


def test_a_large_touch_takes_what_it_needs_and_small_ones_grow_rarely() -> None:
    array = np.zeros((TILE * 10, TILE * 10), np.uint16)
    copies = TileCopies(array)
    copies.touch(array, Rect(0, TILE * 10, 0, TILE * 9))
    assert len(copies.pool) == 90
    pools = {id(copies.pool)}
    copies.touch(array, Rect(0, 1, TILE * 9, TILE * 10))
    pools.add(id(copies.pool))
    assert len(copies.pool) == 100, "never more slots than tiles"
    copies.touch(array, Rect.of(array))
    assert len(copies.tiles) == 100


def test_trim_gives_unused_slots_back() -> None:
    array = np.zeros((300, 300), np.float32)
    copies = TileCopies(array)
    copies.touch(array, Rect(0, 1, 0, 1))
    before = copies.nbytes
    copies.trim()
    assert copies.nbytes == TILE * TILE * 4 + copies.index.nbytes < before
