"""Import a file: ask every importer what it is, let the surest read it, and turn any failure into one line."""

import contextlib
import logging
import threading
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from plugins.api import Guess, Job, Scene
from plugins.registry import find_importer, importers
from terrain.errors import Cancelled, SkerryError
from terrain.params import describe, from_mapping

_NOISY = ("tifffile", "rasterio", "h5py")


def probe_all(path: Path) -> list[Guess]:
    """What a file may be, surest first; raises `SkerryError` if it cannot be read at all or nobody knows it."""
    _check_readable(path)
    with _quiet():
        guesses = _asked(path, False)
        # GDAL reads most things, but the rest is surer, faster and does not end the process on damaged files.
        guesses = guesses or _asked(path, True)
    if not guesses:
        known = " ".join(sorted({suffix for importer in importers().values() for suffix in importer.suffixes}))
        raise SkerryError(f"{path}: no importer knows this file; formats that are read: {known}")
    return sorted(guesses, key=lambda guess: (-guess.confidence, guess.importer))


def import_file(path: Path, importer_id: str | None, values: Mapping[str, object], job: Job) -> Scene:
    """A foreign file as a new scene.

    importer_id: None for the surest. values: parameters by name, over those that the guess implies.
    Raises `SkerryError` with one line for anything wrong with the file or the values.
    """
    guess = _choose(path, importer_id, values)
    importer = find_importer(guess.importer)
    known = _parameters(guess.importer)
    implied = {name: value for name, value in guess.params.items() if name in known and name not in values}
    params = from_mapping(importer.Params, {**implied, **values})
    with _quiet(), _one_line(path):
        scene = importer.read(path, params, job)
    scene.terrain.source = {"file": path.name, "importer": guess.importer, **scene.terrain.source}
    return scene


def describe_source(source: Mapping[str, Any]) -> list[str]:
    """What was found in a file, for a person; empty for a map that was not imported."""
    if "cols" not in source:
        return []
    lines = [f"{source['file']}: {source['format']}, {source['cols']}x{source['rows']} {source['dtype']}"]
    lines.append(f"values {source['min']:g} .. {source['max']:g} in {source['levels']:,} levels")
    lines.append(f"highest at row {source['peak'][0]}, column {source['peak'][1]} from the top left")
    if source["nodata"]:
        value = source["nodata_value"]
        lines.append(f"no data in {source['nodata']:,} samples{'' if value is None else f' ({value:g})'}")
    if source["below_sea"]:
        lines.append(f"{source['below_sea']:.2%} below 0")
    if source.get("ground"):
        width, height = source["ground"]
        lines.append(f"ground {_length(width)} x {_length(height)}{_pixel(source)}")
    lines.append(source["orientation"] + (f", {source['byte_order']}-endian" if source["byte_order"] else ""))
    if source["crs"]:
        lines.append(f"coordinates: {source['crs']}")
    return lines + [f"note: {note}" for note in source["notes"]]


def _length(metres: float) -> str:
    return f"{metres:.6g} m" if metres < 10_000.0 else f"{metres / 1000.0:,.1f} km"


def _pixel(source: Mapping[str, Any]) -> str:
    if not source["pixel_unit"]:
        return ""
    x, y = source["pixel"]
    return f", pixel {x:.6g} x {y:.6g} {source['pixel_unit']}"


def _choose(path: Path, importer_id: str | None, values: Mapping[str, object]) -> Guess:
    """The guess to follow: the surest of the named importer that agrees best with the values given."""
    if importer_id is None:
        guesses = _able(path, probe_all(path), values)
    else:
        _check_readable(path)
        with _quiet():
            guesses = find_importer(importer_id).probe(path) or [Guess(importer_id, "as asked", 0.0)]

    def agreement(guess: Guess) -> int:
        return sum(str(values.get(name)) == str(value) for name, value in guess.params.items())

    return max(guesses, key=lambda guess: (agreement(guess), guess.confidence))


def _asked(path: Path, last_resort: bool) -> list[Guess]:
    """The guesses of all importers of that kind; one that stumbles over a file does not know it."""
    guesses: list[Guess] = []
    for importer in importers().values():
        if getattr(importer, "last_resort", False) == last_resort:
            with contextlib.suppress(Exception):
                guesses += importer.probe(path)
    return guesses


def _able(path: Path, guesses: list[Guess], values: Mapping[str, object]) -> list[Guess]:
    """The guesses of the surest importer that knows all of the values: --epsg asks for the one that reprojects."""
    able = [guess for guess in guesses if values.keys() <= _parameters(guess.importer)]
    if not able:
        with _quiet():
            able = [guess for guess in _asked(path, True) if values.keys() <= _parameters(guess.importer)]
    able = able or guesses
    return [guess for guess in able if guess.importer == able[0].importer]


def _parameters(importer_id: str) -> set[str]:
    return {info.name for info in describe(find_importer(importer_id).Params)}


def _check_readable(path: Path) -> None:
    try:
        if path.is_dir():
            raise SkerryError(f"{path}: is a folder; name a file")
        if path.stat().st_size == 0:
            raise SkerryError(f"{path}: the file is empty")
        with path.open("rb"):
            pass
    except OSError as error:
        raise SkerryError(f"{path}: cannot be read: {error.strerror or error}") from None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Libraries warn and log about odd files; what matters is said in our own line."""
    levels = {name: logging.getLogger(name).level for name in _NOISY}
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with np.errstate(all="ignore"), contextlib.ExitStack() as stack:
            # The filters belong to the whole process: a worker must not change them under the main thread.
            if threading.current_thread() is threading.main_thread():
                stack.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore")
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


@contextlib.contextmanager
def _one_line(path: Path) -> Iterator[None]:
    """Name the file in every complaint; a decoder's own exception means that the file is damaged."""
    try:
        yield
    except SkerryError as error:
        if isinstance(error, Cancelled):
            raise
        # Names and words quoted from a damaged file may hold line ends.
        line = "".join(letter if letter.isprintable() else "?" for letter in str(error))
        raise SkerryError(line if str(path) in line else f"{path}: {line}") from None
    except MemoryError:
        raise SkerryError(f"{path}: not enough memory to read it; crop it or lower --memory-limit") from None
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise SkerryError(f"{path}: the file is damaged or of a kind that is not read: {reason}") from None
