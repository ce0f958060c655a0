"""Measured times exclude compilation: a clock stands still while one of its threads prepares a kernel."""

import os
import threading
import time as system
import warnings
from contextlib import contextmanager

import pytest
from lowered import lower, solve

import fastqueens
from fastqueens._jit import cache, decorators
from fastqueens._jit.decorators import Kernel
from fastqueens._run import clock
from fastqueens._run.clock import Clock
from fastqueens.kernels import all_kernels


@pytest.fixture
def time(monkeypatch):
    """Replace the system's clock by one that the test sets."""
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    return now


def test_it_stands_still_inside_the_block_and_goes_on_after_it(time):
    its = Clock()
    before = its.seconds()
    time[0] += 1
    with its.standing_still():
        time[0] += 20
        with its.standing_still():
            time[0] += 20
        time[0] += 20
    assert its.seconds() - before == 1
    time[0] += 3
    assert its.seconds() - before == 4


@contextmanager
def preparing(its):
    """Let another thread prepare a kernel for a call with this clock inside the ``with`` block."""
    is_inside, may_end = threading.Event(), threading.Event()

    def prepare():
        with its.standing_still():
            is_inside.set()
            may_end.wait()

    thread = threading.Thread(target=prepare)
    thread.start()
    is_inside.wait()
    try:
        yield
    finally:
        may_end.set()
        thread.join()


def test_it_stands_still_while_any_of_its_threads_prepares(time):
    its, other = Clock(), Clock()
    before, until_then = its.seconds(), other.seconds()
    with preparing(its):
        time[0] += 1
        with preparing(its):
            time[0] += 10
        time[0] += 100
        assert its.seconds() == before
    time[0] += 1000
    assert (its.seconds() - before, other.seconds() - until_then) == (1000, 1111)


def test_it_goes_on_after_an_error(time):
    its = Clock()
    with pytest.raises(KeyboardInterrupt), its.standing_still():
        raise KeyboardInterrupt
    before = its.seconds()
    time[0] += 2
    assert its.seconds() - before == 2


@pytest.fixture
def another_call_compiles(monkeypatch):
    """Let another thread compile a kernel for a call of its own until the test ends."""
    warm = fastqueens.Limits(tries=10**9, max_steps=1)
    fastqueens.climb(20, algorithm="random-walk", limits=warm, seed=1)
    is_inside, may_end = threading.Event(), threading.Event()

    def compile_slowly(_kernel, _kinds):
        is_inside.set()
        may_end.wait()
        return lambda *_: None

    monkeypatch.setattr(cache, "compiled", compile_slowly)
    thread = threading.Thread(target=Kernel(lambda: None))
    thread.start()
    is_inside.wait()
    yield
    may_end.set()
    thread.join()


def is_limited():
    """Return whether a time limit ends a climb, which would otherwise be stopped after 20 seconds."""
    end = system.monotonic() + 20
    limits = fastqueens.Limits(time_limit=0.1, tries=10**9)
    try:
        return not fastqueens.climb(
            30, algorithm="random-walk", limits=limits, seed=1, stop=lambda: system.monotonic() > end
        ).solved
    except fastqueens.Stopped:
        return False


@pytest.mark.usefixtures("another_call_compiles")
def test_a_limit_does_not_stand_still_while_another_call_compiles():
    assert is_limited()


@pytest.mark.usefixtures("another_call_compiles")
def test_a_clock_stands_still_while_its_thread_waits_for_another_that_compiles():
    its = Clock()

    def wait_for_the_lock():
        clock.adopt(its)
        Kernel(lambda: None)()

    threading.Thread(target=wait_for_the_lock).start()
    end = system.monotonic() + 20
    while (before := its.seconds()) != its.seconds():
        assert system.monotonic() < end
        system.sleep(0.001)
    assert its.seconds() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only some systems fork")
@pytest.mark.usefixtures("another_call_compiles")
def test_a_limit_holds_in_a_child_that_is_forked_while_another_call_compiles():
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # about threads in the parent
        child = os.fork()
    if child == 0:
        os._exit(0 if is_limited() else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only some systems fork")
def test_a_child_forgets_the_helpers_of_the_call_that_forked_it():
    with preparing(clock.current()), warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        child = os.fork()
        if child == 0:
            before = clock.seconds()
            system.sleep(0.01)
            os._exit(0 if clock.seconds() > before else 1)
    assert os.waitpid(child, 0)[1] == 0


#: Calls that return the seconds that they measured; some of them compile in helping threads.
CALLS = {
    "solve": lambda: sum(fastqueens.solve(40, seed=1, start="random").timings),
    "complete": lambda: sum(fastqueens.solve(40, seed=1, method="complete").timings),
    "mix": lambda: sum(fastqueens.solve(40, seed=1, mix=2).timings),
    "two threads": lambda: sum(solve(40_000, seed=1, threads=2).timings),
    "sample": lambda: fastqueens.sample(8, 9, seed=1, threads=2).seconds,
    "estimate": lambda: fastqueens.estimate(8, seed=1, replicas=8, threads=2).seconds,
    "solve_instances": lambda: sum(answer.seconds for answer in fastqueens.solve_instances([8, 9], seed=1, threads=2)),
}


def test_calls_take_no_longer_if_their_kernels_have_to_be_prepared(subtests):
    """Each preparation of a kernel takes an hour of the system's clock here."""
    usual_ready, usual = decorators.ready, system.perf_counter
    for name in CALLS:
        with subtests.test(name=name), pytest.MonkeyPatch.context() as patch:
            hours = []

            def with_an_hour(kernel, kinds):
                hours.append(3600)  # noqa: B023
                return usual_ready(kernel, kinds)

            lower(patch, threads=1)
            patch.setattr(decorators, "ready", with_an_hour)
            patch.setattr(system, "perf_counter", lambda: usual() + sum(hours))  # noqa: B023
            for kernel in all_kernels():
                patch.setitem(vars(kernel), "calls", {})
            assert 0 < CALLS[name]() < 3600
            assert len(hours) >= 2
