"""Lock: one map is open in one editor; a second one is told which has it.

`NAME.skerry.lock` says who (JSON: pid, host) and is itself locked by the system for as long as that process lives. So a
killed editor never leaves a map locked, and a process id that came into use again is not mistaken for its owner.
"""

import contextlib
import os
import socket
import sys
from pathlib import Path
from typing import IO

import msgspec

from terrain.errors import SkerryError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FAR = 1 << 30
"""Where Windows locks one byte: it lets nobody read what is locked."""


class Holder(msgspec.Struct):
    """Who has a map open."""

    pid: int
    host: str


class HeldError(SkerryError):
    """Another editor has the map open."""

    def __init__(self, path: Path, holder: Holder | None) -> None:
        self.holder = holder
        who = "another program" if holder is None else f"process {holder.pid} on {holder.host}"
        super().__init__(
            f"{path}: is open in {who}; close it there first, or delete {lock_path(path).name} if it is not"
        )


class MapLock:
    """Holds a map from `MapLock(path)` to `release()` or the end of the process.

    Raises `HeldError` with the holder if it is held, `SkerryError` where no lock can be made (a read-only folder:
    nothing can be saved there either, so the map may be opened without one).
    """

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] | None = None
        self._path = lock_path(path.resolve())
        try:
            self._file = file = self._open(path)
            file.seek(0)
            file.truncate()
            file.write(msgspec.json.encode(Holder(os.getpid(), socket.gethostname())))
            file.flush()
        except OSError as error:
            raise SkerryError(f"{path}: cannot be locked: {(error.strerror or str(error)).lower()}") from None

    def release(self) -> None:
        """Let others open the map; a second call does nothing."""
        file, self._file = self._file, None
        if file is None:
            return
        if sys.platform == "win32":
            # An open file has to stay there; between the two lines another may take it, and then it is theirs.
            file.close()
            with contextlib.suppress(OSError):
                self._path.unlink()
        else:
            with contextlib.suppress(OSError):
                self._path.unlink()
            file.close()

    def _open(self, path: Path) -> IO[bytes]:
        while True:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            file = os.fdopen(handle, "r+b")
            try:
                holder = _read(file)
                if not _try_lock(file):
                    raise HeldError(path, holder)
                if holder is not None and holder.host != socket.gethostname():
                    # A lock may not reach from one machine to another, so what is written counts.
                    raise HeldError(path, holder)
                if self._path.exists() and os.path.samestat(os.fstat(file.fileno()), self._path.stat()):
                    return file
            except BaseException:
                file.close()
                raise
            # The former holder deleted it between our opening and our locking it: what we have has no name any more.
            file.close()


def lock_path(path: Path) -> Path:
    """Where the lock of a map lies."""
    return path.with_name(path.name + ".lock")


def holder_of(path: Path) -> Holder | None:
    """Who has a map open, this process included; None if nobody has."""
    try:
        lock = MapLock(path)
    except HeldError as held:
        return held.holder or Holder(0, "an unknown host")
    except SkerryError:
        return None
    lock.release()
    return None


def _read(file: IO[bytes]) -> Holder | None:
    try:
        return msgspec.json.decode(file.read(4096), type=Holder)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _try_lock(file: IO[bytes]) -> bool:
    """Lock for the life of the handle; False if another holds it (or the disk knows no locks and one may)."""
    try:
        if sys.platform == "win32":
            file.seek(_FAR)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return sys.platform != "win32" and not _may_live(file)
    return True


def _may_live(file: IO[bytes]) -> bool:
    """On a disk that knows no locks: whether the process named in the file is, or may be, running."""
    file.seek(0)
    holder = _read(file)
    if holder is None or holder.host != socket.gethostname():
        return holder is not None
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
