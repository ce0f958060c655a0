"""Tasks on threads and executors: every result once, in any order; what is lazy; errors, and the wish to stop."""

import itertools
import signal
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from types import SimpleNamespace

import pytest
from doubles import LastFirst
from errors import check_error

from fastqueens import InputError, Stopped, __version__
from fastqueens.core import executors
from fastqueens.core.executors import Task, calls_at_a_time, run_tasks
from fastqueens.core.threads import all_cores

PATIENCE = 20


def power(base, exponent, *, stop=None):
    """Raise to a power, in any process."""
    return base**exponent


def run_until_stop(begun, *, stop):
    begun.set()
    wait_until(stop)
    raise Stopped("a task has heard it")


def wait_until(stop):
    end = time.monotonic() + PATIENCE
    while not stop():
        assert time.monotonic() < end, "the task does not hear that it should stop"
        time.sleep(0.001)


def silent(*_result):
    """Do nothing, as ``poll`` or ``done``."""


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
    "2 threads": lambda: {"threads": 2},
    "3 threads": lambda: {"threads": 3},
    "all cores": lambda: {"threads": None},
    "pool of 1 thread": lambda: {"executor": ThreadPoolExecutor(1)},
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


# Results


def powers(count, done):
    """Generate tasks, and pass on their numbers with the results."""
    return (Task(power, (3, k), lambda result, k=k: done((k, result))) for k in range(count))


def test_every_result_is_passed_on_once_and_a_poll_follows(way):
    for count in (0, 1, 2, 3, 4, 100):
        log = []
        run_tasks(powers(count, log.append), partial(log.append, "poll"), **way)
        assert sorted(what for what in log if what != "poll") == [(k, 3**k) for k in range(count)]
        assert log[0] == "poll"
        assert all(log[at + 1] == "poll" for at, what in enumerate(log) if what != "poll")


def test_results_may_come_in_any_order():
    found = []
    run_tasks(powers(12, found.append), silent, threads=2, executor=LastFirst(6))
    assert found != sorted(found)
    assert sorted(found) == [(k, 3**k) for k in range(12)]


# Lazy tasks


def test_one_thread_creates_a_task_when_the_last_is_done():
    log = []

    def tasks():
        for k in range(3):
            log.append(f"create {k}")
            yield Task(power, (2, k), lambda result: log.append(f"result {result}"))

    run_tasks(tasks(), lambda: log.append("poll"), threads=1)
    of_each = [[f"create {k}", f"result {2**k}", "poll"] for k in range(3)]
    assert log == ["poll", *of_each[0], *of_each[1], *of_each[2]]


@pytest.mark.parametrize("count", [2, 3])
def test_threads_create_one_task_each(count):
    """None of them ends before all threads have one, and none is created beyond."""
    together = threading.Barrier(count, timeout=PATIENCE)
    open_tasks, most = set(), []

    def wait_for_all(*, stop):
        together.wait()

    def tasks():
        for k in range(4 * count):
            open_tasks.add(k)
            most.append(len(open_tasks))
            yield Task(wait_for_all, (), lambda _, k=k: open_tasks.discard(k))

    run_tasks(tasks(), silent, threads=count)
    assert max(most) == count


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_an_executor_has_three_tasks_for_each_worker(workers):
    executor, created, waiting, results = Manual(), [], [], []

    def tasks():
        for task in powers(100, results.append):
            created.append(task)
            yield task

    def poll():
        assert len(created) == len(executor.futures)
        waiting.append(len(created) - len(results))
        if waiting[-1] == 3 * workers:
            executor.futures[len(results)].set_result("a result")
        if len(waiting) == 8:
            raise Stopped

    with pytest.raises(Stopped):
        run_tasks(tasks(), poll, threads=workers, executor=executor)
    assert waiting == [0, *(3 * workers, 3 * workers - 1) * 3, 3 * workers]


def test_callbacks_are_called_one_at_a_time():
    inside = threading.Lock()

    def alone():
        assert inside.acquire(blocking=False), "another callback is running"
        pause.wait(0.001)
        inside.release()

    def tasks():
        for _ in range(20):
            alone()
            yield Task(call_stop, (), lambda _: alone())

    def call_stop(*, stop):
        assert not stop()

    pause = threading.Event()
    run_tasks(tasks(), alone, threads=3)


# Tasks that come later


def test_a_task_may_follow_from_results(way):
    """The numbers up to 40, each from a smaller one, and no task in between."""
    waiting, known, ended = [1], {1}, []

    def finish(number, _result):
        ended.append(number)
        new = {number + 1, 2 * number} - known
        known.update(new)
        waiting.extend(number for number in new if number <= 40)

    def tasks():
        while len(ended) < 40:
            number = waiting.pop() if waiting else None
            yield number and Task(power, (number, 1), partial(finish, number))

    run_tasks(tasks(), silent, **way)
    assert sorted(ended) == list(range(1, 41))


def test_threads_wait_for_a_result_and_run_what_follows_together():
    together, begun, ended = threading.Barrier(3, timeout=PATIENCE), [], []

    def first(*, stop):
        time.sleep(0.05)

    def wait_for_all(*, stop):
        together.wait()

    def tasks():
        yield Task(first, (), begun.append)
        while not begun:
            yield None
        yield from [Task(wait_for_all, (), ended.append)] * 3

    run_tasks(tasks(), silent, threads=3)
    assert len(ended) == 3


def test_a_thread_that_waits_hears_of_an_error():
    def fail(*, stop):
        time.sleep(0.05)
        raise ArithmeticError("task")

    with pytest.raises(ArithmeticError, match="task"):
        run_tasks(itertools.chain([Task(fail, (), silent)], itertools.repeat(None)), silent, threads=3)


def test_an_executor_with_more_workers_than_before_gets_more_tasks(monkeypatch):
    monkeypatch.setattr(executors, "_LOOK", 0)
    with ThreadPoolExecutor(4) as pool:
        sizes = iter(range(1, 1000))
        growing = SimpleNamespace(submit=pool.submit, nthreads=lambda: {"one": next(sizes)})
        results, most = [], []

        def tasks():
            for created, task in enumerate(powers(200, results.append)):
                most.append(created - len(results))
                yield task

        run_tasks(tasks(), silent, executor=growing)
    assert len(results) == 200
    assert max(most) > 3 * 4


# Errors


def test_an_error_elsewhere_ends_the_other_threads():
    """The error is raised, not the Stopped of the threads that hear of it."""
    begun = [threading.Event(), threading.Event()]
    created = []

    def fail(*, stop):
        assert all(event.wait(PATIENCE) for event in begun)
        raise ArithmeticError("task")

    def tasks():
        for function, arguments in [(run_until_stop, begun[:1]), (fail, ()), (run_until_stop, begun[1:]), (fail, ())]:
            created.append(function)
            yield Task(function, arguments, silent)

    with pytest.raises(ArithmeticError, match="task"):
        run_tasks(tasks(), silent, threads=3)
    assert len(created) == 3


def test_an_error_cancels_what_waits_at_an_executor():
    executor = Manual()

    def poll():
        if executor.futures:
            executor.futures[2].set_exception(ArithmeticError("third"))

    with pytest.raises(ArithmeticError, match="third"):
        run_tasks(powers(100, silent), poll, threads=2, executor=executor)
    assert [future.cancelled() for future in executor.futures] == [True, True, False, True, True, True]


@pytest.mark.parametrize("lose", [Future.cancel, lambda future: future.set_exception(BrokenProcessPool("a process"))])
def test_an_executor_that_is_lost(lose):
    executor = Manual()

    def poll():
        if executor.futures:
            lose(executor.futures[1])

    with check_error(InputError, "the executor was lost before the work was done"):
        run_tasks(powers(100, silent), poll, threads=2, executor=executor)


def fail_at_7(number, *, stop=None):
    if number == 7:
        raise ArithmeticError("task has failed")


@pytest.mark.parametrize("place", ["task", "tasks", "done", "poll"])
def test_an_error_is_raised_and_no_further_task_begins(way, place):
    created, results = [], []

    def fail_in(here):
        if here == place and len(results) >= 3:
            raise ArithmeticError(f"{here} has failed")

    def tasks():
        for k in range(1000):
            fail_in("tasks")
            created.append(k)
            yield Task(fail_at_7, (k,), finish) if place == "task" else Task(power, (k, 1), finish)

    def finish(result):
        results.append(result)
        fail_in("done")

    with pytest.raises(ArithmeticError, match=f"^{place} has failed"):
        run_tasks(tasks(), lambda: fail_in("poll"), **way)
    assert 3 <= len(created) < 1000


# Stop


@pytest.mark.parametrize("count", [1, 3])
def test_long_tasks_on_threads_end_soon(count):
    begun = [threading.Event() for _ in range(count)]

    def poll():
        if all(event.is_set() for event in begun):
            raise Stopped("caller")

    with pytest.raises(Stopped, match="caller"):
        run_tasks([Task(run_until_stop, (event,), silent) for event in begun], poll, threads=count)


def test_it_polls_while_no_result_comes_and_cancels():
    executor, polls = Manual(), []

    def poll():
        polls.append(len(executor.futures))
        if len(polls) == 4:
            raise Stopped("caller")

    with pytest.raises(Stopped, match="caller"):
        run_tasks(powers(9, silent), poll, threads=2, executor=executor)
    assert polls == [0, 6, 6, 6]
    assert all(future.cancelled() for future in executor.futures)


@pytest.mark.parametrize("where", [{"threads": 2}, {"executor": Manual()}])
def test_a_stop_at_the_beginning_creates_no_task(where):
    def poll():
        raise Stopped

    tasks = powers(1, silent)
    with pytest.raises(Stopped):
        run_tasks(tasks, poll, **where)
    assert len(list(tasks)) == 1


def test_ctrl_c_while_the_caller_waits_ends_the_threads():
    both, ended = threading.Barrier(2, timeout=PATIENCE), threading.Event()
    main = threading.main_thread()

    def interrupt(*, stop):
        both.wait()
        if threading.current_thread() is not main:
            time.sleep(0.1)  # so that the main thread waits: Python can miss a signal just before it begins to
            signal.pthread_kill(main.ident, signal.SIGINT)
            wait_until(stop)
            ended.set()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_tasks([Task(interrupt, (), silent)] * 2, silent, threads=2)
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended.wait(PATIENCE)


# Workers


def test_another_version_is_refused(monkeypatch):
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        monkeypatch.setattr(executors, "__version__", "0.0.1")
        with check_error(InputError, f"fastqueens {__version__}", "0.0.1"):
            run_tasks([Task(power, (2, 3), print)], silent, executor=executor)


@pytest.mark.parametrize(
    ("count", "executor", "expected"),
    [
        *((1, None, 1), (1024, None, 1024), (None, None, all_cores()), (None, Manual(), all_cores())),
        *((None, SimpleNamespace(nthreads=lambda of=of: of), threads) for of, threads in (({}, 1), ({0: 2, 1: 3}, 5))),
        (7, SimpleNamespace(nthreads=dict), 7),
        *((None, ThreadPoolExecutor(3), 3), (2, ThreadPoolExecutor(3), 2)),
    ],
)
def test_calls_at_a_time(count, executor, expected):
    """An executor may be the client of Dask, which knows the threads of each worker."""
    assert calls_at_a_time(count, executor) == expected
    for wrong in (0, -1, 1025):
        with check_error(InputError, f"threads is {wrong}", 1, "1024"):
            run_tasks([], silent, threads=wrong, executor=executor)
