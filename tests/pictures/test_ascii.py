"""Boards as text: every queen and every cost is on its square."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastqueens.instance import make_instance
from fastqueens.pictures.ascii import (
    ORIGINS,
    draw_board,
    draw_instance,
    draw_move_costs,
    explain_marks,
    move_costs_width,
)

boards = st.integers(1, 40).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


@given(boards, st.sampled_from(ORIGINS))
def test_a_drawing_shows_every_queen_and_nothing_else(queens, origin):
    lines = draw_board(queens, origin).split("\n")
    rows = lines if origin == "upper" else lines[::-1]
    squares = [row.split(" ") for row in rows]
    n = len(queens)
    assert [len(line) for line in lines] == [2 * n - 1] * n
    assert draw_board(queens) == draw_board(queens, "upper")
    assert squares == [["Q" if queens[column] == row else "." for column in range(n)] for row in range(n)]


@given(boards, st.sampled_from(ORIGINS))
def test_costs_are_on_their_squares_with_the_marks(queens, origin):
    n = len(queens)
    costs = np.arange(n * n).reshape(n, n)
    best = [(column, row) for column in range(n) for row in range(column % 3, n, 3) if row != queens[column]]
    text = draw_move_costs(costs, np.array(queens), np.array(best, np.int64).reshape(-1, 2), origin)
    lines = text.split("\n")
    rows = lines if origin == "upper" else lines[::-1]
    marks = dict.fromkeys(enumerate(queens), "Q") | dict.fromkeys(best, "*")
    assert [line.split() for line in rows] == [
        [f"{costs[row, column]}{marks.get((column, row), '')}" for column in range(n)] for row in range(n)
    ]
    # The last column has a queen, and its mark is the last character.
    assert max(map(len, lines)) == move_costs_width(costs)


COSTS, BOARD, BEST = np.array([[100, 7], [20, 3]]), np.zeros(2, np.int64), np.array([[1, 1]])


# Instances

INSTANCE = {"blocked": [(0, 0), (4, 2)], "excluded_sums": [3, 8], "excluded_differences": [-1]}


def test_an_instance_is_drawn():
    instance = make_instance(5, [(1, 3)], **INSTANCE)
    assert draw_instance(instance).split("\n") == [
        r"# \ . / .",
        r". . X . .",
        r". / . \ #",
        r"/ F . . \\"[:-1],
        r". . . . /",
    ]
    upside_down = draw_instance(instance, "lower").translate(str.maketrans("/\\", "\\/"))
    assert upside_down.split("\n")[::-1] == draw_instance(instance).split("\n")
    assert explain_marks(draw_instance(instance)) == r"F fixed queen, # blocked square, / \ X excluded diagonal"


def test_a_board_shows_what_it_violates():
    instance = make_instance(5, [(1, 3), (3, 4)], **INSTANCE)
    right = draw_board([2, 3, 0, 4, 1], instance=make_instance(5, [(1, 3)]))
    assert right.split("\n") == [". . Q . .", ". . . . Q", "Q . . . .", ". F . . .", ". . . Q ."]
    wrong = draw_board([0, 0, 4, 4, 3], instance=instance)
    assert wrong.split("\n") == [
        r"q q . / .",
        r". . X . .",
        r". / . \ #",
        r"/ f . . q",
        r". . Q F /",
    ]
    assert explain_marks(wrong) == (
        r"F fixed queen, # blocked square, / \ X excluded diagonal, q queen that violates a constraint, "
        "f missing fixed queen"
    )


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("n", [1, 7])
def test_diagonals_are_drawn_square_by_square(n, origin):
    sums = [(d, {"excluded_sums": [d]}, "/\\", {(c, d - c) for c in range(n)}) for d in range(2 * n - 1)]
    differences = [(d, {"excluded_differences": [d]}, "\\/", {(c, d + c) for c in range(n)}) for d in range(1 - n, n)]
    for _, excluded, marks, squares in sums + differences:
        lines = draw_instance(make_instance(n, **excluded), origin).split("\n")[:: 1 if origin == "upper" else -1]
        drawn = {(c, r): mark for r, line in enumerate(lines) for c, mark in enumerate(line.split()) if mark != "."}
        on_board = {square for square in squares if 0 <= square[1] < n}
        assert drawn == dict.fromkeys(on_board, marks[ORIGINS.index(origin)])
