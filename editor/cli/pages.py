"""Pages made from what is registered, strangers' plugins too: docs/brushes.md and docs/operations.md."""

from collections.abc import Mapping
from typing import Any

from terrain.brushes.contract import BrushParams
from terrain.params import ParamInfo, describe

_BRUSHES = """# Brushes

Made by `skerry brushes --markdown` from what is registered; a plugin's brush stands here as ours do. A recorded stroke
names its brush (`skerry stroke MAP STROKES.json`, [stroke files](formats/strokes.md)). `Ctrl` inverts, `Shift` smooths,
`Shift`+click draws on from where the last stroke ended.

## What every brush has
"""
_OPERATIONS = """# Operations

Made by `skerry ops --markdown` from what is registered. Each is a menu entry of the window and a command:
`skerry run MAP ID --name value`. The active mask limits what they change; `--mask NAME` takes another for one run.
"""


def brush_page(found: Mapping[str, Any]) -> str:
    """Every brush by family, with its own parameters; what all have stands once at the top."""
    shared = describe(BrushParams)
    common = {info.name: info for info in shared}
    parts = [_BRUSHES, _table(shared)]
    for family in dict.fromkeys(brush.family for brush in found.values()):
        parts.append(f"\n## {family}\n")
        for brush in found.values():
            if brush.family == family:
                own = [info for info in describe(brush.Params) if common.get(info.name) != info]
                parts.append(_entry(brush, own))
    return "\n".join(parts).rstrip()


def operation_page(found: Mapping[str, Any]) -> str:
    """Every operation by menu, with its parameters."""
    parts = [_OPERATIONS]
    for menu in dict.fromkeys(operation.menu for operation in found.values()):
        parts.append(f"## {menu}\n")
        parts += [
            _entry(operation, describe(operation.Params)) for operation in found.values() if operation.menu == menu
        ]
    return "\n".join(parts).rstrip()


def _entry(plugin: Any, infos: list[ParamInfo]) -> str:
    doc = (type(plugin).__doc__ or "").strip().splitlines()
    lines = [f"### {plugin.label} (`{plugin.id}`)\n", doc[0] if doc else "", ""]
    if infos:
        lines += [_table(infos), ""]
    return "\n".join(lines)


def _table(infos: list[ParamInfo]) -> str:
    rows = ["| parameter | default | range | |", "|---|---|---|---|"]
    rows += [f"| `{info.name}` | {_default(info)} | {_range(info)} | {info.doc} |" for info in infos]
    return "\n".join(rows)


def _default(info: ParamInfo) -> str:
    if info.default is None:
        return "automatic"
    text = f"{info.default:g}" if isinstance(info.default, float) else str(info.default)
    return f"{text} {info.unit}".strip() if text else "empty"


def _range(info: ParamInfo) -> str:
    if info.choices:
        return ", ".join(info.choices)
    if info.low is None and info.high is None:
        return info.unit
    low, high = ("" if edge is None else f"{edge:g}" for edge in (info.low, info.high))
    return f"{low} … {high} {info.unit}".strip()
