"""``fastqueens solve --count``, ``--unique`` and ``--all``, and solutions in files."""

import json

import naive
import numpy as np
import pytest

import fastqueens
from fastqueens.core.errors import InputError
from fastqueens.files import samples
from fastqueens.files.samples import write_solutions

TWO = ["--queen", "1,3", "--queen", "3,4"]
ONE = ["--queen", "0,0", "--queen", "1,4"]
NONE = ["--queen", "0,0", "--queen", "1,2", "--queen", "2,7", "--queen", "3,5"]


def read(path):
    return [tuple(map(int, line.split())) for line in path.read_text().splitlines()]


def test_counts(run):
    assert run("solve", "8", "--count", "--limit", "92")[:2] == (0, "At least 92 solutions for n = 8.\n")
    assert run("solve", "8", "--count", "--limit", "93")[:2] == (0, "92 solutions for n = 8.\n")
    assert run("solve", "8", "--count", "--limit", "5", "-q")[:2] == (0, "5\n")
    blocked = [f"--block={column},{row}" for column in range(8) for row in range(8) if column == row]
    expected = sum(all(c != r for c, r in enumerate(queens)) for queens in naive.completions(8, {}))
    exit_code, stdout, _ = run("solve", "8", "--count", *blocked, "--json")
    counts = {"fixed_queens": 0, "blocked_squares": 8, "excluded_diagonals": 0}
    assert (exit_code, json.loads(stdout)) == (0, {"n": 8, **counts, "solutions": expected})


@pytest.mark.parametrize(
    ("queens", "exit_code", "how_many"), [(ONE, 0, "exactly one"), (TWO, 1, "more than one"), (NONE, 3, "no")]
)
def test_unique(run, queens, exit_code, how_many):
    fixed = f"{len(queens) // 2} fixed queens"
    assert run("solve", "8", "--unique", *queens)[:2] == (
        exit_code,
        f"There is {how_many} solution for n = 8 with {fixed}.\n",
    )
    assert run("solve", "8", "--unique", "-q", *queens)[:2] == (exit_code, f"{how_many}\n")
    verdict = json.loads(run("solve", "8", "--unique", "--json", *queens)[1])
    assert (verdict["unique"], verdict["solvable"]) == (how_many == "exactly one", how_many != "no")


def test_all_solutions_are_written(run, tmp_path):
    exit_code, stdout, _ = run("solve", "6", "--all", "six.txt")
    assert (exit_code, stdout) == (0, "Wrote six.txt (48 bytes): 4 solutions for n = 6.\n")
    assert sorted(read(tmp_path / "six.txt")) == sorted(map(tuple, naive.completions(6, {})))
    exit_code, stdout, stderr = run("solve", "8", "--all", "-", "--queen", "1,4", "--queen", "3,5", "--rows-from", "1")
    rows = [[int(row) - 1 for row in line.split()] for line in stdout.splitlines()]
    assert sorted(rows) == sorted(map(list, naive.completions(8, {1: 3, 3: 4})))
    assert stderr == "Wrote 2 solutions for n = 8 with 2 fixed queens.\n"
    assert run("solve", "8", "--all", "-", "--limit", "3", "-q")[1].count("\n") == 3
    assert run("solve", "8", "--all", "ten.txt", "--limit", "10")[1].endswith("for n = 8, and there may be more.\n")
    assert json.loads(run("solve", "8", "--all", "none.txt", *NONE, "--json")[1])["solutions"] == 0
    assert (tmp_path / "none.txt").read_bytes() == b""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--count", "--unique"], "--count and --unique: give one of them."),
        (["--count", "--all", "x.txt"], "--count and --all: give one of them."),
        (["--unique", "--seed", "1"], "--unique and --seed: --unique looks at all solutions"),
        (["--all", "x.txt", "--method", "local"], "--all and --method"),
        (["--limit", "3"], "--limit says how many solutions --count and --all look for"),
        (["--unique", "--limit", "3"], "--limit says how many solutions"),
        (["--count", "--limit", "0"], "limit is 0: it is at least 1"),
        (["--all", "-", "--json"], "--all - and --json both write to stdout"),
        (["--all", "x.csv"], "x.csv: unknown suffix '.csv'; use .txt"),
        (["--all", "missing/x.txt"], "missing"),
    ],
)
def test_contradictions(run, tmp_path, arguments, message):
    exit_code, stdout, stderr = run("solve", "8", *arguments)
    assert (exit_code, stdout) == (2, "")
    assert message in " ".join(stderr.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("piece", [1, 4, 5, 9, 10, 49, 50, 51, 1000])
def test_pieces_make_one_file(tmp_path, monkeypatch, piece):
    monkeypatch.setattr(samples, "_PIECE", piece)
    boards = list(fastqueens.all_solutions(5))
    assert write_solutions(tmp_path / "five.txt", iter(boards)) == 10
    assert read(tmp_path / "five.txt") == [tuple(board) for board in np.array(boards).tolist()]


def test_an_error_leaves_no_file(tmp_path):
    def failing():
        yield np.arange(4, dtype=np.int32)
        raise InputError("enough")

    with pytest.raises(InputError, match="enough"):
        write_solutions(tmp_path / "q.txt", failing())
    assert list(tmp_path.iterdir()) == []
