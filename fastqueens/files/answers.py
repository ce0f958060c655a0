"""The file of the answers to a batch of instances, which grows line by line while they are solved.

Each line is an object of JSON. Its head says what it answers: the number of the instance, its name if it has one, a
digest of its text, and what else the answer depends on. So an interrupted batch can be continued, and the answers to
another one are recognised. All other files are replaced when they are complete; this one is useful before.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, TypeAlias

from fastqueens.core.errors import InputError
from fastqueens.files.instances import Entry
from fastqueens.files.text import FileName, reason_of, shortened

Head: TypeAlias = dict[str, Any]


def heads_of(entries: Sequence[Entry], settings: dict[str, Any]) -> list[Head]:
    """Return the heads of the answers to a batch that is solved with some settings."""
    heads = []
    for number, entry in enumerate(entries, 1):
        named = {} if entry.name is None else {"name": entry.name}
        digest = hashlib.blake2b(entry.text.strip(), digest_size=8).hexdigest()
        heads.append({"number": number, **named, "instance": digest, **settings})
    return heads


def line_of(head: Head, answer: dict[str, Any]) -> bytes:
    """Return the line of an answer."""
    return json.dumps(head | answer).encode() + b"\n"


def seed_in(path: FileName) -> int | None:
    """Return the seed of the first answer in a file; None if there is no such file or answer."""
    if not os.path.isfile(path):  # a device may have a line without an end
        return None
    try:
        with open(path, "rb") as file:
            seed = json.loads(file.readline())["seed"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return seed if type(seed) is int else None


@contextmanager
def growing_answers(path: FileName, heads: list[Head]) -> Iterator[tuple[IO[bytes], list[str]]]:
    """Open a file to append answers; yield it with the answers that it has already, "solved" and so on.

    Parameters
    ----------
    path : str or path
        Created if it does not exist. A last line without an end, which a killed process may leave, is removed.
    heads : list
        The heads of all answers to this batch.

    Raises
    ------
    InputError
        If the file cannot be read or written, or holds anything but answers to this batch. Then it stays unchanged.
    """
    name = os.fspath(path)
    target = os.path.realpath(name)
    has_answers = os.path.isfile(target)  # a device or a pipe has none
    try:
        with open(target, "r+b" if has_answers else "wb") as file:
            *lines, rest = file.read().split(b"\n") if has_answers else [b""]
            if len(lines) > len(heads):
                raise InputError(f"{name}: it has {len(lines):,} answers, and this batch {len(heads):,} instances")
            answers = [_answer_in(line, f"{name}: line {at}", heads[at - 1]) for at, line in enumerate(lines, 1)]
            begins = line_of({"number": len(lines) + 1}, {})[:-2]
            if rest[: len(begins)] != begins[: len(rest)]:
                raise _no_answer(f"{name}: line {len(lines) + 1}", rest)
            if rest:
                file.seek(-len(rest), os.SEEK_END)
                file.truncate()
            yield file, answers
    except OSError as error:
        if error.filename not in (None, target):
            raise  # an error of another file, which the block used
        raise InputError(f"{name}: {reason_of(error)}") from error


def _answer_in(line: bytes, place: str, head: Head) -> str:
    """Return the answer of a line; raise :class:`InputError` unless it has this head."""
    try:
        found = json.loads(line)
        answer = str(found["answer"])
    except (ValueError, TypeError, KeyError):
        raise _no_answer(place, line) from None
    for key, wanted in head.items():
        if found.get(key) != wanted:
            raise InputError(
                f"{place}: {key} is {shortened(json.dumps(found.get(key)))}, and {json.dumps(wanted)} in this batch; "
                "its answers need another file"
            )
    return answer


def _no_answer(place: str, line: bytes) -> InputError:
    held = shortened(repr(line[:200].decode(errors="replace")))
    return InputError(f"{place} holds {held}, which is no answer to a batch; nothing was written")
