"""Run one input of the fuzzing in this process, and find its faults.

Whether an input should succeed or be refused is not known here. The checks hold for every input. A reader of files
raises a documented error or returns what can be written and read again. A command ends with a documented exit code and
an error message. Nothing leaves a file behind or changes one that it was not asked to write.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import sys
import tempfile
import threading
import time
import traceback
import warnings
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from fastqueens.cli import app
from fastqueens.cli.process import INTERRUPTED, Session
from fastqueens.core.errors import InputError, NoSolutionError
from fuzz.formats import FORMATS, same

#: Options that name an output file.
_WRITING = ("-o", "--output", "--trace", "--plot", "--poster", "--checkpoint")

#: Seconds of this processor for a file, none of which is larger than a megabyte.
_FILE_TIME_LIMIT = 2

#: Seconds after which a command is told to stop (the first one may compile).
_TIME_LIMIT = 60

#: Megabytes that no command may exceed; a poster of the usual size needs about 1,200.
_MEMORY_LIMIT = 2000

#: Characters of the message of a reader, without the name of the file.
_LONGEST_MESSAGE = 500

#: Warnings that Python does not show to users of commands.
_HIDDEN = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)

#: A folder in memory, if the system has one: there files take microseconds.
_FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else None


class Case(NamedTuple):
    """The input of a user: arguments, files in the folder, and standard input; or, without arguments, one file."""

    arguments: tuple[str, ...]
    files: dict[str, bytes]
    stdin: bytes = b""

    def as_text(self) -> str:
        """Return the input as JSON, to save it."""
        return json.dumps(self, default=lambda content: base64.b64encode(content).decode(), indent=1)

    @classmethod
    def of_text(cls, text: str) -> Case:
        """Return the input that :meth:`as_text` encoded."""
        arguments, files, stdin = json.loads(text)
        files = {name: base64.b64decode(content) for name, content in files.items()}
        return cls(tuple(arguments), files, base64.b64decode(stdin))


class Outcome(NamedTuple):
    """What an input did; ``faults`` is empty if it behaved well."""

    what: str
    faults: list[str]
    stdout: bytes = b""
    stderr: str = ""


def try_case(case: Case) -> Outcome:
    """Run an input in a temporary folder."""
    unraisable: list[str] = []
    with (
        tempfile.TemporaryDirectory(dir=_FOLDER) as folder,
        contextlib.chdir(folder),
        mock.patch.object(sys, "unraisablehook", lambda found: unraisable.append(repr(found.exc_value))),
        warnings.catch_warnings(record=True) as warned,
    ):
        warnings.simplefilter("always")
        for name, content in case.files.items():
            Path(name).write_bytes(content)
        outcome, written = _run(case) if case.arguments else _read(*case.files)
        faults = _faults_of_files(case.files, written)
    hidden = _HIDDEN if case.arguments else ()
    faults += [f"{one.category.__name__}: {one.message}" for one in warned if not issubclass(one.category, hidden)]
    return outcome._replace(faults=outcome.faults + faults + unraisable)


def _faults_of_files(given: dict[str, bytes], written: set[str]) -> list[str]:
    """List the files that were added, removed or changed; those that were written may be."""
    found = set(os.listdir())
    faults = [f"{name} was left behind" for name in sorted(found - given.keys() - written)]
    faults += [f"{name} is gone" for name in sorted(given.keys() - found)]
    changed = (name for name in given.keys() & found - written if Path(name).read_bytes() != given[name])
    return faults + [f"{name} has changed" for name in sorted(changed)]


def _read(name: str) -> tuple[Outcome, set[str]]:
    """Read a file; if it is accepted, write it and read it again. Return also the name of the copy."""
    form, path, printed = FORMATS[name], Path.cwd() / name, io.StringIO()
    copy = path.with_name(f"copy-{name}{form.suffix}")
    what, faults = "refused", []
    started = time.process_time()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            held = form.read(path)
            what = "accepted"
            if form.is_copied and held is not None:
                faults += _faults_of_copy(name, held, copy)
        except (InputError, NoSolutionError, MemoryError) as error:
            message = str(error).replace(str(path), "")
            faults += [f"the message has {len(message)} characters"] * (len(message) > _LONGEST_MESSAGE)
            faults += ["the message names the folder"] * (str(path.parent) in message)
        except BaseException as error:  # whatever it is, it is a fault
            faults.append("".join(traceback.format_exception(error)))
    taken = time.process_time() - started
    faults += [f"it took {taken:.1f} s"] * (taken > _FILE_TIME_LIMIT)
    faults += [f"it printed {printed.getvalue()[:200]!r}"] * (printed.tell() > 0)
    return Outcome(what, faults), {copy.name}


def _faults_of_copy(name: str, held: object, copy: Path) -> list[str]:
    form = FORMATS[name]
    if name == "samples.txt" and (np.diff(np.asarray(held)[0]) == 1).all():
        return []  # fastqueens writes solutions only, and takes such a line for numbers of the columns
    try:
        form.write(copy, held)
        again = form.read(copy)
    except BaseException as error:
        return ["its copy: " + "".join(traceback.format_exception(error))]
    return [] if same(held, again) else [f"its copy holds {again!r}, not {held!r}"]


def _run(case: Case) -> tuple[Outcome, set[str]]:
    """Run the command line as a process would; return also the files that it may write."""
    with contextlib.suppress(OSError):  # reset the peak of the memory, if the system can
        Path("/proc/self/clear_refs").write_text("5")
    session = Session()
    timer = threading.Timer(_TIME_LIMIT, session.stop.set)
    stdin = io.TextIOWrapper(io.BytesIO(case.stdin), encoding="utf-8", errors="surrogateescape")
    stdout, stderr = _stream("strict"), _stream("backslashreplace")
    timer.start()
    try:
        with (
            mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
            mock.patch.dict(os.environ, {"COLUMNS": "80"}),
            mock.patch("webbrowser.open"),
        ):
            exit_code = app.run(list(case.arguments), session)
    finally:
        timer.cancel()
        timer.join()
    printed, said = _content(stdout), _content(stderr).decode()
    has_output = any(argument.partition("=")[0] in _WRITING for argument in case.arguments)
    named = {text for argument in case.arguments for text in (argument, argument.partition("=")[2])}
    written = named if exit_code < 2 and has_output else set()
    if exit_code == 0 and "explore" in case.arguments and not has_output:
        written = {name for name in os.listdir() if name.endswith(".html")} - case.files.keys()
    return Outcome(f"exit code {exit_code}", _faults_of_run(case, exit_code, printed, said), printed, said), written


def _stream(errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=errors, write_through=True)


def _content(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    buffer: Any = stream.buffer
    return bytes(buffer.getvalue())


def _faults_of_run(case: Case, exit_code: int, stdout: bytes, stderr: str) -> list[str]:
    memory = _memory("VmHWM") - _memory("VmRSS")
    is_refused = exit_code >= 2 and not (exit_code == 3 and stdout)  # --count and --unique say that there is none
    faults = {
        f"{memory:,} MB of memory": memory > _MEMORY_LIMIT,
        f"no end within {_TIME_LIMIT} s": exit_code == INTERRUPTED,
        f"exit code {exit_code}": exit_code not in (0, 1, 2, 3, INTERRUPTED),
        "stderr does not hold one error": is_refused and stderr.count("Error: ") != 1,
        "refused, but stdout is not empty": is_refused and stdout != b"",
        "stderr holds 'Traceback'": "Traceback" in stderr,
        "stderr holds 'Warning:'": "Warning:" in stderr,
        "stderr holds control characters": any(ord(letter) < 32 and letter not in "\n\t" for letter in stderr),
        f"{len(stderr)} characters on stderr": is_refused and len(stderr) > 2000 + 2 * sum(map(len, case.arguments)),
    }
    return [fault for fault, is_there in faults.items() if is_there]


def _memory(line: str) -> int:
    """Return the megabytes that this process holds (VmRSS), or its peak since the reset (VmHWM); 0 if unknown."""
    with contextlib.suppress(OSError):
        status = Path("/proc/self/status").read_text()
        return int(status.partition(f"{line}:")[2].split()[0]) // 1000
    return 0
