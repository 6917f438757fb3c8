"""Saving a document: prepared and concluded on the editing thread, the work between them on any."""

from pathlib import Path

from editor.backups import keep_backup
from editor.document import Document
from editor.store.schema import stamp_of
from editor.store.writing import save
from plugins.api import Job
from terrain.errors import SkerryError


class Saving:
    """One save under way. Make it on the editing thread; then `work` anywhere; then `done` or `failed` back there.

    With a `JobRunner`: `saving = Saving(document)`, `runner.start(saving.work, saving.done, saving.failed)`.
    Editing may go on meanwhile. Raises `SkerryError` if the map has no name yet or is being saved already.
    """

    def __init__(self, document: Document, path: Path | None = None) -> None:
        target = path or document.path
        if target is None:
            raise SkerryError("this map has no file yet; say where to save it")
        if document.saving:
            raise SkerryError(f"{target}: this map is being saved already; wait for that to end")
        self.path = target
        self._document = document
        self._stamp = document.stamp
        self._snapshot = document.snapshot()
        self._dirty = document.unsaved.take()
        document.saving = True

    def work(self, job: Job | None = None) -> str:
        """Write the file, after a backup of the old one if one is due; returns the stamp for `done`."""
        foreign = stamp_of(self.path) != self._stamp
        keep_backup(self.path, now=foreign)
        return save(self.path, self._snapshot, self._dirty, self._stamp, job)

    def done(self, stamp: str) -> None:
        """The file is written."""
        self._end()
        self._document.saved(self.path, stamp)

    def failed(self, error: BaseException | None = None) -> None:
        """The file is as it was; what would have been written is still to be."""
        self._document.unsaved.give_back(self._dirty)
        self._end()

    def _end(self) -> None:
        self._snapshot.close()
        self._document.saving = False


def save_document(document: Document, path: Path | None = None) -> None:
    """Save to `path` (default: where the document came from); returns when it is on the disk.

    Raises `SkerryError` with one line; the file and what the document knows to be unsaved are then as before.
    """
    saving = Saving(document, path)
    try:
        stamp = saving.work()
    except BaseException:
        saving.failed()
        raise
    saving.done(stamp)
