"""Strokes on a document: live from a pointer, recorded as JSON, and replayed to the same bytes."""

import itertools
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from editor.document import Document, Edit
from plugins.pictures import pictures_of
from plugins.registry import find_brush
from terrain.brushes.contract import BrushParams
from terrain.brushes.sculpt import SculptStroke
from terrain.brushes.stroke import Sample
from terrain.brushes.symmetry import Symmetry
from terrain.errors import SkerryError
from terrain.map import Array
from terrain.params import from_mapping, to_mapping
from terrain.tiles import Rect, TileCopies

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
    times: list[_Finite] = []
    """Seconds since the stroke began, one a point, where the brush's pace needs them."""
    tilts: list[_Finite] = []
    """Direction in which the pen leans, radians, one a point, where it does."""
    symmetry: dict[str, Any] = {}
    seed: int = 0
    mask: str | None = None
    """The mask that limits the stroke, empty for none; null for the map's active one."""
    frozen: bool = False
    """True if that mask protects what it covers."""


class StrokeFile(msgspec.Struct, forbid_unknown_fields=True, tag_field="format", tag="skerry-strokes"):
    """A file of recorded strokes, replayed in order."""

    strokes: list[RecordedStroke]
    version: int = 1


class StrokeSession:
    """A stroke under way: one undo step, however many points it has.

    eye: where the pointer's rays start (3), metres; None for rays straight down.
    mask: name of the mask that limits it, empty for none; None for the map's active one as it is set.
    """

    def __init__(
        self,
        document: Document,
        brush_id: str,
        params: BrushParams,
        inverted: bool = False,
        eye: Vector | None = None,
        *,
        symmetry: Symmetry | None = None,
        seed: int | None = None,
        mask: str | None = None,
        frozen: bool = False,
    ) -> None:
        brush, terrain = find_brush(brush_id), document.scene.terrain
        if mask is None:
            mask, frozen = terrain.active_mask, terrain.frozen
        limit = terrain.array(f"mask/{mask}") if mask and f"mask/{mask}" != brush.paints(params) else None
        self._document = document
        self._label = brush.inverted_label if inverted and brush.inverted_label else brush.label
        self._key = ("stroke", next(_ids))
        self._eye = eye
        self._timed = params.airbrush > 0.0
        self._above = float(terrain.bounds.whole[5]) + _HEADROOM
        seed = self._key[1] if seed is None else seed
        self.recorded = RecordedStroke(
            brush_id, [], to_mapping(params), inverted, _place(eye),
            symmetry={} if symmetry is None or symmetry.plain else to_mapping(symmetry),
            seed=seed, mask=mask, frozen=frozen,
        )  # fmt: skip
        pictures = pictures_of(params)
        with document.edit(self._label, merge=self._key) as edit:
            self._stroke = SculptStroke(
                terrain, brush, params, _Canvas(edit), inverted=inverted, symmetry=symmetry, pictures=pictures,
                seed=seed, mask=limit, frozen=frozen,
            )  # fmt: skip

    @property
    def key(self) -> object:
        """The merge key of the stroke's undo step."""
        return self._key

    def point(self, target: Vector, pressure: float = 1.0, time: float = 0.0, tilt: float = 0.0) -> None:
        """The pointer's ray now passes through `target` (3), metres; makes the dabs that are due.

        time: seconds since the stroke began; never less than before. tilt: direction in which a pen leans, radians.
        """
        x, y, z = (float(value) for value in target)
        self._note(x, y, z, float(pressure), float(time), float(tilt))
        sample = self._sample(np.array([x, y, z]), float(pressure), float(time), float(tilt))
        with self._document.edit(self._label, merge=self._key) as edit:
            self._stroke.add(sample, _Canvas(edit))

    def end(self) -> RecordedStroke:
        """The pointer was released; makes the last dabs and returns the recording."""
        with self._document.edit(self._label, merge=self._key) as edit:
            self._stroke.finish(_Canvas(edit))
        return self.recorded

    def cancel(self) -> None:
        """Take the whole stroke back as if it had never been."""
        self._document.abandon(self._key)

    def _note(self, x: float, y: float, z: float, pressure: float, time: float, tilt: float) -> None:
        recorded = self.recorded
        recorded.points.append((x, y, z, pressure))
        if self._timed:
            recorded.times.append(time)
        if tilt or recorded.tilts:
            recorded.tilts += [0.0] * (len(recorded.points) - 1 - len(recorded.tilts)) + [tilt]

    def _sample(self, target: Vector, pressure: float, time: float, tilt: float) -> Sample:
        if self._eye is None:
            start = np.array([target[0], target[1], self._above])
            return Sample(start, np.array([0.0, 0.0, -1.0]), pressure, time, tilt)
        away = target - self._eye
        length = float(np.linalg.norm(away))
        if not 0.0 < length < np.inf:
            place = ", ".join(f"{value:g}" for value in target)
            raise SkerryError(f"the stroke point {place} lies on the eye, or is not finite")
        return Sample(self._eye, away / length, pressure, time, tilt)


class _Canvas:
    """An edit as strokes write through it: arrays that the map lacks are made when first painted."""

    def __init__(self, edit: Edit) -> None:
        self._edit = edit

    def write(self, key: str, rect: Rect) -> Array:
        """That part of the array."""
        self._edit.ensure(key)
        return self._edit.write(key, rect)

    def copies(self, key: str) -> TileCopies:
        """The array's tiles before the stroke."""
        self._edit.ensure(key)
        return self._edit.copies(key)


def _place(eye: Vector | None) -> tuple[float, float, float] | None:
    return None if eye is None else (float(eye[0]), float(eye[1]), float(eye[2]))


def replay(document: Document, stroke: RecordedStroke) -> None:
    """Make a recorded stroke again, as one undo step."""
    brush = find_brush(stroke.brush)
    params = from_mapping(brush.Params, stroke.params)
    symmetry = from_mapping(Symmetry, stroke.symmetry) if stroke.symmetry else None
    eye = None if stroke.eye is None else np.array(stroke.eye, np.float64)
    session = StrokeSession(
        document, stroke.brush, params, stroke.inverted, eye,
        symmetry=symmetry, seed=stroke.seed, mask=stroke.mask, frozen=stroke.frozen,
    )  # fmt: skip
    times = stroke.times or [0.0] * len(stroke.points)
    tilts = stroke.tilts or [0.0] * len(stroke.points)
    for (x, y, z, pressure), time, tilt in zip(stroke.points, times, tilts, strict=True):
        session.point(np.array([x, y, z]), pressure, time, tilt)
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
            _check(stroke)
        except SkerryError as error:
            raise SkerryError(f"{path}: stroke {number}: {error}") from None
    return file.strokes


def _check(stroke: RecordedStroke) -> None:
    from_mapping(find_brush(stroke.brush).Params, stroke.params)
    from_mapping(Symmetry, stroke.symmetry)
    for name, values in (("times", stroke.times), ("tilts", stroke.tilts)):
        if values and len(values) != len(stroke.points):
            raise SkerryError(f"{len(values)} {name} for {len(stroke.points)} points; give one a point or none")
    if any(later < earlier for earlier, later in itertools.pairwise(stroke.times)):
        raise SkerryError("its times run backwards")


def write_strokes(path: Path, strokes: list[RecordedStroke]) -> None:
    """Write strokes to a file that `read_strokes` reads."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(StrokeFile(strokes)), indent=1))
