"""Islands out of nothing: one kind a file, all brought forth by `generate`."""
