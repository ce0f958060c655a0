"""Signals to real processes. The time to react is printed (pytest -s), not asserted: no test depends on speed."""

import json
import math
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

import plain
import pytest
from errors import check_names
from processes import TIMEOUT, has_handlers, read_until, running, signal_and_wait, wait_for

import fastqueens
from fastqueens.cli import _STOPPING, _TOGETHER
from fastqueens.files.boards import read_board, read_boards, write_board

#: The rows are written twenty times over: the progress line appears only after half a second of writing.
TWENTY_TIMES = (
    "import fastqueens.files.boards as text; pieces_of = text.pieces_of; "
    "text.pieces_of = lambda *board: (piece for _ in range(20) for piece in pieces_of(*board))"
)


@pytest.mark.parametrize(
    ("words", "stage", "before"),
    [
        pytest.param("solve 1e8 -o q.npy", b"placement", "", marks=pytest.mark.gate),
        ("solve 1e7 -o q[b].txt", b"writing q[b].txt", TWENTY_TIMES),
    ],
)
def test_ctrl_c_at_a_terminal(tmp_path, words, stage, before):
    terminal, side_of_process = pty.openpty()
    with running(*words.split(), cwd=tmp_path, before=before, stderr=side_of_process) as process:
        os.close(side_of_process)
        read_until(terminal, re.escape(stage))
        hidden = [path.suffix for path in tmp_path.iterdir()]
        assert not before or hidden == [".part"]
        assert signal_and_wait(process, signal.SIGINT, words) == 130
        rest = read_until(terminal, b"Interrupted.\r\n")
    os.close(terminal)
    assert re.search(rb"\x1b\[2K(\r\n)?(\x1b\[\?25h)?Interrupted\.\r\n$", rest), "the line is erased"
    assert b"\x1b[?25h" in rest, "the cursor is visible again"
    assert os.listdir(tmp_path) == []


# Finished results are kept


def interrupted(words, shown, cwd, *, is_finished=True):
    """Interrupt a command as soon as its terminal shows a pattern; return its stdout and the rest of the terminal."""
    terminal, side_of_process = pty.openpty()
    with tempfile.TemporaryFile() as stdout:  # a pipe would be full
        streams = {"stdout": stdout, "stderr": side_of_process}
        with running(*words.split(), cwd=cwd, env={"COLUMNS": ""}, **streams) as process:  # so it has 0 columns
            os.close(side_of_process)
            read_until(terminal, shown)
            assert signal_and_wait(process, signal.SIGINT, words) == 130
            rest = read_until(terminal, b"Interrupted: .*\n(?s:.*)$" if is_finished else b"Interrupted; .*\n$")
            assert rest.lower().count(b"interrupted") == 1, "the end is said once"
        os.close(terminal)
        stdout.seek(0)
        return stdout.read().decode(), rest.decode()


def test_a_mixed_board_is_kept(tmp_path):
    _, rest = interrupted("solve 1e5 --mix 1e6 -o q.npy", b"mixing", tmp_path)
    plain.assert_solution(read_board(tmp_path / "q.npy"), 10**5)
    check_names(rest, "1,000,000 sweeps")
    assert os.listdir(tmp_path) == ["q.npy"]


def test_an_estimate_so_far_is_printed(tmp_path):
    stdout, rest = interrupted("estimate 8 --replicas 1000000 --json", rb"replicas \([1-9]\d+ of 1,000,000", tmp_path)
    found = json.loads(stdout)
    assert found["partial"]
    assert abs(found["log_count"] - math.log(92)) < 8 * found["standard_error"]
    check_names(rest, f"{found['replicas']:,} replicas")


#: Two rows take a second, and the third a few hours.
STUDY = "study 4,5,300 --rules restart --runs 3000 --threads 1 -o s.json"


def test_finished_rows_of_a_study_are_written(tmp_path):
    _, rest = interrupted(f"{STUDY} --seed 1", rb" [5-9]\d%", tmp_path)
    rows = json.loads((tmp_path / "s.json").read_text())["rows"]
    assert [(row["n"], row["runs"]) for row in rows] in ([(4, 3000)], [(4, 3000), (5, 3000)])
    check_names(rest, f"{len(rows)} of 3")


@pytest.mark.parametrize(
    ("words", "stage"),
    [
        ("study 300 --rules restart --runs 1000000 -o s.csv", b"runs"),
        ("estimate 1e6 --replicas 8", b"replicas"),
        ("sample 1e7 --count 3 --threads 1 -o s.npz", b"(placement|sampling)"),
        ("climb 300 --runs 2 --rule restart", rb"climbs|runs"),
    ],
)
def test_nothing_is_finished(tmp_path, words, stage):
    stdout, rest = interrupted(words, stage, tmp_path, is_finished=False)
    assert (stdout, os.listdir(tmp_path)) == ("", [])
    check_names(rest, "Interrupted", "no result")


def test_samples_so_far_are_written(tmp_path):
    interrupted("sample 8 --count 1e6 --thinning 160 -o s.npz", rb"sampling .* [1-9]%", tmp_path)
    boards = read_boards(tmp_path / "s.npz")
    assert 0 < len(boards) < 10**6
    assert all(fastqueens.is_solution(board) for board in boards[:100])


def test_puzzles_so_far_are_written(tmp_path):
    interrupted("puzzle 12 --unique --many 100000 -o p.jsonl", rb"puzzles .*[1-9]%", tmp_path)
    lines = (tmp_path / "p.jsonl").read_bytes().splitlines()
    assert {json.loads(line)["n"] for line in (lines[0], lines[-1])} == {12}


def test_a_count_says_how_far_it_was(tmp_path):
    _, rest = interrupted("solve 20 --count", rb"complete search", tmp_path)
    check_names(rest, "squares", "solutions")


#: Finished results are written.
SLOW_TO_WRITE = (
    "import time, fastqueens.classroom.studies as studies; "
    "studies.write_study = lambda *_: (open('begun', 'w').close(), time.sleep(600))"
)


def test_a_second_signal_ends_at_once(tmp_path):
    terminal, side_of_process = pty.openpty()
    with running(*STUDY.split(), cwd=tmp_path, before=SLOW_TO_WRITE, stderr=side_of_process) as process:
        os.close(side_of_process)
        read_until(terminal, rb" [5-9]\d%")
        process.send_signal(signal.SIGINT)
        read_until(terminal, b"Stopping")
        wait_for((tmp_path / "begun").exists)
        time.sleep(2 * _TOGETHER)
        assert process.poll() is None
        assert signal_and_wait(process, signal.SIGINT, STUDY) == 130
        read_until(terminal, b"Interrupted.\r\n")
    os.close(terminal)
    assert os.listdir(tmp_path) == ["begun"]


def test_an_interrupted_process_leaves_the_earlier_file(tmp_path):
    # The process waits when the board is complete and its check starts.
    before = (
        "import time, fastqueens.solver; "
        "fastqueens.solver.find_fault = lambda *_, **__: (open('complete', 'w').close(), time.sleep(600))"
    )
    write_board(tmp_path / "q.npy", [1, 3, 0, 2])
    with running("solve", str(2**22 + 1), "-o", "q.npy", cwd=tmp_path, before=before) as process:
        wait_for((tmp_path / "complete").exists)
        (hidden,) = tmp_path.glob(".q.npy.*.part")
        assert hidden.stat().st_size > 4 * 2**22
        assert signal_and_wait(process, signal.SIGINT, "solving into a file") == 130
    assert read_board(tmp_path / "q.npy").tolist() == [1, 3, 0, 2]
    assert sorted(os.listdir(tmp_path)) == ["complete", "q.npy"]


#: Ctrl-C arrives when a module is imported for the first time.
AT_AN_IMPORT = """
import signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())"""


@pytest.mark.parametrize("module", ["fastqueens.cli", "fastqueens._run.arguments", "click", "numpy"])
def test_ctrl_c_during_imports_gives_no_traceback(module):
    with running("verify", "-", before=AT_AN_IMPORT.format(module)) as process:
        _, stderr = process.communicate(timeout=TIMEOUT)
    # Before the command line listens, the signal itself ends the process.
    assert (process.returncode, stderr) in [(-signal.SIGINT, b""), (130, b"Interrupted.\n")]


def test_ctrl_c_while_numba_compiles(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with running("solve", "8", cwd=tmp_path, env=cache) as process:
        assert process.stderr.readline() == b"Compiling on the first use of this command.\n"
        assert signal_and_wait(process, signal.SIGINT, "compiling") == 130
        assert process.stderr.read() == b"Interrupted.\n"
        assert process.stdout.read() == b""


@pytest.mark.parametrize(("name", "exit_code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_signals_while_waiting_for_stdin(tmp_path, name, exit_code):
    with running("verify", "-", cwd=tmp_path, stdin=subprocess.PIPE) as process:
        wait_for(lambda: has_handlers(process.pid))
        assert signal_and_wait(process, getattr(signal, name), "reading") == exit_code
        assert process.stderr.read() == (b"Interrupted.\n" if name == "SIGINT" else b"Terminated.\n")


def test_an_ignored_signal_stays_ignored(tmp_path):
    before = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with running("verify", "-", cwd=tmp_path, before=before, stdin=subprocess.PIPE) as process:
        wait_for(lambda: has_handlers(process.pid))
        process.send_signal(signal.SIGHUP)
        stdout, _ = process.communicate(b"1\n3\n0\n2\n", timeout=TIMEOUT)
        assert process.returncode == 0
        assert stdout.startswith(b"Solved")


def test_python_m_ends_with_the_exit_codes_of_the_command():
    module = ["-m", "fastqueens"]
    for words, number in (("solve 19 --count -q", signal.SIGTERM), ("random 2e9 -o /dev/null", signal.SIGINT)):
        with running(*words.split(), start=module) as started:
            wait_for(lambda process=started: has_handlers(process.pid))
            assert signal_and_wait(started, number, words) == 128 + number
    with running("solve", "12", "--all", "-", "-q", start=module) as started:
        assert started.stdout.readline()
        started.stdout.close()
        assert (started.stderr.read(), started.wait(TIMEOUT)) == (b"", 141)


SIGNALS_AT_ONCE = """
import os, signal
from fastqueens.cli import Session
session = Session()
session.keeps_finished = {keeps}
together = {{signal.SIGINT, signal.SIGTERM}}
with session.listening():
    signal.pthread_sigmask(signal.SIG_BLOCK, together)
    for number in together:
        os.kill(os.getpid(), number)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, together)
print(session.stop.is_set())
"""


@pytest.mark.parametrize("keeps", [True, False])
def test_several_signals_at_once_are_one(keeps):
    program = [sys.executable, "-c", SIGNALS_AT_ONCE.format(keeps=keeps)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=TIMEOUT)
    # Another thread can take one of the signals while this one blocks both, so either can be the first.
    first = {(130, "", "Interrupted.\n"), (143, "", "Terminated.\n")}
    assert (done.returncode, done.stdout, done.stderr) in ({(0, "True\n", f"{_STOPPING}")} if keeps else first)
