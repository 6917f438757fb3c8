"""Docks, dialogs and what they are made of."""
