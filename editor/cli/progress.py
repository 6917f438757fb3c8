"""Progress of a job on stderr, when that is a terminal."""

import sys

from plugins.api import Job


def terminal_job() -> Job:
    """A job whose progress is drawn on stderr if a person is looking."""
    return Job(_draw if sys.stderr.isatty() else None)


def _draw(share: float, doing: str) -> None:
    end = "\n" if share >= 1.0 else ""
    print(f"\r\x1b[K{share:4.0%} {doing}", end=end, file=sys.stderr, flush=True)
