"""Read one input of a file format in this process, write and read it again, and find its faults."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from fastqueens.core.errors import InputError, NoSolutionError, NotEnoughMemoryError
from fuzz.formats import FORMATS, NAMES, same

#: Seconds of this processor for an input; none is larger than a megabyte.
_TIME_LIMIT = 2

#: Characters of a message, without the name of the file.
_LONGEST_MESSAGE = 500

_MEMORY_FOLDER = "/dev/shm"

ACCEPTED, REFUSED = "accepted", "refused"


class FileCase(NamedTuple):
    """The content of a file, and the name of its format."""

    name: str
    content: bytes

    def as_text(self) -> str:
        """Return the input as JSON, to save it."""
        return json.dumps({"format": self.name, "content": base64.b64encode(self.content).decode()})

    @classmethod
    def of_text(cls, text: str) -> FileCase:
        """Return the input that :meth:`as_text` encoded."""
        saved = json.loads(text)
        return cls(saved["format"], base64.b64decode(saved["content"]))


class Watch:
    """What the readers do besides reading: warnings, output, errors that nobody raised, and files in their folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output = io.StringIO()
        self.warned: list[warnings.WarningMessage] = []
        self.unraisable: list[str] = []

    def faults(self, files: dict[str, bytes | None]) -> list[str]:
        """List what happened since the last call; ``files`` holds what the folder should, with content if known."""
        faults = [f"it printed {self.output.getvalue()[:200]!r}"] if self.output.tell() else []
        faults += [f"{warning.category.__name__}: {warning.message}" for warning in self.warned]
        faults += self.unraisable
        self.output.seek(0)
        self.output.truncate()
        self.warned.clear()
        self.unraisable.clear()
        found = set(os.listdir(self.folder))
        faults += [f"{name} was left behind" for name in sorted(found - files.keys())]
        for name, content in files.items():
            if name not in found:
                faults.append(f"{name} is gone")
            elif content is not None and (self.folder / name).read_bytes() != content:
                faults.append(f"{name} has changed")
        return faults


@contextlib.contextmanager
def watching() -> Iterator[Watch]:
    """Watch a temporary folder, which is in memory if the system has such folders: there files take microseconds."""
    with tempfile.TemporaryDirectory(dir=_MEMORY_FOLDER if os.path.isdir(_MEMORY_FOLDER) else None) as folder:
        watch = Watch(Path(folder))
        with (
            mock.patch.multiple(sys, stdout=watch.output, stderr=watch.output),
            mock.patch.object(sys, "unraisablehook", lambda found: watch.unraisable.append(repr(found.exc_value))),
            warnings.catch_warnings(record=True) as watch.warned,
        ):
            warnings.simplefilter("always")
            yield watch


def try_file(case: FileCase, watch: Watch) -> tuple[str, list[str]]:
    """Read a file; if it is accepted, write it and read it again. Return whether it was accepted, and its faults."""
    form = FORMATS[case.name]
    path = watch.folder / case.name
    copy = watch.folder / f"copy-{case.name}{form.suffix}"
    path.write_bytes(case.content)
    files: dict[str, bytes | None] = {case.name: case.content}
    outcome, faults = ACCEPTED, []
    started = time.process_time()
    try:
        held = form.read(path)
    except (InputError, NoSolutionError, NotEnoughMemoryError) as error:
        outcome = REFUSED
        faults += _faults_of_message(str(error).replace(str(path), ""), watch)
    except BaseException as error:  # whatever it is, it is a fault
        outcome = REFUSED
        faults.append("".join(traceback.format_exception(error)))
    else:
        if form.write is not None and held is not None:
            faults += _faults_of_copy(case.name, held, copy)
            files[copy.name] = None
    if time.process_time() - started > _TIME_LIMIT:
        faults.append(f"it took {time.process_time() - started:.1f} s")
    faults += watch.faults(files)
    for name in os.listdir(watch.folder):
        (watch.folder / name).unlink()
    return outcome, faults


def _faults_of_message(message: str, watch: Watch) -> list[str]:
    faults = []
    if len(message) > _LONGEST_MESSAGE:
        faults.append(f"the message has {len(message)} characters")
    if str(watch.folder) in message:
        faults.append("the message names the folder")
    return faults


def _faults_of_copy(name: str, held: object, copy: Path) -> list[str]:
    """Write what was read, and read it again."""
    form = FORMATS[name]
    assert form.write is not None
    try:
        form.write(copy, held)
        again = form.read(copy)
    except BaseException as error:
        return ["its copy: " + "".join(traceback.format_exception(error))]
    return [] if same(held, again) else [f"its copy holds {again!r}, not {held!r}"]


def made_small(case: FileCase, watch: Watch, tries: int = 2000) -> FileCase:
    """Leave out pieces of the content as long as it has a fault."""
    content = case.content
    size = max(1, len(content) // 2)
    while size and tries > 0:
        for at in range(0, len(content), size):
            shorter = content[:at] + content[at + size :]
            tries -= 1
            if try_file(FileCase(case.name, shorter), watch)[1]:
                content = shorter
                break
        else:
            size //= 2
    return FileCase(case.name, content)


def counters() -> dict[str, dict[str, int]]:
    """Return a count of each outcome for each format."""
    return {name: {ACCEPTED: 0, REFUSED: 0} for name in NAMES}
