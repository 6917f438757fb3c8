"""Brushes: gesture to dabs, the factors that limit a dab, and one brush a file."""
