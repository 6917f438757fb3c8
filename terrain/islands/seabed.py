"""The ground under the sea: a shelf around the land, a drop-off, the deep."""

import numpy as np

from terrain.islands.frame import Grid, Plan, smoothstep
from terrain.islands.outline import inland_of


def with_shelf(plan: Plan, height: Grid, depth: float, edge: float, width: float, drop: float) -> Grid:
    """Heights (rows, cols) whose ground below 0 goes down to `depth` metres.

    edge: depth of the shelf's rim, metres; width: of the shelf, as a share of the radius, which swells and narrows
    from place to place; drop: of the slope beyond it. Ground below 0 that lies deeper already stays.
    """
    from scipy.ndimage import gaussian_filter

    out = -inland_of(height, plan.cell) / plan.radius
    # Far from the coast its every corner would show in the lines of equal depth.
    calm = gaussian_filter(out, 0.06 * plan.radius / plan.cell)
    out = np.where(out < 0.02, out, out + (calm - out) * smoothstep(0.02, 0.1, out))
    vary = plan.swell(0.7, 4, 901)
    rim = width * np.clip(1.0 + 0.35 * vary, 0.35, 1.8)
    gentle = edge * (1.0 - np.exp(-2.5 * out / width))
    deep = (depth - edge) * smoothstep(0.0, 1.0, (out - rim) / drop)
    floor = -(gentle + deep)
    floor += 0.05 * depth * plan.swell(0.3, 5, 907) * smoothstep(0.03, 0.2, out)
    sea = np.minimum(height, np.minimum(floor, -0.02 * edge))
    return np.where(height > 0.0, height, sea).astype(np.float32)
