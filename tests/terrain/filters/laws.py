"""What the tests of all filters share: analytic land on any grid, the arch, and sameness of bytes."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from terrain.field import VectorField
from terrain.kernel import most_threads, use_threads
from tests.fixtures import arch_map

Offset = NDArray[np.float32]
Filter = Callable[[VectorField], Offset]


def land(cell: float, east: float = 96.0, north: float = 64.0) -> VectorField:
    """Smooth hills, moved sideways a little, on cells of any size; the origin is nowhere special."""
    y, x = np.mgrid[0 : north + 0.5 * cell : cell, 0 : east + 0.5 * cell : cell]
    height = 14.0 * np.sin(x / 13.0) * np.cos(y / 11.0) + 0.2 * x
    field = VectorField.from_heights(height.astype(np.float32), cell, (310.0, -120.0))
    field.offset[..., 0] = 1.5 * np.sin(x / 17.0 + y / 23.0)
    field.offset[..., 1] = 1.2 * np.cos(x / 19.0 - y / 15.0)
    return field


def plane(rows: int, cols: int, cell: float, east: float, north: float = 0.0) -> VectorField:
    """A tilted plane: metres of rise a metre eastwards and northwards."""
    row, col = np.mgrid[0:rows, 0:cols] * cell
    return VectorField.from_heights((east * col + north * row).astype(np.float32), cell)


def same_at_any_threads(filtered: Filter, field: VectorField) -> None:
    """The same bytes again, and with one thread; the field itself is only read."""
    before = field.offset.copy()
    try:
        use_threads(min(2, most_threads()))
        first, again = filtered(field).tobytes(), filtered(field).tobytes()
        use_threads(1)
        alone = filtered(field).tobytes()
    finally:
        use_threads(most_threads())
    assert first == again
    assert first == alone
    np.testing.assert_array_equal(field.offset, before)


def keeps_the_arch(filtered: Filter, least: float = 1.0) -> None:
    """Finite everywhere, and as many vertices look down as the arch's ceiling has, or such a share of them."""
    field = arch_map().field
    out = filtered(field)
    assert out.dtype == np.float32
    assert out.shape == field.offset.shape
    assert np.isfinite(out).all()
    ceiling = field.normals()[..., 2] < -0.2
    assert ceiling.sum() > 50
    after = VectorField(out, field.cell, field.origin).normals()[..., 2]
    assert (after < 0.0).sum() >= least * ceiling.sum()
    if least == 1.0:
        assert (after[ceiling] < 0.0).all()


def same_on_coarse_cells(filtered: Filter, most: float, border: int = 0) -> None:
    """Cells of 1 m and of 2 m give offsets at most so many metres apart where vertices coincide.

    border: so many coarse cells along it are not compared.
    """
    inner = slice(border, -border or None)
    fine, coarse = filtered(land(1.0))[::2, ::2], filtered(land(2.0))
    np.testing.assert_allclose(fine[inner, inner], coarse[inner, inner], atol=most, rtol=0)
