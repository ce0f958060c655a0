"""``fastqueens prove``: a solution, the proof that there is none, or neither."""

import json
import re

import naive
from errors import check_names
from lowered import lowered
from processes import without_compiling

import fastqueens
from fastqueens.files.boards import read_board

NONE = ["prove", "6", "--queen", "0,0", "--queen", "1,2"]


def test_a_solution_is_drawn_and_written(run):
    exit_code, stdout, stderr = run("prove", "8", "--queen", "1,3", "--seed", "1", "-o", "q.txt")
    assert (exit_code, without_compiling(stderr)) == (0, "")
    check_names(stdout, re.compile(r"[\d,]+ squares tried \(n = 8, seed 1\)"), "Solved", "1 fixed queen", "Wrote q.txt")
    queens = read_board("q.txt").tolist()
    assert queens in naive.completions(8, {1: 3})
    drawn = [line.split() for line in stdout.splitlines() if set(line) <= set(". QF") and line]
    assert [row.index("F") for row in drawn if "F" in row] == [1]
    exit_code, stdout, stderr = run("prove", "8", "--queen", "1,4", "--seed", "1", "-o", "-", "--rows-from", "1")
    assert [int(line) - 1 for line in stdout.splitlines()] == queens
    check_names(stderr, "Solved")


def test_there_is_no_solution(run):
    exit_code, stdout, stderr = run(*NONE, "--seed", "1", "-o", "q.txt")
    assert (exit_code, without_compiling(stderr)) == (3, "")
    check_names(stdout, "seed 1", "No solution exists for n = 6 with 2 fixed queens", "all possibilities were tried")
    closed = [word for row in range(6) for word in ("--block", f"2,{row}")]
    exit_code, stdout, _ = run("prove", "6", *closed)
    assert exit_code == 3
    check_names(stdout, "column 2")
    exit_code, stdout, stderr = run(*NONE, "-o", "-")
    assert (exit_code, stdout, "No solution exists" in stderr) == (3, "", True)
    assert run(*NONE, "-q") == (3, "", "")


def test_a_limit_leaves_it_undecided(run):
    exit_code, stdout, _ = run(*NONE, "--max-nodes", "1", "--seed", "1")
    assert exit_code == 1
    check_names(stdout, "1 square tried", "unknown", "--max-nodes")
    with lowered(tree_slice=1):
        exit_code, stdout, stderr = run("prove", "20", "--time-limit", "1e-9", "--json")
    figures = json.loads(stdout)
    assert (exit_code, figures["solvable"], figures["answer"], figures["partial"]) == (1, None, "undecided", True)
    check_names(stderr, "1e-09 s", "unknown", "1 square tried", f"seed {figures['seed']}")


def test_answers_as_json(run):
    exit_code, stdout, stderr = run("prove", "8", "--queen", "1,4", "--seed", "3", "--json", "--rows-from", "1")
    figures, answer = json.loads(stdout), fastqueens.prove(fastqueens.make_instance(8, {1: 3}), seed=3)
    assert (exit_code, without_compiling(stderr)) == (0, "")
    assert (figures["solvable"], figures["nodes"], figures["seed"]) == (True, answer.nodes, 3)
    assert (figures["queens"], figures["fixed_queens"]) == ((answer.queens + 1).tolist(), 1)
    exit_code, stdout, _ = run(*NONE, "--json")
    figures = json.loads(stdout)
    assert (exit_code, figures["solvable"], figures["answer"], "queens" in figures) == (3, False, "no solution", False)


def test_a_search_continues_from_its_checkpoint(run):
    """The seed of the first command is drawn, and the second one continues with it."""
    with lowered(uncut_squares=20, part_squares=5):
        for command in (
            (*NONE, "--checkpoint", "p.sqlite", "--json"),
            ("prove", "20", "--checkpoint", "b.sqlite", "--json"),
        ):
            first, second = (json.loads(run(*command)[1]) for _ in range(2))
            assert (first["seed"], first["nodes"]) == (second["seed"], second["nodes"])
            assert first["nodes"] > 0
