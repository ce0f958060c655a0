"""Boards: sizes, dtypes, validation, and errors that name the value."""

import numpy as np
import pytest
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st
from lowered import lower

from fastqueens import board
from fastqueens.board import as_queens, check_n, row_dtype
from fastqueens.errors import InputError


@given(st.integers(1, 2**32 - 1))
def test_every_n_up_to_the_largest_is_valid(n):
    assert check_n(n) == n
    assert check_n(np.uint64(n)) == n
    assert type(check_n(np.int64(n))) is int


def test_an_invalid_n_is_named(subtests):
    for n in [0, -1, -(2**70), 2**32, 2**70, True, False, 8.0, np.float64(8), "8", None, [8]]:
        with subtests.test(n=n):
            with pytest.raises(InputError) as caught:
                check_n(n)
            is_number = isinstance(n, int) and not isinstance(n, bool)
            message = str(caught.value)
            assert message.startswith("n must be ")
            assert message.endswith(f"not {n:,}" if is_number else f"not {n!r}")


def test_an_empty_column_is_marked_with_n_and_n_fits_the_dtype():
    for n in (1, 1000, 2**31 - 1, 2**31, 2**31 + 1, board.MAX_N):
        assert n <= np.iinfo(row_dtype(n)).max
    assert row_dtype(2**31 - 1) is np.int32
    assert row_dtype(2**31) is np.uint32


@given(st.integers(1, 30).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
def test_a_board_becomes_int32(rows):
    for board_of_any_type in (rows, tuple(rows), *(np.array(rows, kind) for kind in "bBhHiIlLqQ")):
        queens = as_queens(board_of_any_type)
        assert queens.dtype == np.int32
        assert queens.tolist() == rows


def test_a_board_of_the_right_dtype_is_not_copied():
    queens = np.array([1, 3, 0, 2], np.int32)
    assert np.shares_memory(as_queens(queens), queens)
    queens.flags.writeable = False
    assert np.shares_memory(as_queens(queens), queens)


@given(st.integers(1, 30), st.integers(1, 7), st.data())
def test_the_first_row_off_the_board_is_named(n, piece, data):
    rows = data.draw(st.lists(st.integers(-n, 2 * n), min_size=n, max_size=n))
    wrong = [(column, row) for column, row in enumerate(rows) if not 0 <= row < n]
    with pytest.MonkeyPatch.context() as patch:
        lower(patch, validated_piece=piece)
        if not wrong:
            assert as_queens(rows).tolist() == rows
            return
        column, row = wrong[0]
        with check_error(InputError, "board.npy", f"column {column}", f"row {row}", 0, n - 1):
            as_queens(rows, "board.npy")


def test_an_invalid_board_is_named(subtests):
    for rows, message in [
        ([], "board: the board is empty; it must have at least 1 queen"),
        ([0, 2], "board: column 1 has row 2; rows go from 0 to 1"),
        ([2, 1], "board: column 0 has row 2; rows go from 0 to 1; if your rows are numbered from 1, subtract 1"),
        ("1302", "board: a string is not a board; pass a list of rows, or read a file with read_board"),
        (
            np.zeros((2, 2), np.int32),
            "board: a board must be one-dimensional, such as [1, 3, 0, 2], not of shape (2, 2)",
        ),
        ([[0], [0, 1]], "board: a board must be a flat list of rows, one integer per column, such as [1, 3, 0, 2]"),
        ([0, 1.0], "board: column 1 has 1.0; rows must be integers from 0 to 1"),
        ([0, "1"], "board: column 1 has '1'; rows must be integers from 0 to 1"),
        ([0, None], "board: column 1 has None; rows must be integers from 0 to 1"),
        ([True, False], "board: column 0 has True; rows must be integers from 0 to 1"),
        (np.array([0.0, 1.0]), f"board: column 0 has {np.float64(0)!r}; rows must be integers from 0 to 1"),
        (
            np.array([0, 1], "datetime64[s]"),
            f"board: column 0 has {np.datetime64(0, 's')!r}; rows must be integers from 0 to 1",
        ),
        (np.array([2**63, 0], np.uint64), "board: column 0 has row 9223372036854775808; rows go from 0 to 1"),
    ]:
        with subtests.test(rows=rows, message=message):
            with pytest.raises(InputError) as caught:
                as_queens(rows)
            assert str(caught.value) == message
