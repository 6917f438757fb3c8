"""Level 2: the sea."""
