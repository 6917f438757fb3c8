"""Jobs: long work in one worker thread, its result handed back on the thread that edits."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from plugins.api import Job
from terrain.errors import Cancelled, SkerryError

T = TypeVar("T")

_log = logging.getLogger(__name__)


class JobRunner:
    """Runs one job after another in a worker, so that parallel kernels never meet.

    post: calls a function on the editing thread (a window passes its event loop's way of doing so).
    """

    def __init__(self, post: Callable[[Callable[[], None]], None]) -> None:
        self._post = post
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="skerry-job")
        self._running: set[Job] = set()
        self._lock = threading.Lock()

    @property
    def busy(self) -> bool:
        """True while a job waits or runs."""
        with self._lock:
            return bool(self._running)

    def start(
        self,
        work: Callable[[Job], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
        on_progress: Callable[[float, str], None] | None = None,
    ) -> Job:
        """Queue `work`; exactly one of `done` and `failed` is called on the editing thread afterwards.

        A job that is cancelled before its work began, or after it ended but before it was answered, fails with
        `Cancelled` too: a stale answer is dropped. Raises `SkerryError` once the runner is closed.
        """

        def report(share: float, doing: str) -> None:
            if on_progress is not None:
                self._post(lambda: on_progress(share, doing))

        job = Job(report)
        with self._lock:
            self._running.add(job)
        try:
            self._pool.submit(self._run, job, work, done, failed)
        except RuntimeError:
            with self._lock:
                self._running.discard(job)
            raise SkerryError("no new work can be started while the editor closes") from None
        return job

    def cancel_all(self) -> None:
        """Ask every job to stop."""
        with self._lock:
            for job in self._running:
                job.cancel()

    def close(self) -> None:
        """Cancel everything and wait for the worker to end."""
        self.cancel_all()
        self._pool.shutdown(wait=True)

    def _run(
        self, job: Job, work: Callable[[Job], Any], done: Callable[[Any], None], failed: Callable[[Exception], None]
    ) -> None:
        try:
            if job.cancelled:
                raise Cancelled
            result = work(job)
        except BaseException as caught:
            # Even a SystemExit raised in a plugin must be answered, or whoever waits would wait for ever.
            error = caught if isinstance(caught, Exception) else SkerryError(f"the work stopped: {caught!r}")
            if not isinstance(error, Cancelled):
                _log.info("job failed", exc_info=caught)
            self._answer(job, lambda: failed(error))
        else:
            self._answer(job, lambda: failed(Cancelled()) if job.cancelled else done(result))

    def _answer(self, job: Job, call: Callable[[], None]) -> None:
        with self._lock:
            self._running.discard(job)
        self._post(call)
