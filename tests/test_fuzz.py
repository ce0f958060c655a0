"""A short run of the fuzzing, and the inputs for which long runs (``make fuzz``) found a fault."""

import collections
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from fuzz import __main__ as fuzz
from fuzz.commands import drawn_command
from fuzz.damage import drawn_file
from fuzz.formats import FORMATS
from fuzz.trial import Case, try_case

from fastqueens.core.errors import InputError
from fastqueens.files.boards import read_board
from fastqueens.files.traces import read_trace


@pytest.mark.gate
def test_every_command_is_done_or_refused_with_a_message(run):
    # Compiling takes longer than a command may.
    assert run("warmup", "-q")[0] == 0
    for number in range(200):
        case = drawn_command(number)
        outcome = try_case(case)
        assert outcome.faults == [], (number, case, outcome.stderr)


@pytest.mark.parametrize("numbers", [range(900), pytest.param(range(900, 2000), marks=pytest.mark.gate)])
def test_every_file_is_read_or_refused(numbers):
    counts = collections.defaultdict(collections.Counter)
    for number in numbers:
        name, content = drawn_file(number)
        outcome = try_case(Case((), {name: content}))
        assert outcome.faults == [], (number, name, content)
        counts[name][outcome.what] += 1
    # What is never accepted is never written and read again.
    assert {name for name, of_format in counts.items() if len(of_format) == 2} == FORMATS.keys()


def test_an_input_depends_only_on_its_number():
    assert fuzz.drawn(7) == fuzz.drawn(7)
    assert fuzz.drawn(50) == fuzz.drawn(50)
    assert len({repr(fuzz.drawn(number)) for number in range(300)}) > 250


def _doing(what):
    """Return a reader that does something it should not, and refuses the file."""

    def read(path):
        what(path)
        raise InputError("no")

    return read


@pytest.mark.parametrize(
    ("read", "fault"),
    [
        (lambda path: path.write_bytes(b"1\n") and np.zeros(1, np.int32), "board.txt has changed"),
        (_doing(lambda path: path.with_name("left.txt").touch()), "left.txt was left behind"),
        (_doing(lambda path: print("a line")), "it printed 'a line\\n'"),
        (_doing(lambda path: warnings.warn("odd", UserWarning, stacklevel=1)), "UserWarning: odd"),
        (_doing(lambda path: 1 / 0), "ZeroDivisionError"),
        (lambda path: read_board(path)[::-1], "its copy holds"),
    ],
)
def test_a_fault_of_a_reader_is_noticed(monkeypatch, capsys, read, fault):
    monkeypatch.setitem(FORMATS, "board.txt", FORMATS["board.txt"]._replace(read=read))
    fuzz.report(try_case(Case((), {"board.txt": b"0\n1\n"})))
    assert fault in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argument", "does", "fault"),
    [
        ("out.txt", lambda: Path("out.txt").touch(), "out.txt was left behind"),
        ("-o", lambda: os.unlink("board.txt"), "board.txt is gone"),
        ("loud", lambda: sys.stderr.write("Error: Traceback"), "stderr holds 'Traceback'"),
    ],
)
def test_a_fault_of_a_command_is_noticed(monkeypatch, argument, does, fault):
    monkeypatch.setattr("fastqueens.cli.app.run", lambda *_: 2 * bool(does() or True))
    assert fault in try_case(Case((argument, "board.txt"), {"board.txt": b"0\n"})).faults


def test_an_input_can_be_saved_and_repeated():
    case = Case(("verify", "\udcff.npy"), {"\udcff.npy": bytes(range(256))}, b"\xff")
    assert Case.of_text(case.as_text()) == case


# Faults that fuzzing found


def test_control_characters_do_not_reach_the_terminal():
    for arguments in (("verify", "\x1b[2J.txt"), ("solve", "8", "\x07"), ("solve", "--board", "0 1\n0 \x07")):
        outcome = try_case(Case(arguments, {}))
        assert (outcome.what, outcome.faults) == ("exit code 2", [])
        assert "\\x" in outcome.stderr


def test_an_empty_array_of_another_dtype_is_cast_without_a_warning(tmp_path):
    np.savez(tmp_path / "t.npz", restarts=np.empty(0, complex), pairs=[0], conflicting_queens=[0])
    assert read_trace(tmp_path / "t.npz")[1] == ()


def _npy(header):
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\0" * 4


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("board.npy", _npy(rb"{'descr': '>i4', 'fortran_order': False, 's\hape': (1,)}")),
        ("board.npy", _npy(b"{'descr': '>i4', 'fortran_order': False, 'shape': (1L,)}")),
        ("board.npy", _npy(b"{'descr': '|i1', 'fortran_order': False, 'shape': (9223372036854775807, 2)}")),
        ("board.npy", _npy(b"'" + b"x" * 2000 + b"'")),
        ("instance.jsonl", b'{"n": ' + b"9" * 4000 + b"}"),
    ],
    ids=["escape sequence", "Python 2", "overflow", "long header", "4000 digits"],
)
def test_odd_files_are_refused_without_warnings_or_long_messages(name, content):
    option = "--instance" if name.startswith("instance") else "--file"
    for arguments in ((), ("solve", option, name)):
        assert try_case(Case(arguments, {name: content})).faults == []


@pytest.mark.parametrize(
    "command",
    [
        "plot trace.csv -o out.svg",
        "show board.txt -o out.svg",
        "poster 8 --size 60x60mm --dpi 20 -o out.png",
        "animate 4 --seed 1 --seconds 3 --size 320x240 -o out.gif",
    ],
)
def test_titles_that_are_not_unicode(command):
    files = {"trace.csv": b"attempt,step,pairs,conflicting_queens\n1,0,2,4\n1,1,0,0\n", "board.txt": b"1\n3\n0\n2\n"}
    outcome = try_case(Case((*command.split(), "--title", "\udcff"), files))
    assert (outcome.what, outcome.faults) == ("exit code 0", [])
