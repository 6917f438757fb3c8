"""The demo's overhang: laid on a slope of any map, and really overhanging."""

from pathlib import Path

import numpy as np
import pytest

import demo
from demo.island import EXTENT, NORTH, WEST, write_island
from demo.place import find_site, lay
from editor.document import Document
from editor.strokes import RecordedStroke, read_strokes, replay
from plugins.api import Scene
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.sample import sample_island

RECORDED = Path(demo.__file__).with_name("overhang.json")


def test_recorded_strokes_make_a_surface_that_faces_down() -> None:
    terrain = TerrainMap(sample_island(321, 321, 4.0, seed=12))
    assert (terrain.field.normals()[..., 2] < 0.0).sum() == 0
    document = Document(Scene(terrain))
    for stroke in lay(read_strokes(RECORDED), find_site(terrain)):
        replay(document, stroke)
    assert (terrain.field.normals()[..., 2] < -0.05).sum() > 30


@pytest.mark.parametrize("angle", np.radians([0, 70, 160, 250]))
def test_site_lies_on_the_slope_and_looks_downhill(angle: float) -> None:
    row, col = np.mgrid[0:200, 0:260]
    ramp = 0.5 * (np.sin(angle) * col + np.cos(angle) * row)
    terrain = TerrainMap(VectorField.from_heights((ramp - ramp.min()).astype(np.float32), 1.0, (50.0, 80.0)))
    site = find_site(terrain)
    np.testing.assert_allclose(site.out, [-np.sin(angle), -np.cos(angle), 0.0], atol=1e-4)
    np.testing.assert_allclose(np.cross(site.along, site.out), [0.0, 0.0, 1.0], atol=1e-6)
    low, high = terrain.bounds.whole[:3], terrain.bounds.whole[3:]
    assert ((site.middle >= low) & (site.middle <= high)).all()


@pytest.mark.parametrize("height", [0.0, -30.0])
def test_flat_maps_have_a_site_too(height: float) -> None:
    site = find_site(TerrainMap(VectorField.flat(33, 65, 2.0, height)))
    assert np.isfinite(site.middle).all()
    assert site.size == 12.0


def test_laying_scales_lengths_but_not_the_share_of_smoothing() -> None:
    terrain = TerrainMap(sample_island(129, 129, 8.0))
    site = find_site(terrain)
    raised, smoothed = lay(
        [
            RecordedStroke("raise", [(0.0, 0.0, 0.0, 1.0)], {"radius": 0.5, "strength": 0.25}, False, (0.0, 2.0, 1.0)),
            RecordedStroke("smooth", [(1.0, 0.0, 0.0, 0.5)], {"strength": 0.4}),
        ],
        site,
    )
    assert raised.params == {"radius": round(0.5 * site.size, 3), "strength": round(0.25 * site.size, 3)}
    assert smoothed.params == {"strength": 0.4}
    np.testing.assert_allclose(raised.points[0][:3], site.middle, atol=1e-3)
    np.testing.assert_allclose(raised.eye, site.world((0.0, 2.0, 1.0)), atol=1e-3)


def test_strokes_on_a_map_of_a_whole_ocean_stay_within_the_brushes_limits() -> None:
    terrain = TerrainMap(VectorField.flat(40, 60, 50_000.0))
    document = Document(Scene(terrain))
    for stroke in lay(read_strokes(RECORDED), find_site(terrain)):
        assert stroke.params["strength"] <= 10_000.0
        replay(document, stroke)
    assert np.isfinite(terrain.field.offset).all()


@pytest.mark.parametrize("shape", [(2, 2), (2, 300), (33, 65), (700, 5)])
def test_any_map_has_a_place(shape: tuple[int, int]) -> None:
    """Level ground has no slope to find; the middle does."""
    terrain = TerrainMap(VectorField.flat(*shape, 2.0, -7.0, (10.0, 20.0)))
    site = find_site(terrain)
    east, north = terrain.field.rest_size
    assert abs(site.middle[0] - 10.0 - east / 2) <= max(2.0, east / 50)
    assert abs(site.middle[1] - 20.0 - north / 2) <= max(2.0, north / 50)
    assert np.isfinite(site.world((1.0, 1.0, 1.0))).all()


def test_island_file_is_a_geotiff_with_seabed(tmp_path: Path) -> None:
    import tifffile

    write_island(tmp_path / "a.tif")
    with tifffile.TiffFile(tmp_path / "a.tif") as tiff:
        geo = tiff.geotiff_metadata
        heights = tiff.asarray()
    assert geo["ProjectedCSTypeGeoKey"] == 32628
    assert geo["ModelPixelScale"][:2] == [EXTENT / 640, EXTENT / 640]
    assert geo["ModelTiepoint"][3:5] == [WEST, NORTH]
    assert heights.min() < -50.0
    assert heights.max() > 100.0
    write_island(tmp_path / "b.tif")
    assert (tmp_path / "a.tif").read_bytes() == (tmp_path / "b.tif").read_bytes()
