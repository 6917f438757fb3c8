"""The demo: authors an island without a display, from import to export and pictures."""
