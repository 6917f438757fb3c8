"""What can be said about an island before it is made."""

from typing import Annotated, Literal

from terrain.errors import ParamError
from terrain.params import Params, about

Kind = Literal["high", "archipelago", "atoll", "volcanic", "fjord"]


class IslandParams(Params, frozen=True, kw_only=True):
    """Which kind of island, how large, how high, how old."""

    kind: Annotated[Kind, about("High island, chain of islands, atoll, volcano, or coast of fjords")] = "high"
    seed: Annotated[int, about("Another number, another island", ge=0, le=2**31 - 1)] = 1
    size: Annotated[float, about("Extent of the land as a share of the map's shorter side", ge=0.1, le=0.95)] = 0.8
    height: (
        Annotated[float, about("Height of the highest summit; automatic: in proportion", unit="m", ge=1, le=9000)]
        | None
    ) = None
    depth: (
        Annotated[float, about("Depth of the seabed around; automatic: in proportion", unit="m", ge=5, le=9000)] | None
    ) = None
    roughness: Annotated[float, about("How far the coast runs in and out", ge=0, le=1)] = 0.5
    age: Annotated[
        float, about("Thousand years that rivers have run since the land was made; 0: none", unit="ka", ge=0, le=1000)
    ] = 40.0
    detail: Annotated[bool, about("Let rain carve gullies and lay down fans")] = True
    outline: (
        Annotated[tuple[float, ...], about("Drawn coast: x, y, x, y … of its corners; automatic: by chance", unit="m")]
        | None
    ) = None

    def check_outline(self) -> None:
        """Raise `ParamError` unless the outline, if there is one, has three corners or more, each with x and y."""
        count = 6 if self.outline is None else len(self.outline)
        if count < 6 or count % 2:
            raise ParamError(f"parameter outline: {count} numbers draw no coast; give x, y of three corners or more")
