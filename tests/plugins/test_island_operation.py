"""Generate island through the registry: its words, the map it replaces, the mask, cancel."""

import numpy as np
import pytest

from plugins.api import Job, Scene
from plugins.operating import run_operation
from plugins.registry import find_operation
from terrain.errors import Cancelled, ParamError
from terrain.field import VectorField
from terrain.islands.generate import generate
from terrain.islands.params import IslandParams
from terrain.map import TerrainMap
from terrain.params import describe
from tests.fixtures import arch_map


def run(terrain: TerrainMap, **values: object) -> np.ndarray:
    rect, offset = run_operation(Scene(terrain), "island", values, Job()).arrays["offset"]
    assert rect == (0, terrain.field.rows, 0, terrain.field.cols)
    return offset


def test_it_is_known_and_says_what_its_numbers_are() -> None:
    operation = find_operation("island")
    assert (operation.label, operation.menu) == ("Generate island", "Map")
    assert operation.__doc__
    infos = {info.name: info for info in describe(operation.Params)}
    assert all(info.doc for info in infos.values())
    assert infos["kind"].choices == ("high", "archipelago", "atoll", "volcanic", "fjord")
    assert infos["outline"].kind == "numbers"
    assert [infos[name].unit for name in ("height", "depth", "age", "outline")] == ["m", "m", "ka", "m"]


@pytest.mark.parametrize("kind", ["high", "atoll"])
def test_it_replaces_a_map_with_overhangs_and_keeps_its_sea(kind: str) -> None:
    terrain = arch_map()
    terrain.sea_level = 3.0
    before = terrain.field.offset.copy()
    offset = run(terrain, kind=kind, seed="5")
    expected = generate(65, 81, 1.0, IslandParams.of(kind=kind, seed=5), sea=3.0, origin=(100.0, -50.0))
    np.testing.assert_array_equal(offset, expected)
    assert not offset[..., :2].any()
    assert offset[..., 2].min() < 3.0 < offset[..., 2].max()
    np.testing.assert_array_equal(terrain.field.offset, before)


def test_a_drawn_coast_is_read_from_words() -> None:
    terrain = TerrainMap(VectorField.flat(101, 101, 5.0, origin=(1000.0, 1000.0)))
    offset = run(terrain, outline="1050,1050,1250,1050,1250,1450,1050,1450", roughness="0")
    land = offset[..., 2] > 0.0
    assert land[30:70, 20:40].mean() > 0.95
    assert not land[:, 60:].any()
    with pytest.raises(ParamError, match="outline"):
        run(terrain, outline="1,2,3")


def test_the_active_mask_limits_it() -> None:
    terrain = TerrainMap(VectorField.flat(64, 64, 5.0, height=7.0))
    mask = np.zeros((64, 64), np.uint16)
    mask[:, 32:] = 65535
    terrain.extras["mask/a"], terrain.active_mask = mask, "a"
    offset = run(terrain)
    assert (offset[:, :32, 2] == 7.0).all()
    assert (offset[:, 32:, 2] != 7.0).any()


def test_it_reports_and_can_be_stopped() -> None:
    heard: list[float] = []

    def listen(share: float, doing: str) -> None:
        assert doing == "making an island"
        heard.append(share)
        if share > 0.5:
            job.cancel()

    job = Job(listen)
    with pytest.raises(Cancelled):
        run_operation(Scene(TerrainMap(VectorField.flat(64, 64, 5.0))), "island", {}, job)
    assert heard == sorted(heard)
    assert len(heard) > 20
