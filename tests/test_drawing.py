import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastqueens import InputError
from fastqueens.drawing import ORIGINS, draw_board

boards = st.integers(1, 40).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


@given(boards, st.sampled_from(ORIGINS))
def test_a_drawing_shows_every_queen_and_nothing_else(queens, origin):
    lines = draw_board(queens, origin).split("\n")
    rows = lines if origin == "upper" else lines[::-1]
    squares = [row.split(" ") for row in rows]
    n = len(queens)
    assert [len(line) for line in lines] == [2 * n - 1] * n
    assert squares == [["Q" if queens[column] == row else "." for column in range(n)] for row in range(n)]


def test_row_0_is_at_the_top_unless_asked_for_otherwise():
    assert draw_board([0, 1]) == "Q .\n. Q"
    assert draw_board([0, 1], origin="lower") == ". Q\nQ ."


def test_another_origin_is_refused():
    with pytest.raises(InputError, match="origin is 'left': it is one of upper, lower"):
        draw_board([0], origin="left")


def test_what_is_no_board_is_refused():
    with pytest.raises(InputError, match="column 1 holds row 2"):
        draw_board([0, 2])
