"""Traces in files: what was written can be read, with the restarts; anything else is refused."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from errors import check_error
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fastqueens
from fastqueens.core.board import Trace
from fastqueens.core.errors import InputError, NotEnoughMemoryError
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


def trace_of(entries: list[tuple[int, int]]) -> Trace:
    pairs, queens = np.array(entries, np.int64).T
    return Trace(pairs, queens)


EXAMPLE = trace_of([(5, 4), (2, 3), (6, 4), (0, 0)])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=traces, suffix=st.sampled_from(TRACE_FORMATS), piece=st.integers(1, 40), data=st.data())
def test_a_written_trace_can_be_read(
    tmp_path: Path, entries: list[tuple[int, int]], suffix: str, piece: int, data: st.DataObject
) -> None:
    places = range(1, len(entries))
    restarts = tuple(sorted(data.draw(st.sets(st.sampled_from(places))) if places else ()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fastqueens.files.text.PIECE", piece)
        write_trace(tmp_path / f"a{suffix}", trace_of(entries), restarts)
        trace, restarts_read = read_trace(tmp_path / f"a{suffix}")
    assert isinstance(trace, Trace)
    assert (trace.pairs.dtype, trace.conflicting_queens.dtype) == (np.int64, np.int64)
    assert list(zip(*map(np.ndarray.tolist, trace), strict=True)) == entries
    assert restarts_read == restarts


def test_content_of_the_files(tmp_path: Path) -> None:
    for suffix in TRACE_FORMATS:
        write_trace(tmp_path / f"a{suffix}", EXAMPLE, [2])
    assert (tmp_path / "a.csv").read_text() == HEADER + "1,0,5,4\n1,1,2,3\n2,1,6,4\n2,2,0,0\n"
    content = {"restarts": [2], "pairs": [5, 2, 6, 0], "conflicting_queens": [4, 3, 4, 0]}
    with np.load(tmp_path / "a.npz") as arrays:
        assert {name: arrays[name].tolist() for name in arrays} == content


def test_npz_holds_the_header(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    for header in (Header(), Header(4), Header(4, 2**64 - 1, "random"), Header(seed=0)):
        write_trace(path, EXAMPLE, [2], header)
        trace, restarts, read = read_trace_and_header(path)
        assert (trace.pairs.tolist(), restarts, read) == ([5, 2, 6, 0], (2,), header)
        assert [type(value) for value in read] == [type(value) for value in header]
        assert read_trace(path)[1] == (2,)


def test_csv_holds_no_header(tmp_path: Path) -> None:
    write_trace(tmp_path / "a.csv", EXAMPLE, [2], Header(4, 1, "random"))
    assert (tmp_path / "a.csv").read_text().startswith(HEADER + "1,0,5,4\n")
    assert read_trace_and_header(tmp_path / "a.csv")[2] == Header()


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"n": 0}, "n holds 0; a whole number from 1 to"),
        ({"n": "8"}, "n holds '8'; a whole number from 1 to"),
        ({"n": [8]}, r"n holds \[8\]; a whole number from 1 to"),
        ({"seed": -1}, "seed holds -1; a whole number from 0 to 18446744073709551615 is needed"),
        ({"seed": 1.5}, "seed holds 1.5; a whole number"),
        ({"seed": True}, "seed holds True; a whole number"),
        ({"start": 3}, "start holds 3; a string is needed"),
    ],
)
def test_an_invalid_header_is_refused(tmp_path: Path, header: dict[str, Any], message: str) -> None:
    arrays: dict[str, Any] = {"restarts": [], "pairs": [1], "conflicting_queens": [2]}
    np.savez(tmp_path / "a.npz", **{name: np.array(value, int) for name, value in arrays.items()}, **header)
    with pytest.raises(InputError, match=f"a.npz: {message}"):
        read_trace(tmp_path / "a.npz")


def test_suffixes(tmp_path: Path) -> None:
    for call in (read_trace, lambda path: write_trace(path, EXAMPLE)):
        with check_error(InputError, "'.npy'", ".csv", ".npz"):
            call(tmp_path / "a.npy")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("pairs", "queens", "restarts", "message"),
    [
        ([], [], [], "trace: it is empty"),
        ([1, 2], [1], [], "trace: 2 entries of pairs, but 1 of conflicting_queens"),
        ([1, -2], [1, 1], [], r"trace: pairs\[1\] holds -2; pairs go from 0"),
        ([1, 2], [1, 2**32], [], r"trace: conflicting_queens\[1\] holds 4294967296"),
        ([1, 2], [1, 2], [2], r"trace: restarts\[0\] holds 2; restarts go from 1 to 1"),
        ([1, 2, 3], [1, 2, 3], [2, 1], r"trace: restarts\[1\] holds 1 after 2; restarts must increase"),
        ([1.5], [1], [], "trace: pairs holds float64; integers are needed"),
        ([[1]], [[1]], [], "trace: restarts, pairs and conflicting_queens must be one-dimensional"),
    ],
)
def test_an_invalid_trace_is_not_written(
    tmp_path: Path, pairs: list[Any], queens: list[Any], restarts: list[int], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        write_trace(tmp_path / "a.csv", Trace(np.array(pairs), np.array(queens)), restarts)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("suffix", "content", "message"),
    [
        (".csv", "", "it is empty"),
        (".csv", HEADER + "1,0,5,x\n", "line 2 holds 'x'; a whole number is needed"),
        (".csv", HEADER + "1,0,5\n", "line 2 holds '1,0,5'; 4 numbers are needed: attempt,step"),
        (".csv", HEADER + "1,0,5,4\n1,2,5,4\n", "line 3 holds attempt 1, step 2; attempt 1, step 1 is needed"),
        (".csv", HEADER + "1,0,5,4\n3,0,5,4\n", "line 3 holds attempt 3, step 0; attempt 2, step 0 is needed"),
        (".csv", "2,0,5,4\n", "line 1 holds attempt 2, step 0; attempt 1, step 0 is needed"),
        (".csv", HEADER + "1,0,-5,4\n", "pairs[0] holds -5; pairs go from 0"),
        (".csv", HEADER + f"1,0,{10**30},4\n", "pairs[0] holds a number of 19 digits or more"),
        (".npz", "", "it cannot be read as .npz"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, suffix: str, content: str, message: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        read_trace(path)
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"pairs": np.array([1])}, "restarts is missing; the arrays restarts, pairs, conflicting_queens are needed"),
        ({"pairs": np.array([1.0])}, "pairs holds float64; integers are needed"),
        ({"pairs": np.array([[1]])}, "one-dimensional"),
        ({"pairs": np.array([{}], object)}, "Object arrays cannot be loaded"),
    ],
)
def test_npz_that_is_refused(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    others = {"conflicting_queens": np.array([1]), "restarts": np.array([], int)}
    np.savez(tmp_path / "a.npz", **arrays, **(others if "missing" not in message else {}))
    with pytest.raises(InputError, match=message):
        read_trace(tmp_path / "a.npz")


def test_a_small_archive_of_large_arrays_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastqueens.core.memory.available_memory", lambda: 150_000_000)
    path = tmp_path / "t.npz"
    np.savez_compressed(path, restarts=[], pairs=np.zeros(20_000_000, np.int64), conflicting_queens=[])
    assert path.stat().st_size < 200_000
    with check_error(NotEnoughMemoryError, "t.npz", "160 MB", "150 MB"):
        read_trace(path)


def test_an_archive_that_unpacks_to_many_times_its_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    np.savez_compressed(path, restarts=[], pairs=np.zeros(10_000_000, np.int64), conflicting_queens=[])
    with check_error(InputError, "t.npz", "80,000,384", 100):
        read_trace(path)


def test_a_bare_array_is_not_npz(tmp_path: Path) -> None:
    stream = io.BytesIO()
    np.save(stream, np.array([1]))
    (tmp_path / "a.npz").write_bytes(stream.getvalue())
    with check_error(InputError, ".npz"):
        read_trace(tmp_path / "a.npz")


def test_a_truncated_npz_is_refused(tmp_path: Path) -> None:
    write_trace(tmp_path / "a.npz", EXAMPLE, [2])
    content = (tmp_path / "a.npz").read_bytes()
    for length in range(0, len(content), 7):
        (tmp_path / "a.npz").write_bytes(content[:length])
        with check_error(InputError, "a.npz"):
            read_trace(tmp_path / "a.npz")


@given(entries=st.integers(1, 60), data=st.data())
def test_attempts_and_steps(entries: int, data: st.DataObject) -> None:
    restarts = sorted(data.draw(st.sets(st.integers(1, entries - 1)))) if entries > 1 else []
    attempts, steps = attempts_and_steps(np.arange(entries), np.array(restarts, int))
    attempt, step = 1, -1
    for entry in range(entries):
        if entry in restarts:
            attempt += 1
        else:
            step += 1
        assert (attempts[entry], steps[entry]) == (attempt, step)


def test_lists_become_arrays() -> None:
    trace, restarts = checked_trace(Trace([3, 1, 2], [4, 2, 3]), np.array([2]))  # type: ignore[arg-type]
    assert [array.dtype for array in trace] == [np.int64, np.int64]
    assert restarts == (2,)
    with check_error(InputError, "run 7", "restarts[0]", 3, 1, 2):
        checked_trace(trace, [3], "run 7")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("board.csv", "line 1 holds 'column,row'; 4 numbers are needed"),
        ("board.json", "traces are no longer stored as .json"),
        ("board.npy", "unknown suffix '.npy'"),
    ],
)
def test_a_board_is_not_a_trace(tmp_path: Path, name: str, message: str) -> None:
    fastqueens.write_board(tmp_path / name, [1, 3, 0, 2])
    with pytest.raises(InputError, match=re.escape(message)):
        fastqueens.read_trace(tmp_path / name)
