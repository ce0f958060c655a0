"""Threads: ordered results on any number of them, errors that come through, and no thread left behind."""

import logging
import threading
import time
import weakref
from queue import SimpleQueue

import lowered
import numpy as np
import pytest
from errors import check_error

import fastqueens
import fastqueens._run.threads as module
from fastqueens._run.executors import calls_at_a_time
from fastqueens._run.threads import Workers, all_cores, checked_threads
from fastqueens.errors import InputError


def have_ended(threads):
    """Wait for threads, and tell whether none of them is left."""
    for thread in threads:
        thread.join(timeout=10)
    return not any(thread.is_alive() for thread in threads)


@pytest.fixture
def refuse_threads(monkeypatch):
    """Let a number of threads start and refuse all further ones, with an error."""
    start = threading.Thread.start

    def refuse_after(number, error=RuntimeError):
        started = []

        def start_or_refuse(thread):
            if len(started) == number:
                raise error("can't start new thread")
            start(thread)
            started.append(thread)

        monkeypatch.setattr(threading.Thread, "start", start_or_refuse)
        return started

    return refuse_after


def test_an_error_comes_through_and_the_workers_continue(subtests):
    for threads in [1, 2, 5]:
        with subtests.test(threads=threads):

            def work(task):
                if task == 3:
                    raise KeyError("task 3")
                return task

            with Workers(threads) as workers:
                with pytest.raises(KeyError, match="task 3"):
                    workers.each(work, range(10))
                assert workers.each(work, range(3)) == [0, 1, 2]


def test_a_task_waits_for_the_tasks_it_comes_after(subtests):
    for threads in [1, 2, 3, 8]:
        with subtests.test(threads=threads):
            random = np.random.default_rng(threads)
            after = [set(random.integers(0, task, min(task, 3)).tolist()) if task else set() for task in range(200)]
            begun, done = [], []

            def work(task):
                begun.append(task)  # noqa: B023
                assert after[task] <= set(done)  # noqa: B023
                time.sleep(0.0001)
                done.append(task)  # noqa: B023
                return -task

            with Workers(threads) as workers:
                assert workers.each(work, range(200), after) == [-task for task in range(200)]
            assert sorted(begun) == list(range(200))
            if threads == 1:
                assert begun == sorted(begun)


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt])
def test_an_error_frees_the_threads_that_wait_for_its_task(error):
    def work(task):
        time.sleep(0.01)
        if task == 0:
            raise error("task 0")

    before = set(threading.enumerate())
    with Workers(4) as workers:
        own = set(threading.enumerate()) - before
        with pytest.raises(error):
            workers.each(work, range(5), [set(), {0}, {0}, {0}, {1, 2, 3}])
    assert have_ended(own)


def test_what_a_call_needed_is_free_after_it(subtests):
    """Otherwise the bitsets of a placement stay in memory while its board is mixed."""
    for threads in [1, 2, 3]:
        with subtests.test(threads=threads):
            array = np.zeros(8)
            left = weakref.ref(array)
            with Workers(threads) as workers:
                workers.each(lambda at, array=array: array[at], range(8))
                del array
                assert left() is None


@pytest.mark.parametrize("startable", [0, 1, 2, 3])
def test_work_continues_on_the_threads_that_start(refuse_threads, caplog, startable):
    caplog.set_level(logging.INFO, logger="fastqueens")
    helpers = refuse_threads(startable)
    with Workers(4) as workers:
        workers.each(int, range(2))
        assert workers.threads == 1 + startable
        # Each task waits for all others, so every thread must take part.
        meeting = threading.Barrier(workers.threads, timeout=20)
        assert sorted(workers.each(lambda _: meeting.wait(), range(workers.threads))) == list(range(workers.threads))
        for tasks in (0, 1, 2, 100):
            assert workers.each(lambda task: task * task, range(tasks)) == [task * task for task in range(tasks)]
        with pytest.raises(ZeroDivisionError):
            workers.each(lambda task: 1 // task, range(5))
    assert len(helpers) == startable
    assert have_ended(helpers)
    message = f"only {startable} of 3 helper threads could be started (can't start new thread)"
    assert [record.getMessage() for record in caplog.records] == [message] * (startable < 3)


@pytest.mark.parametrize("startable", [0, 1, 2])
def test_a_board_does_not_depend_on_the_threads_that_start(refuse_threads, monkeypatch, startable):
    """With lower thresholds, tiles, checks and counts of small boards use several threads."""
    lowered.lower(monkeypatch, **lowered.EVERYTHING)
    n = 1000
    crowded = np.random.default_rng(1).integers(0, n, n)

    def counts():
        return fastqueens.attacking_pairs(crowded, threads=4), fastqueens.conflicting_queens(crowded, threads=4)

    expected, expected_counts = lowered.solve(n, seed=1, threads=4), counts()
    helpers = refuse_threads(startable)
    np.testing.assert_array_equal(lowered.solve(n, seed=1, threads=4).queens, expected.queens)
    assert len(helpers) == startable
    assert counts() == expected_counts
    assert have_ended(helpers)


def test_ctrl_c_while_threads_start_leaves_none_behind(refuse_threads):
    helpers = refuse_threads(2, KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt), Workers(4) as workers:
        workers.each(int, range(2))
    assert len(helpers) == 2
    assert have_ended(helpers)


def test_the_caller_never_waits_long_where_no_signal_interrupts_a_wait(monkeypatch):
    """On Windows, Ctrl-C takes effect after the wait."""
    waits, leave = [], threading.Event()

    class Queue(SimpleQueue):
        def get(self, block=True, timeout=None):
            if threading.current_thread() is threading.main_thread():
                waits.append(timeout)
                if waits.count(0.01) > 2:
                    leave.set()
            return super().get(block, timeout)

    def work(_task):
        if threading.current_thread() is not threading.main_thread():
            assert leave.wait(60)

    monkeypatch.setattr(module, "SimpleQueue", Queue)
    monkeypatch.setattr(module, "_PAUSE_OF_CALLER", 0.01)
    with Workers(2) as workers:
        workers.each(work, range(8))
    assert set(waits) == {0.01}


def test_a_variable_is_the_default_number_of_threads(monkeypatch):
    monkeypatch.setenv("FASTQUEENS_THREADS", "3")
    assert (checked_threads(None), checked_threads(5), calls_at_a_time(None, None)) == (3, 5, 3)
    monkeypatch.setenv("FASTQUEENS_THREADS", "")
    assert checked_threads(None) == all_cores()
    for wrong in ("0", "-1", "1.5", "two", "9,999"):
        monkeypatch.setenv("FASTQUEENS_THREADS", wrong.replace(",", ""))
        with check_error(InputError, "environment variable FASTQUEENS_THREADS", wrong, "between 1 and 1,024"):
            fastqueens.solve(8)
