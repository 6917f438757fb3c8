"""Products of many vectors, the same bits on every processor.

`@` on arrays asks BLAS, whose last bits depend on the processor and on where in the array a vector stands: a mirrored
stroke would not be the mirror of a stroke.
"""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.floating[Any])


def dots(vectors: NDArray[T], direction: NDArray[T]) -> NDArray[T]:
    """Lengths (...) of vectors (..., 3) along `direction` (3)."""
    x, y, z = (vectors[..., axis] * direction[axis] for axis in range(3))
    return np.asarray(x + y + z)


def combined(vectors: NDArray[T], axes: NDArray[T]) -> NDArray[T]:
    """Vectors (..., 3) with the components `vectors` (..., 3) along `axes` (3, 3), one a row: vectors @ axes."""
    return np.stack([dots(vectors, axes[:, axis]) for axis in range(3)], axis=-1)
