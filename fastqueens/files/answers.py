"""The file of the answers to a batch of instances, which grows line by line while they are solved.

Each line is an object of JSON. Its head says what it answers: the number of the instance, its name if it has one, a
digest of its text, and what else the answer depends on. So an interrupted batch can be continued, and the answers to
another one are recognised. All other files are replaced when they are complete; this one is useful before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

from fastqueens._run.text import counted
from fastqueens.errors import InputError
from fastqueens.files.growing import GrowingFile, values_of
from fastqueens.files.instances import Entry
from fastqueens.files.text import FileName, shortened
from fastqueens.instance import Instance

Head: TypeAlias = dict[str, Any]

_ANSWERS = ("solved", "no solution", "undecided")

# What identifies an instance: a line begins with it.
_IDENTITY = ("number", "name", "instance")

# Bytes of an answer without its name and its solution, and of each row of the solution.
_ROOM, _ROW = 1 << 16, 12


def heads_of(entries: Sequence[Entry], settings: dict[str, Any]) -> list[Head]:
    """Return the heads of the answers to a batch that is solved with some settings."""
    heads = []
    for number, entry in enumerate(entries, 1):
        named = {} if entry.name is None else {"name": entry.name}
        digest = hashlib.blake2b(entry.text.strip(), digest_size=8).hexdigest()
        heads.append({"number": number, **named, "instance": digest, **settings})
    return heads


def longest_line(entries: Sequence[Entry]) -> int:
    """Return how many bytes an answer to a batch has at most."""
    sizes = (entry.instance.n if isinstance(entry.instance, Instance) else 0 for entry in entries)
    names = (len(json.dumps(entry.name)) for entry in entries)
    return _ROOM + max(_ROW * n + name for n, name in zip(sizes, names, strict=True))


@contextmanager
def growing_answers(
    path: FileName, heads: list[Head], longest: int
) -> Iterator[tuple[Callable[[bytes], None], dict[int, str]]]:
    """Open a file of answers, or create it; yield a function that adds a line, and the answers that it has already.

    These are "solved" and so on, by the number of the instance. Lines that are damaged or repeated are removed. Raises
    :class:`InputError`, and leaves the file unchanged, if it is not a file of answers to this batch. The function
    raises it if another process has written to the file: the one whose line comes first goes on.
    """
    known: dict[int, str] = {}
    with GrowingFile(path, longest) as file:

        def is_kept(at: int, line: bytes) -> bool:
            values = values_of(line)
            if values is None:
                return False
            number = _checked_number(values, f"{file.name}: line {at}", heads)
            is_new = number not in known
            known[number] = values["answer"]
            return is_new

        with file.locked():
            file.read(is_kept)
            if not known and file.size and not _is_begun(file.first_rejected, file.size, heads):
                raise _no_answer(f"{file.name}: line 1", file.first_rejected)
            file.remove_rejected()
        yield partial(file.append, is_alone=True), known


def _checked_number(values: dict[str, Any], place: str, heads: list[Head]) -> int:
    """Return which instance a line answers; raise :class:`InputError` unless it is one of this batch."""
    number = values.get("number")
    if type(number) is not int or number < 1 or values.get("answer") not in _ANSWERS:
        raise _no_answer(place, json.dumps(values).encode())
    if number > len(heads):
        raise InputError(f"{place} answers instance {number:,}, and this batch has {counted(len(heads), 'instance')}")
    for key, wanted in heads[number - 1].items():
        if values.get(key) != wanted:
            raise InputError(
                f"{place}: {key} is {shortened(json.dumps(values.get(key)))}, and {json.dumps(wanted)} in this batch; "
                "its answers need another file"
            )
    return number


def _is_begun(content: bytes, size: int, heads: list[Head]) -> bool:
    """Tell whether the content of a file is the beginning of the first answer, which a killed process may leave."""
    begin = json.dumps({key: heads[0][key] for key in _IDENTITY if key in heads[0]}).encode()[:-1]
    return size == len(content) and content[: len(begin)] == begin[: len(content)]


def _no_answer(place: str, line: bytes) -> InputError:
    held = shortened(repr(line[:200].decode(errors="replace")))
    return InputError(f"{place} holds {held}, which is not an answer to a batch; nothing was written")
