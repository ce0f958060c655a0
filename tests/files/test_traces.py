"""Traces in files: reading returns what was written, with restarts. test_refused_files.py tests wrong files."""

import numpy as np
from errors import check_error
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lowered import limit_memory, small_pieces

from fastqueens.board import Trace
from fastqueens.errors import InputError, NotEnoughMemoryError
from fastqueens.files.traces import (
    TRACE_FORMATS,
    Header,
    attempts_and_steps,
    checked_trace,
    read_trace,
    read_trace_and_header,
    write_trace,
)

HEADER = "attempt,step,pairs,conflicting_queens\n"
counts = st.integers(0, 2**32 - 1)
traces = st.lists(st.tuples(st.integers(0, 2**62), counts), min_size=1, max_size=30)

EXAMPLE = Trace(np.array([5, 2, 6, 0]), np.array([4, 3, 4, 0]))


def draw_restarts(data, entries):
    return sorted(data.draw(st.sets(st.integers(1, entries - 1)))) if entries > 1 else []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=traces, suffix=st.sampled_from(TRACE_FORMATS), piece=st.integers(1, 40), data=st.data())
def test_a_written_trace_can_be_read(tmp_path, entries, suffix, piece, data):
    restarts = draw_restarts(data, len(entries))
    with small_pieces(piece):
        write_trace(tmp_path / f"a{suffix}", Trace(*np.array(entries, np.int64).T), restarts)
        trace, restarts_read = read_trace(tmp_path / f"a{suffix}")
    assert isinstance(trace, Trace)
    assert (trace.pairs.dtype, trace.conflicting_queens.dtype) == (np.int64, np.int64)
    assert list(zip(*map(np.ndarray.tolist, trace), strict=True)) == entries
    assert restarts_read == tuple(restarts)


def test_content_of_the_files(subtests, tmp_path):
    for header in [
        Header(),
        Header(4),
        Header(8, algorithm="steepest"),
        Header(4, 2**64 - 1, "random"),
        Header(seed=0),
    ]:
        with subtests.test(header=header):
            for suffix in TRACE_FORMATS:
                write_trace(tmp_path / f"a{suffix}", EXAMPLE, [2], header._asdict())
            assert (tmp_path / "a.csv").read_text() == HEADER + "1,0,5,4\n1,1,2,3\n2,1,6,4\n2,2,0,0\n"
            assert read_trace_and_header(tmp_path / "a.csv")[2] == Header(), "only .npz holds a header"
            content = {"restarts": [2], "pairs": [5, 2, 6, 0], "conflicting_queens": [4, 3, 4, 0]}
            with np.load(tmp_path / "a.npz") as arrays:
                stated = {name: value for name, value in header._asdict().items() if value is not None}
                assert {name: arrays[name].tolist() for name in arrays} == content | stated
            trace, restarts, read = read_trace_and_header(tmp_path / "a.npz")
            assert (trace.pairs.tolist(), restarts, read) == ([5, 2, 6, 0], (2,), header)
            assert [type(value) for value in read] == [type(value) for value in header]


INVALID = [
    ("a.npy", [1], [1], [], ["'.npy'", ".csv", ".npz"]),
    ("a.csv", [], [], [], ["empty"]),
    ("a.csv", [1, 2], [1], [], ["pairs has 2 entries", "conflicting_queens has 1"]),
    ("a.csv", [1, -2], [1, 1], [], ["pairs[1] holds -2"]),
    ("a.csv", [1, 2], [1, 2**32], [], ["conflicting_queens[1] holds 4294967296"]),
    ("a.csv", [1, 2], [1, 2], [2], ["restarts[0] holds 2", "1 to 1"]),
    ("a.csv", [1, 2, 3], [1, 2, 3], [2, 1], ["restarts[1] holds 1", "after 2"]),
    ("a.csv", [1.5], [1], [], ["pairs", "integers", "float64"]),
    ("a.csv", [[1]], [[1]], [], ["one-dimensional"]),
]


def test_an_invalid_trace_is_not_written(subtests, tmp_path):
    for name, pairs, queens, restarts, named in INVALID:
        with subtests.test(name=name, pairs=pairs, queens=queens):
            with check_error(InputError, *named):
                write_trace(tmp_path / name, Trace(np.array(pairs), np.array(queens)), restarts)
            assert not list(tmp_path.iterdir())


def test_a_small_archive_of_large_arrays_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "t.npz"
    np.savez_compressed(path, restarts=[], pairs=np.zeros(20_000_000, np.int64), conflicting_queens=[])
    assert path.stat().st_size < 200_000
    with check_error(InputError, "t.npz", "160,000,384", 100):
        read_trace(path)
    limit_memory(monkeypatch, 150_000_000)
    with check_error(NotEnoughMemoryError, "t.npz", "160 MB", "150 MB"):
        read_trace(path)


@given(entries=st.integers(1, 60), data=st.data())
def test_attempts_and_steps(entries, data):
    restarts = draw_restarts(data, entries)
    attempts, steps = attempts_and_steps(np.arange(entries), np.array(restarts, int))
    attempt, step = 1, -1
    for entry in range(entries):
        if entry in restarts:
            attempt += 1
        else:
            step += 1
        assert (attempts[entry], steps[entry]) == (attempt, step)


def test_lists_become_arrays():
    trace, restarts = checked_trace(Trace([3, 1, 2], [4, 2, 3]), np.array([2]))
    assert (*(array.dtype for array in trace), restarts) == (np.int64, np.int64, (2,))
    with check_error(InputError, "run 7", "restarts[0]", 3, 1, 2):
        checked_trace(trace, [3], "run 7")
