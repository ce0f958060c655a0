"""Signals to real processes. The time to react is printed (pytest -s), not asserted: no test depends on speed."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from processes import TIMEOUT, has_handlers, open_terminal, read_until, running, signal_and_wait, wait_for

from fastqueens.cli.session import _TOGETHER
from fastqueens.files.boards import read_board, write_board

#: The rows are written twenty times over: the progress line appears only after half a second of writing.
TWENTY_TIMES = (
    "import fastqueens.files.boards as text; pieces_of = text.pieces_of; "
    "text.pieces_of = lambda *board: (piece for _ in range(20) for piece in pieces_of(*board))"
)


def check_end(terminal):
    """Check that the progress line is erased, and that the end is said."""
    rest = read_until(terminal, b"Interrupted.\r\n")
    os.close(terminal)
    assert re.search(rb"\x1b\[2K(\r\n)?(\x1b\[\?25h)?Interrupted\.\r\n$", rest), "the line is erased"
    assert b"\x1b[?25h" in rest, "the cursor is visible again"


@pytest.mark.gate
def test_ctrl_c_at_a_terminal(tmp_path):
    terminal, side_of_process = open_terminal()
    with running("solve", "1e8", "-o", "q.npy", cwd=tmp_path, stderr=side_of_process) as process:
        os.close(side_of_process)
        read_until(terminal, b"placement")
        assert signal_and_wait(process, signal.SIGINT, "placement") == 130
        check_end(terminal)
    assert os.listdir(tmp_path) == []


def test_a_second_ctrl_c_at_a_terminal_ends_writing(tmp_path):
    terminal, side_of_process = open_terminal()
    with running(
        "solve", "1e7", "-o", "q[b].txt", cwd=tmp_path, before=TWENTY_TIMES, stderr=side_of_process
    ) as process:
        os.close(side_of_process)
        read_until(terminal, re.escape(b"writing q[b].txt"))
        process.send_signal(signal.SIGINT)
        read_until(terminal, b"Writing the results; .*\n")
        time.sleep(2 * _TOGETHER)
        assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
        assert signal_and_wait(process, signal.SIGINT, "writing") == 130
        check_end(terminal)
    assert os.listdir(tmp_path) == []


# The first signal lets the command write its results


#: One row takes half a second, and the other one a few hours.
STUDY = "study 4,300 --algorithms restart --runs 3000 --threads 1 -o s.json"

#: Finished results are written.
SLOW_TO_WRITE = (
    "import time, fastqueens.classroom.studies as studies; "
    "studies.write_study = lambda *_: (open('begun', 'w').close(), time.sleep(600))"
)


def test_a_second_signal_ends_at_once(tmp_path):
    terminal, side_of_process = open_terminal()
    with running(*STUDY.split(), cwd=tmp_path, before=SLOW_TO_WRITE, stderr=side_of_process) as process:
        os.close(side_of_process)
        read_until(terminal, rb" 50%")
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


@pytest.mark.parametrize("module", ["fastqueens.cli", "click", "numpy"])
def test_ctrl_c_during_imports_gives_no_traceback(module):
    with running("verify", "-", before=AT_AN_IMPORT.format(module)) as process:
        _, stderr = process.communicate(timeout=TIMEOUT)
    # Before the command line listens, the signal itself ends the process.
    assert (process.returncode, stderr) in [(-signal.SIGINT, b""), (130, b"Interrupted.\n")]


def test_ctrl_c_while_numba_compiles(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    before = "from fastqueens._jit import library; library.FOLDER /= 'none'"  # without libraries of the package
    with running("solve", "8", cwd=tmp_path, env=cache, before=before) as process:
        assert process.stderr.readline() == b"Compiling fastqueens on first use, which takes a few seconds.\n"
        assert signal_and_wait(process, signal.SIGINT, "compiling") == 130
        assert process.stderr.read() == b"Interrupted.\n"
        assert process.stdout.read() == b""


@pytest.mark.parametrize(("name", "exit_code"), [("SIGINT", 130), ("SIGHUP", 129)])
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
    for words, number in (("count 19 -q", signal.SIGTERM), ("random 2e9 -o /dev/null", signal.SIGINT)):
        with running(*words.split(), start=module) as started:
            wait_for(lambda process=started: has_handlers(process.pid))
            assert signal_and_wait(started, number, words) == 128 + number
    with running("list", "12", "-q", start=module) as started:
        assert started.stdout.readline()
        started.stdout.close()
        assert (started.stderr.read(), started.wait(TIMEOUT)) == (b"", 141)


SIGNALS_AT_ONCE = """
import os, signal
from fastqueens.cli.session import Phase, Session
session = Session()
session.phase = Phase.{phase}
together = {{signal.SIGINT, signal.SIGTERM}}
with session.listening():
    signal.pthread_sigmask(signal.SIG_BLOCK, together)
    for number in together:
        os.kill(os.getpid(), number)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, together)
print(session.stop.is_set())
"""


@pytest.mark.parametrize("phase", ["KEEPS_FINISHED", "NOTHING_TO_KEEP"])
def test_several_signals_at_once_are_one(phase):
    program = [sys.executable, "-c", SIGNALS_AT_ONCE.format(phase=phase)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=TIMEOUT)
    # Another thread can take one of the signals while this one blocks both, so either can be the first.
    first = {(130, "", "Interrupted.\n"), (143, "", "Terminated.\n")}
    if phase == "KEEPS_FINISHED":
        again = "press Ctrl-C again", "send another signal"
        first = {(0, "True\n", f"Stopping; {how} to stop immediately.\n") for how in again}
    assert (done.returncode, done.stdout, done.stderr) in first


#: The system repeats SIGXCPU each second.
SIGNALS_IN_TURN = """
import signal, time
from fastqueens.cli.session import _TOGETHER, Phase, Session
session = Session()
session.phase = Phase.KEEPS_FINISHED
with session.listening():
    for _ in range(3):
        signal.raise_signal(signal.SIGXCPU)
        time.sleep(2 * _TOGETHER)
print(session.stop.is_set())
"""


def test_sigxcpu_is_repeated_by_the_system_and_counts_once():
    done = subprocess.run([sys.executable, "-c", SIGNALS_IN_TURN], capture_output=True, text=True, timeout=TIMEOUT)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
