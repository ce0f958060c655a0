"""Tasks on threads and executors: every result once, in any order; laziness, errors and stopping."""

import signal
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import SimpleNamespace

import pytest
from errors import check_error

from fastqueens import InputError, Stopped, __version__
from fastqueens._run import executors
from fastqueens._run.executors import Job, calls_at_a_time, results
from fastqueens._run.threads import all_cores

PATIENCE = 20


def power(base, exponent, *, stop=None):
    """Raise to a power, in any process."""
    if exponent < 0:
        raise ArithmeticError("task has failed")
    return base**exponent


def powers(count, base=3):
    return (Job(k, power, (base, k)) for k in range(count))


def silent():
    """Do nothing, as ``poll``."""


class Manual:
    """An executor that keeps its futures and runs nothing."""

    def __init__(self):
        self.futures = []

    def submit(self, *_call):
        self.futures.append(Future())
        return self.futures[-1]


#: The ways to run tasks: a number of threads, or an executor.
WAYS = {
    "1 thread": lambda: {"threads": 1},
    "3 threads": lambda: {"threads": 3, "has_short_jobs": True},
    "all cores": lambda: {"threads": None},
    "pool of 3 threads": lambda: {"executor": ThreadPoolExecutor(3)},
    "pool of 2 processes": lambda: {"executor": ProcessPoolExecutor(2, get_context("spawn"))},
}


@pytest.fixture(scope="module", params=WAYS)
def way(request):
    """Yield the keyword arguments of each way to run tasks."""
    keywords = WAYS[request.param]()
    yield keywords
    if "executor" in keywords:
        keywords["executor"].shutdown()


def test_an_abandoned_iterator_joins_no_thread():
    """It can be collected while threading holds the lock that a join needs."""
    may_end = threading.Event()

    def wait(*, stop):
        may_end.wait(PATIENCE)

    found = results([Job(0, power, (1, 1)), Job(1, wait, ())], silent, threads=3)
    assert next(found)
    begun = time.monotonic()
    found.close()
    assert time.monotonic() - begun < PATIENCE / 2
    may_end.set()


def test_every_result_comes_once_and_polls_come_between(way):
    for count in (0, 1, 2, 3, 4, 100):
        polls = []
        assert sorted(results(powers(count), lambda polls=polls: polls.append(1), **way)) == [
            (k, 3**k) for k in range(count)
        ]
        assert polls


def test_a_task_may_follow_from_results(way):
    """Each number up to 40 follows from a smaller one, and at times there is no task."""
    waiting, known, ended = [1], {1}, []

    def tasks():
        while len(ended) < 40:
            number = waiting.pop() if waiting else None
            yield number and Job(number, power, (number, 1))

    for number, _ in results(tasks(), silent, **way):
        ended.append(number)
        new = {number + 1, 2 * number} - known
        known.update(new)
        waiting.extend(number for number in new if number <= 40)
    assert sorted(ended) == list(range(1, 41))


def test_threads_have_a_queue_only_for_short_tasks(subtests):
    for way, most in [({"threads": 2}, 2), ({"threads": 2, "has_short_jobs": True}, 6)]:
        with subtests.test(way=way, most=most):
            created, ended, ahead = [], [], []

            def tasks():
                for task in powers(20):
                    created.append(task)  # noqa: B023
                    ahead.append(len(created) - len(ended))  # noqa: B023
                    yield task

            ended.extend(results(tasks(), silent, **way))
            assert len(ended) == 20
            assert max(ahead) == most


def test_an_executor_has_three_tasks_for_each_worker_and_gets_more_with_further_workers(monkeypatch):
    monkeypatch.setattr(executors, "_LOOK", 0)
    manual, sizes, waiting = Manual(), iter([1, 1, 2, 2]), []
    growing = SimpleNamespace(submit=manual.submit, nthreads=lambda: {"one": next(sizes)})

    def poll():
        waiting.append(sum(not future.done() for future in manual.futures))
        if len(waiting) == 4:
            raise Stopped

    with pytest.raises(Stopped):
        list(results(powers(100), poll, executor=growing))
    assert waiting == [0, 3, 3, 6]
    assert all(future.cancelled() for future in manual.futures)


# Errors


def test_an_error_ends_the_other_threads_and_no_further_task_begins():
    """The error is raised, and not the Stopped of the other threads."""
    begun, heard, created = threading.Event(), [], []

    def wait_for_stop(*, stop):
        begun.set()
        end = time.monotonic() + PATIENCE
        while not stop():
            assert time.monotonic() < end
            time.sleep(0.001)
        heard.append(True)
        raise Stopped("a task has heard it")

    def fail(*, stop):
        assert begun.wait(PATIENCE)
        raise ArithmeticError("task")

    def tasks():
        for function in (wait_for_stop, fail, fail):
            created.append(function)
            yield Job(0, function, ())

    with pytest.raises(ArithmeticError, match="task"):
        list(results(tasks(), silent, threads=2))
    assert (heard, len(created)) == ([True], 2)


def test_an_error_is_raised_wherever_it_comes_from(subtests, way):
    for place in ["task", "tasks", "poll"]:
        with subtests.test(place=place):
            found = []

            def fail_in(here):
                if here == place and len(found) >= 3:  # noqa: B023
                    raise ArithmeticError(f"{here} has failed")

            def tasks():
                for k in range(1000):
                    fail_in("tasks")
                    yield Job(k, power, (k, -1 if place == "task" and k == 7 else 1))  # noqa: B023

            with pytest.raises(ArithmeticError, match=f"^{place} has failed"):
                found.extend(results(tasks(), lambda: fail_in("poll"), **way))
            assert len(found) < 1000


@pytest.mark.parametrize("lose", [Future.cancel, lambda future: future.set_exception(BrokenProcessPool("a process"))])
def test_an_executor_that_is_lost(lose):
    manual = Manual()

    def poll():
        if manual.futures:
            lose(manual.futures[1])

    with check_error(InputError, "the executor was lost before the work was done"):
        list(results(powers(100), poll, threads=2, executor=manual))


def test_another_version_is_refused(monkeypatch):
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        monkeypatch.setattr(executors, "__version__", "0.0.1")
        with check_error(InputError, f"fastqueens {__version__}", "0.0.1"):
            list(results(powers(1), silent, executor=executor))


# Stop


def test_results_that_threads_return_when_they_are_stopped_are_kept():
    begun = [threading.Event() for _ in range(3)]

    def poll():
        if all(event.is_set() for event in begun):
            raise Stopped("caller")

    def half(event, is_kept, *, stop):
        event.set()
        while not stop():
            time.sleep(0.001)
        if not is_kept:
            raise Stopped("nothing to return")
        return "half"

    found, tasks = [], [Job(k, half, (event, k > 0)) for k, event in enumerate(begun)]
    with pytest.raises(Stopped, match="caller"):
        found.extend(results(tasks, poll, threads=3))
    assert sorted(found) == [(1, "half"), (2, "half")]


def test_ctrl_c_while_the_caller_waits_ends_the_threads():
    main, ended = threading.main_thread(), threading.Event()

    def interrupt(*, stop):
        time.sleep(0.1)  # so that the main thread waits: Python can miss a signal just before it begins to
        signal.pthread_kill(main.ident, signal.SIGINT)
        while not stop():
            time.sleep(0.001)
        ended.set()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(results([Job(0, interrupt, ())], silent, threads=2))
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.is_set()


COUNTS = [
    *((1, None, 1), (1024, None, 1024), (None, None, all_cores()), (None, Manual(), all_cores())),
    *(
        (None, SimpleNamespace(nthreads=lambda of=of: of, submit=print), threads)
        for of, threads in (({}, 1), ({0: 2, 1: 3}, 5))
    ),
    (7, SimpleNamespace(nthreads=dict, submit=print), 7),
    *((None, ThreadPoolExecutor(3), 3), (2, ThreadPoolExecutor(3), 2)),
]


def test_calls_at_a_time(subtests):
    """An executor can be a Dask client, which knows the threads of each worker."""
    for count, executor, expected in COUNTS:
        with subtests.test(count=count, executor=executor, expected=expected):
            assert calls_at_a_time(count, executor) == expected
            for wrong in (0, -1, 1025):
                with check_error(InputError, "threads", f"not {wrong:,}", 1, 1024):
                    list(results([], silent, threads=wrong, executor=executor))
