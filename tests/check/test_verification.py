"""No board is called solved before code that did not make it has found it to be a solution."""

import numpy as np
import pytest
from errors import check_names
from lowered import lower
from processes import process

import fastqueens
from fastqueens.check import verification_kernel
from fastqueens.cli import app
from fastqueens.cli.process import Session
from fastqueens.files.boards import write_board
from fastqueens.solving import min_conflicts_kernel, repair_kernel, run, windows_kernel
from fastqueens.solving.search_kernel import PAIRS

pytestmark = pytest.mark.checked

LINES = ("row", "sum diagonal", "difference diagonal")
SMALL, LARGE = 1000, 10_000_000


def planted(queens, line, column):
    """Move the queen of a column to a line of another; return the board and the other column.

    The other column is the nearest whose line of this kind meets the column on the board.
    """
    n = len(queens)
    others = np.arange(column + 1, n) if column < n // 2 else np.arange(column - 1, -1, -1)
    distance = others - column
    shift = {"row": 0, "sum diagonal": 1, "difference diagonal": -1}[line]
    rows = queens[others].astype(np.int64) + shift * distance
    at = int(np.argmax((rows >= 0) & (rows < n)))
    board = queens.copy()
    board[column] = rows[at]
    return board, int(others[at])


@pytest.fixture(scope="module", params=[SMALL, pytest.param(LARGE, marks=pytest.mark.gate)])
def solution(request):
    return fastqueens.solve(request.param, seed=1).queens


@pytest.mark.parametrize("column", ["first", "last"])
@pytest.mark.parametrize("line", LINES)
def test_a_planted_attack_is_found_and_named(solution, line, column):
    n = len(solution)
    queens, other = planted(solution, line, 0 if column == "first" else n - 1)
    pair = tuple(sorted((0 if column == "first" else n - 1, other)))
    assert on_line(queens, line, *pair)
    assert not fastqueens.is_solution(queens)
    assert fastqueens.attacking_pairs(queens) >= 1
    # The moved queen may attack several others; the first attack is one of these.
    named = fastqueens.first_attack(queens)
    assert named == first_pair_with(queens, pair[0] if column == "first" else pair[1])


def on_line(queens, line, left, right):
    step = {"row": 0, "sum diagonal": -1, "difference diagonal": 1}[line]
    return int(queens[right]) - int(queens[left]) == step * (right - left)


def first_pair_with(queens, column):
    """Return the first attack on a board where only the queen of one column attacks others, in plain NumPy."""
    columns = np.delete(np.arange(len(queens)), column)
    apart = np.abs(queens[columns].astype(np.int64) - int(queens[column]))
    attacked = columns[(apart == 0) | (apart == np.abs(columns - column))]
    pairs = [tuple(sorted((int(other), column))) for other in attacked]
    return min(pairs, key=lambda pair: (pair[1], pair[0]))


@pytest.mark.parametrize("line", LINES)
def test_the_command_names_the_planted_attack(solution, line, tmp_path):
    queens, _ = planted(solution, line, len(solution) - 1)
    left, right = first_pair_with(queens, len(solution) - 1)
    write_board(tmp_path / "q.npy", queens)
    done = process("verify", "q.npy", cwd=tmp_path)
    assert done.returncode == 1
    assert f"column {left}, row {queens[left]} and column {right}, row {queens[right]}, on one " in done.stdout


# A search with a fault.


def spoil(queens):
    """Put two queens on one row."""
    queens[-1] = queens[0]


@pytest.mark.parametrize(
    ("arguments", "n"),
    [({}, 8), ({}, 1000), ({"start": "uniform"}, 200), ({"start": "random"}, 200), ({"board": [0] * 50}, None)],
)
def test_a_board_spoiled_in_the_search_is_not_called_solved(monkeypatch, arguments, n):
    search_from = run.SearchRun._search_from

    def spoiled(self, attempt, search):
        found = search_from(self, attempt, search)
        spoil(attempt.queens)
        assert attempt.state[PAIRS] == 0, "the search takes its board for solved"
        return found

    monkeypatch.setattr(run.SearchRun, "_search_from", spoiled)
    with pytest.raises(RuntimeError, match="please report"):
        fastqueens.solve(n, seed=1, **arguments)


@pytest.mark.parametrize("output", [["-o", "q.npy"], ["-o", "q.txt"], ["--json"]])
def test_a_spoiled_board_is_an_internal_error_and_not_written(monkeypatch, tmp_path, capsys, output):
    monkeypatch.chdir(tmp_path)
    lower(monkeypatch, made_in_file=1000 if output[-1] == "q.npy" else 10**9)
    monkeypatch.setattr(run, "find_fault", lambda *_, **__: "a made-up fault")
    assert app.run(["solve", "1000", "--seed", "1", *output], Session()) == 70
    said = capsys.readouterr()
    assert said.out == ""
    check_names(said.err, "a made-up fault")
    assert list(tmp_path.iterdir()) == []


def test_the_check_shares_no_kernel_with_the_search():
    names = {name for name, value in vars(verification_kernel).items() if hasattr(value, "py_func")}
    of_search = {
        name
        for module in (windows_kernel, repair_kernel, min_conflicts_kernel, min_conflicts_kernel)
        for name in vars(module)
    }
    assert names
    assert not {
        name
        for name in names & of_search
        if vars(verification_kernel)[name].py_func.__module__ == verification_kernel.__name__
    }
