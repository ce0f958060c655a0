"""What poster(), picture() and explore() take: a board, a result, n or an instance."""

import numpy as np
import pytest
from errors import check_error

import fastqueens
from fastqueens.core.errors import InputError
from fastqueens.solving.given import given_or_solved

BOARD = [1, 3, 0, 2]
FOUR = fastqueens.make_instance(4, {0: 1})


@pytest.mark.parametrize("n", [20, np.int64(20)])
def test_n_is_solved(n):
    queens, result = given_or_solved(n, None, seed=1)
    assert result.queens is queens
    assert queens.tolist() == fastqueens.solve(20, seed=1).queens.tolist()


@pytest.mark.parametrize("n", [4, None])
def test_an_instance_is_solved(n):
    queens, result = given_or_solved(n, FOUR)
    assert (queens.tolist(), result.instance) == (BOARD, FOUR)


def test_a_board_and_that_of_a_result_are_taken_as_they_are():
    result = fastqueens.solve(8, seed=1)
    assert given_or_solved(result, None) == (result.queens, result)
    queens, nothing = given_or_solved(BOARD, FOUR)
    assert (queens.tolist(), nothing) == (BOARD, None)


@pytest.mark.parametrize(
    ("board", "instance", "seed", "named"),
    [
        (None, None, None, ["n"]),
        (0, None, None, ["n is 0"]),
        (5, FOUR, None, ["n = 4", "5"]),
        ([0, 1, 2], FOUR, None, ["n = 4", "3 queens"]),
        (BOARD, None, 7, ["seed is 7"]),
        ([0, 9], None, None, ["column 1", "row 9"]),
        ("eight", None, None, ["board", "text", "read_board"]),
    ],
)
def test_anything_else_is_refused(board, instance, seed, named):
    with check_error(InputError, *named):
        given_or_solved(board, instance, seed=seed)


def test_pictures_and_posters_take_n_and_results():
    result = fastqueens.solve(12, seed=1)
    small = {"size": "60x60mm", "dpi": 30, "caption": True, "style": "infographic"}
    posters = [fastqueens.poster(12, seed=1, **small), fastqueens.poster(result, **small)]
    assert posters[0].tobytes() == posters[1].tobytes()
    facts = {"seed": 1, "steps": result.steps, "trace": result.trace}
    small["style"] = "classic"  # an infographic also tells how a result began
    assert fastqueens.poster(result.queens, **facts, **small) == fastqueens.poster(result, **small)
    shown = [fastqueens.picture(given, title="T")._repr_png_() for given in (result, result.queens)]
    assert shown[0] == shown[1] == fastqueens.picture(12, seed=1, title="T")._repr_png_()


def test_what_is_passed_counts_more_than_what_a_result_knows():
    result = fastqueens.solve(8, fixed={0: 3}, seed=1)
    assert fastqueens.picture(result, title="T")._repr_png_() == result.picture(title="T")._repr_png_()
    small = {"size": "60x60mm", "dpi": 30, "caption": True}
    usual = fastqueens.poster(result, **small).tobytes()
    other = fastqueens.make_instance(8, {1: int(result.queens[1])})
    for passed in ({"instance": other}, {"seed": 77}, {"steps": 88}, {"sweeps": 9}):
        assert fastqueens.poster(result, **passed, **small).tobytes() != usual, passed
