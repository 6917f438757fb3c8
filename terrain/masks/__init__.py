"""Masks, 0..1 a vertex: one generator a file, edits, and how masks combine."""
