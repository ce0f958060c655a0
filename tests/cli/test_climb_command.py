"""``fastqueens climb``: the boards and figures of the runs, the table of several algorithms, and the static point."""

import json
import re
from functools import partial

import naive
import pytest
from errors import check_names
from processes import without_compiling

from fastqueens import nqueens
from fastqueens._run.text import counted
from fastqueens.classroom.algorithms import ALGORITHMS, Limits
from fastqueens.classroom.climbing import climb
from fastqueens.files.traces import read_moves
from fastqueens.pictures.ascii import draw_board


@pytest.fixture
def run(run):
    return partial(run, "climb")


def shown_boards(text):
    """Return the printed boards and H values in order."""
    boards = []
    for drawn, cost in re.findall(r"\n((?:[.Q][ .Q]*\n)+)H value: (\d+)\n", text):
        rows = [line.split() for line in drawn.splitlines()]
        boards.append(([row.index("Q") for row in zip(*rows, strict=True)], int(cost)))
    return boards


@pytest.mark.parametrize("algorithm", ["steepest", "restart", "annealing", "min-conflicts"])
def test_the_boards_shown_are_those_of_the_run(run, algorithm):
    code, text, _ = run("8", "--algorithm", algorithm, "--seed", "3", "--runs", "1", "--restarts", "2", "--show")
    climbed = climb(8, algorithm=algorithm, seed=3, limits=Limits(restarts=2))
    assert shown_boards(text) == [(look.queens.tolist(), look.cost) for look in climbed.looks()]
    assert all(cost == len(naive.attacking_pairs(board)) for board, cost in shown_boards(text))
    assert text.count("Restart from") == len(climbed.restarts)
    assert (code, "Success: " in text, "Failure: " in text) == (not climbed.solved, climbed.solved, not climbed.solved)
    check_names(text, f"{climbed.steps} steps", counted(len(climbed.restarts), "restart"))
    for number, (column, row, new_row) in enumerate(climbed.moves.steps.tolist(), 1):
        moved = f"column {column} to row {new_row}" if new_row != row else "the queen stays"
        assert f"Step {number}: {moved}\n" in text


def test_a_table_of_all_algorithms_on_the_same_boards(run):
    _, text, _ = run("10", "--algorithm", "all", "--seed", "5", "--runs", "4")
    lines = [line.split() for line in text.splitlines() if line.split()[:1] and line.split()[0] in ALGORITHMS]
    expected = []
    for seed in range(5, 9):
        for algorithm in ALGORITHMS:
            one = climb(10, algorithm=algorithm, seed=seed)
            figures = [one.initial_cost, one.steps, len(one.restarts), one.evaluations, one.cost]
            figures = [f"{number:,}" for number in figures]
            expected.append([algorithm, str(seed), *figures, "yes" if one.solved else "no"])
    assert lines == expected


def test_columns_that_a_systematic_search_has_not_filled_are_null_in_json(run):
    arguments = ("5", "--algorithm=backtracking", "--runs=1", "--seed=1", "--max-steps=2", "--rows-from", "1")
    (found,) = json.loads(run(*arguments, "--json")[1])
    assert found["queens"] == [1, 3, None, None, None]


@pytest.mark.parametrize(
    ("algorithm", "named"),
    [("steepest", ["No move lowers"]), ("sideways", ["No move lowers"]), ("annealing", ["lowest"])],
)
def test_it_says_why_a_run_is_stuck(run, algorithm, named):
    option = {"sideways": ["--sideways-limit", "2"], "annealing": ["--cooling", "0.01"]}.get(algorithm, [])
    arguments = ["8", "--algorithm", algorithm, "--runs", "1", "--show", *option]
    texts = "".join(run(*arguments, "--seed", str(seed))[1] for seed in (3, 13, 14, 15))
    check_names(" ".join(re.findall("Failure: .*", texts)), "0 restarts", *named)


def test_equal_runs_are_made_once_unless_more_are_asked_for(run):
    for arguments, runs in {
        ("--board", "0 0 1 2 4"): 1,
        ("--board", "0 0 1 2 4", "--runs", "2"): 2,
        ("--board", "0 0 1 2 4", "--algorithm", "annealing,steepest"): 2,
        ("6",): 3,
        ("6", "--algorithm", "backtracking"): 1,
        ("6", "--algorithm", "backtracking,steepest"): 4,
        ("6", "--algorithm", "backtracking", "--runs", "2"): 2,
    }.items():
        assert len(json.loads(run(*arguments, "--json")[1])) == runs, arguments


def test_a_board_from_a_file_and_rows_from_1(run):
    draw = draw_board([0, 0, 1, 2, 4])
    for source in (["--board", "1 1 2 3 5", "--rows-from", "1"], ["--board", "0 0 1 2 4"]):
        _, text, _ = run(*source, "--show", "--runs", "1", "--seed", "1")
        assert f"Start:\n{draw}\nH value: 5\n" in text
    with open("b.txt", "w") as file:
        file.write("0\n0\n1\n2\n4\n")
    assert run("--file", "b.txt", "--show", "--runs", "1", "--seed", "1")[1] == text


# The assignment with a static point


def test_the_static_point_prints_what_the_assignment_prints(run, capsys):
    state = [0, 7, 3, 4, 7, 1, 2, 2]
    nqueens.n_queens(state, 0, 0)
    printed = capsys.readouterr().out
    assert printed.count("\n") == 5
    assert run("--static-point", "0,0", "--board", " ".join(map(str, state))) == (0, printed, "")

    nqueens.n_queens_restart(7, 10, 0, 0)
    assert capsys.readouterr().out == "[0, 6, 1, 3, 5, 0, 4] - f=3\n"
    assert run("7", "--static-point", "0,0", "--restarts", "10") == (1, "[0, 6, 1, 3, 5, 0, 4] - f=3\n", "")


def test_a_random_board_keeps_its_queen_on_the_static_point(run):
    for seed in range(5):
        _, text, _ = run("9", "--static-point", "3,7", "--seed", str(seed))
        assert {json.loads(line.split(" - ")[0])[3] for line in text.splitlines()} == {7}
        assert run("9", "--static-point", "3,7", "--seed", str(seed))[1] == text
    _, text, error = run("9", "--static-point", "3,7")
    seed = re.search(r"with seed (\d+)\.$", error.rstrip())[1]
    assert run("9", "--static-point", "3,7", "--seed", seed)[1] == text


@pytest.mark.parametrize("algorithm", ["sideways", "min-conflicts", "first-choice"])
def test_a_run_is_written_as_a_trace_with_moves(run, algorithm, tmp_path):
    _, text, err = run("8", "--algorithm", algorithm, "--seed", "3", "--restarts", "2", "-o", "climb.npz")
    assert without_compiling(err) == ""
    *table, wrote = text.splitlines()
    assert wrote.startswith("Wrote climb.npz (")
    assert table[-2].split()[:2] == [algorithm, "3"]
    climbed = climb(8, algorithm=algorithm, limits=Limits(restarts=2), seed=3)
    trace, restarts, moves = read_moves("climb.npz")  # checks each move against the board before it
    for read, made in zip((*trace, *moves), (*climbed.trace, *climbed.moves), strict=True):
        assert read.tolist() == made.tolist()
    assert tuple(restarts) == climbed.restarts


def test_a_systematic_search_is_shown_with_its_empty_columns(run):
    code, text, _ = run("4", "--algorithm", "backtracking", "--show", "--runs", "1")
    assert code == 0
    assert text.count("Step ") == 8
    assert "Step 1:\nQ . . .\n. . . .\n. . . .\n. . . .\nH value: 3\n" in text
    assert "Step 8:\n. . Q .\nQ . . .\n. . . Q\n. Q . .\nH value: 0\n" in text


@pytest.mark.parametrize("board", [["--board", "0 0 1 3"], ["--board", "1 1 2 4", "--rows-from", "1"]])
def test_a_static_point_without_a_queen_is_explained(run, board):
    code, text, error = run("--static-point", "1,2", *board)
    assert (code, text) == (1, "[0, 0, 1, 3] - f=4\n")
    check_names(error, "static point 1,2", "queen of column 1", "row 0", "--static-point 1,0", "row 2")
    assert run("--static-point", "1,0", *board)[2] == ""
