"""Draws a scene with GL in whatever context is current; knows no Qt."""
