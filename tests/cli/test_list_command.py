"""``fastqueens list``: all solutions, in files and on stdout."""

import json

import naive
import pytest
from errors import check_names

import fastqueens

TWO = ["--queen", "1,3", "--queen", "3,4"]
NONE = ["--queen", "0,0", "--queen", "1,2", "--queen", "2,7", "--queen", "3,5"]


def rows_in(text):
    return [[int(row) for row in line.split()] for line in text.splitlines()]


def test_solutions_in_a_file(run, tmp_path):
    exit_code, stdout, stderr = run("list", "6", "-o", "six.txt")
    assert (exit_code, stderr) == (0, "")
    check_names(stdout, "six.txt (48 bytes)", "4 solutions for n = 6")
    assert rows_in((tmp_path / "six.txt").read_text()) == naive.completions(6, {})
    check_names(run("list", "8", "-o", "ten.txt", "--limit", "10")[1], "10 solutions", "can be more")
    exit_code, stdout, _ = run("list", "8", "-o", "none.txt", *NONE, "--json")
    assert (exit_code, json.loads(stdout)["solutions"], (tmp_path / "none.txt").read_bytes()) == (3, 0, b"")


@pytest.mark.parametrize("output", [(), ("-o", "-")])
def test_solutions_on_stdout(run, output):
    exit_code, stdout, stderr = run("list", *output, "--queen", "1,4", "--queen", "3,5", "--rows-from", "1")
    assert (exit_code, [[row - 1 for row in rows] for rows in rows_in(stdout)]) == (
        0,
        naive.completions(8, {1: 3, 3: 4}),
    )
    check_names(stderr, "2 solutions", "n = 8", "2 fixed queens")
    assert run("list", "8", *output, "--limit", "3", "-q")[1].count("\n") == 3


def test_solutions_as_json(run):
    exit_code, stdout, stderr = run("list", "6", "--json", "--rows-from", "1")
    found = json.loads(stdout)
    boards = [[row - 1 for row in rows] for rows in found["boards"]]
    assert (exit_code, stderr, found["solutions"], boards) == (0, "", 4, naive.completions(6, {}))
    exit_code, stdout, _ = run("list", "8", *NONE, "--json")
    assert (exit_code, json.loads(stdout)["boards"], json.loads(stdout)["solutions"]) == (3, [], 0)


def test_fundamental_solutions(run, tmp_path):
    check_names(run("list", "8", "-o", "twelve.txt", "--fundamental")[1], "12 fundamental solutions")
    boards = rows_in((tmp_path / "twelve.txt").read_text())
    assert boards == [queens.tolist() for queens in fastqueens.all_solutions(8, fundamental=True)]
    assert boards == sorted(boards)
    assert json.loads(run("list", "8", "-o", "twelve.txt", "--fundamental", "--json")[1])["fundamental"]
