"""The memory that is there: all three limits are read, both numbers are said, and silence of the system is no error."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

import fastqueens
from fastqueens import machine
from fastqueens.board import NotEnoughMemoryError

MB = 1_000_000

FILES = {
    "/proc/meminfo": "MemTotal: 16000000 kB\nMemFree: 1000000 kB\nMemAvailable: 8000000 kB\n",
    "/proc/self/status": "Name:\tpython\nVmPeak:\t 900000 kB\nVmSize:\t 500000 kB\nVmData:\t 300000 kB\n",
    "/proc/self/cgroup": "0::/user/session\n",
    "/sys/fs/cgroup/user/session/memory.max": "max\n",
    "/sys/fs/cgroup/user/session/memory.current": "300000000\n",
    "/sys/fs/cgroup/user/session/memory.stat": "anon 1\ninactive_file 50000000\nactive_file 7\n",
    "/sys/fs/cgroup/user/memory.max": "max\n",
    "/sys/fs/cgroup/user/memory.current": "400000000\n",
    "/sys/fs/cgroup/user/memory.stat": "anon 1\ninactive_file 60000000\n",
}


@pytest.fixture
def files(monkeypatch):
    """The files of a system of our own, to be changed by a test; there are no others."""
    there = dict(FILES)

    def read_text(path):
        if str(path) not in there:
            raise FileNotFoundError(path)
        return there[str(path)]

    monkeypatch.setattr(Path, "read_text", read_text)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return there


def test_what_the_machine_has_available(files):
    assert machine.available_memory() == 8_000_000 * 1024


def test_the_limit_of_the_control_group_less_what_it_holds(files):
    files["/sys/fs/cgroup/user/session/memory.max"] = "1000000000\n"
    assert machine.available_memory() == 1000 * MB - 300 * MB + 50 * MB


def test_the_tightest_control_group_on_the_way_up(files):
    files["/sys/fs/cgroup/user/session/memory.max"] = "1000000000\n"
    files["/sys/fs/cgroup/user/memory.max"] = "500000000\n"
    assert machine.available_memory() == 500 * MB - 400 * MB + 60 * MB


@pytest.mark.parametrize(("limited", "left"), [("RLIMIT_AS", 200_000), ("RLIMIT_DATA", 400_000)])
def test_the_limit_of_the_process_less_what_it_holds(files, monkeypatch, limited, left):
    limits = {getattr(resource, limited): 700_000 * 1024}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits.get(kind, resource.RLIM_INFINITY),) * 2)
    assert machine.available_memory() == left * 1024


def test_a_limit_that_is_overdrawn_leaves_nothing(files):
    files["/sys/fs/cgroup/user/session/memory.max"] = "100000000\n"
    assert machine.available_memory() == 0


@pytest.mark.parametrize("missing", FILES)
def test_a_missing_file_leaves_the_other_limits(files, missing):
    del files[missing]
    expected = None if missing == "/proc/meminfo" else 8_000_000 * 1024
    assert machine.available_memory() == expected


def test_a_system_that_says_nothing_is_trusted(files):
    files.clear()
    assert machine.available_memory() is None
    machine.check_memory(10**18, "this")


@pytest.mark.parametrize("text", ["", "MemTotal: 5 kB\n"])
def test_a_file_without_the_figure_says_nothing(files, text):
    files["/proc/meminfo"] = text
    assert machine.available_memory() is None


@pytest.mark.parametrize("controllers", ["memory", "cpu,memory"])
@pytest.mark.parametrize("folder", ["/sys/fs/cgroup/memory/user", "/sys/fs/cgroup/memory"])
def test_the_limit_of_a_control_group_of_version_1(files, controllers, folder):
    files["/proc/self/cgroup"] = f"12:{controllers}:/user\n1:name=systemd:/user/init\n0::/\n"
    files[f"{folder}/memory.limit_in_bytes"] = "900000000\n"
    files[f"{folder}/memory.usage_in_bytes"] = "300000000\n"
    files[f"{folder}/memory.stat"] = "cache 5\ninactive_file 70000000\n"
    assert machine.available_memory() == 900 * MB - 300 * MB + 70 * MB


def test_version_1_has_the_groups_below_in_a_total(files):
    files["/proc/self/cgroup"] = "12:memory:/\n"
    files["/sys/fs/cgroup/memory/memory.limit_in_bytes"] = "900000000\n"
    files["/sys/fs/cgroup/memory/memory.usage_in_bytes"] = "300000000\n"
    files["/sys/fs/cgroup/memory/memory.stat"] = "inactive_file 1000\ntotal_inactive_file 80000000\n"
    assert machine.available_memory() == 900 * MB - 300 * MB + 80 * MB


def test_odd_lines_are_passed_over(files):
    files["/proc/self/cgroup"] = "\nodd\n1:2\n0::/user\n"
    files["/sys/fs/cgroup/user/memory.max"] = "500000000\n"
    files["/sys/fs/cgroup/user/memory.stat"] = "\ninactive_file\nanon 1 2\ninactive_file 60000000\nfile -\n"
    files["/proc/meminfo"] = "\nMemAvailable:\nMemAvailable: many kB\nMemAvailable: 8000000 kB\n"
    assert machine.available_memory() == 500 * MB - 400 * MB + 60 * MB
    files["/sys/fs/cgroup/user/memory.max"] = "plenty\n"
    assert machine.available_memory() == 8_000_000 * 1024


def test_a_control_group_that_does_not_tell_its_cache_still_limits(files):
    files["/sys/fs/cgroup/user/memory.max"] = "500000000\n"
    del files["/sys/fs/cgroup/user/memory.stat"]
    assert machine.available_memory() == 100 * MB


@pytest.mark.parametrize("text", ["", "3:cpu:/user\n", "12:memory:/elsewhere\n1:name=systemd:/user/init\n"])
def test_a_process_without_a_control_group_for_memory(files, text):
    files["/proc/self/cgroup"] = text
    assert machine.available_memory() == 8_000_000 * 1024


def test_too_little_is_refused_with_both_numbers(monkeypatch):
    monkeypatch.setattr(machine, "available_memory", lambda: 1500 * MB)
    machine.check_memory(1500 * MB, "this")
    with pytest.raises(NotEnoughMemoryError) as caught:
        machine.check_memory(2501 * MB, "solving n = 500,000,000")
    assert str(caught.value) == "solving n = 500,000,000 needs 2,501 MB of memory, and 1,500 MB are available"
    assert isinstance(caught.value, MemoryError)


def test_small_work_is_let_through_without_a_look(monkeypatch):
    def look():
        pytest.fail("no need to look")

    monkeypatch.setattr(machine, "available_memory", look)
    machine.check_memory(100 * MB - 1, "this")
    fastqueens.solve(1000, seed=1)


def test_a_limit_on_the_address_space_is_an_error_and_no_crash():
    program = """
import resource, fastqueens
assert fastqueens.solve(100, seed=1).solved
size = int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (size + 300_000_000, resource.RLIM_INFINITY))
try:
    fastqueens.solve(10**8)
except fastqueens.NotEnoughMemoryError as error:
    print(error)
"""
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not say what a process holds")
    command = [sys.executable, "-W", "error", "-c", program]
    root = Path(fastqueens.__file__).parent.parent
    process = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=True)
    assert process.stdout.startswith("solving n = 100,000,000 needs 500 MB of memory, and ")
    available = int(process.stdout.split()[-4])
    assert 250 <= available <= 300
