"""Output of commands in terminals of any width, and in pipes: nothing is cut, and no board is scrambled."""

import os
import re
import sys
from contextlib import suppress
from subprocess import PIPE

import click
import pytest
from errors import check_names
from processes import open_terminal, process

import fastqueens
from fastqueens.classroom.algorithms import ALGORITHMS
from fastqueens.cli.output import _wrapped
from fastqueens.files.boards import write_board

COMMANDS = [
    "runtimes 8 --seeds 18446744073709551613..18446744073709551615",
    "prove 8 --seed 1 --queen 0,0",
    "climb 8 --algorithm all --runs 1 --seed 18446744073709551000",
    "climb 20 --show --runs 1 --seed 1",
    "study 8,20 --algorithms restart,steepest --runs 20 --seed 1",
    "statistics big.npy",
    "estimate 12 --replicas 4 --seed 1",
    "show small.txt --move-costs",
    "show small.txt --queen 1,2 --block 0,0",
    "verify small.txt --queen 1,2 --block 0,0",
    "puzzle 8 --seed 1",
    "random 8 --seed 1",
    "solve 8 --seed 1 --queen 0,0",
    "info",
]


@pytest.fixture
def terminal(run, monkeypatch):
    """Run the command line in a terminal of some columns; return what it prints, without colours."""
    write_board("big.npy", fastqueens.solve(5000, seed=1).queens)
    write_board("small.txt", [0, 1, 2, 3, 4])

    def terminal(command, columns=None):
        with monkeypatch.context() as patch:
            if columns is not None:
                patch.setenv("COLUMNS", str(columns))
                patch.setattr(sys.stdout, "isatty", lambda: True)
            _, stdout, _ = run(*command.split())
        return re.sub(r"\x1b\[[\d;]*m", "", stdout)

    return terminal


def words_of(text):
    """Return the names of algorithms, and what has digits, without times and available memory."""
    text = re.sub(r"\b\d+\.\d{6}\b|[\d.,]+\s+(ns|µs|ms|s)\b|memory\s+.*", "", text)
    return {word.strip(",.") for word in text.split() if word in ALGORITHMS or re.search(r"\d", word)}


def test_no_digit_and_no_algorithm_is_lost_at_any_width(terminal, subtests):
    for command in COMMANDS:
        expected = words_of(terminal(command))
        for columns in (40, 80) if command.startswith(("climb", "prove")) else (40,):
            with subtests.test(command, columns=columns):
                text = terminal(command, columns)
                assert len(expected) > 1
                assert expected <= words_of(text)
                for line in text.splitlines():
                    assert len(line) <= columns or len(line.split()) <= 2, "only a name that is wider than the terminal"


def test_the_table_of_all_algorithms_fits_80_columns(terminal):
    text = terminal("climb 8 --algorithm all --runs 1 --seed 123456789", 80)
    assert text.count("evaluations") == 1


def test_the_first_steps_fit_the_terminal(terminal):
    for columns in (40, 80):
        assert max(map(len, terminal("", columns).splitlines())) <= columns


def test_escape_sequences_have_no_width():
    no, wide = click.style("no", fg="red", bold=True), "verified: "
    assert _wrapped(f"{wide}{no}", 12) == f"{wide}{no}"
    assert _wrapped(f"{wide}{no}", 11) == "verified:\nno", "a line that is wrapped has no colours"


def test_a_board_is_drawn_if_it_fits_and_otherwise_the_reason_is_told(terminal):
    write_board("q.txt", fastqueens.solve(20, seed=1).queens)
    for rest in ("solve 20", "random 20", "puzzle 20", "show q.txt", "climb 20 --show --runs 1"):
        command = rest if rest.startswith("show") else f"{rest} --seed 1"
        for columns in (38, 39):
            text = terminal(command, columns)
            drawn = [line for line in text.splitlines() if re.fullmatch(r"([.QF] ){19}[.QF]", line)]
            assert (len(drawn) >= 20) == (columns >= 39), command
            if columns < 39:
                assert drawn == [], command
                check_names(" ".join(text.split()), "39 columns", "38")


@pytest.mark.parametrize("columns", [40, 90])
def test_the_width_is_that_of_the_terminal_which_gets_the_report(columns):
    """With -o -, stdout has data, and the report goes to stderr."""
    read, terminal = open_terminal(columns)
    environment = {"COLUMNS": "", "TERM": "dumb"}
    done = process("solve", "8", "--seed", "1", "-o", "-", stderr=terminal, stdout=PIPE, env=environment)
    os.close(terminal)
    shown = b""
    with os.fdopen(read, "rb", 0) as output, suppress(OSError):  # Linux raises it at the end
        while piece := output.read(4096):
            shown += piece
    lines = re.sub(r"\x1b\[[\d;]*m|\r", "", shown.decode()).splitlines()
    assert sorted(map(int, done.stdout.split())) == list(range(8))
    assert any(line.startswith("Placed") for line in lines)
    assert (max(map(len, lines)) <= 40) == (columns == 40)
