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


WEB_MERCATOR = 3857
"""EPSG code of the projection of web maps; its metres are true at the equator only."""


def web_mercator_latitude(northing: float) -> float:
    """Degrees of latitude at a northing of the web Mercator projection; a metre there spans cos(latitude) metres."""
    return math.degrees(math.atan(math.sinh(northing / 6378137.0)))
