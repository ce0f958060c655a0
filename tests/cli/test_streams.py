"""Every command that prints: all of its output arrives, or an error says that it does not."""

import os
import re
import signal
import subprocess
from functools import partial
from pathlib import Path

import pytest
from processes import TIMEOUT, process, running, signal_and_wait, wait_for, without_compiling

import fastqueens
from fastqueens.cli import app
from fastqueens.cli.session import Session

resource = pytest.importorskip("resource", reason="Windows has no limit for files")

#: Bytes of a small disk, and of Python's buffer for a file or a pipe.
SMALL = 8192

#: Bytes that a pipe takes at most before somebody reads them, with those that the reader of one line takes.
LARGE = 65536 + 2 * SMALL

#: Commands and their exit codes; outputs of less and of more than SMALL bytes, and one of more than LARGE.
COMMANDS = {
    "": 0,
    "--help": 0,
    "--version": 0,
    "solve --help": 0,
    "solve 8 --seed 1": 0,
    "solve 8 --seed 1 -o -": 0,
    "solve 3000 --seed 1 -o -": 0,
    "solve 3000 --seed 1 --json": 0,
    "prove 8 --seed 1": 0,
    "prove 8 --seed 1 --json": 0,
    "prove 8 --seed 1 -o -": 0,
    "count 8": 0,
    "count 8 -q": 0,
    "count 6 --json": 0,
    "count 8 --unique": 1,
    "list 8": 0,
    "list 10": 0,
    "list 12 --limit 10930": 0,
    "list 8 --json -q": 0,
    "batch three.jsonl --seed 1": 0,
    "batch many.jsonl --seed 1 -o -": 0,
    "sample 8 --seed 1": 0,
    "sample 8 --seed 1 --count 1000": 0,
    "sample 8 --seed 1 --count 3 --json": 0,
    "random 8 --seed 1": 0,
    "random 3000 --seed 1 -o -": 0,
    "descend starts.txt": 0,
    "descend many.txt": 0,
    "climb 8 --seed 1": 1,
    "climb 20 --seed 1 --show": 1,
    "climb 8 --seed 1 --json": 1,
    "climb --static-point 0,0 --board 0,7,3,4,7,1,2,2": 0,
    "study --runs 10 --seed 1": 0,
    "study --runs 10 --seed 1 --json": 0,
    "puzzle 8 --seed 1": 0,
    "puzzle 8 --seed 1 --unique --many 3": 0,
    "estimate 8 --replicas 4 --seed 1": 0,
    "estimate 8 --replicas 4 --seed 1 --json": 0,
    "statistics q.txt": 0,
    "statistics q.txt --json": 0,
    "verify q.txt": 1,
    "verify many.txt": 1,
    "verify q.txt --json": 1,
    "verify q.txt many.txt": 1,
    "runtimes 10,20 --seeds 1..2": 0,
    "runtimes 10,20 --seeds 1..2 --json": 0,
    "show q.txt": 0,
    "show wide.txt": 0,
    "plot trace.csv -o c.png": 0,
    "info": 0,
    "info --json": 0,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the files that the commands read."""
    folder = tmp_path_factory.mktemp("streams")
    instances = ['{"n": 8, "fixed": [[1, 3]]}', '{"n": 3}', '{"n": 10}']
    contents = {
        "q.txt": "2 5 7 4 1 3 6 3\n",
        "wide.txt": " ".join(str(column**2 % 80) for column in range(80)),
        "starts.txt": "2 5 7 4 1 3 6 3\n5 6 7 4 5 6 7 6\n",
        "many.txt": "5 6 7 4 5 6 7 6\n" * 300,
        "three.jsonl": "\n".join(instances),
        "many.jsonl": "\n".join(instances * 30),
    }
    for name, content in contents.items():
        (folder / name).write_text(content)
    fastqueens.write_trace(folder / "trace.csv", fastqueens.solve(100, seed=1, start="random", trace=True).trace)
    (folder / "c.png").symlink_to(os.devnull)  # takes a picture of any size
    return folder


@pytest.fixture(autouse=True)
def _in_the_folder(folder, monkeypatch):
    monkeypatch.chdir(folder)


def run(words, **options):
    """Run a command, and return its exit code, the bytes on stdout if it is a pipe, and stderr."""
    done = process(*words.split(), text=False, **options)
    return done.returncode, done.stdout, without_compiling(done.stderr.decode())


def into_a_file(words, **options):
    """Run a command with a file as stdout, and return its exit code, the bytes in the file, and stderr."""
    with open("stdout", "wb") as file:
        exit_code, _, stderr = run(words, stdout=file, **options)
    return exit_code, Path("stdout").read_bytes(), stderr


def timeless(output):
    """Return an output without the parts that differ from run to run: times, their digests, and available memory."""
    text = output.decode(errors="replace")  # it can end within a letter
    text = re.sub(r'("[a-z_]*(?:seconds|memory)[a-z_]*": |^memory +)\S+', r"\1", text, flags=re.MULTILINE)
    text = re.sub(r'("digest": )"\w+"', r"\1", text)
    text = re.sub(r"\b\d+\.\d{6}\b", "", text)  # a column of seconds
    # The widths of columns depend on their times.
    return re.sub(r"[\s-]+", "", re.sub(r" *[\d.]+ (ns|µs|ms|s)\b", "", text))


#: Commands whose output goes through real files and pipes in every run of the tests: one for each way of printing.
IN_PROCESSES = ("--help", "list 12 --limit 10930", "batch many.jsonl --seed 1 -o -")


def test_every_command_prints_and_ends_with_its_exit_code(capfd, subtests):
    for words, expected in COMMANDS.items():
        with subtests.test(words):
            exit_code = app.run(words.split(), Session())
            stdout, stderr = capfd.readouterr()
            assert (exit_code, bool(stdout), "Traceback" in stderr) == (expected, True, False)


@pytest.mark.parametrize("words", IN_PROCESSES)
def test_all_output_arrives_or_an_error_says_that_it_does_not(words):
    check_output(words)


@pytest.mark.gate
def test_all_output_of_every_command_arrives_or_an_error_says_that_it_does_not(subtests):
    for words in COMMANDS.keys() - set(IN_PROCESSES):
        with subtests.test(words):
            check_output(words)


def check_output(words):
    """A file that must not grow beyond SMALL is like any file for less output, and like a full disk for more."""
    in_pipe = run(words)
    assert (in_pipe[0], bool(in_pipe[1]), "Traceback" in in_pipe[2]) == (COMMANDS[words], True, False), in_pipe
    size = len(in_pipe[1])

    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            assert run(words, stdout=full) == (2, None, "Error: stdout: the disk is full\n")

    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (SMALL, SMALL))
    exit_code, stored, stderr = into_a_file(words, preexec_fn=limit)
    assert timeless(in_pipe[1]).startswith(timeless(stored)[:-100])  # a time can be cut
    if exit_code == 2:
        assert (len(stored), stderr) == (SMALL, "Error: stdout: the file is larger than allowed\n")
    else:
        assert (exit_code, timeless(stored)) == (in_pipe[0], timeless(in_pipe[1]))
    assert abs(size - SMALL) < 100 or (exit_code == 2) == (size > SMALL)

    if size > SMALL:
        in_file = into_a_file(words)
        assert (in_file[0], timeless(in_file[1])) == (in_pipe[0], timeless(in_pipe[1]))
        exit_code, stderr = read_a_line(words)
        assert exit_code in (141, *[COMMANDS[words]] * (size < LARGE))
        assert stderr == "" if exit_code == 141 else "rror" not in stderr


@pytest.mark.parametrize("words", ["", "list 8"])
def test_a_closed_stdout_is_an_error_before_any_work(words):
    closed = "Error: stdout is closed; to discard the output of the command, use > /dev/null\n"
    assert run(words, stdout=subprocess.DEVNULL, preexec_fn=partial(os.close, 1)) == (2, None, closed)


def read_a_line(words):
    """Run a command whose reader ends after one line, and return its exit code and stderr."""
    with running(*words.split()) as started:
        assert started.stdout.readline()
        started.stdout.close()
        stderr = started.stderr.read().decode()
        return started.wait(TIMEOUT), without_compiling(stderr)


def test_every_command_is_among_them():
    others = {"poster", "animate", "explore"}  # they only report
    assert set(app.cli.list_commands(None)) - {words.partition(" ")[0] for words in COMMANDS} == others


@pytest.mark.parametrize(
    ("words", "unbuffered"), [("list 12 --limit 10930 -q", ""), ("solve 100000 --seed 1 -o - -q", "1")]
)
def test_a_pipe_that_does_not_block_gets_all(words, unbuffered):
    """The pipe takes as much as fits, and then nothing until its reader has read something."""
    expected = run(words)[1]
    assert len(expected) > LARGE
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with running(*words.split(), stdout=writer, env={"PYTHONUNBUFFERED": unbuffered}) as started:
        os.close(writer)
        with open(reader, "rb") as stream:
            content = stream.read()
        assert (started.wait(TIMEOUT), without_compiling(started.stderr.read().decode())) == (0, "")
    assert content == expected


@pytest.mark.parametrize("words", ["solve 100000 --seed 1 -o -", "verify q.txt"])
def test_unbuffered_output_is_complete_or_an_error(words):
    """With PYTHONUNBUFFERED, Python writes as much as fits, and raises no error."""
    unbuffered = {"env": {"PYTHONUNBUFFERED": "1"}}
    exit_code, content, _ = into_a_file(words, **unbuffered)
    assert (exit_code, content) == run(words)[:2]
    limit = len(content) // 2
    small = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit))
    stopped = into_a_file(words, preexec_fn=small, **unbuffered)
    assert stopped == (2, content[:limit], "Error: stdout: the file is larger than allowed\n")


def test_files_are_complete_before_a_report_fails():
    arguments = "solve 1000 --seed 1 -o q.csv --trace t.csv --start random"
    assert run(arguments, stdout=subprocess.DEVNULL)[0] == 0
    expected = Path("q.csv").read_bytes()
    for more in ("", " --json"):
        Path("q.csv").unlink()
        small = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (len(expected), len(expected)))
        reader, writer = os.pipe()
        os.close(reader)
        assert run(arguments + more, stdout=writer, preexec_fn=small)[0] == 141
        os.close(writer)
        assert Path("q.csv").read_bytes() == expected


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_stderr_changes_neither_data_nor_exit_code():
    with open("/dev/full", "wb") as full:
        for words, exit_code in (("list 8", 0), ("verify missing.txt", 2), ("solve 8 --start random -o -", 0)):
            with running(*words.split(), stderr=full) as started:
                content = started.stdout.read()
                assert (started.wait(TIMEOUT), bool(content)) == (exit_code, exit_code == 0)
        with running("list", "8", stdout=full, stderr=full) as started:
            assert started.wait(TIMEOUT) == 2
    reader, writer = os.pipe()
    os.close(reader)
    with running("list", "8", stderr=writer) as started:
        os.close(writer)
        assert (len(started.stdout.read()), started.wait(TIMEOUT)) == (92 * 16, 0)


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="the system does not tell which files are open")
def test_a_file_that_takes_the_number_of_a_closed_stderr_gets_no_message(tmp_path):
    """The system gives the lowest free number to the next file, here that of answers."""
    arguments = ("batch", "many.jsonl", "--seed", "1", "-o", "a.jsonl")
    (tmp_path / "many.jsonl").write_text('{"n": 20000}\n' * 2000)
    close = {"stderr": subprocess.DEVNULL, "preexec_fn": partial(os.close, 2)}
    with running(*arguments, cwd=tmp_path, **close) as started:
        answers = tmp_path / "a.jsonl"
        wait_for(lambda: answers.exists() and answers.read_bytes().count(b"\n") > 1)
        if not os.path.samefile(f"/proc/{started.pid}/fd/2", answers):
            pytest.skip("a library of this system has taken the number")
        assert signal_and_wait(started, signal.SIGINT, "a batch") == 130
    assert all(line[0] == "{" for line in answers.read_text().splitlines())
