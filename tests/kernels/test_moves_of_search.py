"""The moves of a search: replayed on the first boards they lead to the trace and the result; stored and validated."""

import re

import naive
import numpy as np
import pytest
from errors import check_error
from hypothesis import example, given
from hypothesis import strategies as st

import fastqueens
from fastqueens._run.arguments import STARTS
from fastqueens.board import Moves, Trace
from fastqueens.errors import InputError
from fastqueens.explorer.page import course_data
from fastqueens.files.traces import read_moves, read_trace, write_trace

pytestmark = pytest.mark.checked


def replayed(result):
    """Return the last replayed board, and the pairs and conflicting queens counted at each entry of the trace."""
    entries, steps = [], iter(result.moves.steps.tolist())
    boards = iter(result.moves.first_boards.tolist())
    for entry in range(len(result.trace.pairs)):
        if entry == 0 or entry in result.restarts:
            queens = next(boards)
        else:
            column, before, after = next(steps)
            assert queens[column] == before
            queens[column] = after
        entries.append((len(naive.attacking_pairs(queens)), len(naive.conflicting_queens(queens))))
    assert next(steps, None) is None
    assert next(boards, None) is None
    return entries, queens


@given(st.integers(4, 30), st.sampled_from(STARTS), st.integers(0, 2**32))
@example(6, "windowed", 2)  # with restarts
def test_moves_lead_through_the_trace_to_the_result(n, start, seed):
    result = fastqueens.solve(n, start=start, seed=seed, trace="moves")
    assert result.restarts or (n, seed) != (6, 2)
    entries, queens = replayed(result)
    assert entries == list(zip(result.trace.pairs.tolist(), result.trace.conflicting_queens.tolist(), strict=True))
    assert queens == result.queens.tolist()
    assert (result.moves.first_boards.dtype, result.moves.steps.dtype) == (result.queens.dtype, np.int64)


def test_a_long_search_keeps_every_move_and_moves_change_nothing_else():
    plain, kept = (fastqueens.solve(60_000, start="random", seed=1, trace=trace) for trace in (True, "moves"))
    assert plain.moves is None
    assert np.array_equal(plain.queens, kept.queens)
    assert np.array_equal(plain.trace.pairs, kept.trace.pairs)
    assert len(kept.moves.steps) == kept.steps == len(kept.trace.pairs) - 1 > 1 << 14
    queens = kept.moves.first_boards[0].copy()
    for column, before, after in kept.moves.steps.tolist():
        assert queens[column] == before
        queens[column] = after
    assert np.array_equal(queens, kept.queens)


@pytest.mark.parametrize("odd", ["Moves", "", 1, None, [True]])
def test_other_traces_are_refused(odd):
    with check_error(InputError, "trace must be", "True, False", '"moves"', repr(odd)):
        fastqueens.solve(8, trace=odd)


# In files.


def test_moves_survive_a_file(run):
    """The search with this seed has restarts."""
    assert run("solve", "6", "--seed", "2", "--trace", "a.npz", "-q") == (0, "", "")
    result = fastqueens.solve(6, seed=2, trace="moves")
    assert result.restarts
    trace, restarts, moves = read_moves("a.npz")
    for one, other in ((moves.first_boards, result.moves.first_boards), (moves.steps, result.moves.steps)):
        assert np.array_equal(one, other)
    assert (trace.pairs.tolist(), restarts) == (result.trace.pairs.tolist(), result.restarts)
    assert read_trace("a.npz")[1] == restarts


BOARDS = np.array([[0, 0, 0], [1, 1, 2]], np.int32)
STEPS = [[1, 0, 2], [2, 2, 0]]
SEVERAL = [[0, 0, 2], [1, 0, 1], [0, 2, 1], [0, 1, 0]]  # the queen of column 0 moves three times


def test_impossible_moves_are_refused(tmp_path):
    for boards, steps, named in (
        (BOARDS, STEPS, None),
        (BOARDS[0], STEPS, ["first_boards", "(3,)"]),
        (BOARDS + 1, STEPS, ["first_boards[1]", "column 2", 3, "0 to 2"]),
        (BOARDS, STEPS[:1], ["moves", "(1, 3)", "(2, 3)"]),
        (BOARDS, [[3, 0, 2], [2, 2, 0]], ["moves[0]", 3, "columns", "0 to 2"]),
        (BOARDS, [[1, 0, 2], [2, 2, -1]], ["moves[1]", -1, "rows", "0 to 2"]),
        (BOARDS[:1], SEVERAL, None),
    ):
        path, trace = tmp_path / "a.npz", np.array([3, 1, 2, 0] if len(steps) < 4 else range(5))
        restarts = [2] if len(steps) < 4 else []
        write_trace(path, Trace(trace, trace), restarts, moves=Moves(np.asarray(boards), np.array(steps)))
        if named is None:
            assert read_moves(path)[2].steps.tolist() == steps
            continue
        with check_error(InputError, re.compile(r"\ba\.npz: "), *named):
            read_moves(path)


def test_only_npz_keeps_moves(tmp_path):
    trace = Trace(np.array([3, 1, 2, 0]), np.array([3, 2, 2, 0]))
    for name in ("a.csv", "a.json"):
        with check_error(InputError, name, ".npz"):
            write_trace(tmp_path / name, trace, [2], moves=Moves(BOARDS, np.array(STEPS)))
        with check_error(InputError, name, ".npz"):
            read_moves(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    write_trace(tmp_path / "a.npz", trace, [2])
    with check_error(InputError, "a.npz", "--trace"):
        read_moves(tmp_path / "a.npz")


# In a page.


def test_a_search_too_long_for_a_page_is_refused():
    trace = Trace(np.zeros(2_000_002, np.int64), np.zeros(2_000_002, np.int64))
    steps = np.zeros((2_000_001, 3), np.int64)
    with check_error(InputError, "2,000,000", "2,000,001"):
        course_data(trace, [], Moves(BOARDS[:1], steps))
    with check_error(InputError, "2,000,000", "2,001", "1,000"):
        course_data(trace, [], Moves(np.zeros((2001, 1000), np.int32), steps[:1]))
