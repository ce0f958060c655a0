"""``fastqueens solve --count``, ``--unique`` and ``--all``, and solutions in files."""

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


def read(path):
    return [tuple(map(int, line.split())) for line in path.read_text().splitlines()]


@pytest.mark.parametrize(
    ("options", "exit_code", "named"),
    [
        ("8", 0, ["92 solutions", "n = 8"]),
        ("8 --limit 92", 0, ["At least 92 solutions"]),
        ("8 --limit 93", 0, ["92 solutions"]),
        ("8 --queen 1,3 --queen 3,4", 0, ["2 solutions", "2 fixed queens"]),
        ("3", 3, ["0 solutions"]),
    ],
)
def test_counts(run, options, exit_code, named):
    found, stdout, stderr = run("solve", "--count", *options.split())
    assert (found, stdout.count("\n"), without_compiling(stderr)) == (exit_code, 1, "")
    check_names(stdout, *named)


def test_counts_as_data(run):
    assert run("solve", "8", "--count", "--limit", "5", "-q") == (0, "5\n", "")
    blocked = [f"--block={column},{column}" for column in range(8)]
    expected = sum(all(c != r for c, r in enumerate(queens)) for queens in naive.completions(8, {}))
    exit_code, stdout, _ = run("solve", "8", "--count", *blocked, "--json")
    instance = {"n": 8, "fixed": [], "blocked": [[column, column] for column in range(8)]}
    counts = {"fixed_queens": 0, "blocked_squares": 8, "excluded_diagonals": 0}
    header = {"version": fastqueens.__version__, "n": 8, "instance": instance}
    assert (exit_code, json.loads(stdout)) == (0, {**header, **counts, "solutions": expected})


@pytest.mark.parametrize(
    ("queens", "exit_code", "how_many"), [(ONE, 0, "exactly one"), (TWO, 1, "more than one"), (NONE, 3, "no")]
)
def test_unique(run, queens, exit_code, how_many):
    found, stdout, _ = run("solve", "8", "--unique", *queens)
    assert found == exit_code
    check_names(stdout, how_many, "n = 8", f"{len(queens) // 2} fixed queens")
    assert run("solve", "8", "--unique", "-q", *queens)[:2] == (exit_code, f"{how_many}\n")
    verdict = json.loads(run("solve", "8", "--unique", "--json", *queens)[1])
    assert (verdict["unique"], verdict["solvable"]) == (how_many == "exactly one", how_many != "no")


def test_all_solutions_are_written(run, tmp_path):
    exit_code, stdout, _ = run("solve", "6", "--all", "six.txt")
    assert exit_code == 0
    check_names(stdout, "six.txt (48 bytes)", "4 solutions for n = 6")
    assert read(tmp_path / "six.txt") == list(map(tuple, naive.completions(6, {})))
    exit_code, stdout, stderr = run("solve", "8", "--all", "-", "--queen", "1,4", "--queen", "3,5", "--rows-from", "1")
    rows = [[int(row) - 1 for row in line.split()] for line in stdout.splitlines()]
    assert rows == naive.completions(8, {1: 3, 3: 4})
    check_names(stderr, "2 solutions", "2 fixed queens")
    exit_code, stdout, stderr = run("solve", "6", "--all", "-", "--json", "--rows-from", "1")
    found = json.loads(stdout)
    boards = [[row - 1 for row in rows] for rows in found["boards"]]
    assert (exit_code, stderr, found["solutions"], boards) == (0, "", 4, naive.completions(6, {}))
    exit_code, stdout, _ = run("solve", "8", "--all", "-", *NONE, "--json")
    assert (exit_code, json.loads(stdout)["boards"], json.loads(stdout)["solutions"]) == (3, [], 0)
    assert run("solve", "8", "--all", "-", "--limit", "3", "-q")[1].count("\n") == 3
    check_names(run("solve", "8", "--all", "ten.txt", "--limit", "10")[1], "can be more")
    assert json.loads(run("solve", "8", "--all", "none.txt", *NONE, "--json")[1])["solutions"] == 0
    assert (tmp_path / "none.txt").read_bytes() == b""


def test_fundamental_solutions(run, tmp_path):
    check_names(run("solve", "8", "--count", "--fundamental")[1], "12 fundamental solutions", "n = 8")
    check_names(run("solve", "6", "--count", "--fundamental")[1], "1 fundamental solution for")
    verdict = json.loads(run("solve", "8", "--count", "--fundamental", "--limit", "5", "--json")[1])
    assert (verdict["solutions"], verdict["fundamental"]) == (5, True)
    check_names(run("solve", "8", "--all", "twelve.txt", "--fundamental")[1], "12 fundamental solutions")
    boards = read(tmp_path / "twelve.txt")
    assert boards == [tuple(queens.tolist()) for queens in fastqueens.all_solutions(8, fundamental=True)]
    assert boards == sorted(boards)
    assert json.loads(run("solve", "8", "--all", "twelve.txt", "--fundamental", "--json")[1])["fundamental"]
    assert "fundamental" not in json.loads(run("solve", "8", "--count", "--json")[1])


def test_a_count_continues_from_its_checkpoint(run, tmp_path):
    path = tmp_path / "count.jsonl"
    command = ("solve", "10", "--count", "--checkpoint", str(path), "-q")
    with lowered(uncut_squares=20, part_squares=5):
        assert run(*command) == (0, "724\n", "")
        whole = path.read_bytes()
        assert run(*command) == (0, "724\n", "")
        assert path.read_bytes() == whole
        path.write_bytes(whole[:-100])
        assert run(*command) == (0, "724\n", "")
        assert len(path.read_bytes()) == len(whole) > 1000
    exit_code, stdout, stderr = run("solve", "9", *command[2:])
    assert (exit_code, stdout, stderr.count("\n")) == (2, "", 1)
    check_names(stderr, str(path), "n is 10", "it is 9")


def test_a_proof_and_a_board_continue_from_their_checkpoints(run):
    """The seed of the first command is drawn, and the second one continues with it."""
    with lowered(uncut_squares=20, part_squares=5):
        command = ("solve", "6", "--queen", "0,0", "--queen", "1,2", "--method", "complete", "--checkpoint", "p.jsonl")
        assert run(*command)[0] == run(*command)[0] == 3
        command = ("solve", "20", "--method", "complete", "--json", "--checkpoint", "b.jsonl")
        first, second = (json.loads(run(*command)[1]) for _ in range(2))
    assert (first["seed"], first["nodes"]) == (second["seed"], second["nodes"])
    assert first["nodes"] > 0
