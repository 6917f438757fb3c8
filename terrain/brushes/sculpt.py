"""SculptStroke: one stroke of one brush, from pointer rays to changed vertices."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab, Picture, Stroke, Window
from terrain.brushes.factors import NO_MASK, Reach, face_viewer, hold_back, offsets_before, settle, weigh, windows
from terrain.brushes.gestures import trail_of
from terrain.brushes.stroke import Sample
from terrain.brushes.symmetry import Symmetry, shares
from terrain.brushes.texture import texture
from terrain.errors import SkerryError
from terrain.field import normals_of
from terrain.map import Array, TerrainMap, array_spec
from terrain.pick import pick
from terrain.tiles import Rect, TileCopies

Vector = NDArray[np.float64]

_FINEST = 2.0**30


class Canvas(Protocol):
    """What a stroke writes through: an edit of a document, or a stand-in."""

    def write(self, key: str, rect: Rect) -> Array:
        """That part of an array, to be changed in place; its tiles are kept first."""

    def copies(self, key: str) -> TileCopies:
        """The tiles of an array as they were when the stroke began."""


class _Touch(NamedTuple):
    """One window that a dab is about to change."""

    dab: Dab
    state: Any
    rect: Rect
    before: NDArray[np.float32]
    weight: NDArray[np.float32]


class SculptStroke:
    """Feeds a brush with dabs.

    pictures: float32 (height, width, channels) for each parameter that names one. seed: the stroke's chance.
    mask: uint16 (rows, cols), 65535 = full effect, None for everywhere; frozen turns it round.
    """

    def __init__(
        self,
        terrain: TerrainMap,
        brush: Brush,
        params: BrushParams,
        canvas: Canvas,
        *,
        inverted: bool = False,
        symmetry: Symmetry | None = None,
        pictures: Mapping[str, Picture] | None = None,
        seed: int = 0,
        mask: NDArray[np.uint16] | None = None,
        frozen: bool = False,
    ) -> None:
        self._terrain, self._brush, self._params = terrain, brush, params
        self._key = brush.paints(params)
        self._before = canvas.copies("offset")
        self._live = brush.live or params.accumulate or brush.gesture == "pull"
        self._mask, self._frozen = NO_MASK if mask is None else mask, frozen
        self._alpha = (pictures or {}).get("alpha")
        self._seed = seed
        self._trail = trail_of(terrain, brush, params, self._before, seed)
        symmetry = symmetry or Symmetry()
        field = terrain.field
        middle = tuple(start + 0.5 * size for start, size in zip(field.origin, field.rest_size, strict=True))
        self._matrices, self._axis = symmetry.matrices(), symmetry.axis((middle[0], middle[1]))
        sign = -1.0 if inverted else 1.0
        stroke = Stroke(params, field.cell, sign, terrain.sea_level, seed, len(self._matrices) > 1, pictures or {})
        # A state each, so that no image hears of another's dabs.
        self._states = [brush.begin(stroke) for _ in self._matrices]
        self._held: list[Rect] = []

    def add(self, sample: Sample, canvas: Canvas) -> None:
        """Take one pointer sample and make the dabs that are due."""
        for dab in self._trail.add(sample):
            self._make(dab, canvas)

    def finish(self, canvas: Canvas) -> None:
        """Make the dabs still due when the pointer is released."""
        for dab in self._trail.finish():
            self._make(dab, canvas)

    def _make(self, dab: Dab, canvas: Canvas) -> None:
        if self._brush.gesture == "anchor":
            self._restore(canvas)
        touches = [touch for image, state in self._images(dab) for touch in self._touches(image, state)]
        if len(self._matrices) > 1 and _meet([touch.rect for touch in touches]):
            self._apply_together(touches, canvas)
        else:
            for touch in touches:
                self._apply(touch, canvas.write(self._key, self._painted(touch.rect)))
        if self._brush.gesture == "anchor":
            self._held = [touch.rect for touch in touches]
        if self._live and self._key == "offset":
            for touch in touches:
                self._terrain.moved(touch.rect)

    def _images(self, dab: Dab) -> list[tuple[Dab, Any]]:
        if len(self._matrices) == 1:
            return [(dab, self._states[0])]
        images = [self._on_surface(dab.image(matrix, self._axis), dab) for matrix in self._matrices]
        parts = shares([image.centre for image in images], dab.radius)
        return [
            (replace(image, pressure=image.pressure * share), state)
            for image, share, state in zip(images, parts, self._states, strict=True)
        ]

    def _on_surface(self, image: Dab, dab: Dab) -> Dab:
        """An image where the ground is not symmetric meets the ground there; else it stays exactly where it is."""
        if self._brush.gesture == "pull" or image.matrix is dab.matrix:
            return image
        start = image.centre - image.view * (4.0 * dab.radius)
        if self._live:
            hit = pick(self._terrain, start, image.view)
        else:
            hit = pick(self._terrain, start, image.view, boxes=self._trail.path.bounds.boxes, before=self._before)
        if hit is None:
            return image
        shift = hit.point - image.centre
        near = 0.5 * self._terrain.field.cell
        return image if shift @ shift < near * near else replace(image, centre=hit.point, target=image.target + shift)

    def _touches(self, dab: Dab, state: Any) -> list[_Touch]:
        field = self._terrain.field
        start, end, radius = self._brush.reach(dab, self._params)
        reach = Reach(
            start, end, radius, self._params.falloff, dab.pressure, self._mask, self._frozen, self._brush.plan
        )
        bounds = self._terrain.bounds if self._live else self._trail.path.bounds
        found = []
        for rect in windows(bounds, field, start, end, radius, self._brush.plan):
            before = field.offset[rect.slices].copy() if self._live else offsets_before(field, self._before, rect)
            touched, weight = weigh(field, rect, before, reach)
            if touched.empty:
                continue
            part = np.ascontiguousarray(before[touched.within(rect).slices])
            if self._params.front:
                face_viewer(normals_of(part, field.cell), dab.view, weight)
            texture(field, touched, part, dab, self._params, self._alpha, self._seed, weight)
            found.append(_Touch(dab, state, touched, part, weight))
        return found

    def _painted(self, rect: Rect) -> Rect:
        """The part of the painted array under a window of vertices."""
        if self._key == "offset" or not array_spec(self._key).per_cell:
            return rect
        return rect.clip(self._terrain.field.rows - 1, self._terrain.field.cols - 1)

    def _apply(self, touch: _Touch, painted: Array) -> None:
        dab, state, rect, before, weight = touch
        field = self._terrain.field
        offset = painted if self._key == "offset" else field.offset[rect.slices]
        kept = painted.copy()
        self._brush.dab(Window(rect, offset, before, weight, field, painted, self._earlier), dab, state)
        if self._key != "offset":
            idle = ~(weight[: painted.shape[0], : painted.shape[1]] > 0.0)
            np.copyto(painted, kept, where=idle)
            return
        if not settle(painted, kept, weight):
            raise SkerryError(f"brush '{self._brush.id}' made a position that is not finite; the stroke was taken back")
        if self._params.limit:
            first = offsets_before(field, self._before, rect) if self._live else before
            hold_back(painted, first, self._params.strength)

    def _earlier(self, rect: Rect) -> NDArray[np.float32]:
        return offsets_before(self._terrain.field, self._before, rect)

    def _apply_together(self, touches: list[_Touch], canvas: Canvas) -> None:
        """Each image acts on the same state and their changes add up, so that none is before another."""
        for group in _groups(touches):
            whole = self._painted(_union([touch.rect for touch in group]))
            painted = canvas.write(self._key, whole)
            total = np.zeros(painted.shape, np.float64)
            for touch in group:
                rect = self._painted(touch.rect)
                part = painted[rect.within(whole).slices]
                kept = part.copy()
                self._apply(touch, part)
                total[rect.within(whole).slices] += part.astype(np.float64) - kept
                part[...] = kept
            _add(painted, total)

    def _restore(self, canvas: Canvas) -> None:
        """Take back what an anchored gesture did up to now."""
        for rect in self._held:
            part = self._painted(rect)
            painted = canvas.write(self._key, part)
            source = self._terrain.array(self._key)
            painted[...] = canvas.copies(self._key).read(source, part)
        self._held = []


def _add(painted: Array, total: NDArray[np.float64]) -> None:
    if painted.dtype.kind == "f":
        # To a thousand-millionth of a metre: on the axis, ways that cancel would leave the noise of their rounding.
        painted[...] = np.rint((painted + total) * _FINEST) / _FINEST
    elif painted.dtype == np.bool_:
        painted[...] = painted + total > 0.5
    else:
        most = np.iinfo(painted.dtype).max
        painted[...] = np.clip(np.rint(painted + total), 0, most).astype(painted.dtype)


def _meet(rects: list[Rect]) -> bool:
    return any(not a.clip_to(b).empty for index, a in enumerate(rects) for b in rects[index + 1 :])


def _union(rects: list[Rect]) -> Rect:
    whole = rects[0]
    for rect in rects[1:]:
        whole = whole.union(rect)
    return whole


def _groups(touches: list[_Touch]) -> list[list[_Touch]]:
    """Touches in groups whose rectangles, taken together, meet no other group's."""
    groups: list[list[_Touch]] = []
    for touch in touches:
        joined = [touch]
        while True:
            whole = _union([one.rect for one in joined])
            near = [group for group in groups if _meet([whole, _union([one.rect for one in group])])]
            if not near:
                break
            for group in near:
                joined = group + joined
                groups.remove(group)
        groups.append(joined)
    return groups
