"""Pointer gestures that become commands: generators, testable without Qt."""
