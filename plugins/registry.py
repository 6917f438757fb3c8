"""Registration, discovery and lookup of plugins by kind and id.

A package offers plugins through the entry-point group `skerry.plugins`; each entry names a module whose import
runs the decorators below. Skerry's own are found in the same way.
"""

import importlib.metadata
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from plugins.api import Brush, Exporter, Importer, Operation
from terrain.errors import SkerryError
from terrain.params import Params

GROUP = "skerry.plugins"

C = TypeVar("C", bound=type[Any])

_log = logging.getLogger(__name__)


class Registry:
    """Plugins of each kind by id, discovered when first asked for."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, Any]] = {"brush": {}, "importer": {}, "exporter": {}, "operation": {}}
        self._discovered = False

    def add(self, kind: str, cls: type[Any]) -> None:
        """Register one instance of a plugin class; raises if it is incomplete or its id is taken."""
        for name in ("id", "label", "Params"):
            if not hasattr(cls, name):
                raise SkerryError(f"plugin {cls.__module__}.{cls.__name__} has no '{name}'")
        if not issubclass(cls.Params, Params):
            raise SkerryError(f"plugin '{cls.id}': Params must derive from plugins.api.Params")
        if cls.id in self._found[kind]:
            raise SkerryError(f"two {kind} plugins are called '{cls.id}'")
        self._found[kind][cls.id] = cls()

    def all(self, kind: str) -> dict[str, Any]:
        """Every plugin of a kind by id, sorted."""
        self._discover()
        return dict(sorted(self._found[kind].items()))

    def get(self, kind: str, plugin_id: str) -> Any:
        """One plugin; raises with the known ids."""
        known = self.all(kind)
        if plugin_id not in known:
            raise SkerryError(f"there is no {kind} '{plugin_id}'; known are: {', '.join(known) or 'none'}")
        return known[plugin_id]

    def _discover(self) -> None:
        if self._discovered:
            return
        self._discovered = True
        for entry in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda e: (e.name, e.value)):
            try:
                entry.load()
            except Exception as error:
                # A stranger's broken package must not take the editor down.
                _log.warning("plugin '%s' (%s) could not be loaded: %s", entry.name, entry.value, error)


_registry = Registry()


def _registering(kind: str) -> Callable[[C], C]:
    def decorate(cls: C) -> C:
        _registry.add(kind, cls)
        return cls

    return decorate


brush = _registering("brush")
importer = _registering("importer")
exporter = _registering("exporter")
operation = _registering("operation")


def brushes() -> dict[str, Brush]:
    """Every brush by id."""
    return _registry.all("brush")


def importers() -> dict[str, Importer]:
    """Every importer by id."""
    return _registry.all("importer")


def exporters() -> dict[str, Exporter]:
    """Every exporter by id."""
    return _registry.all("exporter")


def operations() -> dict[str, Operation]:
    """Every operation by id."""
    return _registry.all("operation")


def find_brush(brush_id: str) -> Brush:
    """One brush; raises `SkerryError` naming those there are."""
    found: Brush = _registry.get("brush", brush_id)
    return found


def find_importer(importer_id: str) -> Importer:
    """One importer; raises `SkerryError` naming those there are."""
    found: Importer = _registry.get("importer", importer_id)
    return found


def find_exporter(exporter_id: str) -> Exporter:
    """One exporter; raises `SkerryError` naming those there are."""
    found: Exporter = _registry.get("exporter", exporter_id)
    return found


def find_operation(operation_id: str) -> Operation:
    """One operation; raises `SkerryError` naming those there are."""
    found: Operation = _registry.get("operation", operation_id)
    return found
