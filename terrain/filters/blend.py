"""How a made height joins the land's own."""

from dataclasses import dataclass
from typing import Literal

from terrain.errors import SkerryError
from terrain.kernel import kernel

Mode = Literal["add", "highest", "lowest", "replace", "multiply"]
MODES: dict[Mode, int] = {"add": 0, "highest": 1, "lowest": 2, "replace": 3, "multiply": 4}


@dataclass(frozen=True)
class Blend:
    """How made heights join the land; `add` needs no more than its name.

    base: metres, where made heights stand for `highest`, `lowest` and `replace`, and where `multiply` does nothing.
    relief: metres above the base at which `multiply` adds the made height in full.
    """

    mode: Mode = "add"
    base: float = 0.0
    relief: float = 100.0

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise SkerryError(f"'{self.mode}' is no way to blend; use one of {', '.join(MODES)}")
        if not self.relief > 0.0:
            raise SkerryError(f"multiply needs a relief above zero, not {self.relief:g} m")


@kernel
def blended(height: float, made: float, mode: int, base: float, relief: float) -> float:
    """A height with the made one blended in, metres; mode: a number of `MODES`."""
    if mode == 0:
        return height + made
    if mode == 1:
        return max(height, base + made)
    if mode == 2:
        return min(height, base + made)
    if mode == 3:
        return base + made
    return height + made * (height - base) / relief
