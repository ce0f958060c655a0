"""Fixed queens on the command line: solve --queen, --queens-file, --count; puzzle."""

import json
import re

import naive
import numpy as np
import pytest

import fastqueens
from fastqueens.files.instance_lines import write_fixed_queens


def test_fixed_queens_stay_where_they_are(run):
    exit_code, stdout, _ = run("solve", "8", "--queen", "1,3", "--queen", "3,4", "--seed", "1")
    assert exit_code == 0
    assert re.search(r"^Complete search for .*: [\d,]+ squares tried \(n = [\d,]+, seed 1\)\.$", stdout, re.MULTILINE)
    assert "no queen attacks another, with 2 fixed queens." in stdout
    boards = [line.split() for line in stdout.splitlines() if set(line) <= set(". QF") and line]
    assert [boards[row].index("F") for row in (3, 4)] == [1, 3]
    assert sum(line.count("F") for line in boards) == 2
    assert stdout.endswith("\nF fixed queen\n")


def test_both_options_together_and_rows_from_one(run, tmp_path):
    (tmp_path / "fixed.csv").write_text("column,row\n1,4\n")
    arguments = ["solve", "8", "--queens-file", "fixed.csv", "--queen", "3,5", "--rows-from", "1", "-q", "-o", "q.csv"]
    assert run(*arguments) == (0, "", "")
    lines = (tmp_path / "q.csv").read_text().splitlines()
    assert {"1,4", "3,5"} < set(lines)
    queens = fastqueens.read_board("q.csv", rows_from=1)
    assert queens.tolist() in naive.completions(8, {1: 3, 3: 4})


def test_a_large_board_with_fixed_queens_is_built_in_its_file(run, tmp_path):
    n = 1 << 22
    fixed = fastqueens.puzzle(n, 1000, seed=1)
    write_fixed_queens(tmp_path / "fixed.csv", fixed)
    exit_code, stdout, _ = run("solve", str(n), "--queens-file", "fixed.csv", "-o", "q.npy", "--seed", "1")
    assert exit_code == 0
    assert f"Placed {n - 1000:,} queens plus 1,000 fixed ones" in stdout
    queens = fastqueens.read_board("q.npy")
    assert (queens[fixed[:, 0]] == fixed[:, 1]).all()
    assert fastqueens.is_solution(queens)


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (
            ["--queen", "1,3", "--queen", "2,4"],
            3,
            "no solution exists: the fixed queens in column 1, row 3 and in column 2, row 4 attack each other",
        ),
        (["--queen", "1,3", "--queen", "1,4"], 2, "column 1 already has one, in row 3"),
        (["--queen", "1,8"], 2, "fixed queen in column 1, row 8: rows go from 0 to 7"),
        (["--queen", "-1,2"], 2, "fixed queen in column -1, row 2: columns go from 0 to 7"),
        (["--queen", "1,0", "--rows-from", "1"], 2, "column 1, row 0: rows go from 1 to 8"),
        (["--queen", "b4"], 2, "'b4' is not a square; write COLUMN,ROW, for example 3,17"),
        (["--queens-file", "none.csv"], 2, "none.csv: no such file"),
        (["--queens-file", "-", "--file", "-"], 2, "--file and --queens-file cannot both be read from stdin."),
        (["--queen", "0,0", "--queen", "1,5", "--queen", "3,4"], 3, "for n = 8 with 3 fixed queens: all"),
        (
            ["--queen", "7,1", "--queen", "5,6", "--queen", "1,4", "--rows-from", "1"],
            3,
            "no solution exists: the fixed queens attack every square of row 5",
        ),
        (["--count", "-o", "q.npy"], 2, "--count and -o: --count looks at all solutions"),
        (["--count", "-o", "q.npy"], 2, "by complete search; --all FILE writes them."),
        (["--count", "--seed", "1"], 2, "--count and --seed: --count looks at all solutions"),
    ],
)
def test_impossible_fixed_queens_are_refused(run, tmp_path, arguments, exit_code, message):
    outcome = run("solve", *([] if "--file" in arguments else ["8"]), *arguments)
    assert outcome[:2] == (exit_code, "")
    assert message in " ".join(outcome[2].split())
    assert list(tmp_path.iterdir()) == []


def test_the_complete_search_is_reported(run):
    stuck = ["solve", "8", "--queen", "1,3", "--queen", "3,4", "--start", "random", "--max-steps", "0", "--seed", "1"]
    exit_code, stdout, _ = run(*stuck)
    assert exit_code == 0
    assert re.search(r"^Complete search for .*: [\d,]+ squares tried \(n = [\d,]+, seed 1\)\.$", stdout, re.MULTILINE)
    assert "Local search did not run, so --start and --max-steps had no effect; --method local runs it." in stdout
    exit_code, stdout, _ = run(*stuck, "--max-nodes", "1")
    assert exit_code == 1
    assert "did not run" not in stdout
    assert re.search(r"^Complete search for .*: 1 square tried, no answer\.$", stdout, re.MULTILINE)
    exit_code, stdout, _ = run(*stuck, "--max-nodes", "0")
    assert exit_code == 1
    assert (
        "whether there is a solution; higher values of --restarts, --max-steps and --max-nodes search longer." in stdout
    )
    figures = json.loads(run(*stuck, "--max-nodes", "1", "--json")[1])
    assert (figures["fixed_queens"], figures["nodes"], figures["solved"]) == (2, 1, False)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--trace", "t.csv"),
        ("--restarts", "3"),
        ("--max-steps", "9"),
        ("--start", "uniform"),
    ],
)
def test_an_option_of_local_search_without_effect_is_named(run, option, value):
    sentence = f"Local search did not run, so {option} had no effect; --method local runs it."
    assert sentence in run("solve", "8", "--block", "0,7", option, value)[1]
    assert "had no effect" not in run("solve", "8", "--block", "0,7")[1]
    assert "had no effect" not in run("solve", "8", "--block", "0,7", "--method", "local", "--restarts", "30")[1]


def test_a_board_without_effect_is_named(run):
    board = ["solve", "--board", "0 1 2 3 4 5 6 7", "--block", "0,7"]
    assert "so --board had no effect" in run(*board, "--method", "complete")[1]
    assert "had no effect" not in run(*board)[1]


def test_the_advice_names_only_options_of_the_method(run):
    stuck = ["solve", "8", "--queen", "1,3", "--queen", "3,4", "--start", "random", "--max-steps", "0", "--seed", "1"]
    assert "; a higher value of --max-nodes searches longer." in run(*stuck, "--method=complete", "--max-nodes=1")[1]
    assert "; higher values of --restarts and --max-steps search longer." in run(*stuck, "--method=local")[1]


def test_the_message_on_a_single_fixed_queen(run):
    message = "no solution exists for n = 4 with 1 fixed queen: all possibilities were tried"
    assert message in run("solve", "4", "--queen", "0,0")[2]


def test_an_unknown_outcome_is_reported(run):
    exit_code, stdout, _ = run("solve", "300", "--queen", "0,1", "--start", "random", "--max-steps", "0")
    assert exit_code == 1
    assert (
        "It is not known whether there is a solution; higher values of --restarts and --max-steps search longer."
        in stdout
    )


def test_solutions_are_counted(run):
    assert run("solve", "8", "--count")[:2] == (0, "92 solutions for n = 8.\n")
    completing = ["solve", "8", "--count", "--queen", "1,3", "--queen", "3,4"]
    assert run(*completing) == (0, "2 solutions for n = 8 with 2 fixed queens.\n", "")
    counts = {"fixed_queens": 2, "blocked_squares": 0, "excluded_diagonals": 0}
    assert json.loads(run(*completing, "--json")[1]) == {"n": 8, **counts, "solutions": 2}
    assert run(*completing, "-q") == (0, "2\n", "")
    assert run("solve", "3", "--count") == (3, "0 solutions for n = 3.\n", "")


# verify


def test_verify_looks_for_fixed_queens(run, tmp_path):
    (tmp_path / "q.txt").write_text("3\n6\n4\n2\n8\n5\n7\n1\n")
    (tmp_path / "fixed.csv").write_text("column,row\n3,2\n0,3\n")
    verify = ["verify", "q.txt", "--rows-from", "1", "--queens-file", "fixed.csv"]
    solved = "Solved: 8 queens, and no two of them share a row or a diagonal.\n"
    not_solved = "Not solved: 8 queens; no two of them share a row or a diagonal.\n"
    assert run(*verify) == (0, solved + "It respects 2 fixed queens.\n", "")
    exit_code, stdout, _ = run(*verify, "--queen", "2,7")
    assert (exit_code, stdout) == (1, not_solved + "Missing: 1 of 3 fixed queens, in column 2, row 7.\n")
    exit_code, stdout, stderr = run(*verify, "--queen", "2,7", "--queen", "1,5", "--json")
    assert exit_code == 1
    assert json.loads(stdout) == {
        "n": 8, "solved": False, "pairs": 0, "first_attack": None, "missing_queens": 2, "first_missing": [1, 5],
        "blocked_queens": 0, "first_blocked": None, "excluded_queens": 0, "first_excluded": None,
    }  # fmt: skip
    assert "Missing: 2 of 4 fixed queens, the first in column 1, row 5." in stderr
    assert run(*verify, "--queen", "2,7", "-q") == (1, "", "")


def test_verify_refuses_impossible_fixed_queens(run, tmp_path):
    (tmp_path / "q.txt").write_text("1\n3\n0\n2\n")
    assert run("verify", "q.txt", "--queen", "0,4")[0] == 2
    assert run("verify", "q.txt", "--queen", "0,1", "--queen", "1,2")[0] == 3
    exit_code, _, stderr = run("verify", "-", "--queens-file", "-")
    assert (exit_code, "cannot both be read from stdin" in stderr) == (2, True)


# puzzle


def test_a_puzzle_is_drawn_and_written(run, tmp_path):
    arguments = ["puzzle", "8", "--queens", "2", "--solvable", "--seed", "1", "-o", "fixed.csv", "-o", "puzzle.png"]
    exit_code, stdout, stderr = run(*arguments)
    assert (exit_code, stderr) == (0, "")
    board, legend = stdout.split("F fixed queen")
    assert board.count("F") == 2
    assert "F" not in legend
    squares = np.loadtxt(tmp_path / "fixed.csv", np.int64, delimiter=",", skiprows=1)
    solutions = len(naive.completions(8, dict(squares.tolist())))
    assert f"2 fixed queens for n = 8, seed 1. It has {solutions} solutions." in stdout
    assert (tmp_path / "puzzle.png").read_bytes().startswith(b"\x89PNG")
    assert run("solve", "8", "--queens-file", "fixed.csv", "-q")[0] == 0


def test_a_puzzle_without_a_solution_is_reported(run):
    outcomes = {run("puzzle", "8", "--queens", "4", "--seed", str(seed))[1].split(" It has ")[1] for seed in range(9)}
    assert "no solution.\n" in outcomes


def test_puzzles_repeat_and_rows_may_count_from_one(run, tmp_path):
    for path, more in (("a.csv", []), ("b.csv", ["--rows-from", "1"])):
        assert run("puzzle", "1000", "--seed", "7", "-q", "-o", path, *more) == (0, "", "")
    zero, one = (np.loadtxt(tmp_path / path, np.int64, delimiter=",", skiprows=1) for path in ("a.csv", "b.csv"))
    assert len(zero) == 250
    assert (one - zero == [0, 1]).all()


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (["8", "--queens", "9"], 2, "queens is 9: a board of 8 has from 0 to 8 fixed queens"),
        (["0"], 2, "n is 0: a board has at least 1 queen"),
        (["3", "--solvable"], 3, "no solution exists for n = 3"),
        (["8", "-o", "p.gif"], 2, "p.gif: unknown suffix '.gif'; use .csv, .txt, .json,"),
        (["8", "-o", "p.csv", "-o", "./p.csv"], 2, "-o: the same file is given twice."),
        (["500", "-o", "p.png"], 2, "n is 500: a picture of queens shows at most 400"),
        (["8", "--seed", "-1"], 2, "seed is -1"),
    ],
)
def test_impossible_puzzles_are_refused(run, tmp_path, arguments, exit_code, message):
    outcome = run("puzzle", *arguments)
    assert outcome[:2] == (exit_code, "")
    assert message in outcome[2]
    assert list(tmp_path.iterdir()) == []
