"""Settings: what is kept comes back with its types, and nothing broken stops the editor."""

from pathlib import Path

import pytest

from editor.settings import MOST_RECENT, Settings, load_settings, save_settings, settings_path


def test_absent_file_gives_defaults(tmp_path: Path) -> None:
    settings = load_settings(tmp_path / "none.json")
    assert settings == Settings()
    assert settings.navigation == "blender"


def test_round_trip_keeps_values_and_types(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "Ρυθμίσεις 設定.json"
    kept = Settings(navigation="maya", brushes={"raise": {"radius": 3.0, "on": True}}, recent=["/a/ø.skerry"])
    save_settings(path, kept)
    assert load_settings(path) == kept
    assert load_settings(path).brushes["raise"]["on"] is True
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"navigation": "vi"}', b"\xff\xfe"])
def test_broken_file_gives_defaults_and_a_log_line(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    assert load_settings(path) == Settings()
    assert "not readable" in caplog.text


def test_unknown_fields_of_a_newer_version_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b'{"navigation": "maya", "from_the_future": 3}')
    assert load_settings(path).navigation == "maya"


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    save_settings(tmp_path / "file" / "settings.json", Settings())
    assert "could not be kept" in caplog.text


def test_recent_files_are_newest_first_without_doubles(tmp_path: Path) -> None:
    settings = Settings()
    for number in range(MOST_RECENT + 3):
        settings.used(tmp_path / f"{number}.skerry")
    settings.used(tmp_path / "5.skerry")
    assert len(settings.recent) == MOST_RECENT
    assert settings.recent[0] == str(tmp_path / "5.skerry")
    assert settings.recent.count(str(tmp_path / "5.skerry")) == 1
    assert settings.folder == str(tmp_path)
    settings.forget(tmp_path / "5.skerry")
    assert str(tmp_path / "5.skerry") not in settings.recent


def test_the_file_lies_in_the_users_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_path().name == "settings.json"
