"""Words of the command line: sizes, points, and options that come from a Params class."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from terrain.errors import SkerryError
from terrain.params import ParamInfo, Params, describe, from_mapping

P = TypeVar("P", bound=Params)


class UsageError(Exception):
    """The command was called wrongly; one line that says how."""


def read_size(text: str) -> tuple[int, int]:
    """'640x480' as (640, 480): columns, rows; or width, height."""
    first, _, second = text.lower().partition("x")
    if not (text.isascii() and first.strip().isdigit() and second.strip().isdigit()):
        raise UsageError(f"a size is written COLSxROWS, as 1025x513, not '{text}'")
    return int(first), int(second)


def read_point(text: str, parts: int = 3) -> NDArray[np.float64]:
    """'1,2.5,-3' as an array."""
    try:
        values = np.array([float(word) for word in text.split(",")], np.float64)
    except ValueError:
        values = np.empty(0)
    if len(values) != parts or not np.isfinite(values).all():
        raise UsageError(f"'{text}' must be {parts} numbers with commas between, as {','.join('123'[:parts])}")
    return values


def read_options(tokens: Sequence[str]) -> dict[str, str]:
    """'--cell 2 --crop=0,0,9,9 --flag' as {'cell': '2', 'crop': '0,0,9,9', 'flag': 'yes'}."""
    values: dict[str, str] = {}
    words = list(tokens)
    while words:
        word = words.pop(0)
        if not word.startswith("--") or len(word) < 3:
            raise UsageError(f"unexpected '{word}'; options are written --name value")
        name, equals, value = word[2:].partition("=")
        if not equals:
            value = words.pop(0) if words and not words[0].startswith("--") else "yes"
        values[name.replace("-", "_")] = value
    return values


def params_from(cls: type[P], tokens: Sequence[str]) -> P:
    """Params from option words; a wrong name or value is wrong usage."""
    try:
        return from_mapping(cls, read_options(tokens))
    except SkerryError as error:
        raise UsageError(str(error)) from None


def set_threads(count: int | None) -> None:
    """Let this many threads work in parallel kernels; None leaves all."""
    if count is None:
        return
    from terrain.kernel import most_threads, use_threads

    if not 1 <= count <= most_threads():
        raise UsageError(f"--threads {count} is not possible here: 1 to {most_threads()}")
    use_threads(count)


def option_lines(cls: type[Params]) -> list[str]:
    """One aligned line for each option: name, range, unit, default and what it is."""
    infos = describe(cls)
    width = max((len(info.option) for info in infos), default=0)
    return [f"  {info.option:<{width}}  {info.doc}{_limits(info)}" for info in infos]


def option_record(info: ParamInfo) -> dict[str, object]:
    """One option as plain JSON."""
    default = info.default if isinstance(info.default, int | float | str | bool | list | None) else str(info.default)
    return {
        "name": info.name,
        "option": info.option,
        "kind": info.kind,
        "default": default,
        "unit": info.unit,
        "min": info.low,
        "max": info.high,
        "choices": list(info.choices),
        "doc": info.doc,
    }


def _limits(info: ParamInfo) -> str:
    parts = []
    if info.choices:
        parts.append("|".join(info.choices))
    elif info.low is not None or info.high is not None:
        low = "" if info.low is None else f"{info.low:g}"
        high = "" if info.high is None else f"{info.high:g}"
        parts.append(f"{low}..{high}{' ' + info.unit if info.unit else ''}")
    elif info.unit:
        parts.append(info.unit)
    if info.default is not None:
        parts.append(f"default {info.default:g}" if isinstance(info.default, float) else f"default {info.default}")
    return f" [{', '.join(parts)}]" if parts else ""
