"""Fixtures of the terrain tests."""

import pytest

from terrain.map import TerrainMap
from tests.fixtures import arch_map


@pytest.fixture
def arch() -> TerrainMap:
    """A small map with a wall, an undercut and an arch."""
    return arch_map()
