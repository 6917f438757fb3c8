"""Store: what is saved comes back bit for bit, a save writes what changed, and a failed one changes nothing."""

import os
import queue
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import editor.store.writing as writing
from editor.document import Document
from editor.jobs import JobRunner
from editor.store import SCHEMA, Saving, load, save, save_document, stamp_of
from plugins.api import Job, Scene
from terrain.errors import Cancelled, SkerryError
from terrain.field import VectorField
from terrain.map import TerrainMap
from terrain.tiles import Rect
from tests.editor.stored import assert_same, full_map, sql, tiles, wide_map, write

NAMES = ("a.skerry", "with space.skerry", "Ελλάδα 島 🏝.skerry", "100%#?&;'\".skerry", "no ending")


def opened(tmp_path: Path, terrain: TerrainMap) -> tuple[Document, Path]:
    """A saved document of 3 × 3 stored tiles or so, and its file."""
    document, path = Document(Scene(terrain)), tmp_path / "map.skerry"
    save_document(document, path)
    return document, path


def touch(document: Document, rect: Rect, key: str = "offset") -> None:
    with document.edit("touch") as edit:
        edit.write(key, rect)[...] += 1


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_everything_comes_back_whatever_the_name(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, full_map())
    assert_same(load(tmp_path / name).terrain, full_map())
    assert names(tmp_path) == {name}


def test_long_paths(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 120) / ("y" * 120) / ("z" * 60)
    folder.mkdir(parents=True)
    path = folder / "map.skerry"
    assert len(str(path)) > 300
    write(path, full_map())
    assert_same(load(path).terrain, full_map())
    far = folder / ("w" * 200) / ("v" * 200)
    far.mkdir(parents=True)
    with pytest.raises(SkerryError, match="was not saved: unable to open"):
        write(far / "map.skerry", full_map())
    assert names(far) == set()


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_size_and_any_bits_come_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    side = st.one_of(st.integers(2, 20), st.sampled_from([255, 256, 257, 258, 513]))
    rows, cols = data.draw(side), data.draw(side)
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    bits = rng.integers(0, 1 << 32, (rows, cols, 3), dtype=np.uint32)
    offset = bits.view(np.float32)
    offset[~np.isfinite(offset)] = -0.0
    terrain = TerrainMap(VectorField(offset, 0.5, (-1e7, 3.0)), sea_level=data.draw(st.sampled_from([0.0, -0.0, 9e9])))
    for key in data.draw(st.sets(st.sampled_from(["alpha", "hole", "mask/a", "field/f"]))):
        terrain.extras[key] = terrain.new_array(key)
        terrain.extras[key][:: data.draw(st.integers(1, 9))] = 1
    path = tmp_path_factory.mktemp("any") / "map.skerry"
    write(path, terrain)
    assert_same(load(path).terrain, terrain)


def test_the_file_is_as_the_design_says(tmp_path: Path) -> None:
    path = tmp_path / "map.skerry"
    write(path, wide_map())
    assert sql(path, "PRAGMA page_size") == [(32768,)]
    assert sql(path, "PRAGMA journal_mode") == [("delete",)]
    assert sql(path, "PRAGMA application_id") == [(int.from_bytes(b"SKRY", "big"),)]
    assert sql(path, "PRAGMA user_version") == [(SCHEMA,)] == [(1,)]
    assert set(tiles(path)) == {("offset", row, col) for row in range(3) for col in range(3)}
    chunk = sql(path, "SELECT data FROM tile WHERE row = 2 AND col = 2")[0][0]
    assert int.from_bytes(chunk[4:8], "little") == (600 - 512) * (530 - 512) * 12


def test_fill_takes_no_room_and_negative_zero_is_not_fill(tmp_path: Path) -> None:
    path, terrain = tmp_path / "map.skerry", TerrainMap(VectorField.flat(600, 530, 1.0))
    terrain.extras["alpha"] = terrain.new_array("alpha")
    terrain.field.offset[599, 529, 0] = -0.0
    write(path, terrain)
    stored = sql(path, "SELECT key, row, col FROM tile WHERE data IS NOT NULL")
    assert stored == [("offset", 2, 2)]
    assert path.stat().st_size <= 8 * 32768
    assert_same(load(path).terrain, terrain)


def test_a_save_after_a_stroke_writes_only_its_tiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terrain = wide_map()
    terrain.extras["mask/a"] = terrain.new_array("mask/a")
    document, path = opened(tmp_path, terrain)
    before, coded = tiles(path), []
    encode = writing.encode
    monkeypatch.setattr(writing, "encode", lambda tile, fill: coded.append(tile.shape) or encode(tile, fill))
    touch(document, Rect(250, 260, 10, 20))
    save_document(document)
    after = tiles(path)
    assert len(coded) == 2
    assert {place for place in after if after[place] != before[place]} == {("offset", 0, 0), ("offset", 1, 0)}
    assert {place: row for place, (row, _) in after.items()} == {place: row for place, (row, _) in before.items()}
    assert_same(load(path).terrain, terrain)
    assert names(tmp_path) == {"map.skerry", "map.skerry.1"}


def test_arrays_and_settings_come_and_go_in_place(tmp_path: Path) -> None:
    document, path = opened(tmp_path, full_map())
    inode = path.stat().st_ino
    with document.edit("arrays") as edit:
        edit.remove("alpha")
        edit.remove("ao")
        edit.add("ao")[...] = 9
        edit.add("mask/new")[3:] = 5
        edit.set("sea_level", 2.5)
        edit.set("source", {"new": True})
    save_document(document)
    assert_same(load(path).terrain, document.scene.terrain)
    document.undo()
    save_document(document)
    assert_same(load(path).terrain, full_map())
    assert path.stat().st_ino == inode, "changed in place"


def test_many_random_saves_keep_file_and_map_equal(tmp_path: Path) -> None:
    document, path = opened(tmp_path, wide_map())
    rng = np.random.default_rng(2)
    for number in range(25):
        row, col = rng.integers(0, 500, 2)
        touch(document, Rect(row, row + 90, col, col + 90))
        key = f"mask/{rng.integers(3)}"
        with document.edit("array") as edit:
            if key in document.scene.terrain.extras:
                edit.remove(key)
            else:
                edit.add(key)[row : row + 50] = number
        if rng.random() < 0.4:
            document.undo()
        save_document(document)
        assert_same(load(path).terrain, document.scene.terrain)
    reopened = Document(load(path), path)
    touch(reopened, Rect(0, 1, 0, 1))
    save_document(reopened)
    assert_same(load(path).terrain, reopened.scene.terrain)


def test_a_file_in_another_state_gets_a_whole_new_map(tmp_path: Path) -> None:
    document, path = opened(tmp_path, wide_map())
    older = tmp_path / "older.skerry"
    shutil.copy(path, older)
    touch(document, Rect(0, 600, 0, 530))
    save_document(document)
    shutil.copy(older, path)  # put back from elsewhere: same map, older state
    touch(document, Rect(0, 5, 0, 5))
    save_document(document)
    assert_same(load(path).terrain, document.scene.terrain)
    assert_same(load(tmp_path / "map.skerry.1").terrain, load(older).terrain)


@pytest.mark.parametrize("left", [b"", b"not a map at all" * 300, None])
def test_a_ruined_or_missing_file_gets_a_whole_new_map(tmp_path: Path, left: bytes | None) -> None:
    document, path = opened(tmp_path, full_map())
    path.unlink() if left is None else path.write_bytes(left)
    touch(document, Rect(0, 5, 0, 5))
    save_document(document)
    assert_same(load(path).terrain, document.scene.terrain)


def test_a_file_damaged_inside_gets_a_whole_new_map(tmp_path: Path) -> None:
    document, path = opened(tmp_path, wide_map())
    data = bytearray(path.read_bytes())
    for page in range(32768, len(data) - 32768, 32768):
        data[page : page + 64] = os.urandom(64)
    path.write_bytes(data)
    touch(document, Rect(0, 5, 0, 5))
    save_document(document)
    assert_same(load(path).terrain, document.scene.terrain)


def test_save_as_goes_on_in_the_new_file(tmp_path: Path) -> None:
    document, path = opened(tmp_path, full_map())
    touch(document, Rect(0, 5, 0, 5))
    save_document(document, tmp_path / "other.skerry")
    assert document.path == tmp_path / "other.skerry"
    assert_same(load(path).terrain, full_map())
    touch(document, Rect(9, 12, 0, 5))
    save_document(document)
    assert_same(load(document.path).terrain, document.scene.terrain)


def test_a_link_and_permissions_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "map.skerry", tmp_path / "link.skerry"
    write(real, full_map())
    real.chmod(0o640)
    link.symlink_to(real)
    write(link, wide_map())
    assert link.is_symlink()
    assert_same(load(real).terrain, wide_map())
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_left_journal_is_not_rolled_back_into_a_new_file(tmp_path: Path) -> None:
    _, path = opened(tmp_path, wide_map())
    journal = _interrupted(path)
    assert journal.exists()
    assert load(path).terrain.sea_level == 0.0
    _interrupted(path)
    write(path, full_map())
    assert not journal.exists()
    assert_same(load(path).terrain, full_map())


def _interrupted(path: Path) -> Path:
    """Leave the file as a killed transaction does: pages changed, the journal hot."""
    program = (
        "import os, sqlite3, sys\n"
        "d = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "d.execute('PRAGMA cache_size=1'); d.execute('BEGIN IMMEDIATE')\n"
        "d.execute('UPDATE tile SET data = randomblob(length(data))')\n"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    return path.with_name(path.name + "-journal")


def test_what_cannot_be_saved_is_named_and_the_file_stays(tmp_path: Path) -> None:
    document, path = opened(tmp_path, wide_map())
    kept = path.read_bytes()
    document.scene.terrain.field.offset[300, 300, 1] = np.nan
    touch(document, Rect(300, 301, 300, 301))
    for target in (path, tmp_path / "other.skerry"):
        with pytest.raises(SkerryError, match=r"'offset' in rows 256-511, columns 256-511 holds numbers that are not"):
            save_document(document, target)
    assert path.read_bytes() == kept
    assert names(tmp_path) == {"map.skerry", "map.skerry.1"}
    assert document.unsaved.tiles == {"offset": {(1, 1)}}, "still to be saved"
    document.scene.terrain.field.offset[300, 300, 1] = 0.0
    save_document(document)
    assert_same(load(path).terrain, document.scene.terrain)


@pytest.mark.parametrize("source", [{"a": object()}, {"a": {1: {2j: 3}}}, {"a": "x" * (17 << 20)}])
def test_settings_that_do_not_fit_json_are_refused(tmp_path: Path, source: dict) -> None:
    document, path = opened(tmp_path, full_map())
    document.scene.terrain.source = source
    document.unsaved.settings = True
    for target in (path, tmp_path / "other.skerry"):
        with pytest.raises(SkerryError, match="was not saved"):
            save_document(document, target)
    assert_same(load(path).terrain, full_map())
    assert "other.skerry" not in names(tmp_path)
    assert not document.saving


def test_impossible_places(tmp_path: Path) -> None:
    (tmp_path / "folder.skerry").mkdir()
    (tmp_path / "blocked.skerry.new").mkdir()
    with pytest.raises(SkerryError, match="no file yet"):
        save_document(Document(Scene(full_map())))
    for name, line in [
        ("folder.skerry", "is a folder; give a file name"),
        ("none/map.skerry", "there is no folder .*none; make it first"),
        ("blocked.skerry", "was not saved: "),
        ("x" * 300, "file name too long"),
    ]:
        with pytest.raises(SkerryError, match=line) as caught:
            save_document(Document(Scene(full_map())), tmp_path / name)
        assert "\n" not in str(caught.value)
    assert names(tmp_path) == {"folder.skerry", "blocked.skerry.new"}


def test_cancelling_leaves_the_file(tmp_path: Path) -> None:
    document, path = opened(tmp_path, wide_map())
    kept, job = path.read_bytes(), Job()
    job.cancel()
    touch(document, Rect(0, 600, 0, 530))
    snapshot = document.snapshot()
    for dirty in (None, document.unsaved):
        with pytest.raises(Cancelled):
            save(path, snapshot, dirty, document.stamp, job)
    assert path.read_bytes() == kept
    assert names(tmp_path) == {"map.skerry"}


def test_saving_in_a_worker_while_editing_goes_on(tmp_path: Path) -> None:
    document, path = opened(tmp_path, wide_map())
    calls: queue.Queue = queue.Queue()
    runner, answers = JobRunner(calls.put), []
    for number in range(4):
        touch(document, Rect(0, 600, 0, 530))
        expected = document.scene.terrain.field.offset.copy()
        saving = Saving(document)
        runner.start(saving.work, saving.done, answers.append)
        with pytest.raises(SkerryError, match="being saved already"):
            save_document(document)
        touch(document, Rect(0, 600, 0, 530))
        calls.get(timeout=20)()
        assert document.modified
        assert (load(path).terrain.field.offset == expected).all(), number
        assert stamp_of(path) == document.stamp
    runner.close()
    assert answers == []
    save_document(document)
    assert not document.modified
    assert_same(load(path).terrain, document.scene.terrain)


def test_a_failed_save_in_a_worker_gives_back_what_it_took(tmp_path: Path) -> None:
    document, path = opened(tmp_path, full_map())
    touch(document, Rect(0, 1, 0, 1))
    saving = Saving(document)
    assert not document.unsaved
    saving.failed(SkerryError("full"))
    assert document.unsaved.tiles == {"offset": {(0, 0)}}
    assert not document.saving
    save_document(document)
    assert_same(load(path).terrain, document.scene.terrain)
