"""Progress of a job on stderr, when that is a terminal."""

import sys

from plugins.api import Job


def terminal_job() -> Job:
    """A job whose progress is drawn on stderr if a person is looking."""
    return Job(_draw if sys.stderr.isatty() else None)


def _draw(share: float, doing: str) -> None:
    print(f"\r\x1b[K{share:4.0%} {doing}", end="", file=sys.stderr, flush=True)


def clear() -> None:
    """Leave an empty line for what is printed next."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
