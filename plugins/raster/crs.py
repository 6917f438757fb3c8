"""What the words and codes of coordinate systems say about the unit of a pixel."""

import re

FEET = {9002: 0.3048, 9003: 1200.0 / 3937.0}
"""EPSG codes of linear units other than the metre (9001), in metres: international and US survey foot."""


def unit_of_wkt(text: str) -> tuple[str, float]:
    """('deg', 1) or ('m', metres a unit) of a .prj or WKT text; ('', 1) if it does not say."""
    upper = text.upper()
    if re.search(r"\b(PROJCS|PROJCRS|PROJECTEDCRS)\b", upper):
        units = re.findall(r'UNIT\["([^"]+)",\s*([0-9.eE+-]+)', upper)
        return "m", float(units[-1][1]) if units else 1.0
    if re.search(r"\b(GEOGCS|GEOGCRS|GEODCRS)\b", upper) or "GEOGRAPHIC" in upper:
        return "deg", 1.0
    if re.search(r"UNITS\s+(METERS|METRES)", upper) or "UTM" in upper:
        return "m", 1.0
    return "", 1.0


def name_of_wkt(text: str) -> str:
    """The name of the coordinate system in a WKT text."""
    found = re.search(r'"([^"]+)"', text)
    return found.group(1) if found else " ".join(text.split())[:60]


def looks_like_degrees(west: float, south: float, east: float, north: float, pixel: float) -> bool:
    """True if an extent without a coordinate system can hardly be anything but longitudes and latitudes.

    A corner at 0, 0 is what programs write that know no place at all.
    """
    if west == south == 0.0:
        return False
    on_earth = -360.0 <= west < east <= 360.0 and -90.5 <= south < north <= 90.5
    return on_earth and pixel < 2.0 and max(east - west, north - south) < 361.0 and not float(pixel).is_integer()
