"""What holds for every brush: masks, footprint, symmetry, likeness to no other."""

import itertools
from typing import Any

import numpy as np
import pytest

from plugins.registry import brushes
from terrain.brushes.contract import Brush
from terrain.brushes.symmetry import Symmetry
from terrain.field import VectorField
from terrain.map import TerrainMap
from tests.terrain.strokes import from_eye, paint

BRUSHES = list(brushes().values())
EYE = np.array([3.0, -150.0, 130.0])
each = pytest.mark.parametrize("brush", BRUSHES, ids=lambda brush: brush.id)


def island(side: int = 129) -> TerrainMap:
    """Hills and a shore, mirrored about x = 0 and y = 0 bit for bit, with sideways displacement."""
    half = (side - 1) // 2
    row, col = np.mgrid[0 : half + 1, 0 : half + 1].astype(np.float64)
    height = 6.0 * np.cos(row / 15.0) * np.cos(col / 19.0) + 3.0 - 0.05 * (row + col) + 0.6 * np.sin(row * col / 40.0)
    quarter = np.zeros((half + 1, half + 1, 3), np.float32)
    quarter[..., 2] = height
    quarter[..., 0] = np.sin(row / 9.0) * np.sin(col / 8.0)
    quarter[..., 1] = np.sin(row / 7.0) * np.sin(col / 11.0)
    east = np.concatenate([quarter[:, :0:-1] * np.float32([-1, 1, 1]), quarter], axis=1)
    whole = np.concatenate([east[:0:-1] * np.float32([1, -1, 1]), east], axis=0)
    return TerrainMap(VectorField(np.ascontiguousarray(whole), 1.0, (-float(half), -float(half))))


def settings(brush: Brush, **params: Any) -> dict[str, Any]:
    values: dict[str, Any] = {"radius": 11.0, **params}
    if brush.id == "clone":
        values |= {"x": -30.0, "y": 20.0}
    return values


def stroke(brush: Brush, terrain: TerrainMap, shift: float = 0.0, **options: Any) -> np.ndarray:
    """A curved stroke in the north-east quarter; returns the painted array."""
    places = [
        (18.0 + shift, 14.0, 5.0),
        (21.0 + shift, 18.0, 5.0),
        (27.0 + shift, 19.0, 5.0),
        (31.0 + shift, 24.0, 5.0),
    ]
    params = settings(brush, **options.pop("params", {}))
    key = brush.paints(brush.Params.of(**params))
    paint(terrain, brush, [from_eye(EYE, np.array(place)) for place in places], **options, **params)
    return terrain.field.offset if key == "offset" else terrain.extras[key]


@each
def test_every_brush_changes_something_finite(brush: Brush) -> None:
    terrain = island()
    start = terrain.field.offset.copy()
    painted = stroke(brush, terrain)
    assert np.isfinite(terrain.field.offset).all()
    if painted is terrain.field.offset:
        assert (painted != start).any()
    else:
        assert (painted != terrain.new_array(brush.paints(brush.Params())).flat[0]).any()
        np.testing.assert_array_equal(terrain.field.offset, start)


def test_no_two_brushes_give_equal_results() -> None:
    results = {}
    for brush in BRUSHES:
        terrain = island()
        results[brush.id] = (brush.paints(brush.Params()), stroke(brush, terrain))
    for (a, (key_a, one)), (b, (key_b, other)) in itertools.combinations(results.items(), 2):
        assert key_a != key_b or not np.array_equal(one, other), (a, b)


@each
@pytest.mark.parametrize("frozen", [False, True])
def test_masked_vertices_stay_bit_for_bit(brush: Brush, frozen: bool) -> None:
    terrain = island()
    terrain.field.offset[100:, :, 0] = -0.0
    mask = np.zeros((129, 129), np.uint16)
    mask[:, 90:] = 65535
    mask[:, 88:90] = 30000
    free = mask > 0
    start = terrain.field.offset.copy()
    painted = stroke(brush, terrain, mask=65535 - mask if frozen else mask, frozen=frozen)
    if painted is terrain.field.offset:
        changed = (painted.view(np.uint32) != start.view(np.uint32)).any(axis=-1)
    else:
        changed = painted != terrain.new_array(brush.paints(brush.Params())).flat[0]
    assert changed.any()
    assert not changed[~free[: changed.shape[0], : changed.shape[1]]].any()


@each
def test_nothing_changes_beyond_the_footprint(brush: Brush) -> None:
    terrain = island()
    start = terrain.field.offset.copy()
    positions = terrain.field.positions()
    centres: list[tuple[np.ndarray, np.ndarray, float]] = []

    class Spy(type(brush)):  # type: ignore[misc]
        def dab(self, window: Any, dab: Any, state: Any) -> None:
            centres.append(self.reach(dab, brush.Params.of(**settings(brush))))
            assert window.weight.shape == window.before.shape[:2] == window.offset.shape[:2]
            super().dab(window, dab, state)

    painted = stroke(Spy(), terrain)
    near = np.zeros(start.shape[:2], bool)
    for begin, end, radius in centres:
        for share in np.linspace(0.0, 1.0, 25):
            away = positions - (begin + share * (end - begin))
            if brush.plan:
                away = away[..., :2]
            near |= np.linalg.norm(away, axis=-1) <= radius + 1e-6
    if painted is terrain.field.offset:
        changed = (painted != start).any(axis=-1)
        if brush.live or brush.gesture == "pull":
            # What an earlier dab of the stroke moved, a later one may hold where it is then.
            near |= np.linalg.norm(terrain.field.positions() - positions, axis=-1) > 0.0
            changed &= ~near
            assert not changed.any()
            return
    else:
        changed = painted != terrain.new_array(brush.paints(brush.Params())).flat[0]
    assert not changed[~near[: changed.shape[0], : changed.shape[1]]].any()


@each
@pytest.mark.parametrize("shift", [0.0, -20.0])
@pytest.mark.parametrize("axes", ["x", "y", "both"])
def test_mirrors_are_exact_on_a_map_centred_on_the_axis(brush: Brush, axes: str, shift: float) -> None:
    """With the shift the stroke crosses the axis, so that it and its image act on the same vertices."""
    terrain = island()
    symmetry = Symmetry(mirror_x=axes != "y", mirror_y=axes != "x")
    painted = stroke(brush, terrain, shift, symmetry=symmetry)
    for axis in ("x", "y"):
        if axes in (axis, "both"):
            mirrored = painted[:, ::-1] if axis == "x" else painted[::-1]
            if painted.ndim == 3:
                mirrored = mirrored * np.float32([-1, 1, 1] if axis == "x" else [1, -1, 1])
            np.testing.assert_array_equal(painted, mirrored)
