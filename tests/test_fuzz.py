"""A short run of the fuzzing, and the inputs for which long runs (``make fuzz``) found a fault."""

import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from fuzz import __main__ as fuzz
from fuzz import files
from fuzz.files import FileCase, counters, try_file, watching
from fuzz.formats import FORMATS, drawn
from fuzz.inputs import cases
from fuzz.trial import Case, try_case
from hypothesis import HealthCheck, given, settings

from fastqueens.core.errors import InputError
from fastqueens.files.boards import read_board
from fastqueens.files.traces import read_trace


@pytest.mark.gate
@settings(max_examples=5 * settings.default.max_examples, suppress_health_check=list(HealthCheck))
@given(cases)
def test_every_input_is_done_or_refused_with_a_message(case):
    outcome = try_case(case)
    assert outcome.faults == [], outcome.stderr


@pytest.fixture
def watch(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "_MEMORY_FOLDER", str(tmp_path))
    with watching() as watch:
        yield watch


def test_every_file_is_read_or_refused(watch):
    counts = counters()
    for number in range(2000):
        case = FileCase(*drawn(number))
        outcome, faults = try_file(case, watch)
        assert faults == [], (number, case)
        counts[case.name][outcome] += 1
    # What is never accepted is never written and read again.
    assert all(min(of_format.values()) for of_format in counts.values()), counts


def test_a_file_depends_only_on_its_number():
    assert drawn(7) == drawn(7)
    assert len({drawn(number) for number in range(300)}) > 250


def _changed(path):
    path.write_bytes(b"1\n")
    return np.zeros(1, np.int32)


def _left(path):
    path.with_name("left.txt").touch()
    raise InputError("no")


def _printed(_path):
    print("a line")
    raise InputError("no")


def _warned(_path):
    warnings.warn("odd", UserWarning, stacklevel=1)
    raise InputError("no")


@pytest.mark.parametrize(
    ("read", "fault"),
    [
        (_changed, "board.txt has changed"),
        (_left, "left.txt was left behind"),
        (_printed, "it printed 'a line\\n'"),
        (_warned, "UserWarning: odd"),
        (lambda path: 1 / 0, "ZeroDivisionError"),
        (lambda path: read_board(path)[::-1], "its copy holds"),
    ],
)
def test_a_fault_of_a_reader_is_noticed_and_can_be_repeated(monkeypatch, tmp_path, capsys, read, fault):
    monkeypatch.setattr(files, "_MEMORY_FOLDER", str(tmp_path))
    monkeypatch.setitem(FORMATS, "board.txt", FORMATS["board.txt"]._replace(read=read))
    case = FileCase("board.txt", b"0\n1\n")
    with watching() as watch:
        faults = try_file(case, watch)[1]
    assert any(fault in found for found in faults), faults
    fuzz._repeat(FileCase.of_text(case.as_text()).as_text())
    assert fault in capsys.readouterr().out


def test_a_file_with_a_fault_is_made_small(monkeypatch, tmp_path):
    def read(path):
        if b"x" in path.read_bytes():
            raise ZeroDivisionError
        raise InputError("no")

    monkeypatch.setitem(FORMATS, "board.txt", FORMATS["board.txt"]._replace(read=read))
    with watching() as watch:
        assert files.made_small(FileCase("board.txt", b"12345x" * 50), watch).content == b"x"


def test_an_input_can_be_saved_and_repeated():
    case = Case(("verify", "\udcff.npy"), {"\udcff.npy": bytes(range(256))}, b"\xff")
    assert Case.of_text(case.as_text()) == case


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["out.txt"], "out.txt was left behind"),
        (["-o", "board.txt"], "board.txt is gone"),
        (["loud"], "stderr holds 'Traceback'"),
    ],
)
def test_a_fault_is_noticed(monkeypatch, arguments, fault):
    def run(arguments, _session):
        if arguments == ["loud"]:
            sys.stderr.write("Error: Traceback")
        elif arguments == ["out.txt"]:
            Path("out.txt").touch()
        else:
            os.unlink("board.txt")
        return 2

    monkeypatch.setattr("fastqueens.cli.app.run", run)
    assert fault in try_case(Case(tuple(arguments), {"board.txt": b"0\n"})).faults


# Faults that fuzzing found


def test_control_characters_do_not_reach_the_terminal():
    for arguments in (("verify", "\x1b[2J.txt"), ("solve", "8", "\x07"), ("solve", "--board", "0 \x07")):
        outcome = try_case(Case(arguments))
        assert (outcome.exit_code, outcome.faults) == (2, [])
        assert "\\x" in outcome.stderr


def test_an_empty_array_of_another_dtype_is_cast_without_a_warning(tmp_path):
    np.savez(tmp_path / "t.npz", restarts=np.empty(0, complex), pairs=[0], conflicting_queens=[0])
    assert read_trace(tmp_path / "t.npz")[1] == ()


def test_a_header_whose_shape_overflows_is_refused_without_a_warning():
    text = b"{'descr': '|i1', 'fortran_order': False, 'shape': (9223372036854775807, 2)}"
    outcome = try_case(Case(("verify", "q.npy"), {"q.npy": b"\x93NUMPY\x01\x00" + bytes([len(text), 0]) + text}))
    assert (outcome.exit_code, outcome.faults) == (2, [])


def _npy(header):
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\0" * 4


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("board.npy", _npy(rb"{'descr': '>i4', 'fortran_order': False, 's\hape': (1,)}")),
        ("board.npy", _npy(b"{'descr': '>i4', 'fortran_order': False, 'shape': (1L,)}")),
        ("board.npy", _npy(b"'" + b"x" * 2000 + b"'")),
        ("instance.jsonl", b'{"n": ' + b"9" * 4000 + b"}"),
    ],
    ids=["escape sequence", "Python 2", "long header", "4000 digits"],
)
def test_odd_files_are_refused_without_warnings_or_long_messages(watch, name, content):
    assert try_file(FileCase(name, content), watch)[1] == []


PICTURES = [
    ["plot", "trace.csv", "-o", "out.svg"],
    ["show", "board.txt", "-o", "out.svg"],
    ["poster", "8", "--size", "60x60mm", "--dpi", "20", "-o", "out.png"],
    ["animate", "4", "--seed", "1", "--seconds", "3", "--size", "320x240", "-o", "out.gif"],
]


@pytest.mark.parametrize("command", PICTURES)
def test_titles_that_are_not_unicode(command):
    files = {"trace.csv": b"1,0,2,4\n1,1,0,0\n", "board.txt": b"1\n3\n0\n2\n"}
    outcome = try_case(Case((*command, "--title", "\udcff"), files))
    assert (outcome.exit_code, outcome.faults) == (0, [])
