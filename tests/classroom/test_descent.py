"""The queen with most attacks moves: the assignment's examples to the character, and a slow reference."""

import os
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from errors import check_error, check_names
from hypothesis import given
from hypothesis import strategies as st
from naive import cost
from processes import process, without_compiling

import fastqueens
from fastqueens import InputError, Stopped, descend, is_solution
from fastqueens.classroom import descent as module
from fastqueens.cli import app
from fastqueens.cli.session import Session

STARTS = """\
2 5 7 4 1 3 6 3
8 3 7 4 2 5 1 6
5 6 7 4 5 6 7 6
"""

STATES = """\
2 5 7 4 1 3 6 3
2 5 7 4 1 8 6 3
Success

8 3 7 4 2 5 1 6
Failure

5 6 7 4 5 6 7 6
5 1 7 4 5 6 7 6
5 1 7 4 2 6 7 6
5 1 7 4 2 6 8 6
5 1 7 4 2 3 8 6
Failure
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(run):
    """Return a function that runs the command, with STARTS in starts.txt."""
    Path("starts.txt").write_text(STARTS)
    return partial(run, "descend")


# A slow reference


def next_state(queens):
    """Return the state after one step; None if the rule ends."""
    n = len(queens)
    attacks = [cost(queens, column, queens[column]) for column in range(n)]
    if max(attacks) == 0:
        return None
    for column in range(n):
        if attacks[column] == max(attacks):
            moved = {row: cost(queens, column, row) for row in range(n)}
            if min(moved.values()) < max(attacks):
                best = min(row for row in moved if moved[row] == min(moved.values()))
                return [*queens[:column], best, *queens[column + 1 :]]
    return None


def slow_states(queens):
    states = [queens]
    while (following := next_state(states[-1])) is not None:
        states.append(following)
    return states


def is_descent_of(descent, queens):
    states = slow_states(queens)
    assert descent.states.tolist() == states
    assert descent.initial_queens.tolist() == queens
    assert (descent.steps, descent.n) == (len(states) - 1, len(queens))
    assert descent.solved == is_solution(states[-1])
    return True


boards = st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


@given(boards)
def test_small_boards_follow_the_rule(queens):
    before = queens.copy()
    assert is_descent_of(descend(queens), queens)
    assert queens == before


def test_larger_boards_follow_the_rule():
    n, draw = 40, np.random.default_rng(1)
    for queens in (draw.integers(0, n, n), draw.integers(0, 3, n), np.arange(n), np.arange(n)[::-1], np.zeros(n, int)):
        assert is_descent_of(descend(queens), queens.tolist())


def test_thousands_of_moves_follow_the_rule():
    """A compiled call makes 1,024 moves."""
    n = 2400
    descent = descend(np.zeros(n, np.int32))
    columns, board = np.arange(n), descent.initial_queens.astype(np.int64)

    def queens_on_lines(column, row):
        """Return the queens on the row and both diagonals of squares, of which a queen on the square counts three."""
        lines = (board, row), (board + columns, row + column), (board - columns + n, row - column + n)
        return sum(np.bincount(line, minlength=2 * n)[at] for line, at in lines)

    def attacks_after(column):
        # A queen attacks the other squares of its column only along the column, which is not counted.
        own = 3 * (columns == board[column])
        return queens_on_lines(column, columns) - own

    for column, row in descent.moves.tolist():
        attacks = queens_on_lines(columns, board) - 3
        most, moved = attacks.max(), attacks_after(column)
        assert attacks[column] == most > moved.min()
        assert moved.argmin() == row
        assert all(attacks_after(other).min() >= most for other in np.flatnonzero(attacks[:column] == most))
        board[column] = row
    assert len(descent.moves) > 1024
    assert descent.solved == fastqueens.is_solution(board)
    check_names(repr(descent), "n=2400", "not solved", f"{descent.steps:,} steps")
    check_names(repr(descend([1, 3, 0, 3])), "n=4", "solved", "1 step")
    with check_error(Stopped, 1024):
        descend(np.zeros(n, np.int32), stop=lambda: True)


def test_a_bad_board_is_refused():
    with check_error(InputError, "column 1", "row 2", 0, 1):
        descend([0, 2])


def test_states_that_do_not_fit_are_refused():
    descent = descend([0, 0, 0, 0])
    huge = module.Descent(descent.initial_queens, np.zeros((2**40, 0), np.int64), False)
    with check_error(fastqueens.NotEnoughMemoryError, 2**40 + 1, "4 queens"):
        _ = huge.states


# The output of the command


def test_the_documented_examples_through_the_real_command():
    Path("starts.txt").write_text(STARTS)
    for arguments, stdin in ((["starts.txt"], ""), (["-"], STARTS)):
        done = process("descend", *arguments, input=stdin)
        assert (done.returncode, done.stdout, without_compiling(done.stderr)) == (0, STATES, "")
    done = process("descend", "starts.txt", "-o", "states.txt")
    assert (done.returncode, done.stdout) == (0, "")
    check_names(done.stderr, "states.txt", "154 bytes", "1 of 3 starts")
    assert Path("states.txt").read_bytes() == STATES.encode()


def test_blanks_and_line_ends_do_not_matter(run):
    for text, replacement in [("\n", "\r\n"), ("\n", "\n\n"), ("\n", " \n  "), (" ", " \t  "), (" 4", " 004")]:
        for before, cut in (("\n \t\n", 0), ("\ufeff", -1)):
            written = STARTS[: cut or None].replace(text, replacement)
            Path("starts.txt").write_bytes(f"{before}{written}".encode())
            assert run("starts.txt") == (0, STATES, ""), (text, replacement, before)


def test_lines_may_have_different_n(run):
    Path("starts.txt").write_text("1\n1 1\n2 4 1 3\n1 1 1\n")
    blocks = ["1\nSuccess\n", "1 1\nFailure\n", "2 4 1 3\nSuccess\n", "1 1 1\n2 1 1\n2 3 1\nFailure\n"]
    assert run("starts.txt") == (0, "\n".join(blocks), "")


# Wrong input to the command


#: A line, the number of the entry that is wrong, what is shown of it, and the entries of the line; "n" for only one,
#: whose separators are wrong or missing.
BAD_LINES = [
    ("2 5 7 4 1 3 6 9", 8, "9", 8),
    ("2 0 1 4", 2, "0", 4),
    ("-1 2", 1, "-1", 2),
    ("1 2 x", 3, "x", 3),
    ("2,5,7,4,1,3,6,3", 1, "2,5,7,4,1,3,6,3", "n"),
    ("25741363", 1, "25741363", "n"),
    ("1 \u0661", 2, "\u0661", 2),
    ("1 " + "9" * 5000, 2, "9" * 40, 2),
]


def test_a_bad_line_is_named_before_anything_is_written(run):
    for line, entry, shown, n in BAD_LINES:
        Path("starts.txt").write_bytes(f"2 4 1 3\n\n{line}\n1 x\n".encode())
        for arguments in (["starts.txt"], ["starts.txt", "-o", "states.txt"]):
            exit_code, stdout, stderr = run(*arguments)
            assert (exit_code, stdout) == (2, ""), line
            check_names(stderr, "line 3", f"entry {entry}", f"'{shown}'", f"1 to {n}")
        assert os.listdir() == ["starts.txt"]


def test_an_input_without_a_start_is_refused(run):
    for content, named in [
        (b"\n \n", ["no board"]),
        (b"\xef\xbb\xbf", ["no board"]),
        (b"3\n6\n2\n", ["line 1", "whole board"]),
        (bytes(range(256)), ["line 1", "entry 1"]),
    ]:
        Path("starts.txt").write_bytes(content)
        exit_code, stdout, stderr = run("starts.txt", "-o", "states.txt")
        assert (exit_code, stdout, stderr.count("\n")) == (2, "", 1)
        check_names(stderr, "starts.txt", *named)
        assert os.listdir() == ["starts.txt"]


def test_a_bad_output_is_found_before_the_starts_are_read(run):
    Path("starts.txt").write_text("wrong")
    exit_code, _, stderr = run("starts.txt", "-o", "missing/states.txt")
    assert (exit_code, "missing" in stderr, "wrong" in stderr) == (2, True, False)


@pytest.mark.parametrize("output", [[], ["-o", "states.txt"]])
def test_finished_descents_are_kept_after_a_signal(capsys, monkeypatch, output):
    Path("starts.txt").write_text(STARTS)
    session, made = Session(), []

    def interrupted(queens, stop):
        if len(made) == 2:
            session.stop.set()
        made.append(descend(queens, stop=stop))
        return made[-1]

    monkeypatch.setattr(fastqueens, "descend", interrupted)
    assert app.run(["descend", "starts.txt", *output], session) == 130
    text, error = capsys.readouterr()
    assert (Path("states.txt").read_text() if output else text) == STATES[: STATES.rindex("\n\n") + 1]
    check_names(error, "Interrupted", "2 of 3 starts")
