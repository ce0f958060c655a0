"""Measured times exclude compilation: the clock stands still while a kernel is prepared."""

import gc
import threading
import time as system

import pytest

import fastqueens
from fastqueens._jit import decorators
from fastqueens._jit.decorators import Kernel
from fastqueens._run.clock import clock


@pytest.fixture
def time(monkeypatch):
    """Replace the system's clock by one that the test sets."""
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    monkeypatch.setattr(clock, "_stopped", (0.0, None))
    return now


def test_it_stands_still_inside_the_block_and_goes_on_after_it(time):
    before = clock.seconds()
    time[0] += 1
    with clock.standing_still():
        assert clock.seconds() - before == 1
        time[0] += 20
        assert clock.seconds() - before == 1
    assert clock.seconds() - before == 1
    time[0] += 3
    assert clock.seconds() - before == 4


def test_it_goes_on_after_an_error(time):
    def fail():
        time[0] += 5
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), clock.standing_still():
        fail()
    before = clock.seconds()
    time[0] += 2
    assert clock.seconds() - before == 2


def test_a_thread_that_begins_while_another_compiles_measures_no_negative_time(time):
    is_inside, may_end = threading.Event(), threading.Event()

    def compile_slowly():
        with clock.standing_still():
            is_inside.set()
            may_end.wait()

    thread = threading.Thread(target=compile_slowly)
    thread.start()
    is_inside.wait()
    time[0] += 7
    before = clock.seconds()
    time[0] += 7
    may_end.set()
    thread.join()
    assert clock.seconds() == before


@pytest.mark.parametrize("arguments", [{}, {"start": "random"}, {"method": "complete"}, {"mix": 2}], ids=str)
def test_solving_takes_no_longer_if_its_kernels_have_to_be_prepared(monkeypatch, arguments):
    """Each preparation of a kernel takes an hour of the system's clock here."""
    hours = []

    def with_an_hour(kernel, kinds):
        hours.append(3600)
        return usual_back_end(kernel, kinds)

    usual_back_end = decorators.back_end()
    usual = system.perf_counter
    monkeypatch.setattr(decorators, "back_end", lambda: with_an_hour)
    monkeypatch.setattr(system, "perf_counter", lambda: usual() + sum(hours))
    for kernel in all_kernels():
        monkeypatch.setitem(vars(kernel), "calls", {})
    result = fastqueens.solve(40, seed=1, **arguments)
    assert len(hours) > 3
    assert sum(result.timings) < 3600


def all_kernels():
    """Return all kernels of the modules that are loaded."""
    return [kernel for kernel in gc.get_objects() if type(kernel) is Kernel]
