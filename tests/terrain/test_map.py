"""TerrainMap: which arrays a map may hold."""

import numpy as np
import pytest

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap, array_spec
from terrain.tiles import Rect


def small() -> TerrainMap:
    return TerrainMap(VectorField.flat(5, 7, 1.0))


@pytest.mark.parametrize(
    ("key", "dtype", "shape", "fill"),
    [
        ("alpha", np.uint8, (5, 7), 255),
        ("ao", np.uint8, (5, 7), 255),
        ("hole", np.bool_, (4, 6), 0),
        ("passable", np.uint8, (5, 7), 0),
        ("mask/cliffs", np.uint16, (5, 7), 0),
        ("layer/sand é", np.uint16, (5, 7), 0),
        ("field/flow", np.float32, (5, 7), 0),
    ],
)
def test_each_key_has_its_dtype_shape_and_fill(key: str, dtype: type, shape: tuple[int, int], fill: int) -> None:
    array = small().new_array(key)
    assert (array.dtype, array.shape) == (np.dtype(dtype), shape)
    assert (array == fill).all()


@pytest.mark.parametrize("key", ["", "offset2", "mask/", "mask", "mask/a/b", "mask/../x", "field/\n", "blob/x"])
def test_other_keys_are_refused(key: str) -> None:
    with pytest.raises(SkerryError, match="not the name of a map array"):
        array_spec(key)


def test_arrays_lists_offset_first_then_by_name() -> None:
    terrain = small()
    for key in ("passable", "mask/b", "mask/a", "alpha"):
        terrain.extras[key] = terrain.new_array(key)
    assert list(terrain.arrays()) == ["offset", "alpha", "mask/a", "mask/b", "passable"]
    assert terrain.names("mask") == ["a", "b"]
    assert terrain.names("layer") == []


def test_array_of_wrong_shape_or_dtype_is_refused() -> None:
    terrain = small()
    with pytest.raises(SkerryError, match=r"'hole' must be bool of shape \(4, 6\)"):
        terrain.check("hole", np.zeros((5, 7), np.bool_))
    with pytest.raises(SkerryError, match="uint16"):
        TerrainMap(terrain.field, {"mask/a": np.zeros((5, 7), np.uint8)})


def test_absent_array_is_named() -> None:
    with pytest.raises(SkerryError, match="no 'mask/sand'"):
        small().array("mask/sand")


def test_bounds_follow_the_surface() -> None:
    terrain = small()
    assert terrain.bounds.whole[5] == 0.0
    terrain.field.offset[2, 3, 2] = 4.0
    terrain.moved(Rect(2, 3, 3, 4))
    assert terrain.bounds.whole[5] == 4.0
