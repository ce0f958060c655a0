"""Checks of students' functions: right programs agree, and each documented mistake is named."""

import functools
import itertools
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import naive
import pytest
from errors import check_error

import fastqueens
from fastqueens import InputError, Limits, TimeLimitReached, check_climber, check_cost
from fastqueens.classroom import grading

NUMBERS = random.Random(1)


def climber(takes_best=True, cost=naive.pairs, sideways=0, takes_first=False):
    """Return a climber in plain Python, as a student writes it."""

    def climb(board):
        board, steps, in_a_row = tuple(board), 0, 0
        while cost(board):
            moves = naive.neighbours(board, "column")
            best = min(map(cost, moves))
            good = [after for after in moves if cost(after) == best or (not takes_best and cost(after) < cost(board))]
            if best > cost(board) or (best == cost(board) and in_a_row == sideways):
                break
            in_a_row = in_a_row + 1 if best == cost(board) else 0
            board, steps = (good[0] if takes_first else NUMBERS.choice(good)), steps + 1
        return list(board), steps

    return climb


def some_pairs(rows, sums, differences):
    """Return a cost that counts only some kinds of lines."""

    @functools.cache
    def cost(board):
        squares = itertools.combinations(enumerate(board), 2)
        return sum(
            rows * (r == s) + sums * (c + r == d + s) + differences * (c - r == d - s) for (c, r), (d, s) in squares
        )

    return cost


def test_a_right_climber_agrees():
    for algorithm, program in (
        ("steepest", climber()),
        ("stochastic", climber(takes_best=False)),
        ("sideways", climber(sideways=100)),
    ):
        checked = check_climber(program, algorithm, n=6, runs=100)
        assert checked.agrees, checked
        assert checked.fits is None, checked
        assert repr(checked).startswith(f"Agrees with the algorithm {algorithm}.")


def min_conflicts(board, may_stay=True, most=10**6, patience=160):
    """Climb by min-conflicts as a textbook prints it, without a memory for plateaus."""
    board, steps, in_vain, least = list(board), 0, 0, naive.pairs(tuple(board))
    while (cost := naive.pairs(tuple(board))) and steps < most and in_vain < patience:
        column = NUMBERS.choice(sorted(naive.conflicting_queens(board)))
        costs = {row: naive.cost(board, column, row) for row in range(len(board))}
        best = [row for row in costs if costs[row] == min(costs.values())]
        others = [row for row in best if row != board[column]]
        board[column], steps = NUMBERS.choice(best if may_stay or not others else others), steps + 1
        cost = naive.pairs(tuple(board))
        least, in_vain = (cost, 0) if cost < least else (least, in_vain + 1)
    return board, steps


def check_min_conflicts(runs):
    """Check programs that are right without a memory and on their own row."""
    for program, limits in (
        (min_conflicts, Limits()),
        (functools.partial(min_conflicts, may_stay=False), Limits()),
        (functools.partial(min_conflicts, most=600, patience=10**6), Limits(max_steps=600)),
    ):
        checked = check_climber(program, "min-conflicts", n=6, runs=runs, limits=limits)
        assert checked.agrees, checked


def test_min_conflicts_is_right_without_a_memory_and_on_its_own_row():
    check_min_conflicts(20)


@pytest.mark.gate
def test_min_conflicts_is_right_in_many_runs():
    check_min_conflicts(100)


def test_min_conflicts_that_gives_up_early_is_wrong():
    checked = check_climber(functools.partial(min_conflicts, patience=10), "min-conflicts", n=6, runs=40)
    assert not checked.agrees


def check_mistake(algorithm, program, mistake, runs):
    checked = check_climber(program, algorithm, n=6, runs=runs)
    assert not checked.agrees, mistake
    assert mistake in checked.fits
    assert mistake in repr(checked)


def test_a_mistake_is_named():
    check_mistake("steepest", climber(cost=some_pairs(1, 1, 0)), "diagonals are counted once", 100)


@pytest.mark.gate
def test_rarer_mistakes_are_named_after_many_runs():
    for algorithm, program, mistake in [
        ("sideways", climber(sideways=100, takes_first=True), "ties are broken by the first move"),
        ("steepest", climber(cost=some_pairs(0, 1, 1)), "columns are counted instead of rows"),
        ("sideways", climber(sideways=6), "it is stuck too early"),
        ("stochastic", climber(), "the algorithm steepest"),
    ]:
        check_mistake(algorithm, program, mistake, 400)


def test_few_runs_name_all_that_fits():
    for seed in range(2):
        checked = check_climber(climber(sideways=100), "steepest", n=6, runs=40, seed=seed)
        named = [checked.fits, *checked.others]
        assert checked.fits_well
        assert {"sideways moves are allowed", "the algorithm sideways"} <= set(named)
        assert len(set(named)) == len(named)
        assert all(name in repr(checked) for name in named)


def test_steps_may_be_left_out_and_boards_may_be_arrays():
    checked = check_climber(lambda board: fastqueens.solve(board=board, seed=1).queens, "restart-sideways", runs=50)
    assert checked.agrees
    assert set(checked.figures) == {"solved", "cost"}


@pytest.mark.gate
def test_the_climber_with_mistakes_makes_none_by_default():
    """Mistakes are judged by a climber in NumPy, which has to be right without them."""
    generator = grading.np.random.default_rng(1)
    boards = [grading._random_board(8, "column", seed) for seed in range(1500)]
    for algorithm, right in grading._RIGHT.items():
        ours = [grading._climb(board, generator, **right) for board in boards[: 300 if right["sideways"] else 1500]]
        theirs = grading._of_algorithm(8, algorithm, "column", Limits(), 7, 20_000)
        figures = grading._compared(grading._sample(ours), theirs)
        assert all(abs(far) < 4.5 for _, _, far, _ in figures.values()), (algorithm, figures)


def test_values_that_are_no_boards_are_named():
    for returned in ([0, 1], [9] * 8, None, "queens"):
        with check_error(InputError, "not a board"):
            check_climber(lambda board: returned, "steepest", runs=20)  # noqa: B023


def test_a_function_that_returns_its_board_is_told_so():
    for algorithm, returned in (("steepest", lambda board: board), ("sideways", lambda board: (board, 0))):
        check = check_climber(returned, algorithm, runs=100)
        assert "What fits: it returns the board that it was called with." in repr(check)
    for moved, fits in (
        (lambda board: [0, *board[1:]], "it makes no steps, or only one"),
        (lambda board: (board[::-1], 0), "it makes no steps"),
    ):
        assert check_climber(moved, "steepest", runs=50).fits == fits


def endless(board):
    while True:
        pass


def deaf(board):
    try:
        endless(board)
    except:  # noqa: E722 - as students write it
        return board


def test_a_call_that_takes_too_long_is_stopped_and_its_board_named():
    before = threading.active_count()

    def stopped(check, function, named):
        with check_error(TimeLimitReached, "0.1 s", named):
            check(function)

    for function in (endless, deaf, lambda board: time.sleep(0.2)):
        stopped(partial(check_cost, call_limit=0.1), function, "[0]")
    stopped(partial(check_climber, n=4, runs=20, call_limit=0.1), lambda board: endless(board), "[3, 0, 3, 0]")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda number: stopped(partial(check_cost, call_limit=0.1), endless, "[0]"), range(2)))
    assert threading.active_count() == before
    assert check_cost(fastqueens.attacking_pairs, call_limit=10).agrees


@pytest.mark.parametrize("error", [IndexError, KeyboardInterrupt, StopIteration])
def test_an_exception_of_the_function_passes_and_names_the_board(error):
    def wrong(board):
        if len(board) == 3:
            raise error("mine")
        return naive.pairs(tuple(board))

    with pytest.raises(error, match="mine") as caught:
        check_cost(wrong)
    assert ["[0, 0, 0]" in note for note in getattr(caught.value, "__notes__", [])] == [True] * (
        error is not KeyboardInterrupt
    )


def test_a_right_cost_agrees():
    assert check_cost(lambda board: naive.pairs(tuple(board))).agrees


def test_the_smallest_board_is_named():
    for cost, board, mistake in [
        (lambda board: 2 * naive.pairs(tuple(board)), [0, 0], "counted twice"),
        (lambda board: len(naive.conflicting_queens(board)), [0, 0], "attacked queens"),
        (lambda board: some_pairs(1, 0, 0)(tuple(board)), [0, 1], "diagonals are not counted"),
        (lambda board: some_pairs(0, 1, 1)(tuple(board)), [0, 0], "columns are counted"),
        (lambda board: some_pairs(1, 1, 0)(tuple(board)), [0, 1], "one direction"),
        (lambda board: min(naive.pairs(tuple(board)), 2), [0, 0, 0], None),
    ]:
        checked = check_cost(cost)
        assert (checked.agrees, checked.board, checked.cost) == (False, board, naive.pairs(tuple(board))), mistake
        assert mistake is None or mistake in checked.fits
        assert str(board) in repr(checked)
