"""Costs of moves and the steepest move: against counting the pairs of every board that a move leads to."""

import tracemalloc
from collections import Counter

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from fastqueens import InputError, NotEnoughMemoryError, attacks, heuristic_cost, machine, move_costs, steepest_move
from fastqueens.classroom import moves

boards = st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))

#: The board of the figure in Russell and Norvig's section on hill climbing, and the numbers printed there; Q a queen.
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


def naive_costs(queens):
    """The costs of all moves of the queens in each column, {(column, row): cost}; staying is no move."""
    return {
        (column, row): len(naive.attacking_pairs([*queens[:column], row, *queens[column + 1 :]]))
        for column in range(len(queens))
        for row in range(len(queens))
        if row != queens[column]
    }


def naive_steepest_boards(queens):
    """The boards that a step may lead to."""
    costs = naive_costs(queens)
    least = min(costs.values(), default=None)
    if least is None or least > len(naive.attacking_pairs(queens)):
        return {tuple(queens)}
    return {
        (*queens[:column], row, *queens[column + 1 :]) for (column, row), cost in costs.items() if cost == least
    }


def test_the_textbook_board():
    lines = TEXTBOOK_COSTS.replace("Q", "17").strip().splitlines()
    assert move_costs(TEXTBOOK).tolist() == [[int(cost) for cost in line.split()] for line in lines]
    assert heuristic_cost(TEXTBOOK) == 17


def test_the_cost_of_document_002():
    assert heuristic_cost([0, 0, 1, 2, 4]) == 5


@given(boards)
def test_costs_are_those_of_the_moved_boards(queens):
    costs = move_costs(queens)
    pairs = len(naive.attacking_pairs(queens))
    expected = dict.fromkeys(enumerate(queens), pairs) | naive_costs(queens)
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
    given_board = np.array(queens, np.int32)
    given_board.flags.writeable = False
    moved = steepest_move(given_board, seed=seed)
    assert tuple(moved.tolist()) in naive_steepest_boards(queens)
    assert moved.dtype == np.int32
    assert not np.shares_memory(moved, given_board)
    assert np.array_equal(moved, steepest_move(queens, seed=seed))


@pytest.mark.parametrize("queens", [TEXTBOOK, [0, 0], [0, 2, 2, 3, 1]])
def test_ties_are_broken_evenly(queens):
    taken = Counter(tuple(steepest_move(queens, seed=seed).tolist()) for seed in range(2000))
    assert set(taken) == naive_steepest_boards(queens)
    assert len(taken) > 1
    assert chisquare(list(taken.values())).pvalue > 0.001


def test_moves_that_keep_the_cost_are_made():
    assert heuristic_cost([0, 0]) == heuristic_cost(steepest_move([0, 0], seed=1)) == 1
    assert steepest_move([0, 0], seed=1).tolist() != [0, 0]


@pytest.mark.parametrize("queens", [[0], [1, 3, 0, 2]])
def test_a_strict_minimum_stays(queens):
    board = np.array(queens, np.int32)
    moved = steepest_move(board)
    assert moved.tolist() == queens
    assert moved is not board


def test_the_step_of_a_seed_stays_what_it_is():
    assert [steepest_move(TEXTBOOK, seed=seed).tolist() for seed in (0, 1, 2**64 - 1)] == [
        [4, 5, 6, 3, 4, 5, 1, 5],
        [4, 5, 6, 3, 1, 5, 6, 5],
        [4, 0, 6, 3, 4, 5, 6, 5],
    ]


def test_without_a_seed_steps_differ():
    assert len({tuple(steepest_move(TEXTBOOK).tolist()) for _ in range(100)}) > 1


@pytest.mark.parametrize("ask", [heuristic_cost, attacks, move_costs, steepest_move])
def test_what_is_no_board_is_refused(ask):
    with pytest.raises(InputError, match="board: column 1 holds row 2, rows go from 0 to 1"):
        ask([0, 2])


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (-1, "seed is -1: it goes from 0 to 18446744073709551615"),
        (2**64, "seed is 18446744073709551616: it goes from 0 to 18446744073709551615"),
        (0.5, "seed is 0.5: a whole number is needed"),
        (True, "seed is True: a whole number is needed"),
    ],
)
def test_what_is_no_seed_is_refused(seed, message):
    with pytest.raises(InputError) as caught:
        steepest_move([0], seed=seed)
    assert str(caught.value) == message


def test_a_board_too_large_for_the_memory_is_refused_at_once(monkeypatch):
    monkeypatch.setattr(machine, "available_memory", lambda: 10**9)
    board = np.zeros(100_000, np.int32)
    message = "the table of all moves of 100,000 queens needs 80,000 MB of memory, and 1,000 MB are available"
    for ask in (move_costs, steepest_move):
        with pytest.raises(NotEnoughMemoryError, match=message):
            ask(board)
    with pytest.raises(NotEnoughMemoryError, match="counting the attacks of 20,000,000 queens needs 1,440 MB"):
        attacks(np.zeros(20_000_000, np.int32))


def test_what_is_said_to_be_needed_is_enough():
    n = 1000
    board = moves.as_queens(np.zeros(n, np.int32))
    costs = move_costs(board)
    # Every move equally good: the longest list.
    level = np.zeros((n, n), np.int64)
    for ask, allowed in (
        (lambda: attacks(board), moves._BYTES_A_QUEEN * n),
        (lambda: move_costs(board), moves._BYTES_A_SQUARE * n * n + moves._BYTES_A_QUEEN * n),
        (lambda: moves.best_moves(board, costs), moves._BYTES_A_SQUARE_LISTED * n * n),
        (lambda: moves.best_moves(board, level), moves._BYTES_A_SQUARE_LISTED * n * n),
    ):
        tracemalloc.start()
        ask()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak <= allowed + 200_000
