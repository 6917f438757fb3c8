"""Paint: blends values into the arrays painted on the map: masks, layers, transparency, passability."""

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from terrain.brushes.contract import Brush, BrushParams, Dab, Stroke, Window
from terrain.brushes.factors import pass_share
from terrain.params import about


class PaintParams(BrushParams, frozen=True, kw_only=True):
    """How firmly, and to which value."""

    strength: Annotated[float, about("Share of the way to the value in one dab", ge=0, le=1)] = 0.5
    value: Annotated[float, about("The value painted", ge=0, le=1)] = 1.0


class MaskParams(PaintParams, frozen=True, kw_only=True):
    """Which mask."""

    name: Annotated[str, about("Mask to paint; one that is not there is made")] = "selection"


class LayerParams(PaintParams, frozen=True, kw_only=True):
    """Which layer."""

    name: Annotated[str, about("Layer whose weight is painted")] = "base"


class PaintMask(Brush):
    """Paints a mask, which then limits every other brush; inverted, rubs it out."""

    id = "mask"
    label = "Mask"
    Params = MaskParams
    icon = "selection-marker"
    family = "Paint"

    def paints(self, params: Any) -> str:
        """The mask's array."""
        return f"mask/{params.name}"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Blend."""
        blend(window, dab, state)


class PaintLayer(Brush):
    """Paints the weight of a material layer; inverted, takes it away."""

    id = "layer"
    label = "Layer"
    Params = LayerParams
    icon = "layers"
    family = "Paint"

    def paints(self, params: Any) -> str:
        """The layer's array."""
        return f"layer/{params.name}"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Blend."""
        blend(window, dab, state)


class VertexParams(PaintParams, frozen=True, kw_only=True):
    """How transparent."""

    value: Annotated[float, about("0: the surface is gone; 1: it is whole", ge=0, le=1)] = 0.0


class PaintAlpha(Brush):
    """Paints the surface's transparency a vertex; inverted, makes it whole again."""

    id = "alpha"
    label = "Vertex alpha"
    Params = VertexParams
    icon = "opacity"
    family = "Paint"
    through_holes = False

    def paints(self, params: Any) -> str:
        """One byte a vertex."""
        return "alpha"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Blend."""
        blend(window, dab, state)


_PASSABLE: dict[str, int] = {"auto": 0, "allow": 1, "forbid": 2}


class PassableParams(BrushParams, frozen=True, kw_only=True):
    """What is marked."""

    strength: Annotated[float, about("Share of the brush that is marked", ge=0, le=1)] = 1.0
    mark: Annotated[Literal["allow", "forbid", "auto"], about("What units may do here")] = "forbid"


class PaintPassable(Brush):
    """Marks where units may or may not go, over what slopes and water say; inverted, leaves it to them again."""

    id = "passable"
    label = "Passability"
    Params = PassableParams
    icon = "walk"
    family = "Paint"

    def paints(self, params: Any) -> str:
        """0 auto, 1 allow, 2 forbid a vertex."""
        return "passable"

    def dab(self, window: Window, dab: Dab, state: Stroke) -> None:
        """Mark."""
        mark = _PASSABLE[state.params.mark] if state.sign > 0.0 else 0
        reached = window.weight > np.float32((1.0 - state.params.strength) * dab.pressure)
        window.painted[reached] = mark


def blend(window: Window, dab: Dab, state: Stroke) -> None:
    """Move whole numbers a share of the way to a value; at least by one, or a soft brush would never arrive."""
    params, painted = state.params, window.painted
    most = int(np.iinfo(painted.dtype).max)
    value = params.value if state.sign > 0.0 else 1.0 - params.value
    share = pass_share(params.strength, dab.step)
    way = np.float32(value * most) - painted.astype(np.float32)
    painted[...] = (painted + _outwards(np.float32(share) * window.weight * way)).astype(painted.dtype)


def _outwards(step: NDArray[np.float32]) -> NDArray[np.int64]:
    """Rounded away from zero."""
    return np.where(step > 0.0, np.ceil(step), np.floor(step)).astype(np.int64)
