"""Loads shaders from files: `#include "name.glsl"` and #defines, with #line kept so that errors name the line."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_INCLUDE = re.compile(r'^\s*#include\s+"([\w.]+)"\s*$')

VERSION = "#version 330"


def load(name: str, defines: Mapping[str, int] | None = None) -> str:
    """The source of a shader; every file is included once, and #line numbers files in the order they were met."""
    seen: list[str] = []
    switches = [f"#define {key} {value}" for key, value in (defines or {}).items()]
    return "\n".join([VERSION, *switches, *_expand(name, seen)]) + "\n"


def _expand(name: str, seen: list[str]) -> list[str]:
    number = len(seen)
    seen.append(name)
    out = [f"// {number}: {name}", f"#line 1 {number}"]
    for count, line in enumerate(_text(name).splitlines(), 1):
        match = _INCLUDE.match(line)
        if match is None:
            out.append(line)
        elif match[1] not in seen:
            out += [*_expand(match[1], seen), f"#line {count + 1} {number}"]
    return out


@cache
def _text(name: str) -> str:
    return files("editor.render").joinpath("shaders", name).read_text(encoding="utf-8")
