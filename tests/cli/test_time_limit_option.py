"""``--time-limit``: exit code 1, and the results so far."""

import json
import os

import numpy as np
import pytest
from clocks import tick
from errors import check_names
from lowered import lower
from processes import without_compiling

import fastqueens
from fastqueens.files.boards import read_board, read_boards

#: Fourteen rows for fifteen columns, which no search notices in a short time.
CLOSED = [(column, row) for column in range(0, 45, 3) for row in range(60) if row not in range(1, 57, 4)]
HARD = [word for column, row in CLOSED for word in ("--block", f"{column},{row}")]


@pytest.fixture(autouse=True)
def small_slices(monkeypatch):
    lower(monkeypatch, search_slice=5, tree_slice=20, mixing_slice=50, placement_slice=100)
    tick(monkeypatch)


def test_the_best_board_is_written(run):
    exit_code, stdout, _ = run(
        "solve", "1000", "--seed", "1", "--start", "random", "--time-limit", "100", "-o", "q.txt"
    )
    pairs = fastqueens.attacking_pairs(read_board("q.txt"))
    assert (exit_code, pairs > 0) == (1, True)
    check_names(stdout, f"{pairs:,} attacking pairs")


@pytest.mark.parametrize("words", ["1000 --start random --time-limit 100", "500 --mix 1000 --time-limit 300"])
def test_pictures_are_drawn_after_the_limit(run, words):
    files = ["--plot", "c.png", "--poster", "p.pdf", "-o", "q.npy"]
    assert run("solve", *words.split(), "--seed", "1", *files)[0] == 1
    assert sorted(os.listdir()) == ["c.png", "p.pdf", "q.npy"]


def test_a_limit_before_there_is_a_board(run):
    exit_code, stdout, stderr = run("solve", "1000", "--start", "random", "--time-limit", "1", "-o", "q.txt")
    assert (exit_code, stdout) == (1, "")
    check_names(stderr, "1 s")


def test_a_count_says_how_far_it_is(run):
    exit_code, stdout, stderr = run("count", "14", "--time-limit", "5")
    assert (exit_code, stdout) == (1, "")
    check_names(stderr, "5 s", "solutions so far")
    exit_code, stdout, _ = run("count", "14", "--time-limit", "5", "--json")
    found = json.loads(stdout)
    assert (exit_code, found["partial"], found["n"], 0 < found["solutions"] < 365_596) == (1, True, 14, True)
    assert run("count", "14", "--time-limit", "5", "-q") == (1, "", "")


def test_whether_a_solution_is_unique_may_stay_unknown(run):
    exit_code, stdout, stderr = run("count", "60", *HARD, "--unique", "--time-limit", "5", "--json")
    found = json.loads(stdout)
    assert (exit_code, found["unique"], found["solvable"], found["partial"]) == (1, None, None, True)
    check_names(stderr, "5 s", "0 solutions so far")


def test_all_solutions_so_far(run):
    assert run("list", "12", "-o", "all.txt", "--time-limit", "30")[0] == 1
    boards = read_boards("all.txt")
    assert 0 < len(boards) < 14_200
    assert all(fastqueens.is_solution(board) for board in boards)
    assert run("list", "12", "-o", "none.txt", "--time-limit", "1")[0] == 1


def test_all_sizes_together_have_the_time(run):
    limited = ["runtimes", "10,1000", "--seeds", "1", "--start", "random", "--json", "--time-limit"]
    exit_code, stdout, stderr = run(*limited, "150")
    assert (exit_code, [row["n"] for row in json.loads(stdout)["rows"]]) == (1, [10])
    check_names(stderr, "150 s", "1 of 2 sizes")
    assert run(*limited, "1")[:2] == (1, "")


def test_samples_so_far(run):
    exit_code, _, stderr = run("sample", "9", "--count", "1000", "--threads", "1", "--time-limit", "300", "-o", "s.npz")
    boards = read_boards("s.npz")
    assert (exit_code, 0 < len(boards) < 1000) == (1, True)
    check_names(stderr, "300 s", f"{len(boards)} of 1,000")
    assert len(np.load("s.npz")["boards"]) == len(boards)


def test_puzzles_so_far(run):
    many = ["puzzle", "12", "--unique", "--many", "1000", "--seed", "1"]
    exit_code, _, stderr = run(*many, "--time-limit", "400", "-o", "p.jsonl")
    with open("p.jsonl") as file:
        lines = file.readlines()
    assert (exit_code, 0 < len(lines) < 1000) == (1, True)
    check_names(stderr, "400 s", f"{len(lines)} of 1,000")
    assert json.loads(lines[-1])["n"] == 12
    exit_code, stdout, stderr = run("puzzle", "12", "--unique", "--time-limit", "1")
    assert (exit_code, stdout) == (1, "")
    check_names(without_compiling(stderr), "1 s")
