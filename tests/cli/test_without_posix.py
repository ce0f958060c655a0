"""Functions that Windows lacks are not needed: processes in which the modules and functions of POSIX are hidden."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from lowered import lower
from processes import REPOSITORY, TIMEOUT, running

import fastqueens
from fastqueens.files import boards

#: Hides them, after those libraries are loaded that would take another path, or fail, on half a Windows.
HIDE_MODULES = """
import asyncio, ctypes, mmap, os, select, signal, socket, subprocess, sys, tempfile
import numba, psutil
for name in ("resource", "fcntl", "termios", "tty", "pty", "pwd", "grp"):
    sys.modules[name] = None
"""
HIDE = (
    HIDE_MODULES
    + """
for module, names in {
    os: "posix_fallocate posix_fadvise sched_getaffinity fchown fchmod getxattr setxattr removexattr pread pwrite "
        "getuid geteuid fork uname sysconf statvfs killpg",
    signal: "SIGHUP SIGPIPE SIGKILL SIGUSR1 SIGALRM setitimer pthread_sigmask",
    mmap: "MAP_PRIVATE MAP_ANONYMOUS MAP_SHARED PROT_READ PROT_WRITE PROT_EXEC",
    socket: "AF_UNIX",
}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
"""
)

#: Sends SIGINT as soon as the program handles it.
INTERRUPT = """
import threading, time
def interrupt():
    while signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        time.sleep(0.01)
    time.sleep(0.5)
    signal.raise_signal(signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
"""

#: Hides them, as a statement for ``running``.
BEFORE = f"exec({HIDE!r})"


@pytest.mark.gate
def test_all_tests_can_be_imported_without_them():
    repository = Path(__file__).parents[2]  # the package can be elsewhere
    collect = ["--collect-only", "--quiet", "-p", "no:cacheprovider", "-m", "gate or not gate", "tests"]
    program = f"{HIDE_MODULES}\nimport pytest\nsys.exit(pytest.main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, *collect]
    ended = subprocess.run(command, cwd=repository, capture_output=True, text=True, timeout=TIMEOUT)
    assert ended.returncode == 0, ended.stdout[-3000:]


@pytest.mark.gate
def test_solve_needs_none_of_them():
    program = f"{HIDE}\nimport fastqueens\nprint(fastqueens.solve(1000, seed=1).solved, fastqueens.solve(10**6).solved)"
    environment = {
        "cwd": REPOSITORY,
        "capture_output": True,
        "text": True,
        "timeout": TIMEOUT,
    }
    ended = subprocess.run([sys.executable, "-c", program], **environment)
    assert (ended.stdout, ended.returncode) == ("True True\n", 0), ended.stderr


@pytest.mark.gate
@pytest.mark.parametrize("words", ["solve 8", "solve 1000 -o x.npy", "solve 100 -o old.npy", "verify old.npy", "info"])
def test_commands_need_none_of_them(tmp_path, words):
    np.save(tmp_path / "old.npy", np.array([1, 3, 0, 2]))
    with running(*words.split(), cwd=tmp_path, before=BEFORE) as process:
        stdout, stderr = process.communicate(timeout=TIMEOUT)
    errors = [line for line in stderr.splitlines() if line.startswith((b"Error", b"Traceback"))]
    assert (process.returncode, errors) == (0, []), stderr
    assert stdout
    assert "x.npy" not in words or len(np.load(tmp_path / "x.npy")) == 1000


def test_ctrl_c_needs_none_of_them(tmp_path):
    """The program interrupts itself in another thread, as Ctrl-C does on Windows."""
    words = ("solve", "1e5", "--mix", "1e9", "-o", "q.npy")
    with running(*words, cwd=tmp_path, before=f"exec({HIDE + INTERRUPT!r})") as process:
        assert process.wait(TIMEOUT) == 130
        assert process.stderr.read().splitlines()[-1].startswith(b"Interrupted")


@pytest.mark.parametrize("words", ["solve 1000 -o q.npy", "solve --file q.npy -o q.npy"])
def test_no_file_is_mapped_that_the_system_could_then_not_replace(run, monkeypatch, words):
    lower(monkeypatch, made_in_file=1, mapped_bytes=1)
    monkeypatch.setattr(boards, "_REPLACES_MAPPED_FILES", False)
    np.save("q.npy", np.arange(1000, dtype=np.int32))
    replace, maps = os.replace, Path("/proc/self/maps")

    def replace_as_windows_does(source, target):
        if maps.exists() and re.search(r"/(q|\.q.*)\.(npy|part)$", maps.read_text(), re.MULTILINE):
            raise PermissionError(errno.EACCES, "Access is denied", target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", replace_as_windows_does)
    assert run(*words.split())[0] == 0
    assert fastqueens.is_solution(fastqueens.read_board("q.npy"))
