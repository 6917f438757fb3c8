"""The scene that the editor starts with when no map is given."""

from plugins.api import Scene
from terrain.map import TerrainMap
from terrain.sample import sample_island


def sample_scene() -> Scene:
    """The sample island, one kilometre across."""
    return Scene(TerrainMap(sample_island()))
