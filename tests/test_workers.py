"""Threads: results in order on any number of them, errors that come through, and no thread left behind."""

import threading
import time

import numpy as np
import pytest

from fastqueens.workers import Workers, all_cores


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("tasks", [0, 1, 2, 7, 100])
def test_results_come_in_the_order_of_the_tasks(threads, tasks):
    with Workers(threads) as workers:
        for _ in range(3):
            assert workers.each(lambda task: task * task, range(tasks)) == [task * task for task in range(tasks)]


def test_tasks_run_at_the_same_time():
    meeting = threading.Barrier(4, timeout=20)
    with Workers(4) as workers:
        assert sorted(workers.each(lambda _: meeting.wait(), range(4))) == [0, 1, 2, 3]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_an_error_comes_through_and_the_workers_go_on(threads):
    def work(task):
        if task == 3:
            raise KeyError("task 3")
        return task

    with Workers(threads) as workers:
        with pytest.raises(KeyError, match="task 3"):
            workers.each(work, range(10))
        assert workers.each(work, range(3)) == [0, 1, 2]


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_a_task_waits_for_those_it_comes_after(threads):
    random = np.random.default_rng(threads)
    after = [set(random.integers(0, task, min(task, 3)).tolist()) if task else set() for task in range(200)]
    begun, done = [], []

    def work(task):
        begun.append(task)
        assert after[task] <= set(done)
        time.sleep(0.0001)
        done.append(task)
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
    for thread in own:
        thread.join(timeout=10)
    assert not any(thread.is_alive() for thread in own)


def test_no_thread_outlives_the_block():
    before = set(threading.enumerate())
    with Workers(6) as workers:
        workers.each(time.sleep, [0.001] * 12)
        own = set(threading.enumerate()) - before
        assert len(own) == 5
    for thread in own:
        thread.join(timeout=10)
    assert not any(thread.is_alive() for thread in own)


def test_ctrl_c_in_a_task_leaves_the_block():
    def work(task):
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt), Workers(2) as workers:
        workers.each(work, range(10))


def test_all_cores_are_at_least_one():
    assert all_cores() >= 1
