"""Output of commands in terminals of any width, and in pipes: nothing is cut, and no board is scrambled."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from contextlib import suppress
from subprocess import PIPE

import click
import pytest
from errors import check_names
from processes import process

import fastqueens
from fastqueens.classroom.rules import RULES
from fastqueens.cli.output import _wrapped
from fastqueens.files.boards import write_board

COMMANDS = [
    "solve 8 --seeds 18446744073709551613..18446744073709551615",
    "climb 8 --rule all --runs 1 --seed 18446744073709551000",
    "climb 20 --show --runs 1 --seed 1",
    "study 8,20 --rules restart,steepest --runs 20 --seed 1",
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
    """Run the command line in a terminal of some columns; return what it prints, without colours. Times are fixed."""
    write_board("big.npy", fastqueens.solve(5000, seed=1).queens)
    write_board("small.txt", [0, 1, 2, 3, 4])
    for place in (
        "classroom.studies.time_text",
        "cli.solving.duration",
        "cli.classroom.duration",
        "cli.sampling.duration",
    ):
        monkeypatch.setattr(f"fastqueens.{place}", lambda _: "123 µs")
    monkeypatch.setattr("fastqueens.cli.solving._seconds_of", lambda _: 0.000123)
    monkeypatch.setattr("fastqueens._run.memory.available_memory", lambda: 2**33)

    def terminal(command, columns=None):
        with monkeypatch.context() as patch:
            if columns is not None:
                patch.setenv("COLUMNS", str(columns))
                patch.setattr(sys.stdout, "isatty", lambda: True)
            _, stdout, _ = run(*command.split())
        return re.sub(r"\x1b\[[\d;]*m", "", stdout)

    return terminal


def words_of(text):
    """Return the names of rules, and what has digits."""
    return {word.strip(",.") for word in text.split() if word in RULES or re.search(r"\d", word)}


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_digit_and_no_rule_is_lost_at_any_width(terminal, command, columns):
    expected, text = words_of(terminal(command)), terminal(command, columns)
    assert len(expected) > 1
    assert expected <= words_of(text)
    for line in text.splitlines():
        assert len(line) <= columns or len(line.split()) <= 2, "only a name that is wider than the terminal"


def test_the_table_of_all_rules_fits_80_columns(terminal):
    text = terminal("climb 8 --rule all --runs 1 --seed 123456789", 80)
    assert text.count("evaluations") == 1


@pytest.mark.parametrize("columns", [40, 80])
def test_the_first_steps_fit_the_terminal(terminal, columns):
    assert max(map(len, terminal("", columns).splitlines())) <= columns


def test_escape_sequences_have_no_width():
    no, wide = click.style("no", fg="red", bold=True), "verified: "
    assert _wrapped(f"{wide}{no}", 12) == f"{wide}{no}"
    assert _wrapped(f"{wide}{no}", 11) == "verified:\nno", "a line that is wrapped has no colours"


@pytest.mark.parametrize(
    "command",
    [
        "solve 20 --seed 1",
        "random 20 --seed 1",
        "puzzle 20 --seed 1",
        "show q.txt",
        "climb 20 --show --runs 1 --seed 1",
    ],
)
@pytest.mark.parametrize("columns", [38, 39])
def test_a_board_is_drawn_if_it_fits_and_otherwise_the_reason_is_told(terminal, command, columns):
    write_board("q.txt", fastqueens.solve(20, seed=1).queens)
    text = terminal(command, columns)
    drawn = [line for line in text.splitlines() if re.fullmatch(r"([.QF] ){19}[.QF]", line)]
    assert (len(drawn) >= 20) == (columns >= 39)
    if columns < 39:
        assert drawn == []
        check_names(" ".join(text.split()), "39 columns", "38")


@pytest.mark.parametrize("columns", [40, 90])
def test_the_width_is_that_of_the_terminal_which_gets_the_report(columns):
    """With -o -, stdout has data, and the report goes to stderr."""
    read, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
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
