"""Filters: one change of a whole field a file; each takes a field and returns its new offsets, without a mask."""
