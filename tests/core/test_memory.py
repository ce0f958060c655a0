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


SESSION, USER, OLD = "/sys/fs/cgroup/user/session/memory", "/sys/fs/cgroup/user/memory", "/sys/fs/cgroup/memory"

#: What the groups of the user leave if they may use 500 MB, and what those of version 1 leave of 900 MB.
LEFT, LEFT_OF_OLD = 500 * MB - 400 * MB + 60 * MB, 900 * MB - 300 * MB + 70 * MB


def of_version_1(folder, cgroup, cache="cache 5\ninactive_file 70000000\n"):
    """Return the files of a control group of version 1."""
    files = {"limit_in_bytes": "900000000\n", "usage_in_bytes": "300000000\n", "stat": cache}
    return {"/proc/self/cgroup": cgroup} | {f"{folder}/memory.{name}": text for name, text in files.items()}


@pytest.mark.parametrize(
    ("changes", "available"),
    [
        *[({name: None}, AVAILABLE) for name in [*FILES, "no file"]],
        (dict.fromkeys(FILES), AVAILABLE),
        ({f"{SESSION}.max": "1000000000\n"}, 1000 * MB - 300 * MB + 50 * MB),
        ({f"{SESSION}.max": "1000000000\n", f"{USER}.max": "500000000\n"}, LEFT),
        ({f"{SESSION}.max": "100000000\n"}, 0),
        ({f"{USER}.max": "plenty\n"}, AVAILABLE),
        ({f"{USER}.max": "500000000\n", f"{USER}.stat": None}, 100 * MB),
        (
            {f"{USER}.max": "500000000\n", f"{USER}.stat": "\ninactive_file\na 1 2\ninactive_file 60000000\n"},
            LEFT,
        ),
        ({f"{USER}.max": "500000000\n", "/proc/self/cgroup": "\nodd\n1:2\n0::/user\n"}, LEFT),
        *[({"/proc/self/cgroup": text}, AVAILABLE) for text in ("", "3:cpu:/user\n", "12:memory:/elsewhere\n")],
        (of_version_1(f"{OLD}/user", "12:memory:/user\n1:name=systemd:/user/init\n0::/\n"), LEFT_OF_OLD),
        (of_version_1(OLD, "12:cpu,memory:/user\n0::/\n"), LEFT_OF_OLD),
        (of_version_1(OLD, "12:memory:/\n", "inactive_file 1\ntotal_inactive_file 70000000\n"), LEFT_OF_OLD),
    ],
)
def test_the_tightest_control_group_counts_and_odd_files_do_not(files, changes, available):
    files.update(changes)
    for name in [name for name, text in files.items() if text is None]:
        del files[name]
    assert memory.available_memory() == available


@pytest.mark.parametrize("error", [RuntimeError, OSError, KeyError, psutil.Error, None])
def test_an_unknown_machine_leaves_the_other_limits(files, monkeypatch, error):
    def virtual_memory():
        if error is not None:
            raise error
        return SimpleNamespace(total=2 * AVAILABLE, available=0)

    monkeypatch.setattr(psutil, "virtual_memory", virtual_memory)
    assert memory.available_memory() is None
    files[f"{USER}.max"] = "500000000\n"
    assert memory.available_memory() == LEFT
    files.clear()
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert memory.available_memory() is None
    memory.check_memory(10**18, "this")


def test_this_machine():
    assert 0 < memory.available_memory() < psutil.virtual_memory().total


@pytest.mark.parametrize(("limited", "left"), [("RLIMIT_AS", 200_000), ("RLIMIT_DATA", 400_000)])
def test_the_process_limits_what_it_does_not_use_yet(files, monkeypatch, limited, left):
    limits = {getattr(resource, limited): 700_000 * 1024}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits.get(kind, resource.RLIM_INFINITY),) * 2)
    assert memory.available_memory() == left * 1024
    for text in ("", "VmPeak: 5 kB\n", "\nVmSize:\nVmSize: many kB\n"):
        files["/proc/self/status"] = text
        assert memory.available_memory() == AVAILABLE, "as on macOS: it is unknown how much the process uses"


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
fastqueens.core.memory.check_memory(10**8 - 1, "this")
before = "psutil" in sys.modules
fastqueens.core.memory.check_memory(10**8, "this")
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
except fastqueens.NotEnoughMemoryError as error:
    print(error)
"""
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not say how much a process uses")
    output = output_of(program)
    check_names(output, "n = 100,000,000", "500 MB")
    assert 250 <= int(output.split()[-4]) <= 300
