"""Files of answers to a batch: a line of JSON per instance, appended during a run, which a later run continues."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from fastqueens._run.text import counted
from fastqueens.errors import InputError
from fastqueens.files.instances import BatchEntry
from fastqueens.files.text import IS_A_FOLDER, FileName, checked_name, explained, parse_json, printed, shortened

#: The beginning of an answer: its instance and settings.
Head: TypeAlias = dict[str, Any]

_CHANGED = "{}: another process has changed, moved, removed or replaced this file"
_ANSWERS = ("solved", "no solution", "undecided")

log = logging.getLogger("fastqueens")


def heads_of(entries: Sequence[BatchEntry], settings: dict[str, Any], options: Sequence[dict[str, Any]]) -> list[Head]:
    """Return the heads of the answers to a batch that is solved with these settings and options of each instance."""
    heads = []
    for number, (entry, chosen) in enumerate(zip(entries, options, strict=True), 1):
        named = {} if entry.name is None else {"name": entry.name}
        digest = hashlib.blake2b(entry.text.strip(), digest_size=8).hexdigest()
        heads.append({"number": number, **named, "instance": digest, **settings, "options": chosen})
    return heads


def seed_in(path: FileName) -> int | None:
    """Return the seed in the first line of a file of answers, or None if there is no such line or no file."""
    if not os.path.isfile(path):  # a pipe would wait for a writer
        return None
    with explained(path), open(path, "rb") as file:
        line = file.readline()
    seed = _values_of(line, f"{path}: line 1").get("seed") if line.endswith(b"\n") else None
    return seed if type(seed) is int else None


@contextlib.contextmanager
def appended_answers(path: FileName, heads: list[Head]) -> Iterator[tuple[Callable[[bytes], None], dict[int, str]]]:
    """Open or create a file of answers; yield a function that appends a line, and the answers that the file holds.

    The answers are a dict of "solved", "no solution" and "undecided" by the number of the instance. A last line without
    an end, which a killed process leaves, is removed. A file with other content is refused and unchanged. The function
    raises if another process has changed the file.
    """
    name = checked_name(path)
    if os.path.exists(name) and not os.path.isfile(name):
        raise InputError(f"{name}: {IS_A_FOLDER if os.path.isdir(name) else 'this is a pipe or a device, not a file'}")
    known: dict[int, str] = {}
    with contextlib.ExitStack() as stack:
        with explained(name):
            file = stack.enter_context(open(name, "a+b", buffering=0))
            file.seek(0)
            lines = file.readlines()
        torn = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        for at, line in enumerate(lines, 1):
            number, answer = _checked_answer(line, f"{name}: line {at}", heads)
            known[number] = answer
        size = sum(map(len, lines))
        if torn:
            if not lines and not torn.startswith(b'{"number": 1, '[: len(torn)]):
                raise InputError(f"{name} is not a file of answers (line 1 holds {printed(torn)}); nothing was written")
            with explained(name):
                file.truncate(size)
            log.warning("%s: removed a last line without an end; its answer is computed again", name)

        def append(line: bytes) -> None:
            nonlocal size
            with explained(name):
                status = os.fstat(file.fileno())
                if status.st_size != size or not leads_to(name, status):
                    raise InputError(_CHANGED.format(name))
                rest = memoryview(line + b"\n")
                try:
                    while rest:
                        rest = rest[file.write(rest) :]
                except BaseException:
                    with contextlib.suppress(OSError):
                        file.truncate(size)
                    raise
                size += len(line) + 1
                if file.tell() != size:  # another process has appended a line between the look and this line
                    file.truncate(file.tell() - len(line) - 1)
                    raise InputError(_CHANGED.format(name))

        yield append, known


def leads_to(path: FileName, status: os.stat_result) -> bool:
    """Return whether a path still leads to the file that had this status."""
    try:
        return os.path.samestat(os.stat(path), status)
    except OSError:
        return False


def _values_of(line: bytes, place: str) -> dict[str, Any]:
    values = parse_json(line, place)
    if not isinstance(values, dict):
        raise InputError(f"{place} holds {printed(line)}, not an answer; nothing was written")
    return values


def _checked_answer(line: bytes, place: str, heads: list[Head]) -> tuple[int, str]:
    """Return the number of the instance that a line answers, and the answer; raise InputError for another batch."""
    values = _values_of(line, place)
    number, answer = values.get("number"), values.get("answer")
    if type(number) is not int or not 0 < number <= len(heads) or answer not in _ANSWERS:
        batch = f"this batch of {counted(len(heads), 'instance')}"
        raise InputError(f"{place}: number {shortened(repr(number))} is not an answer to {batch}; nothing was written")
    for key, wanted in heads[number - 1].items():
        if values.get(key) != wanted:
            raise InputError(
                f"{place}: {key} is {shortened(json.dumps(values.get(key)))}, but {json.dumps(wanted)} in this batch; "
                "write the answers to another file"
            )
    return number, str(answer)
