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
    copies.swap(array)
    assert array.tobytes() == first.tobytes()
    copies.swap(array)
    assert array.tobytes() == now.tobytes()
    assert not touched.any() or (painted(copies.rect(), *shape[:2]) >= touched).all()


def test_a_large_touch_takes_what_it_needs_and_small_ones_grow_rarely() -> None:
    array = np.zeros((TILE * 40, TILE * 40), np.uint8)
    copies = TileCopies(array)
    copies.touch(array, Rect(0, TILE * 20, 0, TILE * 40))
    assert len(copies.pool) == 800, "not one slot to spare"
    moves, pool = 0, copies.pool
    for tile in range(800, 1600):
        row, col = TILE * (tile // 40), TILE * (tile % 40)
        copies.touch(array, Rect(row, row + 1, col, col + 1))
        moves += copies.pool is not pool
        pool = copies.pool
    assert len(copies.tiles) == len(copies.pool) == 1600, "never more slots than tiles"
    assert moves <= 1 + np.log(2.0) / np.log(1.25), "each move makes room for a quarter more"


@given(st.lists(st.tuples(st.integers(0, 999), st.integers(0, 799), st.integers(1, 90)), min_size=8, max_size=40))
def test_spare_slots_never_exceed_a_quarter_of_what_is_kept(touches: list[tuple[int, int, int]]) -> None:
    array = np.zeros((1000, 800), np.uint8)
    copies = TileCopies(array)
    for row, col, side in touches:
        copies.touch(array, Rect(row, row + side, col, col + side).clip(1000, 800))
        assert len(copies.tiles) <= len(copies.pool) <= 1.25 * len(copies.tiles)


def test_slots_of_border_tiles_hold_the_same_bytes_every_time() -> None:
    rng = np.random.default_rng(0)
    for _ in range(3):
        array = rng.standard_normal((65, 70, 3)).astype(np.float32)
        copies = TileCopies(array)
        copies.touch(array, Rect.of(array))
        assert copies.pool[copies.index[1, 1], 0, 0].tobytes() == array[64, 64].tobytes()
        assert not copies.pool[copies.index[1, 1], 1:].any()
        assert not copies.pool[copies.index[0, 1], :, 6:].any()


@pytest.mark.parametrize("shape", [(200, 150, 3), (64, 64), (65, 1)])
def test_copies_are_restored_from_their_tiles_and_pool(shape: tuple[int, ...]) -> None:
    array = np.random.default_rng(4).standard_normal(shape).astype(np.float32)
    first, copies = array.copy(), TileCopies(array)
    copies.touch(array, Rect(0, 1, 0, 1))
    copies.touch(array, Rect(60, 140, 0, 100).clip(*shape[:2]))
    array[...] = 7.0
    again = TileCopies.restored(copies.shape, list(copies.tiles), copies.pool[: len(copies.tiles)].copy())
    np.testing.assert_array_equal(again.index, copies.index)
    window = Rect(3, 180, 0, 120).clip(*shape[:2])
    assert again.read(array, window).tobytes() == copies.read(array, window).tobytes()
    again.swap(array)
    rows, cols = (index * TILE for index in np.nonzero(copies.index >= 0))
    for row, col in zip(rows, cols, strict=True):
        part = Rect(row, row + TILE, col, col + TILE).clip(*shape[:2]).slices
        assert array[part].tobytes() == first[part].tobytes()
