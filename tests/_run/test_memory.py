"""Available memory: messages have both numbers, and nothing is refused if the system does not report it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from errors import check_error, check_names

import fastqueens
from fastqueens._run import control_groups, memory, threads
from fastqueens.errors import InputError, NotEnoughMemoryError

MB = 1_000_000


def has_available(patch, available, error=None):
    """Let psutil report this many bytes, or raise an error."""
    names = {"__name__": "psutil", "error": error, "found": SimpleNamespace(available=available)}
    exec("def virtual_memory():\n    if error:\n        raise error\n    return found", names)  # errors of psutil
    patch.setitem(sys.modules, "psutil", SimpleNamespace(virtual_memory=names["virtual_memory"]))


def test_an_unknown_machine_refuses_nothing(monkeypatch):
    for error in (RuntimeError, OSError, KeyError, psutil.Error, None):
        has_available(monkeypatch, 0, error)
        assert memory.available_memory() is None, error
        memory.check_memory(10**18, "this")
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert memory.available_memory() is None


def test_the_limits_of_a_container_count(monkeypatch, tmp_path):
    """The group of the process has a limit of memory, and its parent has a smaller one and a quota of processors."""
    for group, files in {
        "": {"memory.stat": "", "cpu.max": "max 100000"},
        "pod": {"memory.max": 1000 * MB, "memory.current": 900 * MB, "cpu.max": "150000 100000"},
        "pod/own": {"memory.max": 950 * MB, "memory.current": 300 * MB, "cpu.max": "max 100000"},
        "pod/none": {"memory.max": "max", "memory.current": 300 * MB},
    }.items():
        (tmp_path / group).mkdir(exist_ok=True)
        usual = {"memory.stat": f"anon {MB}\nactive_file {10 * MB}\ninactive_file {20 * MB}"}
        for name, content in (usual | files).items():
            (tmp_path / group / name).write_text(f"{content}\n")
    monkeypatch.setattr(control_groups, "_ROOT", str(tmp_path))
    monkeypatch.setattr(control_groups, "_OWN_GROUP", str(tmp_path / "own"))
    has_available(monkeypatch, 5000 * MB)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8), raising=False)
    for own, available, cores in (
        ("9:name=systemd:/\n0::/pod/own\n", 130, 2),
        ("0::/pod/none\n", 130, 2),
        ("0::/\n", 5000, 8),
        ("0::/of another namespace\n", 5000, 8),
        ("4:memory:/\n", 5000, 8),
    ):
        (tmp_path / "own").write_text(own)
        threads._quota.cache_clear()
        assert (memory.available_memory(), threads.all_cores()) == (available * MB, cores), own
    # A container can see its own group as the root.
    for name in ("memory.max", "memory.current", "memory.stat", "cpu.max"):
        shutil.copy(tmp_path / "pod" / name, tmp_path)
    (tmp_path / "own").write_text("0::/\n")
    threads._quota.cache_clear()
    assert (memory.available_memory(), threads.all_cores()) == (130 * MB, 2)
    threads._quota.cache_clear()


def test_limits_too_small_to_start(monkeypatch):
    """In a real process: tests/files/test_faults.py."""
    resource = pytest.importorskip("resource", reason="Windows has no limits")
    limits = dict.fromkeys((resource.RLIMIT_AS, resource.RLIMIT_DATA), 400 * MB)
    system = SimpleNamespace(
        getrlimit=lambda kind: (limits[kind],) * 2,
        **{name: getattr(resource, name) for name in ("RLIMIT_AS", "RLIMIT_DATA", "RLIM_INFINITY")},
    )
    monkeypatch.setitem(sys.modules, "resource", system)
    memory.check_limits()
    limits[resource.RLIMIT_DATA] = resource.RLIM_INFINITY
    memory.check_limits()
    limits[resource.RLIMIT_AS] -= 1
    with check_error(InputError, "399 MB", "ulimit -v", "400 MB"):
        memory.check_limits()
    del system.RLIMIT_AS
    memory.check_limits()
    monkeypatch.setitem(sys.modules, "resource", None)
    memory.check_limits()


def test_too_little_is_refused_with_both_numbers(monkeypatch):
    has_available(monkeypatch, 1500 * MB)
    memory.check_memory(1500 * MB, "this")
    with check_error(NotEnoughMemoryError, "n = 500,000,000", "1,501 MB", "1,500 MB") as caught:
        memory.check_memory(1501 * MB, "solving n = 500,000,000")
    assert isinstance(caught.value, MemoryError)


def test_small_work_does_not_import_psutil():
    program = """
import sys, fastqueens
fastqueens.solve(1000, seed=1)
fastqueens._run.memory.check_memory(10**8 - 1, "this")
before = "psutil" in sys.modules
fastqueens._run.memory.check_memory(10**8, "this")
print(before, "psutil" in sys.modules)
"""
    assert output_of(program) == "False True\n"


def output_of(program):
    """Return the output of a Python program, in which a warning is an error."""
    command, root = [sys.executable, "-W", "error", "-c", program], Path(fastqueens.__file__).parents[1]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system does not tell what a process uses")
def test_a_limit_on_the_address_space_raises_and_does_not_crash():
    program = """
import resource, fastqueens
assert fastqueens.solve(100, seed=1).solved
size = int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (size + 300_000_000, resource.RLIM_INFINITY))
try:
    fastqueens.solve(10**8)
except MemoryError as error:
    print(error)
"""
    check_names(output_of(program), "Unable to allocate", "MiB")
