"""`skerry brushes` and `skerry formats`: what is registered, with every parameter."""

import sys
from typing import Any

import msgspec

from editor.cli.pages import brush_page, operation_page
from editor.cli.tokens import option_lines, option_record
from plugins import registry
from terrain.errors import SkerryError
from terrain.params import describe


def brushes(id: str | None = None, /, *, json: bool = False, markdown: bool = False) -> None:
    """List the brushes; with an id, its parameters.

    Args:
        id: One brush.
        json: JSON instead of lines.
        markdown: A page of documentation instead.
    """
    found = registry.brushes() if id is None else {id: registry.find_brush(id)}
    if markdown:
        print(brush_page(found))
    elif json:
        print_json([_record(plugin, "brush") for plugin in found.values()])
    elif id is not None:
        _print_one(found[id])
    else:
        _print_list(found)


def ops(id: str | None = None, /, *, json: bool = False, markdown: bool = False) -> None:
    """List the operations; with an id, its parameters.

    Args:
        id: One operation.
        json: JSON instead of lines.
        markdown: A page of documentation instead.
    """
    found = registry.operations() if id is None else {id: registry.find_operation(id)}
    if markdown:
        print(operation_page(found))
    elif json:
        print_json([_record(plugin, "operation") for plugin in found.values()])
    elif id is not None:
        _print_one(found[id])
    else:
        _print_list(found)


def formats(id: str | None = None, /, *, json: bool = False) -> None:
    """List importers and export targets; with an id, its parameters.

    Args:
        id: One importer or export target.
        json: JSON instead of lines.
    """
    importers, exporters = registry.importers(), registry.exporters()
    if id is not None and id not in importers and id not in exporters:
        raise SkerryError(f"there is no format '{id}'; known are: {', '.join([*importers, *exporters])}")
    if json:
        records = [_record(plugin, "importer") for plugin in importers.values()]
        records += [_record(plugin, "target") for plugin in exporters.values()]
        print_json([record for record in records if id in (None, record["id"])])
    elif id is not None:
        for found in (importers, exporters):
            if id in found:
                _print_one(found[id])
    else:
        print("read (skerry import SRC MAP --name value)")
        _print_list(importers)
        print("\nwritten (skerry export MAP TARGET FOLDER --name value)")
        _print_list(exporters)


def print_json(value: object) -> None:
    """Write JSON as it is documented: UTF-8, two spaces, keys in a fixed order."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def _record(plugin: Any, kind: str) -> dict[str, Any]:
    return {
        "id": plugin.id,
        "kind": kind,
        "label": plugin.label,
        "suffixes": list(getattr(plugin, "suffixes", ())),
        "params": [option_record(info) for info in describe(plugin.Params)],
    }


def _print_list(found: dict[str, Any]) -> None:
    width = max((len(name) for name in found), default=0)
    for name, plugin in found.items():
        suffixes = " ".join(getattr(plugin, "suffixes", ()))
        print(f"  {name:<{width}}  {plugin.label}{f'  ({suffixes})' if suffixes else ''}")


def _print_one(plugin: Any) -> None:
    print(f"{plugin.id}: {plugin.label}")
    doc = (plugin.__doc__ or "").strip().splitlines()
    if doc:
        print(f"  {doc[0]}")
    print("\n".join(option_lines(plugin.Params)))
