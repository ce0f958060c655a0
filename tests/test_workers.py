"""Threads: results in order on any number of them, errors that come through, and no thread left behind."""

import threading
import time

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
