"""From decoded heights to a map: what every importer shares, so that a format only has to decode."""

from plugins.raster.decoded import ImportParams, Raster, refuse_beyond
from plugins.raster.scene import to_scene

__all__ = ["ImportParams", "Raster", "refuse_beyond", "to_scene"]
