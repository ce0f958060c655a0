"""Constraints of an instance that a board violates."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fastqueens.checking import violating_queens, violations
from fastqueens.instance import make_instance


@st.composite
def boards_and_instances(draw):
    n = draw(st.integers(1, 12))
    index = st.integers(0, n - 1)
    squares = st.lists(st.tuples(index, index), max_size=20)
    queens = np.array(draw(st.lists(index, min_size=n, max_size=n)), np.int32)
    sums, differences = draw(st.lists(st.integers(0, 2 * n - 2))), draw(st.lists(st.integers(1 - n, n - 1)))
    blocked = draw(squares)
    free = [
        (c, r) for c, r in draw(squares) if (c, r) not in blocked and c + r not in sums and r - c not in differences
    ]
    return queens, make_instance(n, free[:1], blocked=blocked, excluded_sums=sums, excluded_differences=differences)


@given(boards_and_instances())
def test_violations_are_those_of_each_queen(drawn):
    queens, instance = drawn
    blocked = set(map(tuple, instance.blocked.tolist()))
    sums, differences = instance.excluded_sums.tolist(), instance.excluded_differences.tolist()
    placed = list(enumerate(queens.tolist()))
    on_blocked = [c for c, r in placed if (c, r) in blocked]
    on_excluded = [c for c, r in placed if c + r in sums or r - c in differences]
    missing = [c for c, r in instance.fixed.squares.tolist() if (c, r) not in placed]
    assert [part.tolist() for part in violations(queens, instance)] == [missing, on_blocked, on_excluded]
    bad = sorted({*on_blocked, *on_excluded})
    assert violating_queens(queens, instance).tolist() == bad


def test_violations_of_a_board_of_several_slices_are_found():
    n = (1 << 20) + 3
    queens = np.arange(n, dtype=np.int32)
    instance = make_instance(n, excluded_sums=[0, 2 * 10, 2 * (1 << 20), 2 * (n - 1)])
    assert violating_queens(queens, instance).tolist() == [0, 10, 1 << 20, n - 1]


def test_violations_are_named():
    instance = make_instance(4, [(0, 1)], blocked=[(2, 0), (3, 3)], excluded_sums=[4])
    assert violations(np.array([1, 2, 3, 0]), instance).words == ""
    assert violations(np.array([0, 3, 0, 3]), instance).words == (
        "1 fixed queen missing, 2 queens on blocked squares, 1 queen on excluded diagonals"
    )
