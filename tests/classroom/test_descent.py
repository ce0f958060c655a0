"""The queen with most attacks moves: the assignment's examples to the character, and a slow reference."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from errors import check_error
from hypothesis import given
from hypothesis import strategies as st
from naive import cost
from processes import running, signal_and_wait, wait_for

import fastqueens
from fastqueens import InputError, Stopped, descend, is_solution
from fastqueens.classroom import descent as module
from fastqueens.cli import app
from fastqueens.cli.process import Session

pytestmark = pytest.mark.checked

REPOSITORY = Path(fastqueens.__file__).parents[1]

STARTS = """\
2 5 7 4 1 3 6 3
8 3 7 4 2 5 1 6
5 6 7 4 5 6 7 6
"""

STATES = """\
2 5 7 4 1 3 6 3
2 5 7 4 1 8 6 3
Success

8 3 7 4 2 5 1 6
Failure

5 6 7 4 5 6 7 6
5 1 7 4 5 6 7 6
5 1 7 4 2 6 7 6
5 1 7 4 2 6 8 6
5 1 7 4 2 3 8 6
Failure
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(run):
    return partial(run, "descend")


def run_process(*arguments, stdin=b"", stdout=subprocess.PIPE):
    """Run the real command and return (exit code, stdout, stderr)."""
    command = [sys.executable, "-m", "fastqueens", "descend", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(command, env=environment, input=stdin, stdout=stdout, stderr=subprocess.PIPE, check=False)
    errors = [line for line in done.stderr.decode().splitlines(keepends=True) if not line.startswith("First use")]
    return done.returncode, (done.stdout or b"").decode(), "".join(errors)


# A slow reference


def next_state(queens):
    """Return the state after one step; None if the rule ends."""
    n = len(queens)
    attacks = [cost(queens, column, queens[column]) for column in range(n)]
    if max(attacks) == 0:
        return None
    for column in range(n):
        if attacks[column] == max(attacks):
            moved = {row: cost(queens, column, row) for row in range(n)}
            if min(moved.values()) < max(attacks):
                best = min(row for row in moved if moved[row] == min(moved.values()))
                return [*queens[:column], best, *queens[column + 1 :]]
    return None


def slow_states(queens):
    states = [queens]
    while (following := next_state(states[-1])) is not None:
        states.append(following)
    return states


def is_descent_of(descent, queens):
    states = slow_states(queens)
    assert descent.states.tolist() == states
    assert descent.initial_queens.tolist() == queens
    assert descent.steps == len(states) - 1
    assert descent.n == len(queens)
    assert descent.solved == is_solution(states[-1])
    return True


boards = st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


@given(boards)
def test_small_boards_follow_the_rule(queens):
    before = queens.copy()
    assert is_descent_of(descend(queens), queens)
    assert queens == before


@pytest.mark.parametrize("n", [25, 40])
def test_larger_boards_follow_the_rule(n):
    draw = np.random.default_rng(n)
    for queens in (draw.integers(0, n, n), draw.integers(0, 3, n), np.arange(n), np.arange(n)[::-1], np.zeros(n, int)):
        assert is_descent_of(descend(queens), queens.tolist())


def test_it_goes_on_after_each_compiled_call(monkeypatch):
    monkeypatch.setattr(module, "_MOST_MOVES_A_CALL", 1)
    queens = np.random.default_rng(1).integers(0, 20, 20).tolist()
    assert is_descent_of(descend(queens), queens)


def test_ten_thousand_queens():
    descent = descend(np.zeros(10_000, np.int32))
    states = descent.initial_queens.copy()
    for column, row in descent.moves.tolist():
        assert states[column] != row
        states[column] = row
    pairs = fastqueens.attacking_pairs(states)
    assert pairs < 10_000
    assert descent.solved == (pairs == 0)
    assert repr(descent) == f"<Descent n=10000 not solved, {descent.steps:,} steps>"


def test_a_single_step_is_one_step():
    assert repr(descend([1, 3, 0, 3])) == "<Descent n=4 solved, 1 step>"


def test_a_bad_board_is_refused():
    with check_error(InputError, "column 1", "row 2", 0, 1):
        descend([0, 2])


def test_states_that_do_not_fit_are_refused(monkeypatch):
    descent = descend([0, 0, 0, 0])
    huge = module.Descent(descent.initial_queens, np.zeros((2**40, 0), np.int64), False)
    with pytest.raises(fastqueens.NotEnoughMemoryError, match=r"1,099,511,627,777 states of 4 queens"):
        _ = huge.states


def test_a_descent_can_be_stopped():
    with pytest.raises(Stopped, match=r"^stopped after 1 step of a descent$"):
        descend([1, 4, 6, 3, 0, 2, 5, 2], stop=lambda: True)


# The output of the command


def test_the_documented_examples_through_the_real_command():
    Path("starts.txt").write_text(STARTS)
    assert run_process("starts.txt") == (0, STATES, "")
    assert run_process("-", stdin=STARTS.encode()) == (0, STATES, "")
    assert run_process("starts.txt", "-o", "states.txt") == (
        0,
        "",
        "Wrote states.txt (154 bytes): 1 of 3 starts solved.\n",
    )
    assert Path("states.txt").read_bytes() == STATES.encode()


@pytest.mark.parametrize(
    "text",
    [
        STARTS.rstrip("\n"),
        STARTS.replace("\n", "\r\n"),
        STARTS.replace(" ", "\t"),
        STARTS.replace(" ", " \t  "),
        STARTS.replace("\n", " \n"),
        "".join(f"  {line}\n" for line in STARTS.splitlines()),
        STARTS.replace("\n", "\n\n"),
        f"\n \t\n{STARTS}\n\n",
        f"\ufeff{STARTS}",
        STARTS.replace(" 4", " 004"),
    ],
)
def test_blanks_and_line_ends_do_not_matter(run, text):
    Path("starts.txt").write_bytes(text.encode())
    assert run("starts.txt") == (0, STATES, "")


def test_a_dash_is_stdout(run):
    Path("starts.txt").write_text(STARTS)
    assert run("starts.txt", "-o", "-") == (0, STATES, "")
    assert os.listdir() == ["starts.txt"]


def test_lines_may_have_different_n(run):
    Path("starts.txt").write_text("1\n1 1\n2 4 1 3\n1 1 1\n")
    blocks = ["1\nSuccess\n", "1 1\nFailure\n", "2 4 1 3\nSuccess\n", "1 1 1\n2 1 1\n2 3 1\nFailure\n"]
    assert run("starts.txt") == (0, "\n".join(blocks), "")


def test_quiet_and_the_same_file_again(run):
    Path("starts.txt").write_text(STARTS)
    assert run("starts.txt", "-q", "-o", "starts.txt") == (0, "", "")
    assert Path("starts.txt").read_text() == STATES


@given(boards)
def test_the_text_is_the_states_and_the_verdict(queens):
    descent = descend(queens)
    states = [" ".join(str(row + 1) for row in state) for state in slow_states(queens)]
    text = "\n".join([*states, "Success" if descent.solved else "Failure"]) + "\n"
    assert b"".join(module.text_of([descent])).decode() == text
    assert b"".join(module.text_of([descent] * 3)).decode() == "\n".join([text] * 3)


# Wrong input to the command


def message_about(entry, shown, n):
    return f"entry {entry} is '{shown}'; a line of {n} entries holds whole numbers from 1 to {n}\n"


BAD_LINES = [
    ("2 5 7 4 1 3 6 9", 8, "9", 8),
    ("2 5 0 4", 2, "5", 4),
    ("2 0 1 4", 2, "0", 4),
    ("-1 2", 1, "-1", 2),
    ("+1 2", 1, "+1", 2),
    ("1 2 x", 3, "x", 3),
    ("1 1.0", 2, "1.0", 2),
    ("1,2", 1, "1,2", 1),
    ("1_0 1", 1, "1_0", 2),
    ("1 \u0661", 2, "\u0661", 2),
    ("1 " + "9" * 5000, 2, "9" * 40, 2),
]


@pytest.mark.parametrize(("line", "entry", "shown", "n"), BAD_LINES)
def test_a_bad_line_is_named_before_anything_is_written(run, line, entry, shown, n):
    Path("starts.txt").write_text(f"2 4 1 3\n\n{line}\n1 x\n")
    for output in ([], ["-o", "states.txt"]):
        assert run("starts.txt", *output) == (2, "", f"Error: starts.txt: line 3: {message_about(entry, shown, n)}")
    assert os.listdir() == ["starts.txt"]


def test_a_bad_line_of_stdin_through_the_real_command():
    message = f"Error: standard input: line 2: {message_about(1, 3, 2)}"
    assert run_process("-", "-o", "states.txt", stdin=b"1\n3 1\n") == (2, "", message)
    assert os.listdir() == []


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_input_without_a_start_is_refused(run, content):
    Path("starts.txt").write_bytes(content)
    message = "no line holds a start; write one a line, for example 2 5 7 4 1 3 6 3"
    assert run("starts.txt", "-o", "states.txt") == (2, "", f"Error: starts.txt: {message}\n")
    assert os.listdir() == ["starts.txt"]


def test_random_bytes_are_refused(run):
    Path("starts.txt").write_bytes(bytes(range(256)))
    exit_code, stdout, stderr = run("starts.txt")
    assert (exit_code, stdout) == (2, "")
    assert stderr.startswith("Error: starts.txt: line 1: entry 1 is ")
    assert stderr.count("\n") == 1


def test_a_board_with_one_row_in_each_line_is_refused(run):
    Path("starts.txt").write_text("3\n6\n2\n")
    assert run("starts.txt")[2] == (
        "Error: starts.txt: each line holds one number; a line holds a whole board, its rows from 1 to n separated by "
        "blanks, for example 2 5 7 4 1 3 6 3\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.txt"], "missing.txt: no such file"),
        (["."], ".: this is a folder, not a file"),
        (["starts.txt", "-o", "missing/states.txt"], "missing/states.txt: the folder"),
        (["starts.txt", "-o", "."], ".: this is a folder, not a file"),
        ([], "Missing argument 'INPUT'"),
    ],
)
def test_a_bad_file_is_refused(run, arguments, message):
    Path("starts.txt").write_text(STARTS)
    exit_code, stdout, stderr = run(*arguments)
    assert (exit_code, stdout) == (2, "")
    assert f"Error: {message}" in stderr
    assert os.listdir() == ["starts.txt"]


def test_a_bad_output_is_found_before_the_work(run, monkeypatch):
    monkeypatch.setattr(module, "read_starts", lambda *_: pytest.fail("the starts were read first"))
    assert run("starts.txt", "-o", "missing/states.txt")[0] == 2


def test_closed_streams_are_reported(run, monkeypatch):
    Path("starts.txt").write_text(STARTS)
    monkeypatch.setattr(sys, "stdin", None)
    assert run("-") == (2, "", "Error: standard input is closed\n")
    monkeypatch.setattr(sys, "stdout", None)
    assert app.run(["descend", "starts.txt"], Session()) == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_reported():
    Path("starts.txt").write_text(STARTS)
    with open("/dev/full", "w") as full:
        assert run_process("starts.txt", stdout=full) == (2, "", "Error: the disk is full\n")


# Ctrl-C


@pytest.mark.parametrize("output", [[], ["-o", "states.txt"]])
def test_after_a_signal_nothing_is_written(capsys, output):
    Path("starts.txt").write_text(STARTS)
    session = Session()
    session.stop.set()
    assert app.run(["descend", "starts.txt", *output], session) == 130
    assert capsys.readouterr() == ("", "")
    assert os.listdir() == ["starts.txt"]


def test_ctrl_c_in_a_long_descent(tmp_path):
    Path("starts.txt").write_text("1 " * 200_000)
    before = (
        "import fastqueens; climb = fastqueens.descend; "
        "fastqueens.descend = lambda *given, **more: (open('begun', 'w').close(), climb(*given, **more))[1]"
    )
    with running("descend", "starts.txt", "-o", "states.txt", cwd=tmp_path, before=before) as process:
        wait_for((tmp_path / "begun").exists)
        assert signal_and_wait(process, signal.SIGINT, "descending") == 130
        assert process.stdout.read() == b""
        assert process.stderr.read().splitlines()[-1] == b"interrupted"
    assert sorted(os.listdir()) == ["begun", "starts.txt"]
