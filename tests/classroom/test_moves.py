"""Costs of moves and the steepest move, compared with the pairs of every board that a move leads to."""

import re
import sys
import tracemalloc
from collections import Counter
from pathlib import Path

import naive
import numpy as np
import pytest
from chances import chance_of
from errors import check_error, check_names
from hypothesis import given
from hypothesis import strategies as st
from lowered import limit_memory

from fastqueens import InputError, NotEnoughMemoryError, attacks, heuristic_cost, move_costs, steepest_move
from fastqueens.classroom import moves

pytestmark = pytest.mark.checked

boards = st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))

#: The board in Russell and Norvig's section on hill climbing, and the numbers printed there; Q is a queen.
TEXTBOOK = [4, 5, 6, 3, 4, 5, 6, 5]
TEXTBOOK_COSTS = """
18 12 14 13 13 12 14 14
14 16 13 15 12 14 12 16
14 12 18 13 15 12 14 14
15 14 14  Q 13 16 13 16
 Q 14 17 15  Q 14 16 16
17  Q 16 18 15  Q 15  Q
18 14  Q 15 15 14  Q 16
14 14 13 17 12 14 12 18
"""


def naive_steepest_boards(queens):
    """Return the possible boards after a step."""
    costs = naive.move_costs(queens)
    least = min(costs.values(), default=None)
    if least is None or least > len(naive.attacking_pairs(queens)):
        return {tuple(queens)}
    return {(*queens[:column], row, *queens[column + 1 :]) for (column, row), cost in costs.items() if cost == least}


def test_the_textbook_board():
    lines = TEXTBOOK_COSTS.replace("Q", "17").strip().splitlines()
    assert move_costs(TEXTBOOK).tolist() == [[int(cost) for cost in line.split()] for line in lines]
    assert heuristic_cost(TEXTBOOK) == 17


@given(boards)
def test_costs_are_those_of_the_moved_boards(queens):
    costs = move_costs(queens)
    pairs = len(naive.attacking_pairs(queens))
    expected = dict.fromkeys(enumerate(queens), pairs) | naive.move_costs(queens)
    assert costs.dtype == np.int64
    assert {(column, row): cost for (row, column), cost in np.ndenumerate(costs)} == expected
    assert heuristic_cost(queens) == pairs


@given(boards)
def test_attacks_are_counted_queen_by_queen(queens):
    attacked = attacks(queens)
    assert attacked.dtype == np.int64
    assert attacked.tolist() == [naive.cost(queens, column, row) for column, row in enumerate(queens)]


@given(boards, st.integers(0, 2**64 - 1))
def test_a_step_is_one_of_the_steepest_and_the_same_for_a_seed(queens, seed):
    board = np.array(queens, np.int32)
    board.flags.writeable = False
    moved = steepest_move(board, seed=seed)
    assert tuple(moved.tolist()) in naive_steepest_boards(queens)
    assert moved.dtype == np.int32
    assert not np.shares_memory(moved, board)
    assert np.array_equal(moved, steepest_move(queens, seed=seed))


def test_ties_are_broken_evenly():
    for queens in (TEXTBOOK, [0, 0], [0, 2, 2, 3, 1]):
        taken = Counter(tuple(steepest_move(queens, seed=seed).tolist()) for seed in range(500))
        assert set(taken) == naive_steepest_boards(queens)
        assert len(taken) > 1
        assert chance_of(list(taken.values())) > 0.001, queens


def test_the_step_of_a_seed_stays_what_it_is():
    assert [steepest_move(TEXTBOOK, seed=seed).tolist() for seed in (0, 1, 2**64 - 1)] == [
        [4, 5, 6, 3, 4, 5, 1, 5],
        [4, 5, 6, 3, 1, 5, 6, 5],
        [4, 0, 6, 3, 4, 5, 6, 5],
    ]


def test_a_bad_board_is_refused():
    for ask in (heuristic_cost, attacks, move_costs, steepest_move):
        with check_error(InputError, "column 1", "row 2", 0, 1):
            ask([0, 2])


def test_a_board_too_large_for_the_memory_is_refused_at_once(monkeypatch, show):
    limit_memory(monkeypatch, 10**9)
    for ask in (move_costs, steepest_move):
        with check_error(NotEnoughMemoryError, "100,000 queens", "80,000 MB", "1,000 MB"):
            ask(np.zeros(100_000, np.int32))
    with check_error(NotEnoughMemoryError, "20,000,000", "1,440 MB"):
        attacks(np.zeros(20_000_000, np.int32))
    exit_code, stdout, stderr = show(range(12_000))
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "12,000 queens", "1,152 MB")


def test_the_estimated_memory_is_enough():
    n = 1000
    board = moves.as_queens(np.zeros(n, np.int32))
    costs = move_costs(board)
    # All moves are equally good, which makes the longest list.
    level = np.zeros((n, n), np.int64)
    for ask, allowed in (
        (lambda: attacks(board), moves._BYTES_PER_QUEEN * n),
        (lambda: move_costs(board), moves._BYTES_PER_SQUARE * n * n + moves._BYTES_PER_QUEEN * n),
        (lambda: moves.best_moves(board, costs), moves._BYTES_PER_SQUARE_LISTED * n * n),
        (lambda: moves.best_moves(board, level), moves._BYTES_PER_SQUARE_LISTED * n * n),
    ):
        tracemalloc.start()
        ask()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak <= allowed + 200_000


# fastqueens show --move-costs


@pytest.fixture
def show(run):
    """Return a function that runs the command on a board and returns (exit code, stdout, stderr)."""

    def show(rows, *options):
        Path("q.txt").write_text("".join(f"{row}\n" for row in rows))
        return run("show", "q.txt", "--move-costs", *options)

    return show


def test_costs_are_drawn_and_the_best_moves_named(show):
    for rows, options, drawing, named in [
        (
            [1, 1, 2, 3, 5],
            "--origin lower --rows-from 1",
            "4  4  4  4  5Q\n4  2* 4  5  7\n4  4  6  5Q 5\n5  5  5Q 4  6\n5Q 5Q 5  6  6\n",
            ["1 best move", "2 attacking pairs", "column 1 to row 4"],
        ),
        ([0, 0], "", "1Q 1Q\n1* 1*\n", ["2 best moves", "column 0 to row 1", "column 1 to row 1"]),
        ([1, 3, 0, 2], "", "", ["Every move adds", "4 best moves", "1 attacking pair", "column 3 to row 0"]),
        ([0], "", "0Q\n", ["1 queen", "No move"]),
    ]:
        exit_code, stdout, stderr = show(rows, *options.split())
        assert (exit_code, stderr, stdout[: len(drawing)]) == (0, "", drawing)
        check_names(" ".join(stdout.split()), *named)


def test_costs_are_drawn_if_they_fit(show, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for n, is_drawn in ((20, True), (21, False)):
        stdout = re.sub(r"\x1b\[[\d;]*m", "", show([column**2 % n for column in range(n)])[1])
        assert max(map(len, stdout.splitlines())) <= 80, n
        assert (stdout.count("Q") == n) == is_drawn, n
        check_names(" ".join(stdout.split()), f"{n} queens", "best moves", *([] if is_drawn else ["83 columns", 80]))
