"""Real files as people have them, held against known facts; broken ones fail in one line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plugins.api import Job, Scene
from plugins.importing import describe_source, import_file, probe_all
from terrain.errors import SkerryError


def read(path: Path, **values: object) -> Scene:
    return import_file(path, None, values, Job())


FACTS: dict[str, dict[str, Any]] = {
    "dem/celtic_sea_etopo1.asc": {
        "size": (420, 479), "range": (-4327, 892), "peak": [109, 181], "ground": (490e3, 886e3),
    },
    "dem/hawaii_etopo1_2min_int16.tif": {
        "size": (299, 209), "range": (-6134, 4000), "peak": [135, 221], "ground": (1034e3, 767e3),
    },
    "dem/gebco_2020_oresund_int16.nc": {
        "size": (216, 264), "range": (-43, 185), "peak": [55, 207], "ground": (56.25e3, 122e3),
    },
    "dem/oresund_zstd_tiled_f32.tif": {
        "size": (216, 264), "range": (-43, 185), "peak": [55, 207], "ground": (56.25e3, 122e3),
    },
    "dem/N43E007.hgt": {
        "size": (1201, 1201), "range": (-11, 2064), "peak": [5, 516], "nodata": 1595, "ground": (80.9e3, 111.1e3),
    },
    "dem/tristan_da_cunha_undeclared_void.tif": {
        "size": (33, 33), "range": (-10, 1909), "peak": [3, 23], "nodata": 282,
    },
    "dem/dem_nodata.dem": {
        "size": (65, 65), "range": (682, 2932), "nodata": 96, "ground": (9.66e3, 13.82e3),
    },
    "dem/dem_landscape_sf_bay.tif": {
        "size": (200, 125), "range": (-4.732468605, 921.4481201), "peak": [96, 179], "ground": (88.3e3, 110.5e3),
    },
    "dem/etopo1_10min_header_reversed.asc": {
        "size": (7, 4), "range": (-294, 636),
    },
    "tiles/fuji_mapbox_terrain_rgb_512.png": {"size": (512, 512), "range": (13.7, 3751.0), "peak": [178, 308]},
    "tiles/terrarium_13_4096_2724.png": {"size": (256, 256), "range": (-2.734375, 45.16015625)},
    "game/mt_fuji_512_u16.png": {"size": (512, 512), "range": (56379, 65499), "peak": [257, 252], "levels": 4428},
    "game/island_1024_u8.png": {"size": (1024, 1024), "range": (0, 252), "peak": [1007, 1017], "levels": 252},
    "game/fjords.bmp": {"size": (256, 256), "range": (0, 85), "peak": [57, 157], "levels": 86},
    "game/wm_height_512_u8.png": {"size": (512, 512), "range": (0, 253)},
    "game/heightmap_bowl_129_rgb8.png": {"size": (129, 129), "range": (0, 254)},
    "game/bunny_hill_elev_90x260.png": {"size": (90, 260), "range": (26, 255)},
    "game/hterrain_island_513_le.r16": {"size": (513, 513), "range": (0, 65535), "peak": [331, 230]},
    "game/hterrain_island_513_R_f32.exr": {"size": (513, 513), "range": (-67.75, 69.625), "peak": [331, 230]},
    "game/t3d_mountain1_Y_f32.exr": {"size": (256, 256), "range": (0.0, 1.0048747062683105)},
    "game/riviera_1009_u16.png": {"size": (1009, 1009), "range": (0, 65535)},
    "odd/palette_8x16.png": {"size": (8, 16), "range": (1, 4)},
}  # fmt: skip


@pytest.mark.parametrize("name", FACTS)
def test_file_is_read_as_it_is_known(shared_data: Path, name: str) -> None:
    facts, terrain = FACTS[name], read(shared_data / name).terrain
    source = terrain.source
    assert (source["cols"], source["rows"]) == facts["size"]
    assert (source["min"], source["max"]) == pytest.approx(facts["range"], abs=1e-6)
    assert source["nodata"] == facts.get("nodata", 0)
    if "peak" in facts:
        assert source["peak"] == facts["peak"]
    if "levels" in facts:
        assert source["levels"] == facts["levels"]
    if "ground" in facts:
        assert source["ground"] == pytest.approx(facts["ground"], rel=0.005)
        assert terrain.field.rest_size == pytest.approx(source["ground"], abs=0.5 * terrain.field.cell)
    assert np.isfinite(terrain.field.offset).all()
    assert (terrain.field.offset[..., :2] == 0.0).all()
    assert 4 <= len(describe_source(source)) <= 12


@pytest.mark.parametrize("name", [name for name in FACTS if name.startswith("dem/")])
def test_elevation_models_keep_their_heights_and_their_peak_its_place(shared_data: Path, name: str) -> None:
    """The map's highest vertex stands where the file's highest sample does: north is up, nothing is mirrored."""
    terrain = read(shared_data / name).terrain
    source, field = terrain.source, terrain.field
    heights = field.offset[..., 2]
    assert (heights.min(), heights.max()) == pytest.approx((source["min"], source["max"]), abs=1e-3)
    row, col = np.unravel_index(int(heights.argmax()), heights.shape)
    east = col / (field.cols - 1) * (source["cols"] - 1)
    south = (1.0 - row / (field.rows - 1)) * (source["rows"] - 1)
    assert (south, east) == pytest.approx(source["peak"], abs=0.6)


def test_coast_of_the_celtic_sea_has_the_known_share_of_land(shared_data: Path) -> None:
    heights = read(shared_data / "dem/celtic_sea_etopo1.asc", pixels="keep").terrain.field.offset[..., 2]
    assert (heights > 0).mean() == pytest.approx(0.4860, abs=1e-4)
    assert read(shared_data / "dem/hawaii_etopo1_2min_int16.tif", pixels="keep").terrain.source[
        "below_sea"
    ] == pytest.approx(0.979, abs=0.001)


def test_south_up_netcdf_equals_its_north_up_geotiff(shared_data: Path) -> None:
    a, b = (
        read(shared_data / f"dem/{name}", pixels="keep").terrain.field.offset[..., 2]
        for name in ("gebco_2020_oresund_int16.nc", "oresund_zstd_tiled_f32.tif")
    )
    np.testing.assert_array_equal(a, b)


def test_elevation_tile_is_measured_by_the_zoom_and_place_in_its_name(shared_data: Path) -> None:
    """Zoom 13 at Greenwich: 40,075 km × cos(51.5°) / 8192 tiles is 3.05 km a tile."""
    source = read(shared_data / "tiles/terrarium_13_4096_2724.png").terrain.source
    assert source["ground"] == pytest.approx([3.05e3 * 255 / 256] * 2, rel=0.005)
    assert source["crs"] == "web map tile 13/4096/2724"


def test_raw_with_its_range_equals_the_exr_of_the_same_island(shared_data: Path) -> None:
    raw = read(shared_data / "game/hterrain_island_513_le.r16", min_height=-67.75, max_height=69.625)
    exr = read(shared_data / "game/hterrain_island_513_R_f32.exr")
    difference = raw.terrain.field.offset[..., 2] - exr.terrain.field.offset[..., 2]
    # Half a step of 137.375 m / 65535, and the rounding of float32.
    assert np.abs(difference).max() <= 0.5 * 137.375 / 65535 + 8e-6
    assert (exr.terrain.field.offset[..., 2] < 0).mean() == pytest.approx(0.4864, abs=1e-4)


def test_code_of_the_sea_level_of_the_riviera(shared_data: Path) -> None:
    heights = read(shared_data / "game/riviera_1009_u16.png", min_height=-11, max_height=2064).terrain.field.offset[
        ..., 2
    ]
    assert heights.max() == 2064.0
    assert (np.abs(heights) < 0.02).mean() == pytest.approx(0.662, abs=0.002)


def test_terraces_and_normalised_heights_are_pointed_out(shared_data: Path) -> None:
    notes = " ".join(read(shared_data / "game/island_1024_u8.png").terrain.source["notes"])
    assert "252 distinct heights" in notes
    assert "--min-height" in notes
    assert "normalised" in " ".join(read(shared_data / "game/t3d_mountain1_Y_f32.exr").terrain.source["notes"])


def test_void_filling_rules(shared_data: Path) -> None:
    path = shared_data / "dem/tristan_da_cunha_undeclared_void.tif"
    for rule in ("nearest", "smooth", "sea-level"):
        heights = read(path, fill=rule, sea_level=-3.0, pixels="keep").terrain.field.offset[..., 2]
        assert heights.min() == -10.0
        assert heights.max() == 1909.0


def test_odd_exr_says_which_channels_there_are_and_reads_the_one_asked_for(shared_data: Path) -> None:
    path = shared_data / "odd/BrightRingsNanInf.exr"
    with pytest.raises(SkerryError, match="B, G, R"):
        read(path)
    source = read(path, channel="R").terrain.source
    assert (source["cols"], source["rows"], source["nodata"], source["max"]) == (800, 800, 6, 1025.0)
    tiled = read(shared_data / "odd/PeriodicPattern_tiled_mip_517.exr", channel="G").terrain.source
    assert (tiled["cols"], tiled["rows"]) == (517, 517)


@pytest.mark.parametrize("name", ["mt_fuji_truncated.png", "x_unexpected_eof.png", "corrupt_tile.tif"])
def test_broken_files_fail_in_one_line_that_names_them(shared_data: Path, name: str) -> None:
    with pytest.raises(SkerryError, match=name) as caught:
        read(shared_data / "odd" / name)
    assert "\n" not in str(caught.value)


def test_both_byte_orders_of_a_raw_file_are_scored(shared_data: Path) -> None:
    guesses = probe_all(shared_data / "game/hterrain_island_513_le.r16")
    assert guesses[0].params == {"width": 513, "height": 513, "kind": "u16", "byte_order": "little", "header": 0}
    big = next(guess for guess in guesses if guess.params == {**guesses[0].params, "byte_order": "big"})
    assert "looks rough" in big.summary
    assert "looks like land" in guesses[0].summary
