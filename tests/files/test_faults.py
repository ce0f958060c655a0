"""Faults of the environment: kills, full disks, folders without permission, no home, no terminal, little memory.

Each test runs a real process. A cold start takes seconds, so most processes are forked from one that has loaded
everything. They run the complete command line, and can be killed, limited and run as another user like any process.
The table in docs/reference/guarantees.md lists the result of each fault.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from processes import process

import fastqueens
from fastqueens.files.boards import write_board

pytestmark = pytest.mark.gate

REPOSITORY = Path(fastqueens.__file__).parents[1]
TIMEOUT = 120

#: Runs some commands, which loads everything they import, then forks for each line of stdin: a folder, arguments,
#: Python to run first, and seconds until the fork is killed (null: never). Answers with exit code and seconds.
FORKING = """
import json, os, signal, sys, time
from fastqueens.__main__ import main
from fastqueens.cli import app
from fastqueens.cli.session import Session

for line in sys.argv[1:]:
    assert app.run(line.split(), Session()) in (0, 1), line

def outcome_of_fork(folder, arguments, before, seconds):
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            for number, name in ((0, os.devnull), (1, f"{folder}.stdout"), (2, f"{folder}.stderr")):
                os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
            os.chdir(folder)
            sys.argv = ["fastqueens", *arguments]
            exec(before, {})
            main()
        finally:
            os._exit(99)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - started

print("ready", flush=True)
for line in sys.stdin:
    print(json.dumps(outcome_of_fork(*json.loads(line))), flush=True)
"""

LARGE = 2**22 + 1

#: Commands that write, by the file they write, the same bytes each time. A study does not: it has times.
WRITING = {
    "q.npy": "solve 300000 --seed 1 -q -o q.npy",
    "large.npy": f"solve {LARGE} --seed 1 -q -o large.npy",
    "q.txt": "solve 300000 --seed 1 -q -o q.txt",
    "t.npz": "solve 50000 --start random --seed 1 -q --trace t.npz",
    "starts.out": "descend starts.txt -q -o starts.out",
    "curves.png": "plot trace.csv -q -o curves.png",
    "poster.pdf": "poster 300 --seed 1 --size A4 -q -o poster.pdf",
    "climb.gif": "animate 5 --seed 1 --seconds 3 --size 320x240 -q -o climb.gif",
}

EARLIER = b"an earlier file"


def fill(folder):
    """Write the files that the commands read, and return the folder."""
    write_board(folder / "board.txt", [1, 3, 0, 2])
    (folder / "starts.txt").write_text("1 1 2 3 5 4 7 7\n" * 300)
    (folder / "trace.csv").write_text("attempt,step,pairs,conflicting_queens\n1,0,2,4\n1,1,0,0\n")
    return folder


class Server:
    """A process that has loaded everything and forks; ``complete`` holds the files that its commands wrote."""

    def __init__(self, folder):
        self.complete = fill(folder)
        self._process = subprocess.Popen(
            [sys.executable, "-c", FORKING, *WRITING.values()],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        )
        while (line := self._process.stdout.readline()) != "ready\n":
            assert line, "it did not start"

    def run(self, folder, command, before="", seconds=None):
        """Run a command in a fork, in this folder; return exit code, stderr and seconds."""
        self._process.stdin.write(json.dumps([str(folder), command.split(), before, seconds]) + "\n")
        self._process.stdin.flush()
        exit_code, took = json.loads(self._process.stdout.readline())
        return exit_code, Path(f"{folder}.stderr").read_text(), took

    def close(self):
        self._process.stdin.close()
        self._process.wait(TIMEOUT)
        self._process.stdout.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    started = Server(tmp_path_factory.mktemp("complete"))
    yield started
    started.close()


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the files that the commands read."""
    (tmp_path / "work").mkdir()
    return fill(tmp_path / "work")


# Killed at ten random moments for each file


@pytest.mark.parametrize("name", WRITING)
def test_a_kill_at_any_moment_leaves_a_complete_file(server, folder, name):
    draw = random.Random(name)
    target = folder / name
    complete = (server.complete / name).read_bytes()
    exit_code, stderr, seconds = server.run(folder, WRITING[name])
    assert (exit_code, stderr) == (0, "")
    assert target.read_bytes() == complete, "the same bytes each time"
    others = set(os.listdir(folder))
    exit_codes = set()
    for moment in [0, *(draw.uniform(0, seconds) for _ in range(9))]:
        target.write_bytes(EARLIER)
        exit_code, stderr, _ = server.run(folder, WRITING[name], seconds=moment)
        exit_codes.add(exit_code)
        # Killed after the rename, a process has written its file already.
        assert target.read_bytes() in ((EARLIER, complete) if exit_code else (complete,))
        for left in set(os.listdir(folder)) - others:
            assert left.startswith(f".{name}.")
            assert left.endswith(".part")
            (folder / left).unlink()
    assert -signal.SIGKILL in exit_codes
    assert exit_codes <= {-signal.SIGKILL, 0}


# No space


def refusal(server, folder, command, before="", name=None):
    """Run a command that writes a file of this name, by default its last word; return why it is refused."""
    name = name or command.split()[-1]
    (folder / name).write_bytes(EARLIER)
    files = sorted(os.listdir(folder))
    exit_code, stderr, _ = server.run(folder, command, before)
    assert (exit_code, stderr[:7], (folder / name).read_bytes()) == (2, "Error: ", EARLIER), stderr
    assert sorted(os.listdir(folder)) == files
    return stderr


@pytest.fixture
def small_disk(tmp_path):
    """Return the folder of a small disk, with the files that the commands read."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    command = [mount, "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(place)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield fill(place)
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_leaves_the_earlier_file(server, small_disk, name):
    (small_disk / name).write_bytes(EARLIER)
    with pytest.raises(OSError, match="No space left"):
        (small_disk / "full").write_bytes(bytes(200_000))
    stderr = refusal(server, small_disk, WRITING[name], name=name)
    assert stderr == f"Error: {name}: the disk is full; the earlier file is unchanged\n"


#: Sends a signal when the content of a file is complete.
AT_THE_END = """
import os, signal
fsync = os.fsync
def terminated(descriptor):
    os.fsync = fsync
    signal.raise_signal(signal.SIGTERM)
    fsync(descriptor)
os.fsync = terminated
"""

#: More commands that write a file.
WRITING_ANYTHING = {
    **WRITING,
    "samples.npz": "sample 8 --count 50 -q -o samples.npz",
    "study.json": "study 6 --runs 20 -q -o study.json",
    "all.txt": "list 8 -o all.txt -q",
    "figures.csv": "statistics board.txt -q -o figures.csv",
    "times.csv": "runtimes 10 --seeds 1 -q -o times.csv",
    "many.jsonl": "puzzle 6 --unique --many 2 -q -o many.jsonl",
    "puzzle.json": "puzzle 6 --unique -q -o puzzle.json",
    "page.html": "explore 20 -q -o page.html",
    "show.png": "show board.txt -q -o show.png",
    "climb.npz": "climb 8 --seed 1 -q -o climb.npz",
    "r.txt": "random 100 -q -o r.txt",
}


def test_the_first_signal_lets_a_command_write_its_results(server, folder):
    for name, command in WRITING_ANYTHING.items():
        (folder / name).write_bytes(EARLIER)
        exit_code, stderr, _ = server.run(folder, command, AT_THE_END)
        assert exit_code == 128 + signal.SIGTERM, (command, stderr)
        end = r"(Stopping|Writing the results); .*\nTerminated(; all results are written)?\.\n"
        assert re.fullmatch(end, stderr), (command, stderr)
        assert (folder / name).read_bytes() != EARLIER, command
        assert name not in WRITING or (folder / name).read_bytes() == (server.complete / name).read_bytes()
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize("name", WRITING)
def test_a_result_is_kept_if_its_file_cannot_be_replaced(server, folder, name):
    """The target is a mounted file, as in containers. Only renaming shows that it cannot be replaced."""
    for path in ("source", name):
        (folder / path).write_bytes(EARLIER)
    if subprocess.run(
        ["mount", "--bind", folder / "source", folder / name], capture_output=True, check=False
    ).returncode:
        pytest.skip("no file can be mounted here")
    try:
        exit_code, stderr, _ = server.run(folder, WRITING[name])
    finally:
        subprocess.run(["umount", folder / name], check=True)
    (hidden,) = folder.glob(".*.part")
    said = f"Error: {name}: the file is mounted or in use; the complete result is kept in {hidden.name}\n"
    assert (exit_code, stderr) == (2, said)
    assert hidden.read_bytes() == (server.complete / name).read_bytes()
    assert (folder / name).read_bytes() == EARLIER


#: Removes the permission to write to the folder when the board is complete and its check starts. Since permissions do
#: not stop root, root becomes another user.
CLOSING = """
import os
import fastqueens.solver
check = fastqueens.solver.find_fault
def closing(*arguments, **options):
    os.chmod(".", 0o555)
    return check(*arguments, **options)
fastqueens.solver.find_fault = closing
if os.getuid() == 0:
    os.chown(".", 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
"""


@pytest.mark.parametrize(("name", "hidden"), [("q.txt", 0), ("q.npy", 0), ("large.npy", 1)])
def test_a_folder_that_loses_its_permission_meanwhile(server, name, hidden):
    with tempfile.TemporaryDirectory() as place:  # other users cannot read the folders of pytest
        Path(place).chmod(0o755)
        target = Path(place, "work", name)
        target.parent.mkdir()
        target.write_bytes(EARLIER)
        exit_code, stderr, _ = server.run(target.parent, WRITING[name], CLOSING)
        left = [path.name for path in target.parent.iterdir() if path != target]
        assert len(left) == hidden
        # A hidden file that exists already can be completed, but not renamed.
        rest = f"the complete result is kept in {left[0]}" if left else "the earlier file is unchanged"
        assert (exit_code, stderr) == (2, f"Error: {name}: no permission; {rest}\n"), stderr
        assert target.read_bytes() == EARLIER


# Little memory


# About 100 MB more than a process has that is ready, but enough to start.
SHORT = """
import resource
status = open("/proc/self/status").read()
used = int(status.partition("{line}:")[2].split()[0]) * 1024
least = {{"AS": 420_000_000, "DATA": 260_000_000}}["{kind}"]
resource.setrlimit(resource.RLIMIT_{kind}, (max(used + 100_000_000, least),) * 2)
"""


LARGE_COMMANDS = [
    "solve 5e7 -q -o q.txt",
    "solve 1e8 -q -o q.npy",
    "poster 8 --size A1 -q -o q.png",
    "plot trace.csv -q --size 80x80 -o q.png",
]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system does not tell the memory of a process")
def test_less_memory_than_needed(subtests, server, folder):
    for command in LARGE_COMMANDS:
        for kind, line in [("AS", "VmSize"), ("DATA", "VmData")]:
            with subtests.test(kind=kind, line=line, command=command):
                stderr = refusal(server, folder, command, SHORT.format(kind=kind, line=line))
                assert "there is not enough memory: " in stderr


def test_an_input_that_is_larger_than_memory(server, folder):
    (folder / "rows").write_bytes(b"1\n" * 20_000_000)
    before = "import fastqueens._run.memory as memory; memory.available_memory = lambda: 100_000_000"
    exit_code, stderr, _ = server.run(folder, "solve --file rows", before)
    assert (exit_code, stderr[:7], "so far in rows" in stderr) == (2, "Error: ", True), stderr


# Without streams, terminal, home or letters


def in_a_shell(script, *arguments, **options):
    """Run the command line after a line of shell script, which can redirect its streams."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), **options.pop("env", {})}
    command = ["sh", "-c", f'{script}; exec "$@"', "sh", sys.executable, "-m", "fastqueens", *arguments]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False, **options
    )


STREAMS = [
    ("exec >&-", "solve 8 -o q.txt", 2, "Error: stdout is closed; to discard the output of the command, use > "),
    ("exec 2>&-", "solve 0", 2, ""),
    ("exec <&-", "verify -", 2, "Error: standard input is closed; name a file instead\n"),
    ("exec >&- 2>&- <&-", "solve 8", 2, ""),
    ("exec 2>&- <&-", "solve 8", 0, ""),
    ("ulimit -v 100000", "solve 8", 2, "102 MB of address space (ulimit -v), but needs 400 MB to start; raise "),
    ("ulimit -d 200000", "solve 8", 2, "204 MB of data (ulimit -d), but needs 250 MB to start; raise this limit\n"),
]


def test_closed_streams_and_limits_too_small_to_start(subtests):
    for script, arguments, exit_code, message in STREAMS:
        with subtests.test(script=script, arguments=arguments, exit_code=exit_code):
            done = in_a_shell(script, *arguments.split())
            assert (done.returncode, "Traceback" in done.stderr) == (exit_code, False)
            assert message in done.stderr


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


SURROUNDINGS = [
    ({"TERM": ""}, "solve 1000 --seed 1 -o q.txt", 0),
    (dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), "/dev/null/home"), "plot trace.csv -o q.png", 0),
    (ASCII, "runtimes 8 --seeds 1..3", 0),
    (ASCII, "verify caf\u00e9.txt", 2),
    (ASCII, "plot trace.csv --title caf\u00e9 -o caf\u00e9.png", 0),
]


def test_no_terminal_home_or_letters(subtests, folder):
    for environment, arguments, exit_code in SURROUNDINGS:
        with subtests.test(environment=environment, arguments=arguments, exit_code=exit_code):
            done = process(*arguments.split(), cwd=folder, start_new_session=True, env=environment)
            assert (done.returncode, done.stderr.count("Error: ")) == (exit_code, exit_code // 2)
            assert "\x1b" not in done.stdout
            name = arguments.split()[-1]
            assert (folder / name).exists() == (exit_code == 0 and "." in name and ".." not in name)


# A cold start


def test_two_processes_at_once_on_a_cold_cache(tmp_path):
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "fastqueens", "solve", "100", "--seed", "1", "-o", "-"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), **settings}
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
    ]
    boards = [one.communicate(timeout=TIMEOUT)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert boards[0] == boards[1]
    done = process(*command[3:], env=settings)
    assert (done.returncode, done.stdout) == (0, boards[0].decode())
    assert "Compiling" not in done.stderr, "the cache of both is complete"
