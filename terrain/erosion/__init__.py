"""Erosion: deterministic for a seed at any number of threads, and every process keeps a sediment ledger."""
