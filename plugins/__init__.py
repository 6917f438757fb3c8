"""Level 3: the public door; contracts, registry and Skerry's own entries."""
