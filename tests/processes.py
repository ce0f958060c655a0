"""Run the command line in processes, and send them signals."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import fastqueens

TIMEOUT = 120

REPOSITORY = Path(fastqueens.__file__).parents[1]


def process(*arguments, input=None, **options):
    """Run the command line in a process, and return its exit code and what it wrote, as :func:`running` starts it."""
    stdin = subprocess.DEVNULL if input is None else subprocess.PIPE
    with running(*arguments, **{"text": True, "stdin": stdin, **options}) as started:
        stdout, stderr = started.communicate(input, timeout=TIMEOUT)
    return subprocess.CompletedProcess(started.args, started.returncode, stdout, stderr)


def without_compiling(text):
    """Return stderr without the lines that depend on the cache and on whether there is a C compiler."""
    depending = re.compile("compiling|numba runs the kernels", re.IGNORECASE)
    return "".join(line for line in text.splitlines(keepends=True) if not depending.search(line))


def timeless(study):
    """Return a study in JSON types without its times, which differ from run to run."""
    rows = [{name: value for name, value in row.items() if name != "seconds_mean"} for row in study["rows"]]
    return {**study, "rows": rows}


@contextmanager
def running(*arguments, cwd=None, before="pass", start=None, **options):
    """Run the command line in a process, like the console script, after the Python statements ``before``.

    ``start`` lists other arguments with which Python runs the command line, such as -m fastqueens.
    """
    start = start or ["-c", f"{before}; from fastqueens.__main__ import main; main()"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), **options.pop("env", {})}
    if "setrlimit" in before or "preexec_fn" in options:
        # Python 3.12 stores truncated bytecode if a limit of file sizes is reached when it first imports a module.
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    with default_signals():
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
def default_signals():
    """Let new processes receive the signals that this process ignores if it is a background job."""
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]  # Windows has one
    earlier = {number: signal.signal(number, signal.SIG_DFL) for number in numbers}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


def signal_and_wait(process, number, what):
    """Send a signal, print the seconds until the process ends, and return its exit code."""
    started = time.perf_counter()
    process.send_signal(number)
    exit_code = process.wait(TIMEOUT)
    print(f"{what}: ended after {time.perf_counter() - started:.3f} s")
    return exit_code


def open_terminal(columns=80, lines=24):
    """Open a terminal of this size, and return our side and that of a process; skip the test if there are none."""
    pty = pytest.importorskip("pty", reason="there is no terminal on this system")
    import termios

    sides = pty.openpty()
    termios.tcsetwinsize(sides[0], (lines, columns))
    return sides


def read_until(terminal, pattern):
    """Read what a process writes to a terminal, until it fits a pattern, or the end."""
    found = b""
    try:
        while not re.search(pattern, found) and select.select([terminal], [], [], TIMEOUT)[0]:
            found += os.read(terminal, 4096)
    except OSError:  # Linux raises it at the end of a terminal
        pass
    assert re.search(pattern, found), found
    return found


def wait_for(condition):
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.01)


def has_handlers(process_id):
    """Return whether a process handles all signals; if the system does not report it, wait a second."""
    try:
        status = Path(f"/proc/{process_id}/status").read_text()
    except OSError:
        time.sleep(1)
        return True
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGXCPU - 1) & 1)  # SIGXCPU is the last


@contextmanager
def limited_file_size(size):
    """Let no file of this process become longer, as on a disk that becomes full."""
    resource = pytest.importorskip("resource", reason="Windows has no limit for files")
    earlier = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, earlier[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, earlier)


@contextmanager
def small_disk(folder, size):
    """Mount a file system in memory, or skip the test where that is not allowed."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
