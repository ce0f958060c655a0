"""``fastqueens count``: the number of solutions, and whether there is exactly one."""

import json

import naive
import pytest
from errors import check_names
from lowered import lowered
from processes import without_compiling

import fastqueens

TWO = ["--queen", "1,3", "--queen", "3,4"]
ONE = ["--queen", "0,0", "--queen", "1,4"]
NONE = ["--queen", "0,0", "--queen", "1,2", "--queen", "2,7", "--queen", "3,5"]


@pytest.mark.parametrize(
    ("options", "exit_code", "named"),
    [
        ("8", 0, ["92 solutions", "n = 8"]),
        ("8 --limit 92", 0, ["At least 92 solutions"]),
        ("8 --limit 93", 0, ["92 solutions"]),
        ("8 --queen 1,3 --queen 3,4", 0, ["2 solutions", "2 fixed queens"]),
        ("3", 3, ["0 solutions"]),
        ("8 --fundamental", 0, ["12 fundamental solutions", "n = 8"]),
        ("6 --fundamental", 0, ["1 fundamental solution for"]),
        ("6 --fundamental --unique", 0, ["exactly one fundamental solution"]),
    ],
)
def test_counts(run, options, exit_code, named):
    found, stdout, stderr = run("count", *options.split())
    assert (found, stdout.count("\n"), without_compiling(stderr)) == (exit_code, 1, "")
    check_names(stdout, *named)


def test_counts_as_data(run):
    assert run("count", "8", "--limit", "5", "-q") == (0, "5\n", "")
    blocked = [f"--block={column},{column}" for column in range(8)]
    expected = sum(all(c != r for c, r in enumerate(queens)) for queens in naive.completions(8, {}))
    exit_code, stdout, _ = run("count", "8", *blocked, "--json")
    instance = {"n": 8, "fixed": [], "blocked": [[column, column] for column in range(8)]}
    counts = {"fixed_queens": 0, "blocked_squares": 8, "excluded_diagonals": 0}
    header = {"version": fastqueens.__version__, "n": 8, "instance": instance}
    assert (exit_code, json.loads(stdout)) == (0, {**header, **counts, "solutions": expected})
    verdict = json.loads(run("count", "8", "--fundamental", "--limit", "5", "--json")[1])
    assert (verdict["solutions"], verdict["fundamental"]) == (5, True)


@pytest.mark.parametrize(
    ("queens", "exit_code", "how_many"), [(ONE, 0, "exactly one"), (TWO, 1, "more than one"), (NONE, 3, "no")]
)
def test_unique(run, queens, exit_code, how_many):
    found, stdout, _ = run("count", "8", "--unique", *queens)
    assert found == exit_code
    check_names(stdout, how_many, "n = 8", f"{len(queens) // 2} fixed queens")
    assert run("count", "8", "--unique", "-q", *queens)[:2] == (exit_code, f"{how_many}\n")
    verdict = json.loads(run("count", "8", "--unique", "--json", *queens)[1])
    assert (verdict["unique"], verdict["solvable"]) == (how_many == "exactly one", how_many != "no")


def test_a_count_continues_from_its_checkpoint(run, tmp_path):
    path = tmp_path / "count.sqlite"
    command = ("count", "10", "--checkpoint", str(path), "-q")
    with lowered(uncut_squares=20, part_squares=5):
        assert run(*command) == (0, "724\n", "")
        whole = path.read_bytes()
        assert run(*command) == (0, "724\n", "")
        assert path.read_bytes() == whole
    exit_code, stdout, stderr = run("count", "9", *command[2:])
    assert (exit_code, stdout, stderr.count("\n")) == (2, "", 1)
    check_names(stderr, str(path), "n is 10", "it is 9")
