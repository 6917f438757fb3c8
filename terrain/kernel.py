"""One decorator for compiled kernels, and a cache folder that notices changed callees."""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])

_PACKAGES = ("terrain", "ocean")


def _cache_root() -> Path:
    """The user's cache folder, by the convention of each platform."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _sources_digest() -> str:
    """Hash of every source a kernel may live in, since numba stamps only the caller's own file."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(numba.__version__.encode())
    for package in _PACKAGES:
        for source in sorted((root / package).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = str(_cache_root() / "skerry" / "kernels" / _sources_digest())


def kernel(function: F) -> F:
    """Compile on first call: cached on disk, without the GIL, never fastmath (results are saved)."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def parallel_kernel(function: F) -> F:
    """Like `kernel` with `prange`; call from one worker at a time (the workqueue layer aborts)."""
    return cast(F, numba.njit(cache=True, nogil=True, parallel=True)(function))


def most_threads() -> int:
    """How many threads parallel kernels may use here."""
    return int(numba.config.NUMBA_NUM_THREADS)


def use_threads(count: int) -> None:
    """Let parallel kernels that this thread calls use so many threads, 1 to `most_threads()`."""
    numba.set_num_threads(count)
