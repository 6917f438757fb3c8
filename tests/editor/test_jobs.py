"""Jobs: every one answered exactly once, on the thread that posts."""

import queue
import threading
from collections.abc import Callable, Iterator

import pytest

from editor.jobs import JobRunner
from plugins.api import Job
from terrain.errors import Cancelled, SkerryError


class Loop:
    """An event loop of the test's own thread, and a record of the answers."""

    def __init__(self) -> None:
        self.calls: queue.Queue[Callable[[], None]] = queue.Queue()
        self.runner = JobRunner(self.calls.put)
        self.answers: list[tuple[str, object]] = []
        self.threads: set[str] = set()

    def start(self, work: Callable[[Job], object], **more: object) -> Job:
        return self.runner.start(work, self._done, self._failed, **more)  # type: ignore[arg-type]

    def _done(self, result: object) -> None:
        self.answers.append(("done", result))
        self.threads.add(threading.current_thread().name)

    def _failed(self, error: Exception) -> None:
        self.answers.append(("failed", error))

    def turn(self, answers: int) -> None:
        """Make posted calls until so many answers came, then those that are left over."""
        while len(self.answers) < answers:
            self.calls.get(timeout=10)()
        while not self.calls.empty():
            self.calls.get()()


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.runner.close()


def test_results_come_once_in_order_and_on_the_posting_thread(loop: Loop) -> None:
    for number in range(20):
        loop.start(lambda job, number=number: (number, threading.current_thread().name))
    loop.turn(20)
    assert [answer[1][0] for answer in loop.answers] == list(range(20))
    assert {answer[1][1] for answer in loop.answers} == {"skerry-job_0"}
    assert loop.threads == {threading.current_thread().name}
    assert not loop.runner.busy


@pytest.mark.parametrize("error", [SkerryError("no"), ValueError("odd"), MemoryError()])
def test_a_failure_is_answered_once(loop: Loop, error: Exception) -> None:
    def work(job: Job) -> None:
        raise error

    loop.start(work)
    loop.turn(1)
    assert loop.answers == [("failed", error)]
    assert not loop.runner.busy


def test_a_plugin_that_exits_is_answered_too(loop: Loop) -> None:
    def work(job: Job) -> None:
        raise SystemExit(3)

    loop.start(work)
    loop.start(lambda job: "after")
    loop.turn(2)
    assert str(loop.answers[0][1]) == "the work stopped: SystemExit(3)"
    assert loop.answers[1] == ("done", "after")


def test_cancel_stops_at_the_next_report(loop: Loop) -> None:
    begun, go, reached = threading.Event(), threading.Event(), []

    def work(job: Job) -> str:
        begun.set()
        go.wait(10)
        job.progress(0.5)
        reached.append("past the report")
        return "never"

    job = loop.start(work)
    begun.wait(10)
    assert loop.runner.busy
    job.cancel()
    go.set()
    loop.turn(1)
    assert isinstance(loop.answers[0][1], Cancelled)
    assert reached == []


def test_a_job_cancelled_while_it_waits_never_begins(loop: Loop) -> None:
    go, ran = threading.Event(), []
    loop.start(lambda job: go.wait(10))
    waiting = loop.start(lambda job: ran.append("ran"))
    waiting.cancel()
    go.set()
    loop.turn(2)
    assert ran == []
    assert isinstance(loop.answers[1][1], Cancelled)


def test_a_stale_result_is_dropped(loop: Loop) -> None:
    job = loop.start(lambda job: "stale")
    answer = loop.calls.get(timeout=10)
    job.cancel()
    answer()
    assert [type(got) for _, got in loop.answers] == [Cancelled]


def test_progress_is_posted_in_order_before_the_answer(loop: Loop) -> None:
    seen: list[tuple[float, str, int]] = []

    def work(job: Job) -> None:
        for share in (0.25, 0.5, 7.0):
            job.progress(share, "rows")

    loop.start(work, on_progress=lambda share, doing: seen.append((share, doing, len(loop.answers))))
    loop.turn(1)
    assert seen == [(0.25, "rows", 0), (0.5, "rows", 0), (1.0, "rows", 0)]


def test_closing_cancels_what_runs_and_what_waits() -> None:
    loop, begun, go = Loop(), threading.Event(), threading.Event()

    def work(job: Job) -> None:
        begun.set()
        while not go.wait(0.001):
            job.progress(0.0)

    loop.start(work)
    loop.start(lambda job: None)
    begun.wait(10)
    loop.runner.close()
    loop.turn(2)
    assert [type(error) for _, error in loop.answers] == [Cancelled, Cancelled]
    with pytest.raises(SkerryError, match="while the editor closes"):
        loop.start(lambda job: None)
    assert not loop.runner.busy
