"""The `skerry` command: everything the window does, without a display."""

import sys
from collections.abc import Sequence

from editor.cli.app import app
from editor.cli.progress import clear
from editor.cli.tokens import UsageError
from terrain.errors import Cancelled, ParamError, SkerryError

DONE, FAILED, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0 done, 1 the work failed, 2 wrong usage. Errors are one line on stderr."""
    from cyclopts import CycloptsError

    tokens = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
    except (CycloptsError, UsageError, ParamError) as error:
        return _fail(f"{_one_line(error)} (try: skerry --help)", USAGE)
    except (Cancelled, KeyboardInterrupt):
        return _fail("cancelled", FAILED)
    except SkerryError as error:
        return _fail(_one_line(error), FAILED)
    except MemoryError:
        return _fail("not enough memory for this; try a smaller map or --memory-limit", FAILED)
    except BrokenPipeError:
        # The reader (head, less) has seen enough.
        sys.stdout = None
        return DONE
    return status if isinstance(status, int) else DONE


def _fail(line: str, status: int) -> int:
    clear()
    print(f"skerry: {line}", file=sys.stderr)
    return status


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
