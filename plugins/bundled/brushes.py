"""Registers the bundled brushes; their laws live in `terrain.brushes`, one a file."""

from plugins.registry import brush
from terrain.brushes.along_normal import AlongNormal
from terrain.brushes.along_view import AlongView
from terrain.brushes.beach import Beach
from terrain.brushes.channel import Channel
from terrain.brushes.cliff import Cliff
from terrain.brushes.clone import Clone
from terrain.brushes.crease import Crease
from terrain.brushes.digger import Digger
from terrain.brushes.erase import Erase
from terrain.brushes.flatten import Fill, Flatten, Scrape
from terrain.brushes.grab import Grab
from terrain.brushes.hole import Hole
from terrain.brushes.level import Level
from terrain.brushes.noise import Noise
from terrain.brushes.nudge import Nudge
from terrain.brushes.paint import PaintAlpha, PaintLayer, PaintMask, PaintPassable
from terrain.brushes.pinch import Pinch
from terrain.brushes.raise_lower import RaiseLower
from terrain.brushes.ramp import Ramp
from terrain.brushes.relax import Relax
from terrain.brushes.smear import Smear
from terrain.brushes.smooth import Smooth
from terrain.brushes.snake_hook import SnakeHook
from terrain.brushes.stamp import Stamp
from terrain.brushes.terrace import Terrace
from terrain.brushes.twist import Twist
from terrain.brushes.unify import Unify

for _cls in (
    RaiseLower, AlongNormal, AlongView, Grab, SnakeHook, Nudge, Smear, Smooth,
    Flatten, Fill, Scrape, Level, Ramp, Terrace, Pinch, Crease, Twist,
    Digger, Cliff, Noise, Beach, Channel,
    Stamp, Clone, Erase, Relax, Unify,
    PaintMask, Hole, PaintAlpha, PaintLayer, PaintPassable,
):  # fmt: skip
    brush(_cls)
