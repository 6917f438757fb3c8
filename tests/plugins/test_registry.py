"""The registry: what a plugin must have, and that a stranger's fault stays a stranger's."""

import importlib.metadata
import logging
from typing import Any

import pytest

from plugins.api import Params
from plugins.registry import GROUP, Registry, brushes, find_brush, find_exporter, find_importer, find_operation
from terrain.errors import SkerryError


def plugin(**changes: Any) -> type[Any]:
    class Complete:
        id = "mine"
        label = "Mine"

    Complete.Params = Params
    for name, value in changes.items():
        setattr(Complete, name, value)
    return Complete


def test_added_plugins_are_found_by_id() -> None:
    registry = Registry()
    registry._discovered = True
    registry.add("brush", plugin())
    assert list(registry.all("brush")) == ["mine"]
    assert registry.get("brush", "mine").label == "Mine"
    assert registry.all("exporter") == {}


def test_incomplete_or_doubled_plugins_are_refused() -> None:
    registry = Registry()
    incomplete = plugin()
    del incomplete.label
    with pytest.raises(SkerryError, match="has no 'label'"):
        registry.add("brush", incomplete)
    with pytest.raises(SkerryError, match="Params must derive"):
        registry.add("brush", plugin(Params=dict))
    registry.add("brush", plugin())
    with pytest.raises(SkerryError, match="two brush plugins are called 'mine'"):
        registry.add("brush", plugin())


@pytest.mark.parametrize("find", [find_brush, find_importer, find_exporter, find_operation])
def test_unknown_id_names_the_known_ones(find: Any) -> None:
    with pytest.raises(SkerryError, match=r"there is no .* 'nope'; known are: "):
        find("nope")


def test_bundled_entries_come_through_the_entry_point() -> None:
    assert "plugins.bundled" in {entry.value for entry in importlib.metadata.entry_points(group=GROUP)}
    assert "raise" in brushes()


def test_a_strangers_broken_package_is_reported_not_fatal(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Entry:
        name, value = "broken", "stranger.plugin"

        def load(self) -> None:
            raise ZeroDivisionError("at import")

    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [Entry()])
    with caplog.at_level(logging.WARNING):
        assert Registry().all("brush") == {}
    assert "stranger.plugin" in caplog.text
    assert "at import" in caplog.text
