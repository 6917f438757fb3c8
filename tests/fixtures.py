"""Maps that every package's tests share, so that no algorithm forgets the overhang."""

import numpy as np

from terrain.field import VectorField
from terrain.map import TerrainMap


def arch_map() -> TerrainMap:
    """65 rows × 81 cols, 1 m cells, asymmetric: hills, a vertical wall, an undercut cliff and a fold like an arch.

    North of row 20 the ground is 12 m high; its southern wall is vertical in the west, leans 5 m out over its foot in
    the middle, and in the east a tongue of it folds over 14 m southward with open air beneath.
    """
    rows, cols = 65, 81
    row, col = np.mgrid[0:rows, 0:cols].astype(np.float64)
    height = 0.8 * np.sin(row / 5.0) * np.cos(col / 7.0) + 0.03 * col - 4.0 * np.exp(-((row - 8) ** 2) / 60.0)
    rise = np.clip((row - 20.0) / 6.0, 0.0, 1.0)
    field = VectorField.from_heights((height + 12.0 * rise).astype(np.float32), 1.0, (100.0, -50.0))

    foot = np.clip((row - 14.0) / 12.0, 0.0, 1.0) * np.clip((34.0 - row) / 8.0, 0.0, 1.0)
    wall = np.where(col < 25, 1.0, 0.0)
    undercut = np.exp(-(((col - 40.0) / 7.0) ** 2))
    tongue = np.exp(-(((col - 62.0) / 6.0) ** 2))
    onto_wall = np.where((row >= 20) & (row <= 26), 23.0 - row, 0.0)
    field.offset[..., 1] += (wall * onto_wall).astype(np.float32)
    field.offset[..., 1] -= ((5.0 + 6.0 * rise) * rise * undercut * foot).astype(np.float32)
    field.offset[..., 1] -= (20.0 * rise * tongue * foot).astype(np.float32)
    field.offset[..., 0] += (1.5 * rise * tongue * foot).astype(np.float32)
    return TerrainMap(field)
