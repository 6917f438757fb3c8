"""Starts the editor: python run_editor.py [MAP]."""

import sys
import time

_STARTED = time.perf_counter()


def main(arguments: list[str]) -> int:
    """Open the editor on a map or any other file, or on the sample island."""
    from pathlib import Path

    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print("usage: python run_editor.py [MAP]", file=sys.stderr)
        return 2
    from editor.window import run

    return run(Path(arguments[0]) if arguments else None, _STARTED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
