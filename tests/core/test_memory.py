"""Available memory: all three limits count, messages have both numbers, and a system without figures is no error."""

import resource
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from errors import check_error, check_names

import fastqueens
from fastqueens.core import memory
from fastqueens.core.errors import NotEnoughMemoryError

MB = 1_000_000

FILES = {
    "/proc/self/status": "Name:\tpython\nVmPeak:\t 900000 kB\nVmSize:\t 500000 kB\nVmData:\t 300000 kB\n",
    "/proc/self/cgroup": "0::/user/session\n",
    "/sys/fs/cgroup/user/session/memory.max": "max\n",
    "/sys/fs/cgroup/user/session/memory.current": "300000000\n",
    "/sys/fs/cgroup/user/session/memory.stat": "anon 1\ninactive_file 50000000\nactive_file 7\n",
    "/sys/fs/cgroup/user/memory.max": "max\n",
    "/sys/fs/cgroup/user/memory.current": "400000000\n",
    "/sys/fs/cgroup/user/memory.stat": "anon 1\ninactive_file 60000000\n",
}


AVAILABLE = 8000 * MB


def silent():
    raise RuntimeError("not on this system")


@pytest.fixture
def files(monkeypatch):
    """A made-up system: psutil, no limits of the process, and no files except these, which a test may change."""
    contents = dict(FILES)

    def read_text(path):
        if str(path) not in contents:
            raise FileNotFoundError(path)
        return contents[str(path)]

    monkeypatch.setattr(Path, "read_text", read_text)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=2 * AVAILABLE, available=AVAILABLE))
    return contents


def test_the_available_memory_of_the_machine_is_a_limit(files):
    assert memory.available_memory() == AVAILABLE


def test_without_proc_the_machine_is_the_limit(files, monkeypatch):
    """As on macOS: the process has limits, but it is unknown how much it uses."""
    files.clear()
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (300 * MB, 300 * MB))
    assert memory.available_memory() == AVAILABLE
    memory.check_memory(AVAILABLE, "this")
    with check_error(NotEnoughMemoryError, "8,001 MB", "8,000 MB"):
        memory.check_memory(AVAILABLE + MB, "this")


@pytest.mark.parametrize("error", [RuntimeError, NotImplementedError, OSError, KeyError, psutil.Error])
def test_an_unknown_machine_leaves_the_other_limits(files, monkeypatch, error):
    def virtual_memory():
        raise error

    monkeypatch.setattr(psutil, "virtual_memory", virtual_memory)
    assert memory.available_memory() is None
    files["/sys/fs/cgroup/user/memory.max"] = "500000000\n"
    assert memory.available_memory() == 500 * MB - 400 * MB + 60 * MB


def test_0_from_psutil_means_unknown(files, monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=2 * AVAILABLE, available=0))
    assert memory.available_memory() is None


def test_without_psutil_the_machine_is_unknown(files, monkeypatch):
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert memory.available_memory() is None


def test_this_machine():
    available = memory.available_memory()
    assert available is not None
    assert 0 < available < psutil.virtual_memory().total


def test_a_control_group_limits_what_it_does_not_use_yet(files):
    files["/sys/fs/cgroup/user/session/memory.max"] = "1000000000\n"
    assert memory.available_memory() == 1000 * MB - 300 * MB + 50 * MB


def test_the_tightest_control_group_above_counts(files):
    files["/sys/fs/cgroup/user/session/memory.max"] = "1000000000\n"
    files["/sys/fs/cgroup/user/memory.max"] = "500000000\n"
    assert memory.available_memory() == 500 * MB - 400 * MB + 60 * MB


@pytest.mark.parametrize(("limited", "left"), [("RLIMIT_AS", 200_000), ("RLIMIT_DATA", 400_000)])
def test_the_process_limits_what_it_does_not_use_yet(files, monkeypatch, limited, left):
    limits = {getattr(resource, limited): 700_000 * 1024}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits.get(kind, resource.RLIM_INFINITY),) * 2)
    assert memory.available_memory() == left * 1024


def test_an_exceeded_limit_leaves_nothing(files):
    files["/sys/fs/cgroup/user/session/memory.max"] = "100000000\n"
    assert memory.available_memory() == 0


@pytest.mark.parametrize("missing", FILES)
def test_a_missing_file_leaves_the_other_limits(files, missing):
    del files[missing]
    assert memory.available_memory() == AVAILABLE


def test_a_system_without_figures_sets_no_limit(files, monkeypatch):
    files.clear()
    monkeypatch.setattr(psutil, "virtual_memory", silent)
    assert memory.available_memory() is None
    memory.check_memory(10**18, "this")


@pytest.mark.parametrize("text", ["", "VmPeak: 5 kB\n", "\nVmSize:\nVmSize: many kB\n"])
def test_a_file_without_the_figure_sets_no_limit(files, monkeypatch, text):
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (700 * MB, 700 * MB))
    files["/proc/self/status"] = text
    assert memory.available_memory() == AVAILABLE


@pytest.mark.parametrize("controllers", ["memory", "cpu,memory"])
@pytest.mark.parametrize("folder", ["/sys/fs/cgroup/memory/user", "/sys/fs/cgroup/memory"])
def test_the_limit_of_a_control_group_of_version_1(files, controllers, folder):
    files["/proc/self/cgroup"] = f"12:{controllers}:/user\n1:name=systemd:/user/init\n0::/\n"
    files[f"{folder}/memory.limit_in_bytes"] = "900000000\n"
    files[f"{folder}/memory.usage_in_bytes"] = "300000000\n"
    files[f"{folder}/memory.stat"] = "cache 5\ninactive_file 70000000\n"
    assert memory.available_memory() == 900 * MB - 300 * MB + 70 * MB


def test_version_1_includes_the_groups_below_only_in_a_total(files):
    files["/proc/self/cgroup"] = "12:memory:/\n"
    files["/sys/fs/cgroup/memory/memory.limit_in_bytes"] = "900000000\n"
    files["/sys/fs/cgroup/memory/memory.usage_in_bytes"] = "300000000\n"
    files["/sys/fs/cgroup/memory/memory.stat"] = "inactive_file 1000\ntotal_inactive_file 80000000\n"
    assert memory.available_memory() == 900 * MB - 300 * MB + 80 * MB


def test_odd_lines_are_ignored(files):
    files["/proc/self/cgroup"] = "\nodd\n1:2\n0::/user\n"
    files["/sys/fs/cgroup/user/memory.max"] = "500000000\n"
    files["/sys/fs/cgroup/user/memory.stat"] = "\ninactive_file\nanon 1 2\ninactive_file 60000000\nfile -\n"
    assert memory.available_memory() == 500 * MB - 400 * MB + 60 * MB
    files["/sys/fs/cgroup/user/memory.max"] = "plenty\n"
    assert memory.available_memory() == AVAILABLE


def test_a_control_group_without_cache_figures_still_limits(files):
    files["/sys/fs/cgroup/user/memory.max"] = "500000000\n"
    del files["/sys/fs/cgroup/user/memory.stat"]
    assert memory.available_memory() == 100 * MB


@pytest.mark.parametrize("text", ["", "3:cpu:/user\n", "12:memory:/elsewhere\n1:name=systemd:/user/init\n"])
def test_a_process_without_a_control_group_for_memory(files, text):
    files["/proc/self/cgroup"] = text
    assert memory.available_memory() == AVAILABLE


def test_too_little_is_refused_with_both_numbers(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1500 * MB)
    memory.check_memory(1500 * MB, "this")
    with pytest.raises(NotEnoughMemoryError) as caught:
        memory.check_memory(2501 * MB, "solving n = 500,000,000")
    check_names(str(caught.value), "n = 500,000,000", "2,501 MB", "1,500 MB")
    assert isinstance(caught.value, MemoryError)


def test_small_work_passes_unchecked(monkeypatch):
    def checked():
        pytest.fail("it was checked")

    monkeypatch.setattr(memory, "available_memory", checked)
    memory.check_memory(100 * MB - 1, "this")
    fastqueens.solve(1000, seed=1)


def test_small_work_does_not_import_psutil():
    program = """
import sys, fastqueens
fastqueens.solve(1000, seed=1)
before = "psutil" in sys.modules
fastqueens.core.memory.check_memory(10**8, "this")
print(before, "psutil" in sys.modules)
"""
    root = Path(fastqueens.__file__).parent.parent
    process = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert process.stdout == "False True\n"


def test_a_limit_on_the_address_space_raises_and_does_not_crash():
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
        pytest.skip("this system does not say how much a process uses")
    command = [sys.executable, "-W", "error", "-c", program]
    root = Path(fastqueens.__file__).parent.parent
    process = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=True)
    check_names(process.stdout, "n = 100,000,000", "500 MB")
    available = int(process.stdout.split()[-4])
    assert 250 <= available <= 300
