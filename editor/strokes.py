"""Strokes on a document: live from a pointer, recorded as JSON, and replayed to the same bytes."""

import itertools
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from editor.document import Document
from plugins.registry import find_brush
from terrain.brushes.contract import BrushParams
from terrain.brushes.sculpt import SculptStroke
from terrain.brushes.stroke import Sample
from terrain.errors import SkerryError
from terrain.params import from_mapping, to_mapping

Vector = NDArray[np.float64]

_Finite = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]
_Pressure = Annotated[float, msgspec.Meta(ge=0, le=1)]
_Point = tuple[_Finite, _Finite, _Finite, _Pressure]
_Place = tuple[_Finite, _Finite, _Finite]

_HEADROOM = 1e5
"""Metres above the surface where rays straight down start."""

_ids = itertools.count(1)


class RecordedStroke(msgspec.Struct, forbid_unknown_fields=True):
    """One stroke: a brush, its parameters and where the pointer's rays went."""

    brush: str
    points: list[_Point]
    """x, y, z of a point on each ray (metres) and the pressure 0..1."""
    params: dict[str, Any] = {}
    inverted: bool = False
    eye: _Place | None = None
    """Where the rays start; null for rays straight down."""


class StrokeFile(msgspec.Struct, forbid_unknown_fields=True, tag_field="format", tag="skerry-strokes"):
    """A file of recorded strokes, replayed in order."""

    strokes: list[RecordedStroke]
    version: int = 1


class StrokeSession:
    """A stroke under way: one undo step, however many points it has.

    eye: where the pointer's rays start (3), metres; None for rays straight down.
    """

    def __init__(
        self,
        document: Document,
        brush_id: str,
        params: BrushParams,
        inverted: bool = False,
        eye: Vector | None = None,
    ) -> None:
        brush = find_brush(brush_id)
        self._document = document
        self._label = brush.label
        self._key = ("stroke", next(_ids))
        self._eye = eye
        self._above = float(document.scene.terrain.bounds.whole[5]) + _HEADROOM
        self.recorded = RecordedStroke(brush_id, [], to_mapping(params), inverted, _place(eye))
        with document.edit(self._label, merge=self._key) as edit:
            self._stroke = SculptStroke(document.scene.terrain, brush, params, edit.copies("offset"), inverted)

    def point(self, target: Vector, pressure: float = 1.0) -> None:
        """The pointer's ray now passes through `target` (3), metres; makes the dabs that are due."""
        x, y, z = (float(value) for value in target)
        self.recorded.points.append((x, y, z, float(pressure)))
        sample = self._sample(np.array([x, y, z]), float(pressure))
        with self._document.edit(self._label, merge=self._key) as edit:
            self._stroke.add(sample, lambda rect: edit.write("offset", rect))

    def end(self) -> RecordedStroke:
        """The pointer was released; makes the last dabs and returns the recording."""
        with self._document.edit(self._label, merge=self._key) as edit:
            self._stroke.finish(lambda rect: edit.write("offset", rect))
        return self.recorded

    def cancel(self) -> None:
        """Take the whole stroke back as if it had never been."""
        self._document.abandon(self._key)

    def _sample(self, target: Vector, pressure: float) -> Sample:
        if self._eye is None:
            return Sample(np.array([target[0], target[1], self._above]), np.array([0.0, 0.0, -1.0]), pressure)
        away = target - self._eye
        length = float(np.linalg.norm(away))
        if not 0.0 < length < np.inf:
            place = ", ".join(f"{value:g}" for value in target)
            raise SkerryError(f"the stroke point {place} lies on the eye, or is not finite")
        return Sample(self._eye, away / length, pressure)


def _place(eye: Vector | None) -> tuple[float, float, float] | None:
    return None if eye is None else (float(eye[0]), float(eye[1]), float(eye[2]))


def replay(document: Document, stroke: RecordedStroke) -> None:
    """Make a recorded stroke again, as one undo step."""
    brush = find_brush(stroke.brush)
    params = from_mapping(brush.Params, stroke.params)
    eye = None if stroke.eye is None else np.array(stroke.eye, np.float64)
    session = StrokeSession(document, stroke.brush, params, stroke.inverted, eye)
    for x, y, z, pressure in stroke.points:
        session.point(np.array([x, y, z]), pressure)
    session.end()


def read_strokes(path: Path) -> list[RecordedStroke]:
    """Strokes from a file; raises `SkerryError` with one line that says where it is wrong."""
    try:
        file = msgspec.json.decode(path.read_bytes(), type=StrokeFile)
    except OSError as error:
        raise SkerryError(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SkerryError(f"{path}: not a stroke file: {error}") from None
    if file.version != 1:
        raise SkerryError(f"{path}: stroke file version {file.version} is newer than this program reads (1)")
    for number, stroke in enumerate(file.strokes, 1):
        try:
            from_mapping(find_brush(stroke.brush).Params, stroke.params)
        except SkerryError as error:
            raise SkerryError(f"{path}: stroke {number}: {error}") from None
    return file.strokes


def write_strokes(path: Path, strokes: list[RecordedStroke]) -> None:
    """Write strokes to a file that `read_strokes` reads."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(StrokeFile(strokes)), indent=1))
