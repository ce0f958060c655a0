"""The memory of a trace: estimated before the search, checked again while it grows."""

import itertools
import re

import numpy as np
import pytest
from errors import check_error
from lowered import limit_memory

import fastqueens
from fastqueens.errors import NotEnoughMemoryError
from fastqueens.kernels import repair as repair_kernel
from fastqueens.recorder import Recorder
from fastqueens.task import memory_of_record

MB = 1_000_000


class BeganError(Exception):
    """The first report of progress, which comes after the check of the memory."""


def begin(*_):
    raise BeganError


@pytest.mark.parametrize(("start", "n_bytes"), [("windowed", 500), ("random", 6100), ("permutation", 6100)])
def test_memory_for_the_trace_is_checked_before_the_search(monkeypatch, start, n_bytes):
    """There is memory only for the board: the search can begin without a trace or with a limit on steps."""
    limit_memory(monkeypatch, n_bytes * MB)
    n = 10**8
    for arguments in ({"trace": False}, {"max_steps": 0}):
        with pytest.raises(BeganError):
            fastqueens.solve(n, start=start, **arguments, progress=begin)
    limit_memory(monkeypatch, n_bytes * MB - 1)
    with check_error(NotEnoughMemoryError, "n = 100,000,000", f"{n_bytes:,} MB"):
        fastqueens.solve(n, start=start, trace=False, progress=begin)
    limit_memory(monkeypatch, n_bytes * MB)
    if start != "windowed":
        with check_error(NotEnoughMemoryError, re.compile(r"[78],.* MB"), f"{n_bytes:,} MB"):
            fastqueens.solve(n, start=start, progress=begin)
    with pytest.raises(NotEnoughMemoryError):
        fastqueens.solve(n, start=start, trace="moves", progress=begin)
    with pytest.raises(BeganError):
        fastqueens.solve(n, start=start, trace="moves", force=True, progress=begin)


def test_the_estimate_is_close_to_what_a_search_takes(subtests):
    for start, trace in itertools.product(["windowed", "uniform", "random", "permutation"], [True, "moves"]):
        with subtests.test(start=start, trace=trace):
            n = 30_000
            result = fastqueens.solve(n, seed=1, start=start, trace=trace)
            kept = sum(array.nbytes for array in (*result.trace, *(result.moves or ())))
            estimate = memory_of_record(n, start, 2**62, trace) / 2
            assert estimate / 1.6 - 10_000 < kept < estimate + 10_000


@pytest.mark.parametrize("trace", [True, "moves"])
def test_a_trace_that_grows_too_large_is_refused_with_both_numbers(monkeypatch, trace):
    """Steps, and with moves also the first boards of restarts."""
    limit_memory(monkeypatch, 150 * MB)
    has_moves, recorder = trace == "moves", Recorder(trace)
    queens = np.zeros(10**6, np.int32)
    recorder.begin(5, 8, queens)
    with check_error(NotEnoughMemoryError, "moves" if has_moves else "steps", re.compile(r"\d\d\d MB"), "150 MB"):
        for _ in range(100 if has_moves else 1000):
            recorder.begin(5, 8, queens) if has_moves else recorder.add(len(recorder.buffer))
    assert 30 * MB < recorder._held < 120 * MB


def test_counting_all_lines_after_a_windowed_placement_needs_memory(monkeypatch):
    """The counters take another 56 bytes per queen if a left-over column fits no row."""
    monkeypatch.setattr(repair_kernel, "place_left_over", lambda *_: 0)
    limit_memory(monkeypatch, 100 * MB)
    with check_error(NotEnoughMemoryError, "n = 3,000,000", "168 MB"):
        fastqueens.solve(3_000_000, seed=1)


def test_memory_for_mixing_is_checked_before(monkeypatch):
    n = 10**8
    for needed, arguments in ((500, {"mix": 1}), (500, {"fixed": {0: 3}}), (900, {"fixed": {0: 3}, "mix": 1})):
        limit_memory(monkeypatch, needed * MB)
        with pytest.raises(BeganError):
            fastqueens.solve(n, seed=1, trace=False, progress=begin, **arguments)
        limit_memory(monkeypatch, needed * MB - 1)
        with pytest.raises(NotEnoughMemoryError):
            fastqueens.solve(n, seed=1, trace=False, progress=begin, **arguments)
