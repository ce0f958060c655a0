"""The memory of a trace: estimated before the search, checked again while it grows."""

import re

import numpy as np
import pytest
from errors import check_error

import fastqueens
from fastqueens._run import memory
from fastqueens.errors import NotEnoughMemoryError
from fastqueens.result import Recorder
from fastqueens.task import memory_of_record

pytestmark = pytest.mark.checked

MB = 1_000_000


def available(monkeypatch, n_bytes):
    monkeypatch.setattr(memory, "available_memory", lambda: n_bytes)


@pytest.mark.parametrize(("start", "n_bytes"), [("windowed", 500), ("random", 6100), ("permutation", 6100)])
def test_memory_for_the_trace_is_checked_before_the_search(monkeypatch, start, n_bytes):
    """There is memory only for the board: the search can begin without a trace or with a limit on steps."""
    monkeypatch.setattr("fastqueens.local_search.new_attempt", lambda *_, **__: pytest.fail("it began"))
    available(monkeypatch, n_bytes * MB)
    n = 10**8
    for arguments in ({"trace": False}, {"max_steps": 0}):
        with pytest.raises(pytest.fail.Exception, match="it began"):
            fastqueens.solve(n, start=start, **arguments)
    available(monkeypatch, n_bytes * MB - 1)
    with check_error(NotEnoughMemoryError, "n = 100,000,000", f"{n_bytes:,} MB"):
        fastqueens.solve(n, start=start, trace=False)
    available(monkeypatch, n_bytes * MB)
    if start != "windowed":
        with check_error(NotEnoughMemoryError, re.compile(r"[78],.* MB"), f"{n_bytes:,} MB"):
            fastqueens.solve(n, start=start)
    with pytest.raises(NotEnoughMemoryError):
        fastqueens.solve(n, start=start, moves=True)
    with pytest.raises(pytest.fail.Exception, match="it began"):
        fastqueens.solve(n, start=start, moves=True, force=True)


@pytest.mark.parametrize("start", ["windowed", "uniform", "random", "permutation"])
@pytest.mark.parametrize("moves", [False, True])
def test_the_estimate_is_close_to_what_a_search_takes(start, moves):
    n = 30_000
    result = fastqueens.solve(n, seed=1, start=start, moves=moves)
    kept = sum(array.nbytes for array in (*result.trace, *(result.moves or ())))
    estimate = memory_of_record(n, start, 2**62, trace=True, moves=moves) / 2
    assert estimate / 1.6 - 10_000 < kept < estimate + 10_000


@pytest.mark.parametrize("moves", [False, True])
def test_a_trace_that_grows_too_large_is_refused_with_both_numbers(monkeypatch, moves):
    """Steps, and with moves also the first boards of restarts."""
    available(monkeypatch, 150 * MB)
    recorder = Recorder(trace=True, moves=moves)
    queens = np.zeros(10**6, np.int32)
    recorder.begin(5, 8, queens)
    with check_error(NotEnoughMemoryError, "moves" if moves else "steps", re.compile(r"\d\d\d MB"), "150 MB"):
        for _ in range(100 if moves else 1000):
            recorder.begin(5, 8, queens) if moves else recorder.add(len(recorder.buffer))
    assert 30 * MB < recorder._held < 120 * MB


@pytest.mark.parametrize("fault", ["place_left_over", "repair"])
def test_counting_all_lines_after_a_windowed_placement_needs_memory(monkeypatch, fault):
    """The counters take another 56 bytes per queen if a left-over column fits no row, or the repair is stuck."""
    from fastqueens.kernels import repair as repair_kernel

    n = 3_000_000
    stuck = {"place_left_over": lambda *_: 0, "repair": lambda *_: (repair_kernel.NEEDS_MIN_CONFLICTS, 0)}[fault]
    monkeypatch.setattr(repair_kernel, fault, stuck)
    available(monkeypatch, 100 * MB)
    with check_error(NotEnoughMemoryError, "n = 3,000,000", "168 MB"):
        fastqueens.solve(n, seed=1)
    monkeypatch.setattr("fastqueens.local_search.empty_lines", lambda *_: pytest.fail("it began"))
    with pytest.raises(pytest.fail.Exception, match="it began"):
        fastqueens.solve(n, seed=1, force=True)
