"""Completion puzzles, and fixed queens in files."""

import re
from collections import Counter

import naive
import numpy as np
import pytest
from errors import check_error
from hypothesis import given as forall
from hypothesis import strategies as st
from scipy import stats

import fastqueens
from fastqueens.classroom import puzzles
from fastqueens.classroom.puzzles import puzzle
from fastqueens.core.errors import InputError, NoSolutionError, Stopped
from fastqueens.core.instance import make_instance
from fastqueens.files.fixed_queens import parse_square, read_fixed_queens, write_fixed_queens
from fastqueens.solving.arrays import empty_bitsets
from fastqueens.solving.windows_kernel import draw_fixed_queens

pytestmark = pytest.mark.checked

seeds = st.integers(0, 2**64 - 1)


@forall(st.integers(1, 80), st.data(), seeds)
def test_no_queen_of_a_puzzle_attacks_another(n, data, seed):
    queens = data.draw(st.integers(0, max(1, n // 3)))
    squares = puzzle(n, queens, seed=seed)
    assert squares.shape == (queens, 2)
    assert squares[:, 0].tolist() == sorted(set(squares[:, 0].tolist()))
    board = np.full(n, n)
    board[squares[:, 0]] = squares[:, 1]
    assert naive.attacking_pairs(board.tolist()) == []
    assert puzzle(n, queens, seed=seed).tolist() == squares.tolist()


@pytest.mark.parametrize("n", [1, 4, 8, 60])
def test_a_solvable_puzzle_has_a_solution(n):
    for queens in (0, 1, n // 2, n):
        squares = puzzle(n, queens, seed=n + queens, solvable=True)
        assert fastqueens.solve(n, fixed=squares).solved


def test_a_board_without_room_is_tried_again():
    """Most of 40 boards of 8 have no room for 7 queens at the first attempt."""
    for seed in range(40):
        assert len(puzzle(8, 7, seed=seed)) == 7


def test_seeds_make_different_puzzles():
    assert len({str(puzzle(8, 3, seed=seed).tolist()) for seed in range(50)}) > 45


def test_squares_are_drawn_evenly():
    """The only queen of a puzzle stands on each square of 5 x 5 equally often."""
    first = Counter(tuple(puzzle(5, 1, seed=seed)[0].tolist()) for seed in range(5000))
    assert len(first) == 25
    assert stats.chisquare(list(first.values())).pvalue > 1e-4


def test_the_queens_of_a_solution_are_drawn_evenly():
    """The order in which they are drawn does not depend on their squares."""
    squares = np.concatenate([puzzle(1000, 10, seed=seed, solvable=True) for seed in range(200)])
    for places in squares.T:
        assert stats.chisquare(np.bincount(places // 100, minlength=10)).pvalue > 1e-4


@pytest.mark.parametrize("draws", [True, False])
def test_a_free_row_is_drawn_evenly_by_draws_and_by_counting(draws):
    """64 draws rarely hit one of 3 free rows among 400, and always one of 3 among 5."""
    n, free = (5, [0, 2, 4]) if draws else (400, [7, 63, 390])
    rows = Counter()
    for seed in range(1500):
        bitsets = empty_bitsets(make_instance(n))
        for row in set(range(n)) - set(free):
            bitsets.rows[row // 64] |= np.uint64(1 << row % 64)
        squares = np.empty((2, 1), np.int64)
        order = np.roll(np.arange(n, dtype=np.int32), -1)
        assert draw_fixed_queens(bitsets, order, *squares, 0, np.uint64(seed), np.uint64(0), 0, 1) == 1
        rows[int(squares[1, 0])] += 1
    assert sorted(rows) == free
    assert stats.chisquare(list(rows.values())).pvalue > 1e-4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((8, 9), "queens is 9: a board of 8 has from 0 to 8 fixed queens"),
        ((8, -1), "queens is -1"),
        ((8, 1.5), "queens is 1.5"),
        ((0, 0), "n is 0"),
        ((3, 3), "queens is 3: only 2 found room on a board of 3, in 100 attempts"),
    ],
)
def test_bad_values_are_named(arguments, message):
    with pytest.raises(InputError, match=message):
        puzzle(*arguments, seed=1)


def test_slices_make_the_same_puzzle(monkeypatch):
    whole = puzzle(300, 150, seed=4)
    monkeypatch.setattr(puzzles, "_COLUMNS_A_SLICE", 7)
    assert puzzle(300, 150, seed=4).tolist() == whole.tolist()


def test_a_crowded_puzzle_is_full_or_refused_in_time():
    """If hardly any square is free, rows are found by counting windows."""
    squares = puzzle(20_000, 19_800, seed=1)
    assert len({row for _, row in squares.tolist()}) == 19_800
    with check_error(InputError, re.compile(r"19\d{3}"), 20000, 50):
        puzzle(20_000, 20_000, seed=1)


@pytest.mark.parametrize("solvable", [True, False])
def test_a_puzzle_can_be_stopped(solvable):
    with pytest.raises(Stopped):
        puzzle(100_000, 90_000, seed=1, solvable=solvable, stop=lambda: True)


def test_no_solvable_puzzle_without_a_solution():
    with pytest.raises(NoSolutionError):
        puzzle(3, 1, seed=1, solvable=True)


# Files


@pytest.mark.parametrize("rows_from", [0, 1])
def test_written_queens_are_read_back(tmp_path, rows_from):
    squares = puzzle(1000, 100, seed=1)
    file = tmp_path / "fixed.csv"
    write_fixed_queens(file, squares, rows_from=rows_from)
    assert read_fixed_queens(file, 1000, rows_from=rows_from).tolist() == squares.tolist()
    column, row = squares[0].tolist()
    assert file.read_text().startswith(f"column,row\n{column},{row + rows_from}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("column,row\n1,2\n8,0\n", "fixed.txt: line 3 holds 8; columns go from 0 to 7"),
        ("1,8\n", "fixed.txt: line 1 holds 8; rows go from 0 to 7"),
        ("1;2\n", "fixed.txt: line 1 holds '1;2'; 2 numbers are needed: column,row"),
        ("1,two\n", "fixed.txt: line 1 holds 'two'; a whole number is needed"),
        ("1,2\n\n3,4\n", "fixed.txt: line 2 is blank"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, text, message):
    file = tmp_path / "fixed.txt"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        read_fixed_queens(file, 8)


def test_an_empty_file_holds_no_queens(tmp_path):
    file = tmp_path / "fixed.txt"
    file.write_text("")
    assert read_fixed_queens(file, 8).shape == (0, 2)


def test_a_square_is_a_column_and_a_row():
    assert parse_square(" 3 , 17 ") == (3, 17)
    assert parse_square("3,17", rows_from=1) == (3, 16)
    for text in ("3", "3;17", "b4", "3,", "3,17,2", "1e3,2"):
        with check_error(InputError, "3,17"):
            parse_square(text)
