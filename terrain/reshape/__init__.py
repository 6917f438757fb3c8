"""Edits that give a whole map another size, grid or sense; each returns a new map and leaves the old one as it is."""
