"""Signals to real processes. The time to react is printed (pytest -s), not asserted: no test depends on speed."""

import os
import pty
import re
import signal
import subprocess

import pytest
from processes import TIMEOUT, has_handlers, read_until, running, signal_and_wait, wait_for

from fastqueens.files.boards import read_board, write_board

#: The rows are written twenty times over: the progress line appears only after half a second of writing.
TWENTY_TIMES = (
    "import fastqueens.files.board_formats as text; pieces_of = text.pieces_of; "
    "text.pieces_of = lambda *board: (piece for _ in range(20) for piece in pieces_of(*board))"
)


@pytest.mark.parametrize(
    ("words", "stage", "before"),
    [
        pytest.param("solve 1e8 -o q.npy", b"placement", "", marks=pytest.mark.gate),
        ("solve 1e6 --mix 1e6 -o q.npy", b"mixing", ""),
        ("solve 1e7 -o q[b].txt", b"writing q[b].txt", TWENTY_TIMES),
    ],
)
def test_ctrl_c_at_a_terminal(tmp_path, words, stage, before):
    terminal, side_of_process = pty.openpty()
    with running(*words.split(), cwd=tmp_path, before=before, stderr=side_of_process) as process:
        os.close(side_of_process)
        read_until(terminal, stage)
        hidden = [path.suffix for path in tmp_path.iterdir()]
        assert not before or hidden == [".part"]
        assert signal_and_wait(process, signal.SIGINT, words) == 130
        rest = read_until(terminal, b"interrupted\r\n")
    os.close(terminal)
    assert re.search(rb"\x1b\[2K(\r\n)?(\x1b\[\?25h)?interrupted\r\n$", rest), "the line is erased"
    assert b"\x1b[?25h" in rest, "the cursor is visible again"
    assert os.listdir(tmp_path) == []


def test_an_interrupted_process_leaves_the_earlier_file(tmp_path):
    # The process waits when the board is complete and its check starts.
    before = (
        "import time, fastqueens.solving.solver; "
        "fastqueens.solving.solver.find_fault = lambda *_, **__: (open('complete', 'w').close(), time.sleep(600))"
    )
    write_board(tmp_path / "q.npy", [1, 3, 0, 2])
    with running("solve", str(2**22 + 1), "-o", "q.npy", cwd=tmp_path, before=before) as process:
        wait_for((tmp_path / "complete").exists)
        (hidden,) = tmp_path.glob(".q.npy.*.part")
        assert hidden.stat().st_size > 4 * 2**22
        assert signal_and_wait(process, signal.SIGINT, "solving into a file") == 130
    assert read_board(tmp_path / "q.npy").tolist() == [1, 3, 0, 2]
    assert sorted(os.listdir(tmp_path)) == ["complete", "q.npy"]


def test_ctrl_c_while_numba_compiles(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with running("solve", "8", cwd=tmp_path, env=cache) as process:
        assert process.stderr.readline() == b"First use of this command: compiling.\n"
        assert signal_and_wait(process, signal.SIGINT, "compiling") == 130
        assert process.stderr.read() == b"interrupted\n"
        assert process.stdout.read() == b""


@pytest.mark.parametrize(("name", "exit_code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_signals_while_waiting_for_stdin(tmp_path, name, exit_code):
    with running("verify", "-", cwd=tmp_path, stdin=subprocess.PIPE) as process:
        wait_for(lambda: has_handlers(process.pid))
        assert signal_and_wait(process, getattr(signal, name), "reading") == exit_code
        assert process.stderr.read() == (b"interrupted\n" if name == "SIGINT" else b"terminated\n")


def test_a_signal_that_another_thread_receives(tmp_path):
    """It does not wake the main thread, as one that comes just before the main thread begins to wait."""
    before = (
        "import signal, threading, time, fastqueens.solving.solver as solver; "
        "solver.checked_task = lambda *_, **__: (time.sleep(0.5), "
        "signal.pthread_kill(threading.get_ident(), signal.SIGTERM), time.sleep(600))"
    )
    with running("solve", "8", cwd=tmp_path, before=before) as process:
        assert process.wait(TIMEOUT) == 143
        assert process.stderr.read() == b"terminated\n"


def test_an_ignored_signal_stays_ignored(tmp_path):
    before = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with running("verify", "-", cwd=tmp_path, before=before, stdin=subprocess.PIPE) as process:
        wait_for(lambda: has_handlers(process.pid))
        process.send_signal(signal.SIGHUP)
        stdout, _ = process.communicate(b"1\n3\n0\n2\n", timeout=TIMEOUT)
        assert process.returncode == 0
        assert stdout.startswith(b"Solved")
