"""Available memory: messages have both numbers, and nothing is refused if the system does not report it."""

import resource
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from errors import check_error, check_names

import fastqueens
from fastqueens._run import memory
from fastqueens.errors import InputError, NotEnoughMemoryError

MB = 1_000_000

@pytest.mark.parametrize("error", [RuntimeError, OSError, KeyError, psutil.Error, None])
def test_an_unknown_machine_refuses_nothing(monkeypatch, error):
    def virtual_memory():
        if error is not None:
            raise error
        return SimpleNamespace(total=16_000 * MB, available=0)

    monkeypatch.setattr(psutil, "virtual_memory", virtual_memory)
    assert memory.available_memory() is None
    memory.check_memory(10**18, "this")
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert memory.available_memory() is None


def test_limits_too_small_to_start(monkeypatch):
    """In a real process: tests/files/test_faults.py."""
    limits = dict.fromkeys((resource.RLIMIT_AS, resource.RLIMIT_DATA), 400 * MB)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits[kind],) * 2)
    memory.check_limits()
    limits[resource.RLIMIT_DATA] = resource.RLIM_INFINITY
    memory.check_limits()
    limits[resource.RLIMIT_AS] -= 1
    with check_error(InputError, "399 MB", "ulimit -v", "400 MB"):
        memory.check_limits()
    monkeypatch.delattr(resource, "RLIMIT_AS")
    memory.check_limits()
    monkeypatch.setitem(sys.modules, "resource", None)
    memory.check_limits()


def test_too_little_is_refused_with_both_numbers(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1500 * MB)
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
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not say how much a process uses")
    check_names(output_of(program), "Unable to allocate", "MiB")
