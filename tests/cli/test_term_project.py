"""The commands of the term project from which fastqueens grew, as its report writes them: with one dash."""

import re
from pathlib import Path

import pytest
from errors import check_names
from processes import process, without_compiling

import fastqueens


@pytest.fixture
def board(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text("".join(f"{row}\n" for row in range(100)))
    return str(path)


def test_a_file_and_a_limit_of_steps_with_one_dash(board):
    done = process("solve", "-n", "100", "-file", board, "-maxsteps", "4000", "--seed", "1")
    assert (done.returncode, without_compiling(done.stderr)) == (0, "")
    check_names(done.stdout, "4,950 attacking pairs", "Solved")
    with_two = process("solve", "-n", "100", "--file", board, "--maxsteps", "4000", "--seed", "1", "-q", "-o", "-")
    for arguments in (["-file", board], [f"-file={board}"], ["100", "-file", board]):
        assert process("solve", *arguments, "--seed", "1", "-qo", "-").stdout == with_two.stdout
    rows = [int(line) for line in with_two.stdout.splitlines()]
    assert fastqueens.is_solution(rows)


def test_the_limit_is_obeyed(run):
    code, text, _ = run("solve", "1000", "--start", "random", "--seed", "1", "-maxsteps", "3")
    assert code == 1
    check_names(text, "3 steps", "Not solved")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["-n", "50", "-file", "{board}"], ["N is 50", "100 queens"]),
        (["12", "-n", "12"], ["N and --n"]),
        (["8", "-x"], ["'-x'"]),
    ],
)
def test_what_is_ambiguous_or_unknown_is_refused(run, board, arguments, named):
    code, text, error = run("solve", *(argument.format(board=board) for argument in arguments))
    assert (code, text) == (2, "")
    check_names(error, *named)


def test_curves_have_linear_or_logarithmic_axes_on_request(run):
    run("solve", "100", "--start", "random", "--seed", "1", "--trace", "trace.csv")
    for axes in ("linear", "log"):
        code, _, error = run("plot", "trace.csv", "-o", "c.svg", "--scale", axes)
        assert code == 0, error
        labels = set(re.findall("<!-- ([0-9,]+) -->", Path("c.svg").read_text()))
        assert (labels <= {"0", "1", "10", "100"}) == (axes == "log"), labels
