"""Noise filter: strength, spectrum and evenness as stated, and every way to blend."""

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.field import VectorField
from terrain.filters.blend import Blend, Mode
from terrain.filters.fractal import plane2
from terrain.filters.noise import Kind, noise
from terrain.kernel import kernel

SIZE = 16.0


def heights(kind: Kind = "fbm", **values: float) -> NDArray[np.float64]:
    """Noise of 10 m on level land of 400 m, features of 16 m."""
    field = VectorField.flat(401, 401, 1.0)
    return noise(field, kind, 10.0, SIZE, **values)[..., 2].astype(np.float64)  # type: ignore[arg-type]


@kernel
def _samples(count: int, seed: int) -> NDArray[np.float64]:
    out = np.empty((count, count))
    for i in range(count):
        for j in range(count):
            out[i, j] = plane2(j * 3.0 / count, i * 3.0 / count, seed)
    return out


def power(seeds: int, octaves: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Mean power spectrum of fBm, its frequencies in 1/size and their directions in degrees (0..180)."""
    window = np.hanning(401)[:, None] * np.hanning(401)
    total = sum(
        np.abs(np.fft.fft2(window * heights(octaves=octaves, gain=0.5, seed=seed))) ** 2 for seed in range(seeds)
    )
    line = np.fft.fftfreq(401) * SIZE
    x, y = np.meshgrid(line, line)
    return np.asarray(total), np.hypot(x, y), np.degrees(np.arctan2(y, x)) % 180.0


@pytest.mark.parametrize(("octaves", "gain"), [(1, 0.5), (3, 0.5), (6, 0.8)])
def test_fbm_has_a_third_of_the_amplitude_whatever_the_octaves(octaves: int, gain: float) -> None:
    parts = [heights(octaves=octaves, gain=gain, seed=seed) for seed in range(4)]
    rms = np.sqrt(np.mean([part**2 for part in parts]))
    assert rms == pytest.approx(10.0 / 3.0, rel=0.06)
    assert np.mean([np.abs(part) > 10.0 for part in parts]) < 0.01


@pytest.mark.parametrize("kind", ["ridged", "billow"])
def test_ridged_and_billow_fill_zero_to_the_amplitude(kind: Kind) -> None:
    made = heights(kind)
    assert 0.0 <= made.min() < 2.0
    assert 7.0 < made.max() <= 10.0


def test_ridges_are_sharp_and_billows_their_hollows() -> None:
    # Sharp lines are where the slope turns over: bends far stronger than the rest, downwards or upwards.
    for kind, sign in (("ridged", -1.0), ("billow", 1.0)):
        bend = np.diff(heights(kind, octaves=1), 2, axis=1)  # type: ignore[arg-type]
        assert np.percentile(sign * bend, 99.5) > 2.0 * np.percentile(-sign * bend, 99.5)


def test_every_direction_has_the_same_power() -> None:
    spectrum, frequency, turn = power(10, 1)
    band = (frequency > 0.3) & (frequency < 1.2)
    sectors = [spectrum[band & (np.abs((turn - middle + 90.0) % 180.0 - 90.0) < 11.25)] for middle in range(0, 180, 20)]
    shares = np.array([sector.mean() for sector in sectors])
    np.testing.assert_allclose(shares / shares.mean(), 1.0, atol=0.2)


def test_a_hill_and_a_hollow_are_about_1p8_sizes() -> None:
    spectrum, frequency, _ = power(4, 1)
    assert (spectrum * frequency).sum() / spectrum.sum() == pytest.approx(1.0 / 1.8, rel=0.08)


def test_each_octave_is_half_as_long_and_has_gain_squared_the_power() -> None:
    # The octave that is added has double the frequency; both spectra are scaled to the same rms.
    one, frequency, _ = power(6, 1)
    two, _, _ = power(6, 2)
    added = two * 1.25 - one
    assert added.sum() / one.sum() == pytest.approx(0.25, rel=0.15)
    assert (added * frequency).sum() / added.sum() == pytest.approx(2.0 / 1.8, rel=0.15)


def test_no_lattice_point_is_always_still() -> None:
    swing = np.sqrt(np.mean([_samples(24, 64 * seed) ** 2 for seed in range(400)], axis=0))
    assert swing.mean() == pytest.approx(1.0, rel=0.05)
    assert swing.min() > 0.6


@pytest.mark.parametrize("mode", ["add", "highest", "lowest", "replace", "multiply"])
def test_modes(mode: Mode) -> None:
    row, col = np.mgrid[0:40, 0:50]
    land = (10.0 * np.sin(row / 9.0) + 0.4 * col).astype(np.float32)
    made = noise(VectorField.flat(40, 50, 2.0), seed=4)[..., 2]
    out = noise(VectorField.from_heights(land, 2.0), seed=4, blend=Blend(mode, 3.0, 20.0))[..., 2]
    goal = {
        "add": land + made,
        "highest": np.maximum(land, 3.0 + made),
        "lowest": np.minimum(land, 3.0 + made),
        "replace": 3.0 + made,
        "multiply": land + made * (land - 3.0) / 20.0,
    }[mode]
    np.testing.assert_allclose(out, goal, atol=1e-4)


def test_places_are_those_of_the_displaced_surface() -> None:
    near, far = VectorField.flat(20, 20, 1.0), VectorField.flat(20, 20, 1.0, origin=(7.0, -3.0))
    near.offset[..., 0], near.offset[..., 1] = 7.0, -3.0
    np.testing.assert_array_equal(noise(near)[..., 2], noise(far)[..., 2])


def test_bad_numbers_are_one_line() -> None:
    field = VectorField.flat(4, 4, 1.0)
    for values in ({"size": 0.0}, {"octaves": 0}, {"octaves": 13}, {"size": float("nan")}):
        with pytest.raises(SkerryError, match="noise needs a size above zero and 1 to 12 octaves"):
            noise(field, **values)  # type: ignore[arg-type]
    with pytest.raises(SkerryError, match="lacunarity above 1"):
        noise(field, lacunarity=1.0)
    with pytest.raises(SkerryError, match="no way to blend"):
        Blend("burn")  # type: ignore[arg-type]
    with pytest.raises(SkerryError, match="relief above zero"):
        Blend("multiply", relief=0.0)
