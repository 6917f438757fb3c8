"""Degrees and metres on the WGS 84 ellipsoid."""

import math


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """Metres that one degree of longitude and one of latitude span at a latitude in degrees.

    From the radii of curvature: a = 6378137 m, f = 1/298.257223563 (NIMA TR8350.2).
    """
    a, f = 6378137.0, 1.0 / 298.257223563
    e2 = f * (2.0 - f)
    phi = math.radians(latitude)
    w = math.sqrt(1.0 - e2 * math.sin(phi) ** 2)
    east = a * math.cos(phi) / w
    north = a * (1.0 - e2) / w**3
    return math.radians(east), math.radians(north)
