"""Level 1: the map's data and every algorithm on it; no Qt, no GL, no files."""
