"""``fastqueens count --scheduler`` with a real scheduler and two workers: Ctrl-C, a killed worker, a lost scheduler."""

import importlib.util
import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager

import psutil
import pytest
from errors import check_names
from lowered import lowered
from processes import default_signals, running, signal_and_wait, wait_for

import fastqueens

pytestmark = [
    pytest.mark.gate,
    pytest.mark.skipif(
        importlib.util.find_spec("distributed") is None,
        reason="dask.distributed is not installed: pip install '.[cluster]'",
    ),
]

#: Many parts of a millisecond.
SMALLER = {"uncut_squares": 1 << 12, "part_squares": 1 << 13}
IN_THE_COMMAND = "from fastqueens.exact import complete_search as s; s.UNCUT_SQUARES, s.PART_SQUARES = 1 << 12, 1 << 13"
N, SOLUTIONS = 15, 2279184


@contextmanager
def dask(*arguments, cwd):
    """Run a program of Dask that writes no files into the current folder."""
    with default_signals(), (cwd / f"{arguments[0]}.log").open("ab") as log:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        process = subprocess.Popen(command, cwd=cwd, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def programs(tmp_path):
    """Start a scheduler and two workers; return them and the address."""
    with ExitStack() as stack:
        address = tmp_path / "scheduler.json"
        scheduler = stack.enter_context(
            dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(address), cwd=tmp_path)
        )
        wait_for(lambda: address.exists() and address.read_text().endswith("}"))
        options = ("--scheduler-file", str(address), "--nthreads", "1", "--no-nanny")
        workers = [stack.enter_context(dask("worker", *options, cwd=tmp_path)) for _ in range(2)]
        from distributed import Client

        with Client(scheduler_file=str(address)) as client:
            client.wait_for_workers(2, timeout=60)
        yield scheduler, workers, json.loads(address.read_text())["address"]


def lines_of(path):
    """Return the finished parts in a checkpoint."""
    try:
        with closing(sqlite3.connect(path)) as database:
            return list(database.execute("SELECT key, outcome, digest FROM part"))
    except sqlite3.OperationalError:  # not yet created
        return []


def test_faults_lose_only_what_was_under_way(tmp_path, programs):
    scheduler, workers, address = programs
    path, here = tmp_path / "count.sqlite", tmp_path / "here.sqlite"
    with lowered(**SMALLER):
        assert fastqueens.count_solutions(N, checkpoint=here) == SOLUTIONS
    expected = sorted(lines_of(here))
    command = ("count", str(N), "--scheduler", address, "--checkpoint", str(path))

    def counting():
        return running(*command, cwd=tmp_path, before=IN_THE_COMMAND)

    def wait_for_lines(process, share):
        wait_for(lambda: len(lines_of(path)) > len(expected) * share or process.poll() is not None)
        assert process.poll() is None, process.stderr.read().decode()

    with counting() as process:
        wait_for_lines(process, 0.2)
        assert signal_and_wait(process, signal.SIGINT, "a count on a cluster") == 130
        assert process.stderr.read().splitlines()[-1].startswith(b"Interrupted: ")
    begun = time.perf_counter()
    wait_for(lambda: all(psutil.Process(worker.pid).cpu_percent(0.1) < 30 for worker in workers))
    print(f"the workers are idle after {time.perf_counter() - begun:.3f} s")

    with counting() as process:
        wait_for_lines(process, 0.5)
        workers[0].kill()
        stdout, stderr = process.communicate(timeout=60)
        assert (process.returncode, stderr) == (0, b"")
        assert stdout == f"{SOLUTIONS:,} solutions for n = {N}.\n".encode()
    assert sorted(lines_of(path)) == expected, "the same nodes, part by part"

    path.unlink()
    with counting() as process:
        wait_for_lines(process, 0.3)
        scheduler.kill()
        stdout, stderr = process.communicate(timeout=60)
        assert (process.returncode, stdout) == (2, b"")
        assert stderr.count(b"\n") == 1
        check_names(stderr.decode(), "executor", "lost", "call again")
    with lowered(**SMALLER):
        assert fastqueens.count_solutions(N, checkpoint=path) == SOLUTIONS
    assert sorted(lines_of(path)) == expected
