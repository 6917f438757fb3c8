"""Registers the bundled brushes; their laws live in `terrain.brushes`, one a file."""

from plugins.registry import brush
from terrain.brushes.along_normal import AlongNormal
from terrain.brushes.along_view import AlongView
from terrain.brushes.raise_lower import RaiseLower
from terrain.brushes.smooth import Smooth

for _cls in (RaiseLower, AlongNormal, AlongView, Smooth):
    brush(_cls)
