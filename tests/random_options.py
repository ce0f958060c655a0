"""Run random option sets over all commands, and check how each of them ends.

They come from tests/option_sets.py. Each runs in an empty folder with copies of its files, in this process or in one of
its own. To run many of them, or one again::

    python tests/random_options.py 20000 --seed 1
    python tests/random_options.py 500 --seed 1 --processes
    python tests/random_options.py --seed 1 --only 1234

The exit code is 0 if every option set ends as documented. If a command in this process does not end, the program writes
what each thread did to the file that its first line names, and ends.
"""

import argparse
import contextlib
import faulthandler
import io
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from unittest import mock
from xml.etree import ElementTree

import numpy as np
import plain
from option_sets import Case, drawn
from PIL import Image

import fastqueens
from fastqueens._jit.build import compile_all
from fastqueens.cli import app
from fastqueens.cli.session import NOTHING_FINISHED, Session, report_internal_error
from fastqueens.files.boards import read_boards
from fastqueens.files.instances import read_fixed_queens, read_instance
from fastqueens.files.traces import read_trace

#: Seconds after which a command counts as slow, which is a fault, and as hanging. Other programs can delay it.
SLOW, HANGS = 20, 120

SOLVED, NOT_SOLVED, USAGE, NO_SOLUTION = range(4)


class Ending(NamedTuple):
    """The end of a command: its exit code, its output, and its duration in seconds."""

    exit_code: int
    stdout: str
    stderr: str
    seconds: float


def main():
    """Run option sets, print the faulty and the slowest, and return the exit code."""
    parser = argparse.ArgumentParser(description="Run random option sets, and check how each of them ends.")
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    parser.add_argument("--only", type=int, metavar="NUMBER", help="run the option set with this number again")
    parser.add_argument("--processes", action="store_true", help="run each command in a process of its own")
    asked = parser.parse_args()
    numbers = range(asked.count) if asked.only is None else [asked.only]
    run = in_process_of_its_own if asked.processes else in_this_process
    hang = Path(tempfile.gettempdir(), f"hang-{os.getpid()}.txt")
    print(f"Seed {asked.seed}; a command that does not end is described in {hang}.", flush=True)
    sys.stdout.reconfigure(errors="backslashreplace")
    compile_all()  # otherwise the first commands are slow
    warnings.simplefilter("always")
    endings, n_faults = {}, 0
    with hang.open("w", errors="backslashreplace") as log:
        for number in numbers:
            case = drawn(asked.seed, number)
            log.seek(log.truncate(0))
            print(f"{asked.seed} {number}: {case.text}", file=log, flush=True)
            faulthandler.dump_traceback_later(HANGS, exit=True, file=log)
            with in_folder(case) as folder:
                ending = endings[number] = run(case, folder)
                faulthandler.cancel_dump_traceback_later()
                found = list(faults(case, ending, folder))
            if found or asked.only is not None:
                n_faults += bool(found)
                print(
                    f"\n{number}: {case.text}\n{ending.seconds:.1f} s, exit code {ending.exit_code}", *found, sep="\n- "
                )
                print(ending.stdout[:1000], ending.stderr[-3000:], sep="----\n", flush=True)
    hang.unlink()
    report(asked.seed, endings, n_faults)
    return int(n_faults > 0)


def report(seed, endings, n_faults):
    """Print the shares of the exit codes, and the slowest commands."""
    codes = Counter(ending.exit_code for ending in endings.values())
    print(f"\n{len(endings):,} option sets, {n_faults} with a fault.")
    for code, count in sorted(codes.items()):
        print(f"Exit code {code}: {count / len(endings):.1%}")
    print(f"Median: {1000 * float(np.median([ending.seconds for ending in endings.values()])):.0f} ms. The slowest:")
    for number in sorted(endings, key=lambda number: -endings[number].seconds)[:8]:
        print(f"{endings[number].seconds:6.1f} s  {number}: {drawn(seed, number).text}")


@contextlib.contextmanager
def in_folder(case):
    """Yield a new folder with the files of an option set."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "here")
        folder.mkdir()
        for name, content in case.files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        yield folder


class _Captured(io.TextIOWrapper):
    """Standard output or error, kept in memory, which can pretend to be a terminal."""

    def __init__(self, is_terminal):
        super().__init__(io.BytesIO(), "utf-8", "backslashreplace", write_through=True)
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal

    @property
    def text(self):
        self.flush()
        return self.buffer.getvalue().decode("utf-8", "replace")


def in_this_process(case, folder):
    """Run the command line as ``fastqueens.__main__`` does, apart from signals and the exit of the process."""
    stdout, stderr = _Captured(case.is_terminal), _Captured(case.is_terminal)
    stdin = folder.parent / "stdin"
    stdin.write_bytes(case.stdin)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(stdin.open())
        stack.enter_context(mock.patch.dict(os.environ, case.environment))
        stack.enter_context(mock.patch.multiple(sys, stdin=file, stdout=stdout, stderr=stderr))
        stack.enter_context(contextlib.chdir(folder))
        begun = time.perf_counter()
        try:
            exit_code = app.run(case.arguments, Session())
        except Exception as error:
            exit_code = report_internal_error(error)
        seconds = time.perf_counter() - begun
    return Ending(int(exit_code), stdout.text, stderr.text, seconds)


def in_process_of_its_own(case, folder):
    """Run the command line in a new process, and end it if it hangs."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "fastqueens", *case.arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(fastqueens.__file__).parents[1]), **case.environment}
    try:
        ended = subprocess.run(
            command, cwd=folder, env=environment, input=case.stdin, capture_output=True, timeout=HANGS, check=False
        )
    except subprocess.TimeoutExpired as error:
        return Ending(-1, *(str(text or b"", "utf-8", "replace") for text in (error.stdout, error.stderr)), HANGS)
    seconds = time.perf_counter() - begun
    return Ending(ended.returncode, *(str(text, "utf-8", "replace") for text in (ended.stdout, ended.stderr)), seconds)


# Checks


def faults(case: Case, ending: Ending, folder: Path):
    """Yield everything that is wrong with the end of a command."""
    code, output = ending.exit_code, ending.stdout + ending.stderr
    if code not in (SOLVED, NOT_SOLVED, USAGE, NO_SOLUTION):
        yield f"exit code {code}"
    for pattern in ("Traceback", "internal error", r"\w+Warning: ", "Exception ignored"):
        if re.search(pattern, output):
            yield f"prints {pattern!r}"
    if ending.seconds > SLOW:
        yield "is slow"
    if code == USAGE:
        yield from _faults_of_refusal(case, ending)
    is_quiet = {"-q", "--quiet"} & set(case.arguments)
    if is_quiet and code == SOLVED and ending.stderr:
        yield "prints something on stderr despite --quiet"
    has_result = code in (SOLVED, NOT_SOLVED) and NOTHING_FINISHED not in ending.stderr
    if "--json" in case.arguments and "--help" not in case.arguments and has_result:
        try:
            json.loads(ending.stdout)
        except ValueError as error:
            yield f"prints what is not JSON: {error}"
    yield from _faults_of_files(case, code, folder)


def _faults_of_refusal(case, ending):
    """Yield the faults of a refusal, which is a message of one or two lines on stderr."""
    if case.arguments[0] == "verify":  # names the files that it cannot read next to the verdicts on others
        return
    if ending.stdout:
        yield "prints something on stdout, although it is refused"
    message = ending.stderr.partition("Error:")[2].strip().split("\n")
    if not message[0] or (len(message) > 2 and not case.is_terminal):
        yield f"explains the refusal in {len(message)} lines"


def _faults_of_files(case, code, folder):
    """Yield the faults of the files in the folder, which are the outputs and the unchanged inputs."""
    outputs = {os.path.normpath(name) for _, name in case.outputs}
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    for name in sorted(found - outputs - case.files.keys()):
        if case.arguments[0] != "explore" or not name.endswith(".html"):
            yield f"leaves the file {name!r}"
    for name in sorted(case.files.keys() - outputs):
        if name not in found or (folder / name).read_bytes() != case.files[name]:
            yield f"changes the file {name!r}"
    for option, name in case.outputs:
        exists = os.path.isfile(folder / name)
        is_new = exists and (folder / name).read_bytes() != case.files.get(name)
        if code in (USAGE, NO_SOLUTION) and is_new and case.arguments[0] != "list" and option != "checkpoint":
            yield f"writes {name!r} in spite of the exit code {code}"
        if code == SOLVED and not exists and name != "-" and "--help" not in case.arguments:
            yield f"does not write {name!r}"
        elif is_new:
            try:
                _read(case, option, folder / name, is_solved=code == SOLVED)
            except Exception as error:
                yield f"writes {name!r}, which cannot be read: {type(error).__name__}: {error}"


def _read(case, option, path, *, is_solved):
    """Read a file that a command wrote; raise an error if that fails, or the file is not what it should be."""
    command, suffix = case.arguments[0], path.suffix.lower()
    if option == "path" and command == "batch":  # answers, in any file
        suffix = ".jsonl"
    if command == "descend":
        assert path.read_text().rstrip().endswith(("Success", "Failure"))
    elif suffix in (".png", ".jpg", ".jpeg", ".webp", ".gif"):
        with Image.open(path) as image:
            image.load()
    elif suffix == ".svg":
        ElementTree.parse(path)
    elif suffix == ".pdf":
        content = path.read_bytes()
        assert (content[:4], content.rstrip()[-5:]) == (b"%PDF", b"%%EOF")
    elif option == "trace" or command == "climb":
        assert len(read_trace(path)[0].pairs)
    elif command == "puzzle" and suffix == ".csv":
        read_fixed_queens(path, 2**32 - 1)
    elif command == "puzzle" and suffix == ".json":
        read_instance(path)
    elif command == "list" and path.read_bytes() == b"":
        assert not is_solved
    elif option == "path" and command in ("solve", "prove", "list", "random", "sample"):
        boards = read_boards(path, rows_from=_rows_from(case))
        # Boards with one queen, one per line, are read as one board.
        if command != "random" and is_solved and (len(boards) > 1 or boards.any()):
            for queens in boards:
                plain.assert_solution(queens, boards.shape[1])
    elif option == "checkpoint":
        with contextlib.closing(sqlite3.connect(path)) as database:
            assert database.execute("SELECT description FROM search").fetchall()
    elif suffix == ".npz":
        with np.load(path) as arrays:
            assert [arrays[name] for name in arrays]
    elif suffix == ".json":
        json.loads(path.read_text())
    elif suffix == ".jsonl":
        assert [json.loads(line) for line in path.read_text().splitlines()]
    else:
        assert path.read_text()


def _rows_from(case):
    words = " ".join(case.arguments)
    return int(bool(re.search(r"--rows-from[= ]1", words)))


if __name__ == "__main__":
    sys.exit(main())
