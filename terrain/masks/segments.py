"""Distance from a point to a straight line between two others, in the plane."""

from terrain.kernel import kernel


@kernel
def squared_distance(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Square of the distance from (x, y) to the nearest point between a and b, which may coincide; metres."""
    ux, uy = bx - ax, by - ay
    length = ux * ux + uy * uy
    along = ((x - ax) * ux + (y - ay) * uy) / length if length > 0.0 else 0.0
    along = min(max(along, 0.0), 1.0)
    dx, dy = x - (ax + along * ux), y - (ay + along * uy)
    return dx * dx + dy * dy
