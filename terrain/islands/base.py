"""What each kind of island gives: its shape on the plan, and what is to be done with it."""

from typing import NamedTuple

from terrain.islands.frame import Grid


class Base(NamedTuple):
    """An island before the rivers, heights above the sea."""

    height: Grid
    """(rows, cols) of the plan, metres; what is above 0 is land."""
    rough: Grid
    """(rows, cols): root mean square of the detail that is laid on, metres."""
    push: float = 0.012
    """How far detail pushes places about, as a share of the radius; it frays the coast."""
    aged: float = 1.0
    """Share of the age that rivers run here."""
    rain: float = 1.0
    """Strength of the rain that carves detail, where the default is 1."""
    summit: float = 0.0
    """Height that the highest summit shall have, metres; 0: as it comes."""
    specks: float = 2e-4
    """Islands smaller than this share of the radius squared are sunk."""
    beach: float = 6.0
    """Land lower than this is flattened towards the sea, metres; 0: none."""
    steepest: float = 55.0
    """Slope at which rock falls into valleys, degrees."""
