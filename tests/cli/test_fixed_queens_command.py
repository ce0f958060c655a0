"""Fixed queens on the command line: solve --queen and --queens-file; verify; puzzle."""

import json
import re

import naive
import numpy as np
import pytest
from errors import check_names
from lowered import lowered

#: Two fixed queens, with a first board that is not a solution.
HARD = ["solve", "20", "--queen", "1,3", "--queen", "3,4", "--seed", "1"]


def test_fixed_queens_stay_where_they_are(run):
    exit_code, stdout, _ = run("solve", "8", "--queen", "1,3", "--queen", "3,4", "--seed", "1")
    assert exit_code == 0
    check_names(stdout, "Complete search", re.compile(r"[\d,]+ squares tried \(n = [\d,]+, seed 1\)"), "2 fixed queens")
    boards = [line.split() for line in stdout.splitlines() if set(line) <= set(". QF") and line]
    assert [boards[row].index("F") for row in (3, 4)] == [1, 3]
    assert sum(line.count("F") for line in boards) == 2


@pytest.mark.parametrize(
    ("options", "exit_code", "named", "advice"),
    [
        ("", 0, ["[\\d,]+ squares tried \\(n = [\\d,]+, seed 1\\)"], ""),
        (
            "--method local --start random --max-steps 0",
            1,
            [],
            "Try higher limits, or fastqueens prove.",
        ),
        (
            "--method complete --time-limit 1e-9",
            1,
            ["1 square tried"],
            "Try higher limits, or fastqueens prove.",
        ),
    ],
)
def test_the_report_tells_what_ran_and_the_advice_what_would_help(run, options, exit_code, named, advice):
    with lowered(tree_slice=1):
        found, stdout, _ = run(*HARD, *options.split())
    assert found == exit_code
    check_names(stdout, *map(re.compile, named))
    assert ("Try " in stdout) == bool(advice)
    check_names(stdout, advice)


# verify


def test_verify_looks_for_fixed_queens(run, tmp_path):
    (tmp_path / "q.txt").write_text("3\n6\n4\n2\n8\n5\n7\n1\n")
    (tmp_path / "fixed.csv").write_text("column,row\n3,2\n0,3\n")
    verify = ["verify", "q.txt", "--rows-from", "1", "--queens-file", "fixed.csv"]
    exit_code, stdout, _ = run(*verify)
    assert exit_code == 0
    check_names(stdout, "Solved: 8 queens", "2 fixed queens")
    exit_code, stdout, _ = run(*verify, "--queen", "2,7")
    assert exit_code == 1
    check_names(stdout, "Not solved: 8 queens", "1 of 3 fixed queens", "column 2, row 7")
    two_missing = (*verify, "--queen", "2,7", "--queen", "1,5")
    check_names(run(*two_missing)[1], "2 of 4 fixed queens", "column 1, row 5")
    exit_code, stdout, _ = run(*two_missing, "--json")
    assert exit_code == 1
    assert json.loads(stdout) == {
        "n": 8, "solved": False, "pairs": 0, "first_attack": None, "missing_queens": 2, "first_missing": [1, 5],
        "blocked_queens": 0, "first_blocked": None, "excluded_queens": 0, "first_excluded": None,
    }  # fmt: skip
    assert run(*verify, "--queen", "2,7", "-q") == (1, "", "")


# puzzle


def test_a_puzzle_is_drawn_and_written(run, tmp_path):
    arguments = ["puzzle", "8", "--queens", "2", "--solvable", "--seed", "1", "-o", "fixed.csv", "-o", "puzzle.png"]
    exit_code, stdout, stderr = run(*arguments)
    assert (exit_code, stderr) == (0, "")
    board, report = stdout.split("F fixed queen", 1)
    assert board.count("F") == 2
    squares = np.loadtxt(tmp_path / "fixed.csv", np.int64, delimiter=",", skiprows=1)
    solutions = len(naive.completions(8, dict(squares.tolist())))
    check_names(report, "2 fixed queens", "n = 8", "seed 1", f"{solutions} solutions")
    assert (tmp_path / "puzzle.png").read_bytes().startswith(b"\x89PNG")
    assert run("puzzle", *arguments[2:]) == (0, stdout, ""), "8 is the default"
    assert run("solve", "8", "--queens-file", "fixed.csv", "-q")[0] == 0


def test_a_puzzle_without_a_solution_is_reported(run):
    outcomes = {run("puzzle", "8", "--queens", "4", "--seed", str(seed))[1].split(" It has ")[1] for seed in range(9)}
    assert "no solution.\n" in outcomes
