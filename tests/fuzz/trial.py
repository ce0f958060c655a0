"""Run one input of the fuzzing in this process, and find its faults.

Whether an input should succeed or be refused is not known here. The checks hold for every input: a documented exit
code, an error message, no file left behind, and no file changed that the command was not asked to write.
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
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from fastqueens.cli import app
from fastqueens.cli.process import INTERRUPTED, Session

#: Options that name an output file.
_WRITING = ("-o", "--output", "--trace", "--plot", "--poster")

_OUTCOMES = {0: "done", 1: "not solved", 2: "refused", 3: "no solution"}

#: Seconds after which an input is told to stop (the first one may compile).
_TIME_LIMIT = 60

#: Megabytes that no input may exceed; a poster of the usual size needs about 1,200.
_MEMORY_LIMIT = 2000

#: Warnings that Python does not show to users.
_HIDDEN = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)


@dataclass(frozen=True)
class Case:
    """The input of a user: arguments, files in the folder, and standard input."""

    arguments: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""

    def as_text(self) -> str:
        """Return the input as JSON, to save it."""
        files = {name: base64.b64encode(content).decode() for name, content in self.files.items()}
        return json.dumps(
            {"arguments": self.arguments, "files": files, "stdin": base64.b64encode(self.stdin).decode()}, indent=1
        )

    @classmethod
    def of_text(cls, text: str) -> Case:
        """Return the input that :meth:`as_text` encoded."""
        saved = json.loads(text)
        files = {name: base64.b64decode(content) for name, content in saved["files"].items()}
        return cls(tuple(saved["arguments"]), files, base64.b64decode(saved["stdin"]))


@dataclass(frozen=True)
class Outcome:
    """What an input did; ``faults`` is empty if it behaved well."""

    exit_code: int
    stdout: bytes
    stderr: str
    faults: list[str]


def try_case(case: Case) -> Outcome:
    """Run an input in a temporary folder."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for file, content in case.files.items():
            Path(file).write_bytes(content)
        outcome = _run(case)
        return Outcome(*outcome, [*_faults_of(case, *outcome), *_faults_of_files(case, outcome[0])])


def _run(case: Case) -> tuple[int, bytes, str]:
    """Run the command line as a process would; return exit code, stdout and stderr."""
    _reset_peak_memory()
    session = Session()
    timer = threading.Timer(_TIME_LIMIT, session.stop.set)
    stdin = io.TextIOWrapper(io.BytesIO(case.stdin), encoding="utf-8", errors="surrogateescape")
    stdout, stderr = _stream("strict"), _stream("backslashreplace")
    timer.start()
    try:
        with (
            mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
            mock.patch.dict(os.environ, {"COLUMNS": "80"}),
            # The server of explore would run until a signal comes.
            mock.patch("uvicorn.Server.run"),
            mock.patch("webbrowser.open"),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("always")
            exit_code = app.run(list(case.arguments), session)
    finally:
        timer.cancel()
        timer.join()
    shown = [f"Warning: {warning.message}\n" for warning in warned if not issubclass(warning.category, _HIDDEN)]
    return exit_code, _content(stdout), _content(stderr).decode() + "".join(shown)


def _reset_peak_memory() -> None:
    """Reset the peak of this process's memory, if the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _memory(line: str) -> int:
    """Return the megabytes that this process holds (VmRSS), or its peak since the reset (VmHWM); 0 if unknown."""
    with contextlib.suppress(OSError):
        status = Path("/proc/self/status").read_text()
        return int(status.partition(f"{line}:")[2].split()[0]) // 1000
    return 0


def _stream(errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=errors, write_through=True)


def _content(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    buffer: Any = stream.buffer
    return bytes(buffer.getvalue())


def _faults_of(case: Case, exit_code: int, stdout: bytes, stderr: str) -> list[str]:
    faults = []
    if _memory("VmHWM") - _memory("VmRSS") > _MEMORY_LIMIT:
        faults.append(f"{_memory('VmHWM') - _memory('VmRSS'):,} MB of memory")
    if exit_code == INTERRUPTED:
        faults.append(f"no end within {_TIME_LIMIT} s")
    elif exit_code not in _OUTCOMES:
        faults.append(f"exit code {exit_code}")
    if exit_code >= 2 and stderr.count("Error: ") != 1:
        faults.append("stderr does not hold one error")
    if exit_code >= 2 and stdout:
        faults.append("refused, but stdout is not empty")
    faults += [f"stderr holds {word!r}" for word in ("Traceback", "Warning:") if word in stderr]
    if any(ord(letter) < 32 and letter not in "\n\t" for letter in stderr):
        faults.append("stderr holds control characters")
    if exit_code >= 2 and len(stderr) > 2000 + 2 * sum(map(len, case.arguments)):
        faults.append(f"{len(stderr)} characters on stderr")
    return faults


def _faults_of_files(case: Case, exit_code: int) -> list[str]:
    """List the files that were added, removed or changed without being asked for."""
    has_output = any(argument.partition("=")[0] in _WRITING for argument in case.arguments)
    named = {text for argument in case.arguments for text in (argument, argument.partition("=")[2])}
    allowed = named if exit_code < 2 and has_output else set()
    found = set(os.listdir())
    faults = [f"{name} was left behind" for name in sorted(found - case.files.keys() - allowed)]
    faults += [f"{name} is gone" for name in sorted(case.files.keys() - found)]
    changed = [name for name in case.files.keys() & found - allowed if Path(name).read_bytes() != case.files[name]]
    return faults + [f"{name} has changed" for name in sorted(changed)]
