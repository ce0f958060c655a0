"""A short run of the fuzzing, and the inputs for which long runs (``make fuzz``) found a fault."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from fuzz.inputs import cases
from fuzz.trial import Case, try_case
from hypothesis import HealthCheck, given, settings

from fastqueens.files.traces import read_trace


@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(cases)
def test_every_input_is_done_or_refused_with_a_message(case):
    outcome = try_case(case)
    assert outcome.faults == [], outcome.stderr


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
