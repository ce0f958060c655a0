"""Signals, on real processes. How fast they answer is printed (pytest -s), not asserted: no test depends on speed."""

import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import fastqueens
from fastqueens.boardfile import read_board, write_board

PATIENCE = 120


@contextmanager
def running(*arguments, cwd, before="", **options):
    """A running command line, begun after the Python statements ``before``."""
    start = ["-c", f"{before}; from fastqueens.cli import main; main()"] if before else ["-m", "fastqueens"]
    environment = {**os.environ, "PYTHONPATH": str(Path(fastqueens.__file__).parents[1]), **options.pop("env", {})}
    with hearing_signals():
        process = subprocess.Popen(
            [sys.executable, *start, *arguments],
            cwd=cwd,
            env=environment,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@contextmanager
def hearing_signals():
    """Let processes begun here hear the signals that this one does not, where it is a job in the background."""
    earlier = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


def signal_and_wait(process, number, what):
    """Send a signal; gives the exit code, and prints the seconds it took."""
    begun = time.perf_counter()
    process.send_signal(number)
    exit_code = process.wait(PATIENCE)
    print(f"{what}: answered after {time.perf_counter() - begun:.3f} s")
    return exit_code


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def read_until(terminal, text):
    """Read what a process writes to a terminal until a text comes; an end of file counts as nothing more to come."""
    found = b""
    try:
        while text not in found and (piece := os.read(terminal, 4096)):
            found += piece
    except OSError:  # what Linux says for the end of file
        pass
    return found


def test_ctrl_c_at_a_hundred_million_queens(tmp_path):
    terminal, side_of_process = pty.openpty()
    with running("solve", "1e8", "-o", "q.npy", cwd=tmp_path, stderr=side_of_process) as process:
        os.close(side_of_process)
        assert b"placement" in read_until(terminal, b"placement")
        assert signal_and_wait(process, signal.SIGINT, "searching") == 130
        rest = read_until(terminal, b"interrupted")
    os.close(terminal)
    assert b"\x1b[?25h" in rest, "the cursor is back"
    assert rest.endswith(b"interrupted\r\n")
    assert os.listdir(tmp_path) == []


def test_ctrl_c_while_a_file_is_written(tmp_path):
    terminal, side_of_process = pty.openpty()
    with running("solve", "1e7", "-o", "q[b].txt", cwd=tmp_path, stderr=side_of_process) as process:
        os.close(side_of_process)
        assert b"writing q[b].txt" in read_until(terminal, b"writing q[b].txt")
        assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
        assert signal_and_wait(process, signal.SIGINT, "writing") == 130
        rest = read_until(terminal, b"interrupted")
    os.close(terminal)
    assert rest.endswith(b"\r\x1b[2K\x1b[?25hinterrupted\r\n"), "the line is gone, the cursor back"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_process_leaves_the_earlier_file(tmp_path, number):
    # Held where the board is made and the check of it begins.
    before = (
        "import time, fastqueens.solver; "
        "fastqueens.solver.is_solution_checked = lambda *_: (open('made', 'w').close(), time.sleep(600))"
    )
    target = tmp_path / "q.npy"
    write_board(target, [1, 3, 0, 2])
    with running("solve", str(2**22 + 1), "-o", "q.npy", cwd=tmp_path, before=before) as process:
        wait_for((tmp_path / "made").exists)
        (hidden,) = tmp_path.glob(".q.npy.*.part")
        assert hidden.stat().st_size > 4 * 2**22
        assert signal_and_wait(process, number, "solving into a file") == (-9 if number == signal.SIGKILL else 130)
    assert read_board(target).tolist() == [1, 3, 0, 2]
    if number != signal.SIGKILL:
        assert sorted(os.listdir(tmp_path)) == ["made", "q.npy"]


def test_ctrl_c_while_numba_compiles(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with running("solve", "8", cwd=tmp_path, env=cache) as process:
        assert process.stderr.readline() == b"Compiling for this machine. This happens once and takes a few seconds.\n"
        assert signal_and_wait(process, signal.SIGINT, "compiling") == 130
        assert process.stderr.read() == b"interrupted\n"
        assert process.stdout.read() == b""


@pytest.mark.parametrize(
    ("number", "exit_code", "word"),
    [
        (signal.SIGINT, 130, b"interrupted\n"),
        (signal.SIGTERM, 143, b"terminated\n"),
        (signal.SIGHUP, 129, b"terminated\n"),
    ],
)
def test_signals_while_stdin_is_awaited(tmp_path, number, exit_code, word):
    with running("verify", "-", cwd=tmp_path, stdin=subprocess.PIPE) as process:
        wait_for(lambda: listens(process.pid))
        assert signal_and_wait(process, number, "reading") == exit_code
        assert process.stderr.read() == word


def listens(process_id):
    """Whether a process has its own handlers, as SIGTERM shows; where nothing tells, give it a second."""
    try:
        status = Path(f"/proc/{process_id}/status").read_text()
    except OSError:
        time.sleep(1)
        return True
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def test_a_signal_that_is_ignored_from_outside_stays_ignored(tmp_path):
    before = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    with running("verify", "-", cwd=tmp_path, before=before, stdin=subprocess.PIPE) as process:
        wait_for(lambda: listens(process.pid))
        process.send_signal(signal.SIGHUP)
        stdout, _ = process.communicate(b"1\n3\n0\n2\n", timeout=PATIENCE)
        assert process.returncode == 0
        assert stdout.startswith(b"Solved")
