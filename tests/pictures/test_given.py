"""The argument of poster(), picture() and explore(): a board, a result, n or an instance."""

import numpy as np
from errors import check_error

import fastqueens
from fastqueens.errors import InputError
from fastqueens.pictures.given import given_or_solved

BOARD = [1, 3, 0, 2]
FOUR = fastqueens.make_instance(4, {0: 1})


def test_n_is_solved(subtests):
    for n in [20, np.int64(20)]:
        with subtests.test(n=n):
            queens, result = given_or_solved(n, None, seed=1)
            assert result.queens is queens
            assert queens.tolist() == fastqueens.solve(20, seed=1).queens.tolist()


def test_an_instance_is_solved(subtests):
    for n in [4, None]:
        with subtests.test(n=n):
            queens, result = given_or_solved(n, FOUR)
            assert (queens.tolist(), result.instance) == (BOARD, FOUR)


def test_a_board_and_that_of_a_result_are_taken_as_they_are():
    result = fastqueens.solve(8, seed=1)
    assert given_or_solved(result, None) == (result.queens, result)
    queens, nothing = given_or_solved(BOARD, FOUR)
    assert (queens.tolist(), nothing) == (BOARD, None)


def test_anything_else_is_refused(subtests):
    for board, instance, seed, named in [
        (None, None, None, ["n"]),
        (0, None, None, ["n must be", 0]),
        (5, FOUR, None, ["n = 4", "5"]),
        ([0, 1, 2], FOUR, None, ["n = 4", "3 queens"]),
        (BOARD, None, 7, ["seed has no effect"]),
        ([0, 9], None, None, ["column 1", "row 9"]),
        ("eight", None, None, ["board", "string", "read_board"]),
    ]:
        with subtests.test(board=board, instance=instance, seed=seed, named=named), check_error(InputError, *named):
            given_or_solved(board, instance, seed=seed)
